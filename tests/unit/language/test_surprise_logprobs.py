import math
from collections.abc import Sequence

import pytest

from dissolution.values import NotMeasured
from language.surprise.logprobs import CONTEXT_CHARS, MANY_MISSING, NOT_GIVEN, LogProbEstimator

ONE_BIT = -math.log(2)


class Model:
    """Gives each word the same log-probability and remembers what it was shown."""

    def __init__(self, logs: Sequence[float | None] | None) -> None:
        self.logs = logs
        self.shown: list[str] = []

    def __call__(self, before: str, _text: str) -> Sequence[float | None] | None:
        self.shown.append(before)
        return self.logs


def test_bits_are_logarithms_to_base_two_and_what_is_missing_counts_as_the_rest() -> None:
    whole = LogProbEstimator("m", Model([ONE_BIT, 3 * ONE_BIT])).resume(b"").read("two words")
    assert (whole.bits, whole.tokens) == (pytest.approx(4.0), 2)
    part = LogProbEstimator("m", Model([ONE_BIT] * 9 + [None])).resume(b"").read("ten")
    assert (part.bits, part.tokens) == (pytest.approx(10.0), 10)


@pytest.mark.parametrize(
    ("logs", "why"),
    [(None, NOT_GIVEN), ([], NOT_GIVEN), ([ONE_BIT, None], MANY_MISSING), ([-math.inf] * 3, MANY_MISSING)],
)
def test_absence_is_not_zero(logs: Sequence[float | None] | None, why: NotMeasured) -> None:
    assert LogProbEstimator("m", Model(logs)).resume(b"").read("words").bits == why


def test_the_model_is_shown_what_came_before_up_to_a_limit_and_after_a_restart_too() -> None:
    model = Model([ONE_BIT])
    estimator = LogProbEstimator("acme/large", model)
    reader = estimator.resume(b"")
    reader.read("first \0 words")
    again = estimator.resume(reader.memory())
    again.read("The harbour plan is approved. " * 1000)
    again.read("last")
    assert model.shown[:2] == ["", "\nfirst \0 words"]
    assert len(model.shown[2]) == CONTEXT_CHARS
    assert estimator.name == "logprobs-1:acme/large"
    assert estimator.resume(again.memory()).read("The harbour plan is not approved.").guarded


@pytest.mark.parametrize("memory", [b"abc", b"\xff\xff\xff\xff"])
def test_memory_of_something_else_is_refused(memory: bytes) -> None:
    with pytest.raises(ValueError, match="no memory of 'logprobs-1:m'"):
        LogProbEstimator("m", Model(None)).resume(memory)
