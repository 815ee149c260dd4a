"""The assumption register: a pure fold over turns, frame(t) = f(frame(t - 1), what is taken up at t).

Common ground grows by acceptance (Stalnaker 1978; Clark and Schaefer 1989). Reading a turn that was read already
changes nothing, and a register of the first turns is the beginning of the register of all of them.
"""

from collections.abc import Iterable

from dissolution.conversation import Role, Snapshot, Turn
from dissolution.errors import UnknownTurn
from dissolution.premises import PremiseStatus, Register
from frame_agent.extraction import Found, propositions
from frame_agent.injections import injected
from frame_agent.resting import answer, answer_next, rest
from frame_agent.state import Folding
from frame_agent.uptake import build_on, restate, silence, take_up, taken_at_once

LEAST_ASSERTED = 3
"""Terms of a plain statement that is kept as a premise: shorter ones are small talk."""


def empty(conversation: str) -> Register:
    """The register of a conversation of which nothing was read."""
    return Register(conversation=conversation)


def advance(register: Register, turns: Iterable[Turn]) -> Register:
    """The register after further turns.

    Args:
        register: As it stands through some turn.
        turns: The conversation's turns, in order; those the register has read are skipped.

    Raises:
        UnknownTurn: A turn between is missing.
    """
    folding = Folding(register)
    for turn in turns:
        if turn.number <= folding.through:
            continue
        if turn.number != folding.through + 1:
            raise UnknownTurn(folding.through + 1, folding.through)
        _read(folding, turn)
        folding.through = turn.number
    return folding.register() if folding.through > register.through else register


def register_of(snapshot: Snapshot) -> Register:
    """The register of a whole snapshot."""
    return advance(empty(snapshot.conversation), snapshot.turns)


def _read(folding: Folding, turn: Turn) -> None:
    found = propositions(turn)
    spoken = [one for one in found if not one.quoted]
    if turn.role is not Role.TOOL:
        take_up(folding, turn)
    answer_next(folding, turn, spoken)
    for one in spoken:
        answer(folding, turn, one)
        restate(folding, turn, one)
        build_on(folding, turn, one)
    for one in injected(turn, found):
        if _is_premise(one):
            folding.state(one, turn)
    taken_at_once(folding, turn, spoken)
    for one in spoken:
        rest(folding, turn, one, last=one is spoken[-1])
    if spoken:
        silence(folding, turn)


def _is_premise(found: Found) -> bool:
    """Whether a proposition is kept. Of quoted material only what bids its reader is: the rest is nobody's word."""
    if found.quoted:
        return found.status is PremiseStatus.INJECTED
    return found.status is not PremiseStatus.ASSERTED or len(found.terms) >= LEAST_ASSERTED
