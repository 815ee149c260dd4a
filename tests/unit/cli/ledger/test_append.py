import pytest

from cli.ledger.append import in_words, placed_after
from dissolution.conversation import Conversation, KnownSecret, Redaction
from dissolution.errors import UnknownTurn
from tests.factories import a_conversation

STORED = a_conversation("One.", "Two.", "Three.").model_copy(
    update={
        "redactions": (
            Redaction(turn=1, kind="key", placeholder="[key 1]"),
            Redaction(turn=3, kind="key", placeholder="[key 3]"),
        )
    }
)
GIVEN = a_conversation("Four.", "Five.", name="other").model_copy(
    update={"redactions": (Redaction(turn=2, kind="token", placeholder="[token]"),)}
)


def said(conversation: Conversation) -> list[tuple[int, str]]:
    return [(turn.number, turn.content) for turn in conversation.turns]


def test_turns_follow_under_the_next_numbers_with_their_redactions() -> None:
    grown = placed_after(STORED, GIVEN, 3)
    assert grown.id == "conv-1"
    assert said(grown) == [(1, "One."), (2, "Two."), (3, "Three."), (4, "Four."), (5, "Five.")]
    assert [(one.turn, one.kind) for one in grown.redactions] == [(1, "key"), (3, "key"), (5, "token")]


def test_they_may_follow_an_earlier_turn_so_that_giving_them_twice_adds_nothing() -> None:
    assert said(placed_after(STORED, a_conversation("Two.", "Three."), 1)) == said(STORED)
    assert [one.turn for one in placed_after(STORED, GIVEN, 1).redactions] == [1, 3]
    assert said(placed_after(STORED, GIVEN, 0)) == [(1, "Four."), (2, "Five.")]


def test_a_turn_that_does_not_exist_is_followed_by_none() -> None:
    with pytest.raises(UnknownTurn, match="turn 4"):
        placed_after(STORED, GIVEN, 4)


@pytest.mark.parametrize(
    ("added", "words"), [(0, "nothing new: 9 turns"), (1, "1 turn added: turn 9"), (3, "3 turns added: 7 to 9")]
)
def test_what_was_added_in_words(added: int, words: str) -> None:
    assert in_words(added, 9) == words


def test_what_recognises_secrets_follows_under_the_same_numbers() -> None:
    met = KnownSecret(turn=2, placeholder="[token]", length=9, head="abc", digest="a" * 32)
    before = met.model_copy(update={"turn": 3})
    grown = placed_after(STORED.model_copy(update={"known": (before,)}), GIVEN.model_copy(update={"known": (met,)}), 3)
    assert [one.turn for one in grown.known] == [3, 5]
