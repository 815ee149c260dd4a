import hashlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.conversation import (
    Language,
    QuotedKind,
    QuotedSpan,
    Role,
    Snapshot,
    Turn,
    chained_digest,
    chained_digests,
)
from dissolution.errors import InvalidConversation, UnknownTurn
from dissolution.values import NotMeasured, Span
from tests.factories import INSTANT, a_conversation, a_turn


def quoted(start: int, end: int) -> QuotedSpan:
    return QuotedSpan(start=start, end=end, kind=QuotedKind.CODE)


def test_turn_digest_is_the_documented_formula() -> None:
    turn = a_turn(1, "hé", Role.USER, "Ann")
    # role, speaker, said_at (none), content: each with its length in code points
    assert turn.digest == hashlib.sha256("4:user3:Ann0:2:hé".encode()).hexdigest()
    said = turn.model_copy(update={"said_at": datetime(2026, 1, 2, tzinfo=UTC)})
    expected = "4:user3:Ann25:2026-01-02T00:00:00+00:002:hé"
    assert Turn.model_validate(said.model_dump()).digest == hashlib.sha256(expected.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [{"role": Role.TOOL}, {"speaker": "Bob"}, {"content": "hello "}, {"said_at": INSTANT}],
)
def test_what_was_said_changes_the_digest(change: dict[str, object]) -> None:
    turn = a_turn(1, "hello")
    assert Turn.model_validate({**turn.model_dump(), **change}).digest != turn.digest


@pytest.mark.parametrize("change", [{"recorded_at": INSTANT + timedelta(days=1)}, {"quoted": (quoted(0, 2),)}])
def test_what_we_add_does_not_change_the_digest(change: dict[str, object]) -> None:
    turn = a_turn(1, "hello")
    assert Turn.model_validate({**turn.model_dump(), **change}).digest == turn.digest


@given(st.tuples(st.text(min_size=1), st.text(min_size=1)), st.tuples(st.text(min_size=1), st.text(min_size=1)))
def test_moving_text_between_speaker_and_content_changes_the_digest(one: tuple[str, str], two: tuple[str, str]) -> None:
    first, second = (
        Turn(number=1, role=Role.USER, speaker=speaker[:200], content=content, recorded_at=INSTANT)
        for speaker, content in (_sayable(one), _sayable(two))
    )
    same = (first.speaker, first.content) == (second.speaker, second.content)
    assert (first.digest == second.digest) == same


def _sayable(pair: tuple[str, str]) -> tuple[str, str]:
    """Without lone surrogates, which no reader lets in."""
    speaker, content = (text.encode("utf-8", "replace").decode() for text in pair)
    return speaker, content


def test_chain_depends_on_every_turn_and_on_their_order() -> None:
    turns = a_conversation("a", "b", "c").turns
    seed = hashlib.sha256(b"dissolution/turns/1").hexdigest()
    assert chained_digest(()) == seed
    first = hashlib.sha256(f"{seed}{turns[0].digest}".encode()).hexdigest()
    assert chained_digest(turns[:1]) == first
    assert chained_digest(turns[:2]) == hashlib.sha256(f"{first}{turns[1].digest}".encode()).hexdigest()
    assert chained_digests(turns) == tuple(chained_digest(turns[:n]) for n in (1, 2, 3))
    assert chained_digests(()) == ()
    assert chained_digest(turns) != chained_digest(tuple(reversed(turns)))


def test_snapshot_is_a_prefix_and_a_grown_conversation_keeps_its_digest() -> None:
    short, grown = a_conversation("a", "b"), a_conversation("a", "b", "c")
    assert grown.snapshot(2) == short.snapshot()
    assert grown.snapshot(2).digest == short.snapshot().digest == chained_digest(short.turns)
    assert grown.snapshot().through == 3
    assert grown.snapshot(1).turn(1).content == "a"


@pytest.mark.parametrize("number", [0, -1, 4])
def test_turns_outside_are_refused(number: int) -> None:
    conversation = a_conversation("a", "b", "c")
    with pytest.raises(UnknownTurn, match=f"turn {number}.* 1 to 3"):
        conversation.turn(number)
    with pytest.raises(UnknownTurn):
        conversation.snapshot(number)


@pytest.mark.parametrize("numbers", [(2,), (1, 1), (1, 3), (2, 1)])
def test_turns_are_numbered_from_one_without_gaps(numbers: tuple[int, ...]) -> None:
    turns = tuple(a_turn(number, "x") for number in numbers)
    with pytest.raises(InvalidConversation, match="1, 2, 3"):
        Snapshot(conversation="c", turns=turns)


def test_no_turns_is_no_snapshot() -> None:
    with pytest.raises(ValidationError):
        Snapshot(conversation="c", turns=())


@pytest.mark.parametrize("spans", [(quoted(0, 3), quoted(2, 4)), (quoted(4, 6),), (quoted(3, 4), quoted(0, 1))])
def test_quoted_spans_lie_inside_in_order_and_apart(spans: tuple[QuotedSpan, ...]) -> None:
    with pytest.raises(ValidationError, match="overlaps"):
        a_turn(1, "hello", quoted=spans)


def test_is_quoted_means_touches() -> None:
    turn = a_turn(1, "say `x = 1` now", quoted=(quoted(4, 11),))
    assert turn.is_quoted(Span(start=10, end=15))
    assert turn.is_quoted(Span(start=0, end=5))
    assert not turn.is_quoted(Span(start=0, end=4))
    assert not turn.is_quoted(Span(start=11, end=15))


@pytest.mark.parametrize("field", ["said_at", "recorded_at"])
def test_naive_instants_are_refused(field: str) -> None:
    given = a_turn(1, "x").model_dump() | {field: datetime(2026, 1, 1)}  # noqa: DTZ001 - the refusal is tested
    with pytest.raises(ValidationError, match="timezone"):
        Turn.model_validate(given)


def test_the_same_instant_in_another_zone_is_the_same_past() -> None:
    here = datetime(2026, 1, 1, 12, tzinfo=UTC)
    there = here.astimezone(timezone(timedelta(hours=2)))
    one, two = (Turn.model_validate(a_turn(1, "x").model_dump() | {"said_at": at}) for at in (here, there))
    assert one.digest == two.digest


@pytest.mark.parametrize("code", ["EN", "e", "english", ""])
def test_language_codes_are_iso(code: str) -> None:
    with pytest.raises(ValidationError):
        Language(code=code, confidence=NotMeasured(not_measured="x"))
    assert Language(code="und", confidence=0.5).code == "und"


def test_conversation_survives_json() -> None:
    conversation = a_conversation("naïve 🙂", "b")
    assert type(conversation).model_validate_json(conversation.model_dump_json()) == conversation
