"""What each member said that is true, what of it nobody else said, and what it said that is over: where that is known.

Nobody knows the truth of ordinary conversations. Where somebody wrote it down, answers are held against it as they
were given, before any consensus.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dissolution.answers import Answer
from dissolution.values import Frozen
from stability.state import Item, State
from stability.truth import Truth, is_asserted, is_held, still_stated


class TrueScore(Frozen):
    """One member over all jobs whose truth is known."""

    member: str
    family: str
    jobs: int  # with an answer of it
    said: int  # truths that its answers say, over all jobs
    of: int  # truths that held at the last turn of those jobs
    only: int  # of those it says, those that no other member of the job says
    faults: int  # values that were replaced and commitments that were closed by then, and that it asserts
    of_over: int  # such values and commitments


class KnownJob(NamedTuple):
    """A job whose conversation's truth somebody wrote down."""

    through: int
    answers: Sequence[Answer]
    truth: Truth


@dataclass
class _Sum:
    family: str
    jobs: int = 0
    said: int = 0
    of: int = 0
    only: int = 0
    faults: int = 0
    of_over: int = 0


def true_contributions(jobs: Iterable[KnownJob]) -> tuple[TrueScore, ...]:
    """Members by what they alone brought that is true, then by all that is true, then by name.

    A truth is said when one statement of the answer has all of its patterns (`stability.truth.is_held`); a fault is a
    statement that asserts what was replaced or closed by the job's last turn.
    """
    sums: dict[str, _Sum] = {}
    for job in jobs:
        states = {answer.member.name: _state(answer) for answer in job.answers if answer.parsed.claims}
        families = {answer.member.name: answer.member.family for answer in job.answers}
        true = [claim for claim in job.truth.claims if claim.holds_at(job.through)]
        replaced = [one for one in job.truth.superseded if one.corrected_turn <= job.through]
        over = [one for one in job.truth.claims if one.binds and (one.closed_turn or job.through + 1) <= job.through]
        held = {name: {claim.id for claim in true if is_held(claim, state)} for name, state in states.items()}
        for name, state in states.items():
            found = sums.setdefault(name, _Sum(families[name]))
            others = set[str]().union(*(said for other, said in held.items() if other != name))
            found.jobs += 1
            found.said += len(held[name])
            found.of += len(true)
            found.only += len(held[name] - others)
            found.faults += sum(is_asserted(one, state) for one in replaced)
            found.faults += sum(still_stated(one, state) for one in over)
            found.of_over += len(replaced) + len(over)
    scores = [TrueScore(member=name, **vars(found)) for name, found in sums.items()]
    return tuple(sorted(scores, key=lambda one: (-one.only, -one.said, one.member)))


def _state(answer: Answer) -> State:
    """An answer as a state: its statements in their sections."""
    return State(items=tuple(Item(section=claim.section, text=claim.text) for claim in answer.parsed.claims))
