import json
import math
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import putting as fitting
from language.putting import (
    END,
    FIGURE,
    START,
    Linear,
    Phrasing,
    ReplyAct,
    fitted,
    grams_of,
    is_hedged,
    phrasing_of,
    reply_to,
    tokens_of,
)


def test_figures_are_one_word_and_a_text_has_a_beginning_and_an_end() -> None:
    assert tokens_of("I'd guess 1,250.5 kg, no?") == [START, "i'd", "guess", FIGURE, "kg", ",", "no", "?", END]
    assert tokens_of("it’s") == [START, "it's", END]
    assert tokens_of("") == [START, END]


def test_grams_are_words_pairs_triples_and_the_opening() -> None:
    grams = list(grams_of("so be it"))
    assert {"so", "so be", "so be it", f"{START} so be", f"it {END}", "1:so", "1:it"} <= set(grams)
    assert "so be it </s>" not in grams


def test_weights_add_up_to_the_share_of_a_logistic_regression() -> None:
    model = Linear(["no", "yes"], [0.0, 1.0], {"a": [0.5, 0.0], "b": [0.0, 2.0]})
    weighed = model.weigh(["a", "b", "b", "unknown"], {})
    assert weighed.label == "yes"
    assert weighed.share == pytest.approx(math.exp(3) / (math.exp(3) + math.exp(0.5)))
    assert math.fsum(weighed.shares.values()) == pytest.approx(1)
    assert model.weigh(["a"], {"no": 5.0}).label == "no"


@given(st.text(max_size=300))
def test_any_text_gets_a_probability_for_every_label(text: str) -> None:
    for weighed, labels in ((phrasing_of(text), Phrasing), (reply_to(text), ReplyAct)):
        assert set(weighed.shares) == {one.value for one in labels}
        assert math.fsum(weighed.shares.values()) == pytest.approx(1)
        assert weighed.share == max(weighed.shares.values())


def test_the_stored_models_say_what_they_are_fitted_on_and_how_often_they_are_right() -> None:
    model = fitted()
    assert model.digest == fitting.digest(), "labels changed: run python benchmarks/putting.py --fit"
    assert model.source == fitting.SOURCE
    assert model.basis == f"putting {model.digest[:8]}"
    assert set(model.held_out) == {"sentences", "replies"} == set(model.models)
    assert all(0.7 < figures["accuracy"] < 1 for figures in model.held_out.values())
    stored = json.loads(resources.files("language").joinpath("putting.json").read_text(encoding="utf-8"))["models"]
    for one in stored.values():
        assert len(one["intercepts"]) == len(one["labels"])
        assert all(len(weights) == len(one["labels"]) for weights in one["weights"].values())


def test_a_guess_in_any_sentence_makes_a_text_hedged() -> None:
    assert is_hedged("The launch is on May 12. I guess the budget is enough for it.")
    assert not is_hedged("The launch is on May 12. The budget is 300 euros.")
    assert not is_hedged("")
