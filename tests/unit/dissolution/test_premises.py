import pytest
from pydantic import ValidationError

from dissolution.claims import Evidence
from dissolution.conversation import Role
from dissolution.premises import (
    Acceptance,
    Accepted,
    Dependant,
    DependantKind,
    PremiseEvent,
    PremiseEventKind,
    PremiseReading,
    PremiseStatus,
    Register,
    Scope,
    premises_of,
)

WORDS = Evidence(turn=1, start=0, end=5, text="churn")


def event(kind: PremiseEventKind, turn: int = 1, **more: object) -> PremiseEvent:
    stated = {"proposition": "churn is 2", "evidence": WORDS} if kind is PremiseEventKind.STATED else {}
    return PremiseEvent.model_validate(
        {
            "kind": kind,
            "premise": "p1.1",
            "turn": turn,
            "role": Role.USER,
            "speaker": "user",
            "status": PremiseStatus.HEDGED,
            "scope": Scope.STANDING,
            "reason": "hedged",
            **stated,
            **more,
        }
    )


STATED = event(PremiseEventKind.STATED)
YES = Accepted(role=Role.ASSISTANT, speaker="assistant", how=Acceptance.EXPLICIT_YES, turn=2, evidence=WORDS)
RESTING = Dependant(kind=DependantKind.CONCLUSION, evidence=WORDS, cue="so")


def test_events_come_to_premises_as_the_last_one_leaves_them() -> None:
    accepted = event(PremiseEventKind.ACCEPTED, 2, accepted=YES, status=PremiseStatus.CONFIRMED)
    (premise,) = premises_of((STATED, accepted, event(PremiseEventKind.CHALLENGED, 3, status=PremiseStatus.CONFIRMED)))
    assert (premise.status, premise.turn, premise.changed) == (PremiseStatus.CONFIRMED, 1, 3)
    assert (premise.accepted, premise.challenged) == ((YES,), 3)


def test_a_dependant_is_one_by_its_place_and_closing_it_leaves_it_on_record() -> None:
    rests = event(PremiseEventKind.RESTS, 2, dependant=RESTING)
    closed = event(PremiseEventKind.CLOSED, 3, dependant=RESTING.model_copy(update={"open": False}))
    (premise,) = premises_of((STATED, rests, closed))
    assert len(premise.dependants) == 1
    assert premise.open_dependants == ()


def test_every_reader_keeps_its_own_last_reading() -> None:
    first = event(PremiseEventKind.READ, 1, reading=PremiseReading(reader="a", status=PremiseStatus.HEDGED))
    other = event(PremiseEventKind.READ, 1, reading=PremiseReading(reader="b", status=PremiseStatus.ASSERTED))
    (premise,) = premises_of((STATED, first, other))
    assert [one.reader for one in premise.readings] == ["a", "b"]


@pytest.mark.parametrize(
    ("kind", "more", "told"),
    [
        (PremiseEventKind.STATED, {"proposition": None}, "without its proposition"),
        (PremiseEventKind.ACCEPTED, {}, "exactly accepted events"),
        (PremiseEventKind.RESTATED, {"accepted": YES}, "exactly accepted events"),
        (PremiseEventKind.RESTS, {}, "name a dependant"),
        (PremiseEventKind.RESTATED, {"dependant": RESTING}, "name a dependant"),
        (PremiseEventKind.READ, {}, "without a reading"),
    ],
)
def test_an_event_has_what_its_kind_needs(kind: PremiseEventKind, more: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        event(kind, 1, **more)


def test_only_silence_has_no_words() -> None:
    with pytest.raises(ValidationError, match="exactly silence"):
        Accepted(role=Role.USER, speaker="user", how=Acceptance.SILENCE, turn=2, evidence=WORDS)
    with pytest.raises(ValidationError, match="exactly silence"):
        Accepted(role=Role.USER, speaker="user", how=Acceptance.EXPLICIT_YES, turn=2)


def test_a_register_refuses_events_out_of_order_beyond_its_end_or_about_nothing() -> None:
    with pytest.raises(ValidationError, match="through 1"):
        Register(conversation="c", through=1, events=(event(PremiseEventKind.STATED, 2),))
    with pytest.raises(ValidationError, match="after turn 2"):
        Register(
            conversation="c", through=3, events=(event(PremiseEventKind.STATED, 2), event(PremiseEventKind.RESTATED))
        )
    with pytest.raises(ValidationError, match="state each once"):
        Register(conversation="c", through=1, events=(STATED, STATED))
    with pytest.raises(ValidationError, match="state each once"):
        Register(conversation="c", through=1, events=(event(PremiseEventKind.RESTATED),))


def test_a_register_can_be_read_as_it_was_and_its_digest_tells_it_apart() -> None:
    whole = Register(conversation="c", through=3, events=(STATED, event(PremiseEventKind.RESTATED, 2)))
    before = whole.at(1)
    assert (before.through, before.events) == (1, (STATED,))
    assert whole.at(9) == whole
    assert before.digest != whole.digest
    assert len(whole.premises) == 1
