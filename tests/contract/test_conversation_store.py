"""ConversationStore: one suite over every adapter."""

from datetime import datetime, timedelta, timezone

import pytest

from dissolution.conversation import Conversation, KnownSecret, QuotedKind, QuotedSpan, Redaction, Role, Turn
from dissolution.errors import ChangedPast, InvalidConversation, NotFound
from dissolution.ports.store import UnitOfWorkFactory
from tests.factories import INSTANT, a_conversation, a_turn


def _extend(units: UnitOfWorkFactory, conversation: Conversation) -> int:
    with units() as unit:
        added = unit.conversations.extend(conversation)
        unit.commit()
    return added


def _get(units: UnitOfWorkFactory, name: str) -> Conversation:
    with units() as unit:
        return unit.conversations.get(name)


def test_what_is_stored_comes_back_whole(units: UnitOfWorkFactory) -> None:
    far = datetime(2026, 3, 1, 1, 2, 3, 456789, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
    turns = (
        Turn(number=1, role=Role.PARTICIPANT, speaker="Zoë 🦊", content="naïve\nline", said_at=far, recorded_at=far),
        a_turn(2, "[doc]", Role.TOOL, quoted=(QuotedSpan(start=0, end=5, kind=QuotedKind.DOCUMENT),)),
    )
    given = a_conversation("x").model_copy(
        update={
            "id": "id with 'quotes' % and \\",
            "title": "Überblick",
            "turns": turns,
            "redactions": (
                Redaction(turn=2, kind="aws_key", placeholder="[aws_key:1]"),
                Redaction(turn=1, kind="token", placeholder="[token:1]"),
            ),
        }
    )

    assert _extend(units, given) == 2

    stored = _get(units, given.id)
    assert stored == given
    assert stored.snapshot().digest == given.snapshot().digest
    assert stored.turns[0].said_at is not None
    assert stored.turns[0].said_at.utcoffset() is not None


@pytest.mark.parametrize(
    "content", ["a\0b", "\ufdd0", "\ufdd00000", "'; DROP TABLE turns; --", "x" * 300_000, "\uffff\U0010ffff"]
)
def test_odd_text_comes_back_code_point_by_code_point(units: UnitOfWorkFactory, content: str) -> None:
    _extend(units, a_conversation(content))

    assert _get(units, "conv-1").turn(1).content == content


def test_a_grown_conversation_adds_only_what_is_new(units: UnitOfWorkFactory) -> None:
    first, grown = a_conversation("a", "b"), a_conversation("a", "b", "c")
    redaction = Redaction(turn=3, kind="token", placeholder="[token:1]")
    grown = grown.model_copy(update={"title": "grown", "redactions": (redaction,)})

    assert [_extend(units, one) for one in (first, first, grown, first)] == [2, 0, 1, 0]
    assert _get(units, "conv-1") == grown


def test_the_bytes_of_the_text_are_counted_up_to_a_turn(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(a_conversation("é", "会议", "a", name="talk"))
        counted = [unit.conversations.text_bytes("talk", through) for through in (0, 1, 2, 3, 9)]
        assert (counted, unit.conversations.text_bytes("nobody", 3)) == ([0, 2, 8, 9, 9], 0)


def test_a_redaction_is_stored_once(units: UnitOfWorkFactory) -> None:
    redaction = Redaction(turn=1, kind="token", placeholder="[token:1]")
    for contents in (("a",), ("a", "b"), ("a", "b")):
        _extend(units, a_conversation(*contents).model_copy(update={"redactions": (redaction,)}))

    assert _get(units, "conv-1").redactions == (redaction,)


def test_a_changed_past_is_refused_with_its_first_turn(units: UnitOfWorkFactory) -> None:
    _extend(units, a_conversation("a", "b", "c"))

    with pytest.raises(ChangedPast, match="turn 2 differs") as caught:
        _extend(units, a_conversation("a", "B", "C", "d"))

    assert caught.value.turn == 2
    assert len(_get(units, "conv-1").turns) == 3


def test_a_better_reader_may_mark_more_without_changing_the_past(units: UnitOfWorkFactory) -> None:
    _extend(units, a_conversation("a"))
    marked = a_turn(1, "a", quoted=(QuotedSpan(start=0, end=1, kind=QuotedKind.CODE),))
    again = a_conversation("a").model_copy(
        update={"turns": (marked.model_copy(update={"recorded_at": INSTANT + timedelta(days=1)}),)}
    )

    assert _extend(units, again) == 0
    assert _get(units, "conv-1").turns[0].recorded_at == INSTANT


def test_a_redaction_of_no_turn_is_refused(units: UnitOfWorkFactory) -> None:
    stray = Redaction(turn=2, kind="token", placeholder="[token:1]")

    with pytest.raises(InvalidConversation, match=r"turn 2.*turn is 1"):
        _extend(units, a_conversation("a").model_copy(update={"redactions": (stray,)}))


def test_ids_are_in_order_and_unknown_ones_are_not_found(units: UnitOfWorkFactory) -> None:
    for name in ("b", "ä", "B", "a"):
        _extend(units, a_conversation("x", name=name))

    with units() as unit:
        assert unit.conversations.ids() == ("B", "a", "b", "ä")
        with pytest.raises(NotFound, match="no conversation 'c'"):
            unit.conversations.get("c")


def _append(units: UnitOfWorkFactory, *turns: Turn, redactions: tuple[Redaction, ...] = ()) -> int:
    with units() as unit:
        added = unit.conversations.append("conv-1", turns, redactions)
        unit.commit()
    return added


def test_what_is_appended_stands_as_if_it_had_been_given_with_the_rest(units: UnitOfWorkFactory) -> None:
    whole = a_conversation("one", "two", "three", "four").model_copy(
        update={
            "redactions": (
                Redaction(turn=1, kind="key", placeholder="[key:1]"),
                Redaction(turn=3, kind="key", placeholder="[key:3]"),
                Redaction(turn=4, kind="key", placeholder="[key:4]"),
            )
        }
    )
    first = whole.model_copy(update={"turns": whole.turns[:1], "redactions": whole.redactions[:1]})
    _extend(units, first)

    assert _append(units) == 0
    assert _append(units, *whole.turns[1:3], redactions=whole.redactions[1:2]) == 2
    assert _append(units, *whole.turns[1:], redactions=whole.redactions[1:]) == 1  # two of them are stored already
    assert _append(units, *whole.turns[1:], redactions=whole.redactions[1:]) == 0

    assert _get(units, "conv-1") == whole
    assert _extend(units, whole) == 0  # the chained digests are those of the whole


def test_an_append_that_does_not_follow_adds_nothing(units: UnitOfWorkFactory) -> None:
    _extend(units, a_conversation("one", "two"))

    with pytest.raises(NotFound, match="no conversation 'other'"), units() as unit:
        unit.conversations.append("other", (a_turn(1, "x"),))
    with pytest.raises(ChangedPast, match="turn 2"):
        _append(units, a_turn(2, "too"), a_turn(3, "three"))
    with pytest.raises(InvalidConversation, match="4: 3 is next"):
        _append(units, a_turn(4, "four"))
    with pytest.raises(InvalidConversation, match="5: 4 is next"):
        _append(units, a_turn(3, "three"), a_turn(5, "five"))
    with pytest.raises(InvalidConversation, match="in turn 1"):
        _append(units, a_turn(3, "three"), redactions=(Redaction(turn=1, kind="key", placeholder="[key:1]"),))

    assert len(_get(units, "conv-1").turns) == 2


def _met(turn: int, sign: str) -> KnownSecret:
    return KnownSecret(turn=turn, placeholder=f"[key:{sign}]", length=12, head=sign * 3, digest=sign * 32)


def test_what_recognises_secrets_grows_with_the_turns_and_goes_with_the_conversation(units: UnitOfWorkFactory) -> None:
    whole = a_conversation("One.", "Two.", "Three.")
    _extend(units, a_conversation("One.").model_copy(update={"known": (_met(1, "a"),)}))
    grown = whole.model_copy(update={"turns": whole.turns[:2], "known": (_met(1, "a"), _met(2, "b"), _met(2, "c"))})
    _extend(units, grown)
    with units() as unit:
        unit.conversations.append("conv-1", whole.turns[1:], known=(_met(2, "b"), _met(3, "d")))
        unit.commit()

    with units() as unit:
        assert unit.conversations.known("conv-1") == (_met(1, "a"), _met(2, "b"), _met(2, "c"), _met(3, "d"))
        assert unit.conversations.get("conv-1").known == unit.conversations.known("conv-1")
        unit.ledger.erase("conv-1", INSTANT, actor="ann", reason="asked")
        unit.commit()
    with units() as unit:
        assert unit.conversations.known("conv-1") == ()
        assert unit.conversations.known("never stored") == ()


def test_a_jobs_snapshot_is_that_of_its_turns_until_the_conversation_is_erased(units: UnitOfWorkFactory) -> None:
    talk = a_conversation("One.", "Twö.", "Three.")
    first = talk.snapshot(2)
    with units() as unit:
        unit.conversations.extend(talk)
        unit.commit()
    for _ in range(2):  # read, and then kept
        with units() as unit:
            found = unit.conversations.snapshot(talk.id, 2, first.digest)
            assert (found, found.digest) == (first, first.digest)
            assert unit.conversations.text_bytes(talk.id, 2) == len("One.Twö.".encode())
    with units() as unit:
        unit.ledger.erase(talk.id, INSTANT, actor="ann", reason="asked for by letter")
        unit.commit()
    with units() as unit, pytest.raises(NotFound):
        unit.conversations.snapshot(talk.id, 2, first.digest)
