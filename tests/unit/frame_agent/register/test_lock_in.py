import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.claims import Evidence
from dissolution.conversation import Role
from dissolution.premises import (
    Acceptance,
    Accepted,
    Dependant,
    DependantKind,
    PremiseEvent,
    PremiseEventKind,
    PremiseStatus,
    Register,
    Scope,
)
from dissolution.values import NotMeasured
from frame_agent.register.lock_in import lock_in, lock_in_of, series


def words(turn: int, start: int) -> Evidence:
    return Evidence(turn=turn, start=start, end=start + 1, text="x")


def an_event(kind: PremiseEventKind, name: str, turn: int, status: PremiseStatus, **more: object) -> PremiseEvent:
    fields = {"premise": name, "turn": turn, "role": Role.USER, "speaker": "user", "status": status}
    return PremiseEvent.model_validate({"kind": kind, "scope": Scope.STANDING, "reason": "made up", **fields, **more})


def stated(name: str, turn: int, start: int, status: PremiseStatus) -> PremiseEvent:
    return an_event(
        PremiseEventKind.STATED, name, turn, status, proposition=name, evidence=words(turn, start), quoted=False
    )


def rests(name: str, turn: int, start: int, status: PremiseStatus, **more: object) -> PremiseEvent:
    kind = more.pop("kind", DependantKind.CONCLUSION)
    dependant = Dependant(
        kind=DependantKind(str(kind)), evidence=words(turn, start), cue="so", open=bool(more.pop("open", True))
    )
    event = PremiseEventKind.RESTS if dependant.open else PremiseEventKind.CLOSED
    return an_event(event, name, turn, status, dependant=dependant)


def register(through: int, *events: PremiseEvent) -> Register:
    return Register(conversation="c", through=through, events=tuple(sorted(events, key=lambda event: event.turn)))


GUESS, SURE = PremiseStatus.HEDGED, PremiseStatus.CONFIRMED


def test_without_anything_that_rests_on_anything_there_is_no_figure() -> None:
    assert isinstance(lock_in(register(3, stated("a", 1, 0, GUESS))), NotMeasured)
    assert isinstance(lock_in(register(0)), NotMeasured)


def test_nothing_that_rests_on_what_is_confirmed_locks_in() -> None:
    assert lock_in(register(9, stated("a", 1, 0, SURE), rests("a", 2, 0, SURE))) == 0


def test_the_parts_are_as_the_formula_says() -> None:
    # Two open statements, one on a guess: share 1/2. One link: depth 1 - 1/2. 20 turns, the half life: age 1/2.
    found = lock_in_of(
        register(21, stated("a", 1, 0, GUESS), stated("b", 1, 5, SURE), rests("a", 2, 0, GUESS), rests("b", 2, 5, SURE))
    )
    assert (found.share, found.depth, found.age) == (0.5, 0.5, 0.5)
    assert found.value == pytest.approx(0.5 * (1 + 0.5 + 0.5) / 3)


def test_a_conclusion_from_a_conclusion_is_deeper() -> None:
    flat = register(3, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS))
    deep = register(
        3, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS), stated("b", 2, 0, SURE), rests("b", 3, 0, SURE)
    )
    # Chains of one and of two links: 1 - 1/2 and 1 - 1/3.
    assert lock_in_of(flat).depth == pytest.approx(1 / 2)
    assert lock_in_of(deep).depth == pytest.approx(2 / 3, abs=1e-6)


def test_a_challenge_or_a_new_acceptance_starts_the_clock_again_and_time_runs_it_up() -> None:
    old = (stated("a", 1, 0, GUESS), rests("a", 1, 5, GUESS))
    challenged = an_event(PremiseEventKind.CHALLENGED, "a", 20, GUESS, evidence=words(20, 0))
    yes = Accepted(role=Role.USER, speaker="user", how=Acceptance.SILENCE, turn=21)
    accepted = an_event(PremiseEventKind.ACCEPTED, "a", 21, GUESS, accepted=yes)
    # 20 turns after it was stated, one turn after the challenge, none after the acceptance.
    expected = {(): 0.5, (challenged,): 1 - 2 ** (-1 / 20), (challenged, accepted): 0.0}
    for more, age in expected.items():
        assert lock_in_of(register(21, *old, *more)).age == pytest.approx(age, abs=1e-6)


def test_what_is_closed_or_only_asked_does_not_count() -> None:
    closed = register(3, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS), rests("a", 3, 0, GUESS, open=False))
    assert lock_in_of(closed).share == 1.0  # the first is open still
    only = register(3, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS), rests("a", 2, 0, GUESS, open=False))
    assert isinstance(lock_in(only), NotMeasured)
    asked = register(2, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS, kind="question"))
    assert isinstance(lock_in(asked), NotMeasured)


def test_a_series_has_a_figure_for_every_turn_and_each_is_that_of_the_register_then() -> None:
    whole = register(4, stated("a", 1, 0, GUESS), rests("a", 2, 0, GUESS), stated("b", 4, 0, SURE))
    found = series(whole)
    assert [one.turn for one in found] == [1, 2, 3, 4]
    assert isinstance(found[0].value, NotMeasured)
    assert found[2] == lock_in_of(whole.at(3))


@given(
    st.lists(
        st.tuples(st.sampled_from(PremiseStatus), st.integers(1, 9), st.lists(st.integers(0, 40), max_size=3)),
        max_size=8,
    )
)
def test_the_value_lies_between_none_and_all(drawn: list[tuple[PremiseStatus, int, list[int]]]) -> None:
    events: list[PremiseEvent] = []
    for number, (status, turn, places) in enumerate(drawn):
        events.append(stated(f"p{number}", turn, 100 + number, status))
        events += [rests(f"p{number}", turn, place, status) for place in places]
    value = lock_in(register(30, *events))
    assert isinstance(value, NotMeasured) or 0 <= value <= 1
