"""How conversations stand, in memory; see `store.sql.conversation_states` for the promises."""

from collections.abc import Iterable

from dissolution.boundary_size import BoundarySize
from dissolution.conversation import ConversationId
from dissolution.ids import JobId
from dissolution.service import NO_BOUNDARY, ConversationFacts, ConversationStanding, LastJob
from dissolution.values import NotMeasured
from store.memory_state import State
from store.sql.conversation_states import NOT_TOLD


def newest_first(state: State, found: Iterable[ConversationFacts]) -> tuple[ConversationFacts, ...]:
    """Those first to which a turn or a job came last, then by id."""
    by_id = sorted(found, key=lambda one: one.id)
    changed = {one.id: one.recorded_at for one in by_id}
    for job in state.jobs.values():
        if job.conversation in changed:
            changed[job.conversation] = max(changed[job.conversation], job.created_at)
    return tuple(sorted(by_id, key=lambda one: changed[one.id], reverse=True))


def standing_of(state: State, conversation: ConversationId) -> ConversationStanding:
    """How a stored conversation stands."""
    jobs = [job for job in state.jobs.values() if job.conversation == conversation]
    last = max(jobs, key=lambda job: (job.created_at, job.id), default=None)
    ledger = state.ledgers.get(conversation, ())
    return ConversationStanding(
        version=ledger[-1].event.version if ledger else 0,
        last_job=None if last is None else LastJob.model_validate(last.model_dump(include=set(LastJob.model_fields))),
        characters=sum(len(turn.content) for turn in state.conversations[conversation].turns),
        size=_size(state, ledger[-1].boundary) if ledger else NO_BOUNDARY,
    )


def _size(state: State, job: JobId) -> BoundarySize | NotMeasured:
    receipts = state.receipts.get(job, ())
    measured = receipts[-1].size if receipts else NOT_TOLD
    return NOT_TOLD if isinstance(measured, NotMeasured) else measured
