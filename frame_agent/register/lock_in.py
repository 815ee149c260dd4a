"""Lock-in: how far premises that nobody confirmed constrain what can still be asked.

    value = share x (1 + depth + age) / 3

share: of the statements that rest on something and are still open, those that rest on a premise nobody confirmed.
depth: 1 - 1 / (1 + links), links being the mean length of the longest chain over those premises: a conclusion drawn
    from a conclusion drawn from a guess is two links deep.
age: the mean of 1 - 2^(-turns / HALF_LIFE) over those premises, turns since each was last accepted or challenged.

Each lies in 0..1. The value is 0 when nothing open rests on anything unconfirmed, at least a third of the share as soon
as something does, and nears 1 when all of it does, deeply and for long. Without anything that rests on anything there
is no figure.
"""

from collections import deque

from dissolution.framing import LockIn
from dissolution.premises import DependantKind, Premise, PremiseStatus, Register
from dissolution.values import Measured, NotMeasured

HALF_LIFE = 20
"""Turns after which a premise that nobody challenged counts as half grown in."""

UNCONFIRMED = frozenset(
    {
        PremiseStatus.HEDGED,
        PremiseStatus.PROPOSED,
        PremiseStatus.IMPLICIT,
        PremiseStatus.ONE_OFF,
        PremiseStatus.REJECTED,
    }
)
NOTHING_RESTS = NotMeasured(not_measured="nothing in the conversation rests on anything yet")

Place = tuple[int, int, int]


def lock_in(register: Register) -> Measured:
    """The value alone, 0..1, as a trigger reads it."""
    return lock_in_of(register).value


def lock_in_of(register: Register) -> LockIn:
    """The measure with its parts at the register's last turn."""
    resting = {premise.id: _open(premise) for premise in register.premises}
    every = {place for places in resting.values() for place in places}
    turn = max(register.through, 1)
    if not every:
        return LockIn(turn=turn, value=NOTHING_RESTS, share=NOTHING_RESTS, depth=NOTHING_RESTS, age=NOTHING_RESTS)
    loose = [one for one in register.premises if one.status in UNCONFIRMED and resting[one.id]]
    if not loose:
        return LockIn(turn=turn, value=0.0, share=0.0, depth=0.0, age=0.0)
    share = len({place for one in loose for place in resting[one.id]}) / len(every)
    links = _longest(register.premises, resting)
    depth = 1 - 1 / (1 + sum(links[one.id] for one in loose) / len(loose))
    age = sum(1 - 2 ** (-_unchallenged(one, turn) / HALF_LIFE) for one in loose) / len(loose)
    value = share * (1 + depth + age) / 3
    return LockIn(turn=turn, value=round(value, 6), share=round(share, 6), depth=round(depth, 6), age=round(age, 6))


def series(register: Register) -> tuple[LockIn, ...]:
    """The measure after every turn, from the first."""
    return tuple(lock_in_of(register.at(turn)) for turn in range(1, register.through + 1))


def _open(premise: Premise) -> frozenset[Place]:
    """What rests on it and is open; a question that waits for its answer rests on nothing."""
    return frozenset(
        (one.evidence.turn, one.evidence.start, one.evidence.end)
        for one in premise.open_dependants
        if one.kind is not DependantKind.QUESTION
    )


def _unchallenged(premise: Premise, turn: int) -> int:
    """Turns since it was stated, taken up or challenged, whichever came last."""
    accepted = max((one.turn for one in premise.accepted), default=premise.turn)
    return turn - max(accepted, premise.challenged or 0)


def _longest(premises: tuple[Premise, ...], resting: dict[str, frozenset[Place]]) -> dict[str, int]:
    """The longest chain of things resting on each premise, in links; what rests on itself counts once.

    A dependant that is itself a premise (it covers the same words) carries the chain on. Premises are taken from the
    newest to the oldest, since things rest on what was said before them.
    """
    at = {(one.evidence.turn, one.evidence.start, one.evidence.end): one.id for one in premises}
    found: dict[str, int] = {}
    waiting = deque(sorted(premises, key=lambda one: (-one.turn, -one.evidence.start)))
    while waiting:
        one = waiting.popleft()
        further = [found.get(at[place], 0) for place in resting[one.id] if place in at and at[place] != one.id]
        found[one.id] = (1 + max(further, default=0)) if resting[one.id] else 0
    return found
