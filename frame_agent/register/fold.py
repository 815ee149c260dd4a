"""The assumption register: a pure fold over turns, frame(t) = f(frame(t - 1), what is taken up at t).

Common ground grows by acceptance (Stalnaker 1978; Clark and Schaefer 1989). Reading a turn that was read already
changes nothing, and a register of the first turns is the beginning of the register of all of them. It decides nothing:
reviewers are shown it as a checklist, and hints are drawn from it.
"""

from collections.abc import Iterable

from dissolution.checking import each
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.errors import UnknownTurn
from dissolution.premises import Register
from frame_agent.register.events import Folding
from frame_agent.register.moves import answer, keep_open, rest, restate, silence, take_up
from frame_agent.register.premises import quoted_of, sentences_of


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
    for turn in each(turns):
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
    spoken = sentences_of(turn)
    if turn.role is not Role.TOOL:
        take_up(folding, turn, spoken)
    answer(folding, turn, spoken)
    for one in spoken:
        restate(folding, turn, one)
    for one in quoted_of(turn):
        folding.state(one, turn)
    stated = [(folding.state(one, turn), one) for one in spoken if one.is_premise]
    for premise, one in stated:
        keep_open(folding, turn, premise, one)
    for one in spoken:
        rest(folding, turn, one)
    if spoken:
        silence(folding, turn)
