"""What the gate is told of a watched conversation: how full its reader's context is by now."""

from dissolution.gate_policy import TokenPressure
from dissolution.job import Job
from dissolution.store_ports import UnitOfWork
from triggers.budget import context_tokens, pressure


def pressure_now(work: UnitOfWork, job: Job) -> TokenPressure:
    """Boundary and turns since, against the levels of the job's policy; none for a conversation that is not watched.

    At the hard level the gate follows what `probe.gate` says of a history that overflows its reader, so that a usable
    context is always at hand.
    """
    if work.triggers.watched(job.conversation) is None:
        return TokenPressure.NONE
    state = work.triggers.state(job.conversation)
    return TokenPressure.NONE if state is None else pressure(context_tokens(state), job.policy.triggers.budget)
