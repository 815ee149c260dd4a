from hypothesis import given

from language.negation import is_negated, negation_cues
from tests.unit.language.support import TEXTS, assert_in_order

DENIED: list[str] = [
    "We do not use Redis.",
    "We don’t use Redis.",
    "We don't use Redis.",
    "It never stops.",
    "Nobody runs FLUSHDB, FLUSHALL or KEYS.",
    "No one has measured it.",
    "The config lacks a timeout.",
    "It fails to start.",
    "Ravi refuses to deploy.",
    "EKS no longer runs.",
    "Neither A nor B works.",
    "There's no data.",
    "The rollback is impossible.",
    "Hardly any larvae survive.",
    "For now, we do not use X.",
    "I think we should not use X.",
    "The cause is unknown.",
    "Yes, but it does not work.",
    "No, we don't.",
    "No FLUSHDB, no KEYS.",
    "None of the eleven converged.",
    "When it rains, nobody works.",
    "We do not deploy because it is not ready.",
    "We cannot use it, so we wait.",
]


def test_negated() -> None:
    assert [text for text in DENIED if not is_negated(text) or not negation_cues(text)] == []


PLAIN: list[str] = [
    "",
    "...",
    "We use Redis.",
    "It is not impossible to roll back.",
    "It isn’t unknown.",
    "No one disagrees.",
    "Not only does it work but it is fast.",
    "Deploy no later than Friday.",
    "Not until Friday do we deploy.",
    "We use X because Y does not work.",
    "No, we use X.",
    "Nothing is deployed without a yes from Ravi.",
    "Without Ravi’s yes, nothing is deployed.",
    "Nothing is deployed unless Ravi agrees.",
    "If the test does not pass, we roll back.",
    "I use X, not Y.",
    "There is no doubt that it works.",
    "It works, doesn't it?",
    "The no-op branch runs.",
    "It runs with noeviction and no-uid logs.",
    "We keep Redis, which nobody likes.",
    'The label says "do not reuse".',
    "No. 5 is running.",
    "See `not null`.",
    "Redis can't help but grow.",
    "It is nothing but a cache.",
    "Yes. We use it.",
    "An unknown caller logs in.",
    "Whether or not it rains, we start.",
]


def test_not_negated() -> None:
    assert [text for text in PLAIN if is_negated(text)] == []


def test_cues_are_the_words_that_deny() -> None:
    text = "Nobody says it isn’t late, no later than “never”."
    assert [text[cue.start : cue.end] for cue in negation_cues(text)] == ["Nobody", "isn’t"]


@given(TEXTS)
def test_cues_are_ordered_and_inside(text: str) -> None:
    assert_in_order(negation_cues(text), text)
    is_negated(text)
