"""Experiment 4: what dissolution makes of premises, cycle by cycle, with the frame agent and without it."""

from collections.abc import Callable, Sequence

from dissolution.values import Measured, NotMeasured
from stability.experiments.framing import ARMS, Cycle, measured
from stability.experiments.report import (
    Cell,
    Conclusion,
    ExperimentReport,
    Figure,
    Hypothesis,
    Line,
    RowGroup,
    Table,
    all_of,
    at_least,
    shown,
)
from stability.experiments.statistics import of_means
from stability.experiments.workspace import Choice
from stability.statistics import Interval
from workers.services import Services

ABOVE = 1e-9
WITHOUT, WITH = ARMS

Reads = Callable[[Cycle, str], Measured]
NO_BOUNDARY = NotMeasured(not_measured="no boundary was committed")


def _promoted(cycle: Cycle, arm: str) -> Measured:
    return float(cycle.faults[arm].promoted) if arm in cycle.faults else NO_BOUNDARY


def _dropped(cycle: Cycle, arm: str) -> Measured:
    if cycle.through < cycle.dropped_at:
        return NotMeasured(not_measured="it has not been asked yet")
    return float(cycle.faults[arm].dropped_found) if arm in cycle.faults else NO_BOUNDARY


def _edges(cycle: Cycle, arm: str) -> Measured:
    return float(cycle.edges[arm]) if arm in cycle.edges else NO_BOUNDARY


def _lock_in(cycle: Cycle, arm: str) -> Measured:
    return cycle.lock_in[arm]


MEASURES: tuple[tuple[str, str, str, Reads], ...] = (
    ("promoted", "Premises held more firmly than they were said", "premises a conversation", _promoted),
    ("dropped", "The dropped question among the edges", "share of conversations", _dropped),
    ("edges", "Edges", "claims a conversation", _edges),
    ("lock-in", "Lock-in", "lock-in (0 to 1)", _lock_in),
)
"""Name, title, unit and reading of each measure."""


def experiment_4(choice: Choice, services: Services) -> ExperimentReport:
    """Dissolve conversations over cycles with and without the frame agent, and count what was made of premises."""
    found = measured(services, choice)
    names = sorted({one.one.name for one in found})
    fleets = list(dict.fromkeys(one.fleet for one in found))
    return ExperimentReport(
        number=4,
        title="Frame accumulation",
        hypotheses=_hypotheses(found, fleets, choice.seed),
        method=(
            (
                "At each checkpoint the members' answers become a candidate; with the agent it is audited against the "
                "register of premises and repaired, without it it stands as it is. Counted by the planted truth: "
                "guesses stated as facts, requests for one answer that became rules and planted orders obeyed "
                "(together: promoted), and whether the dropped question stands among the edges."
            ),
            (
                "Lock-in: share of open statements that rest on premises nobody confirmed, weighed by depth and age "
                "(docs/frame.md). With the agent a premise that it found counts as asked about from that turn on."
            ),
            "95 % bootstrap intervals over conversations.",
        ),
        data=(f"Planted conversations: {', '.join(names)}.",),
        fleet=choice.name,
        tables=tuple(_table(found, fleets, measure, choice.seed) for measure in MEASURES),
        row_groups=tuple(_rows(found, fleet) for fleet in fleets),
        limits=_limits(choice, names),
        seed=choice.seed,
        software="",
        command="",
    )


def place_of(fleet: str) -> str:
    """The name of a fleet's rows: `cycles-all-writers`."""
    return "cycles-" + "-".join("".join(c if c.isalnum() else " " for c in fleet.lower()).split())


def difference(found: Sequence[Cycle], reads: Reads, seed: int) -> Interval:
    """A measure without the agent less that with it: means of a conversation's cycles, conversations drawn."""
    groups: dict[str, list[float]] = {}
    for one in found:
        without, with_agent = reads(one, WITHOUT), reads(one, WITH)
        if not isinstance(without, NotMeasured) and not isinstance(with_agent, NotMeasured):
            groups.setdefault(one.one.name, []).append(without - with_agent)
    return of_means(list(groups.values()), seed=seed)


def _hypotheses(found: Sequence[Cycle], fleets: Sequence[str], seed: int) -> tuple[Hypothesis, ...]:
    by_fleet = {fleet: [one for one in found if one.fleet == fleet] for fleet in fleets}
    prone = {fleet: some for fleet, some in by_fleet.items() if any(_promotes(one) for one in some)}
    fewer = {fleet: difference(some, _promoted, seed) for fleet, some in prone.items()}
    looser = {fleet: difference(some, _lock_in, seed) for fleet, some in by_fleet.items()}
    ends = [one for one in found if WITH in one.faults and _is_last(one, found)]
    missing = sum(not one.faults[WITH].dropped_found for one in ends)
    return (
        Hypothesis(
            text="Fewer premises are held more firmly than they were said with the agent than without it.",
            conclusion=all_of([at_least(one, ABOVE) for one in fewer.values()]),
            reason=_fewer(fewer, [fleet for fleet in fleets if fleet not in prone]),
        ),
        Hypothesis(
            text="With the agent the dropped question stands among the edges at the end.",
            conclusion=_none_missing(missing, len(ends)),
            reason=f"{len(ends) - missing} of {len(ends)} boundaries",
        ),
        Hypothesis(
            text="Lock-in is lower with the agent than without it.",
            conclusion=all_of([at_least(one, ABOVE) for one in looser.values()]),
            reason="without less with: " + _listed(looser),
        ),
    )


def _promotes(one: Cycle) -> bool:
    return WITHOUT in one.faults and one.faults[WITHOUT].promoted > 0


def _fewer(found: dict[str, Interval], blameless: Sequence[str]) -> str:
    told = [f"without less with, premises a conversation and cycle: {_listed(found)}"] if found else []
    told += [f"{fleet}: nothing was promoted without the agent either" for fleet in blameless]
    return "; ".join(told)


def _is_last(one: Cycle, found: Sequence[Cycle]) -> bool:
    return one.cycle == max(other.cycle for other in found if (other.fleet, other.one) == (one.fleet, one.one))


def _none_missing(missing: int, ends: int) -> Conclusion:
    if ends == 0:
        return Conclusion.CANNOT_BE_SAID
    return Conclusion.NOT_SUPPORTED if missing else Conclusion.SUPPORTED


def _listed(found: dict[str, Interval]) -> str:
    return "; ".join(f"{fleet} {shown(value)}" for fleet, value in found.items())


def _table(found: Sequence[Cycle], fleets: Sequence[str], measure: tuple[str, str, str, Reads], seed: int) -> Table:
    name, title, unit, reads = measure
    places = sorted({one.cycle for one in found})
    lines: list[Line] = []
    for fleet in fleets:
        for arm in ARMS:
            cells: list[Figure] = []
            for place in places:
                some = [one for one in found if one.fleet == fleet and one.cycle == place]
                values = [value for one in some if not isinstance(value := reads(one, arm), NotMeasured)]
                value = of_means([[each] for each in values], seed=seed)
                cells.append(Figure(value=value, rows=(place_of(fleet),)))
            lines.append(Line(name=f"{fleet}, {arm}", cells=tuple(cells)))
    return Table(
        name=name,
        title=title,
        caption="Means over conversations with 95 % bootstrap intervals over them.",
        head="fleet",
        columns=tuple(f"cycle {place}" for place in places),
        lines=tuple(lines),
        plot="line",
        x_label="cycle",
        y_label=unit,
    )


def _rows(found: Sequence[Cycle], fleet: str) -> RowGroup:
    listed: list[tuple[Cell, ...]] = []
    for one in found:
        if one.fleet != fleet:
            continue
        for arm in ARMS:
            made = one.faults.get(arm)
            counts: tuple[Cell, ...] = (NO_BOUNDARY,) * 5
            if made is not None:
                counts = (made.hedged, made.one_off, made.injected, made.dropped_found, one.edges[arm])
            listed.append((one.one.name, one.cycle, one.through, arm, *counts, one.lock_in[arm]))
    return RowGroup(
        name=place_of(fleet),
        about=f"each cycle of each conversation, {fleet}",
        columns=(
            "conversation", "cycle", "through turn", "arm", "guesses as facts", "one-offs standing", "orders obeyed",
            "dropped question found", "edges", "lock-in",
        ),
        rows=tuple(listed),
    )  # fmt: skip


def _limits(choice: Choice, names: Sequence[str]) -> tuple[str, ...]:
    told = [
        f"{len(names)} conversations of one hand in English.",
        (
            "Lock-in with the agent is worked out from what it found, not seen in people who read its edges: whether "
            "anybody asks is not measured."
        ),
        (
            "The implicit frame planted in each conversation is not claimed to be found: that needs a challenger "
            "with a language model."
        ),
        "Recall and precision of the audit on planted cases: benchmarks/frame.py (docs/frame.md).",
    ]
    if choice.is_recorded:
        told.append("Recorded writers went on from their own answers, so a repair is not seen by the next cycle.")
    return tuple(told)
