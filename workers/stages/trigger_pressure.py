"""What the rest of the path is told of a watched conversation: how full its context is, what was surprising in it."""

from dissolution.job import Job
from dissolution.policy.gate import TokenPressure
from dissolution.ports.store import UnitOfWork
from triggers.budget import context_tokens, pressure


def pressure_now(work: UnitOfWork, job: Job) -> TokenPressure:
    """Boundary and turns since, against the levels of the job's policy; none for a conversation that is not watched.

    At the hard level the gate follows what `probe.gate` says of a history that overflows its reader, so that a usable
    context is always at hand.
    """
    state = work.triggers.state(job.conversation)
    if state is None or state.through < job.through:  # watched no more: what is remembered is old
        return TokenPressure.NONE
    return pressure(context_tokens(state), job.policy.triggers.budget)


def notable_turns(work: UnitOfWork, conversation: str, after: int = 0, limit: int = 50) -> tuple[int, ...] | None:
    """The newest turns above `after` that were far more surprising than the talk around them, in order.

    Rendering weighs the claims that rest on them, and questions should be drawn from them. None when surprise was never
    measured, because triggers do not watch the conversation.
    """
    if work.triggers.state(conversation) is None:
        return None
    return work.triggers.notable_turns(conversation, after, limit)
