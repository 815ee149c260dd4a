"""The port of surprise: what holds for whoever measures it."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from consensus.embedding.causal_model import CausalEstimator, CausalModel
from dissolution.surprise import Surprise, SurpriseEstimator
from dissolution.values import NotMeasured
from language.surprise.backoff import BackoffEstimator
from language.surprise.logprobs import LogProbEstimator
from tests.unit.consensus.embedding.test_causal_model import made

TALK = (
    "We use Postgres for the shared ledger in Hamburg.",
    "The ledger lives in Oslo and not in Hamburg.",
    "ok",
    "",
    "We do not use Postgres for the shared ledger in Hamburg.",
    "We use Postgres for the shared ledger in Hamburg.\n" * 40,
    "\ud800 na\0me 🙂 的",
)
TURNED = 4  # the place of the turn that denies the first


def scored(before: str, text: str) -> list[float]:
    """A model of letters: a word that was said costs half of what a new one costs."""
    return [-len(word) * math.log(2) / (1 + (word in before)) for word in text.split()]


@pytest.fixture(scope="module")
def tiny(weights: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("models") / "tiny")


def made_of(kind: str, folder: Callable[[], Path]) -> SurpriseEstimator:
    """An estimator of one kind; a model of its own is made in a folder that is asked for only then."""
    if kind == "words":
        return BackoffEstimator()
    if kind == "log-probabilities":
        return LogProbEstimator("letters", scored)
    return CausalEstimator(CausalModel(str(folder())))


KINDS = ("words", "log-probabilities", "local model")


@pytest.fixture(params=[*KINDS[:2], pytest.param(KINDS[2], marks=pytest.mark.slow)])
def estimator(request: pytest.FixtureRequest) -> SurpriseEstimator:
    return made_of(request.param, lambda: request.getfixturevalue("tiny"))


def read(estimator: SurpriseEstimator, *, restarted: bool = False) -> list[Surprise]:
    reader = estimator.resume(b"")
    found: list[Surprise] = []
    for text in TALK:
        found.append(reader.read(text))
        if restarted:
            reader = estimator.resume(reader.memory())
    return found


def test_bits_are_finite_and_never_below_zero(estimator: SurpriseEstimator) -> None:
    for one in read(estimator):
        assert isinstance(one.bits, NotMeasured) or (math.isfinite(one.bits) and one.bits >= 0)
        assert isinstance(one.bits, NotMeasured) or one.tokens > 0


def test_a_text_without_words_is_not_measured(estimator: SurpriseEstimator) -> None:
    assert isinstance(read(estimator)[3].bits, NotMeasured)


def test_the_same_talk_gives_the_same_bits_and_a_restart_changes_nothing(estimator: SurpriseEstimator) -> None:
    whole = read(estimator)
    assert whole == read(estimator)
    assert whole == read(estimator, restarted=True)


def test_what_denies_an_earlier_sentence_is_guarded_whatever_its_bits(estimator: SurpriseEstimator) -> None:
    found = read(estimator)
    assert found[TURNED].guarded
    assert not found[0].guarded
    assert not found[2].guarded


def test_memory_does_not_grow_with_the_talk(estimator: SurpriseEstimator) -> None:
    reader = estimator.resume(b"")
    sizes: list[int] = []
    for number in range(300):
        reader.read(f"Round {number} compares tariff {number * 7} with the harbour plan of ledger {number % 9}. " * 3)
        sizes.append(len(reader.memory()))
    assert max(sizes) < 60_000
    assert max(sizes[280:]) - min(sizes[280:]) < 1000


def test_each_has_a_name_and_refuses_the_memory_of_another(tiny: Path) -> None:
    every = [made_of(kind, lambda: tiny) for kind in KINDS]
    assert len({one.name for one in every}) == len(every)
    for mine in every:
        reader = mine.resume(b"")
        reader.read(TALK[0])
        for other in every:
            if other is not mine:
                with pytest.raises(ValueError, match="no memory of"):
                    other.resume(reader.memory())
