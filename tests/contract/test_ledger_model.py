"""Whatever is committed, corrected, closed, acted on and rolled back in whatever order: the ledger equals the model."""

import itertools
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Mark, Section, Support
from dissolution.intervals import InstantInterval, Moment, TurnInterval
from dissolution.ledger import LedgerEventKind
from dissolution.ports.store import UnitOfWorkFactory
from tests.contract.naive_ledger import OPEN, NaiveLedger
from tests.factories import a_conversation
from tests.unit.store.cycles import a_cycle, an_act, ended
from tests.unit.store.ledgers import a_claim, a_job, a_receipt, later

TURNS = 9
FAMILIES = ("alpha", "beta", "gamma")
TALK = a_conversation(*(f"turn {number} says so" for number in range(1, TURNS + 1)), name="talk")
names = (f"m{number}" for number in itertools.count())

NUMBERS = st.integers(0, 7)
CYCLE = st.tuples(st.just("cycle"), st.lists(NUMBERS, max_size=4), st.lists(NUMBERS, max_size=2), NUMBERS)
ACT = st.tuples(st.just("act"), st.sampled_from(["pinned", "unpinned", "confirmed", "retracted"]), NUMBERS, NUMBERS)
BACK = st.tuples(st.just("back"), NUMBERS, NUMBERS, NUMBERS)
STEPS = st.lists(st.tuples(st.one_of(CYCLE, CYCLE, ACT, BACK), st.integers(-5, 20)), min_size=1, max_size=12)
MOMENTS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(1, TURNS + 1)),
        st.one_of(st.none(), st.integers(-10, 150)),
        st.one_of(st.none(), st.integers(0, 40)),
        st.one_of(st.none(), st.integers(-10, 150)),
    ),
    min_size=8,
    max_size=8,
)


@dataclass
class Run:
    """A ledger of the store and the model of it, changed side by side."""

    units: UnitOfWorkFactory
    name: str
    model: NaiveLedger = field(default_factory=NaiveLedger)
    prior: BoundaryState | None = None
    clock: float = 0
    fresh: int = 0

    @property
    def version(self) -> int:
        return len(self.model.versions)

    def claims(self) -> dict[str, Claim]:
        return {claim.id: claim for claim in (self.prior.claims if self.prior else ())}

    def cycle(self, said: list[int], closing: list[int], salt: int) -> None:
        """Say some of what is held and something new; close some of the rest, in one of three ways."""
        through = min(TURNS, 2 + self.version)
        talk = a_conversation(*(turn.content for turn in TALK.turns[:through]), name=self.name)
        held = self.claims()
        ids = sorted(held)
        again = {ids[number % len(ids)] for number in said if number % 2 and ids}
        closed = {ids[number % len(ids)] for number in closing if ids} - again
        claims = [_said(held[name], FAMILIES[salt % 3]) for name in sorted(again)]
        claims += [self._new(number, through) for number in said if number % 2 == 0 or not ids][:3]
        assume(claims or set(ids) - closed)
        ends = [_end(held[name], salt + number, through) for number, name in enumerate(sorted(closed))]
        job = a_job(next(names), talk)
        candidate = a_cycle(job.id, self.prior, claims, ends, conversation=talk)
        with self.units() as unit:
            unit.conversations.extend(talk)
            unit.jobs.add(job, ())
            unit.boundaries.commit(candidate, a_receipt(job), self.version, later(self.clock))
            unit.commit()
        self.model.commit(
            self.clock,
            through,
            {claim.id: _fact(claim) for claim in claims},
            {claim.id: _ending(claim) for claim in ends},
        )

    def act(self, kind: str, number: int, salt: int) -> None:
        """A person's act on one claim, if it can be done."""
        ids = sorted(self.claims())
        assume(ids)
        name = ids[number % len(ids)]
        fact = self.model.versions[-1]["facts"][name]
        never = salt % 2 == 1
        assume((kind != "unpinned") == ("pinned" not in fact["marks"]) or kind in {"confirmed", "retracted"})
        assume(kind != "confirmed" or "confirmed" not in fact["marks"])
        act = an_act(LedgerEventKind(kind), name, never_held=never and kind == "retracted")
        with self.units() as unit:
            unit.ledger.act(self.name, act, self.version, later(self.clock))
            unit.commit()
        now = self.model.begin(kind, self.clock)
        fact = now["facts"][name]
        if kind == "retracted":
            fact["state"] = "corrected" if never else "expired"
            fact["to"] = fact["from"] if never else max(fact["from"], now["through"] + 1)
            if fact["since"] is not None:
                until = fact["since"] if never else max(fact["since"], now["at"])
                fact["until"] = until if fact["until"] is None else min(until, fact["until"])
        elif kind == "unpinned":
            fact["marks"].discard("pinned")
        else:
            fact["marks"].add(kind)

    def back(self, number: int) -> None:
        """A roll-back to some earlier version."""
        assume(self.version > 1)
        to = 1 + number % (self.version - 1)
        with self.units() as unit:
            unit.ledger.roll_back(self.name, to, self.version, later(self.clock), actor="ann", reason="undo")
            unit.commit()
        self.model.begin("rolled_back", self.clock, base=to)

    def _new(self, number: int, through: int) -> Claim:
        self.fresh += 1
        turn = 1 + (number + self.fresh) % through
        section = (Section.KNOWN, Section.DECIDED, Section.EDGES)[self.fresh % 3]
        claim = a_claim(f"{self.name}-{self.fresh:03}", f"It is {self.fresh}.", TALK, section, turn)
        start = 10 * self.fresh
        instants = (
            None,
            InstantInterval(start=later(start)),
            InstantInterval(start=later(start), end=later(start + 30)),
        )
        return _said(claim.model_copy(update={"valid_instants": instants[number % 3]}), FAMILIES[number % 3])


def _said(claim: Claim, family: str) -> Claim:
    said = {"support": Support(members=(family,), families=(family,)), "state": ClaimState.CURRENT, "carried": 0}
    return claim.model_copy(update=said)


def _end(claim: Claim, salt: int, through: int) -> Claim:
    state = (ClaimState.SUPERSEDED, ClaimState.CORRECTED, ClaimState.EXPIRED)[salt % 3]
    end = max(claim.valid.start, 1 + salt % through)  # a correction may reach back to the very start
    quoted = a_claim("x", "x", TALK, turn=through).evidence
    closed = ended(claim, end, state, cite=None)
    assert closed.closing is not None
    return closed.model_copy(update={"closing": closed.closing.model_copy(update={"evidence": quoted})})


def _fact(claim: Claim) -> dict[str, Any]:
    instants = claim.valid_instants
    since = None if instants is None else (instants.start - later(0)).total_seconds()
    until = None if instants is None or instants.end is None else (instants.end - later(0)).total_seconds()
    turns = {"from": claim.valid.start, "to": claim.valid.end}
    return {**turns, "since": since, "until": until, "text": claim.text, "families": set(claim.support.families)}


def _ending(claim: Claim) -> dict[str, Any]:
    return {"state": claim.state.value, "to": claim.valid.end}


def _compare_versions(run: Run) -> None:
    with run.units() as unit:
        for number, known in enumerate(run.model.versions, start=1):
            boundary = unit.ledger.at_version(run.name, number)
            assert {claim.id: claim.carried for claim in boundary.claims} == run.model.boundary(number)
            assert [claim.id for claim in boundary.claims] == sorted(run.model.boundary(number))  # ids grow: stable
            assert (boundary.version, boundary.committed_at) == (number, later(known["at"]))
            for claim in boundary.claims:
                _compare(claim, known["facts"][claim.id])
            by_cycle = known["kind"] == "committed"
            told = {change.claim for change in boundary.changes}
            assert told >= set(run.model.boundary(number)) if by_cycle else not told
        events = unit.ledger.events(run.name)
        assert [(event.kind.value, event.at) for event in events] == [
            (known["kind"], later(known["at"])) for known in run.model.versions
        ]


def _compare(claim: Claim, fact: dict[str, Any]) -> None:
    told = _fact(claim)
    assert told == {name: fact[name] for name in told}
    assert (claim.affirmed, set(claim.marks)) == (fact["affirmed"], {Mark(mark) for mark in fact["marks"]})
    assert claim.state.value == fact["state"] or (fact["state"] == OPEN and claim.closing is None)
    assert claim.valid == TurnInterval(start=fact["from"], end=fact["to"])


def _compare_moment(run: Run, moment: tuple[int | None, int | None, int | None, int | None]) -> None:
    turn, second, number, at = moment
    version = None if number is None or not run.version else 1 + number % run.version
    at = at if version is None else None
    asked = Moment(
        turn=turn,
        instant=None if second is None else later(second),
        version=version,
        recorded=None if at is None else later(at),
    )
    with run.units() as unit:
        found = unit.ledger.as_of(run.name, asked)
        assert {claim.id for claim in found} == run.model.held(turn, second, version, at), asked
        recorded = run.model.recorded(version, at)
        for claim in found:
            assert recorded is not None
            _compare(claim, recorded["facts"][claim.id])
        if at is not None:
            before = unit.boundaries.as_recorded(run.name, later(at))
            assert (before is None) is (recorded is None)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(steps=STEPS, moments=MOMENTS)
def test_the_ledger_equals_the_naive_model(
    units: UnitOfWorkFactory,
    steps: list[tuple[tuple[Any, ...], int]],
    moments: list[tuple[int | None, int | None, int | None, int | None]],
) -> None:
    run = Run(units, next(names))
    for (kind, *details), seconds in steps:
        run.clock += seconds
        if kind == "cycle":
            run.cycle(*details)
        elif run.version and kind == "act":
            run.act(*details)
        elif run.version:
            run.back(details[0])
        if run.version:
            with units() as unit:
                run.prior = unit.boundaries.current(run.name)
    _compare_versions(run)
    for moment in moments:
        _compare_moment(run, moment)
