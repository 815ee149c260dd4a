"""What the turns behind a claim say about change."""

import pytest

from consensus.reconcile.cues import replaces_something, settling_words, takes_back
from dissolution.conversation import Role, Snapshot
from tests.factories import a_snapshot, a_turn
from tests.unit.consensus.reconcile.made import a_claim

OLD, NEW = "The cache holds 512 MB.", "The cache holds 1024 MB."


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((OLD, "Fine.", "How about 1024 MB instead?"), True),
        ((OLD, "Unfortunately that does not fit.", "1024 MB."), True),
        ((OLD, "Fine.", "1024 MB."), False),
    ],
)
def test_a_cue_stands_in_the_turn_or_in_the_answer_before(turns: tuple[str, ...], *, expected: bool) -> None:
    snapshot = a_snapshot(*turns)
    assert replaces_something(a_claim(NEW, snapshot, 3), snapshot) is expected


def test_what_was_never_so_is_taken_back() -> None:
    assert takes_back(["Fine.", "That was never right: it has always been 55."])
    assert not takes_back(["It is 55 now."])


@pytest.mark.parametrize(
    ("role", "said", "settles"),
    [
        (Role.USER, "1024 MB.", True),
        (Role.SYSTEM, "1024 MB.", True),
        (Role.ASSISTANT, "1024 MB.", False),
        (Role.ASSISTANT, "It was changed to 1024 MB.", True),
    ],
)
def test_who_may_settle(role: Role, said: str, *, settles: bool) -> None:
    snapshot = Snapshot(
        conversation="c", turns=(a_turn(1, OLD), a_turn(2, "Fine.", Role.ASSISTANT), a_turn(3, said, role))
    )
    found = settling_words(a_claim(OLD, snapshot, 1), a_claim(NEW, snapshot, 3), snapshot)
    assert bool(found) is settles


def test_older_words_settle_nothing() -> None:
    snapshot = a_snapshot(NEW, "Fine.", OLD)
    assert settling_words(a_claim(OLD, snapshot, 3), a_claim(NEW, snapshot, 1), snapshot) == ()


@pytest.mark.parametrize("answer", ["I am not showing any museums.", "I don't see any.", "There are not any."])
def test_an_answer_that_finds_none_is_a_cue(answer: str) -> None:
    snapshot = a_snapshot(OLD, answer, NEW)
    assert replaces_something(a_claim(NEW, snapshot, 3), snapshot)
