"""TriggerStore over SQL: every statement touches a number of rows that does not grow with the conversation."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, insert, or_, select, update

from dissolution.conversation import ConversationId, Turn, TurnNumber
from dissolution.errors import EvaluationConflict, NotFound
from dissolution.ids import JobId
from dissolution.job import ENDED
from dissolution.triggering import Evaluation, TriggerState, Watch
from store.sql.conversations import read_turn
from store.sql.rows import Repository, insert_if_absent
from store.tables import jobs as tables
from store.tables.triggers import evaluations, trigger_states, watches


class SqlTriggers(Repository):
    """Triggers in one transaction."""

    def watch(self, watch: Watch) -> None:
        """Watch a conversation, or watch it otherwise from now on; then it is to be looked at once more.

        Raises NotFound (no such conversation).
        """
        self._refuse_unknown(watch.conversation)
        insert_if_absent(self._connection, watches, {"conversation": watch.conversation, "watch": watch})
        row = watches.c.conversation == watch.conversation
        self._connection.execute(update(watches).where(row).values(watch=watch))
        remembered = trigger_states.c.conversation == watch.conversation
        self._connection.execute(update(trigger_states).where(remembered).values(look_at=watch.since))

    def unwatch(self, conversation: ConversationId) -> bool:
        """Watch it no more; whether it was watched. What was remembered and evaluated stays."""
        done = self._connection.execute(delete(watches).where(watches.c.conversation == conversation))
        return done.rowcount > 0

    def watched(self, conversation: ConversationId) -> Watch | None:
        """How a conversation is watched, or None."""
        found = select(watches.c.watch).where(watches.c.conversation == conversation)
        return self._connection.execute(found).scalar_one_or_none()

    def state(self, conversation: ConversationId) -> TriggerState | None:
        """What was remembered last, or None."""
        found = select(trigger_states).where(trigger_states.c.conversation == conversation)
        row = self._connection.execute(found).one_or_none()
        if row is None:
            return None
        remembered: TriggerState = row.state
        return remembered.model_copy(update={"memory": bytes(row.memory), "look_at": row.look_at})

    def save(self, state: TriggerState, evaluations: Sequence[Evaluation]) -> TriggerState:
        """Store evaluations and what is to be remembered, if nobody else has meanwhile; returns it as stored.

        Raises EvaluationConflict when the stored revision is not `state.revision`, NotFound (no such conversation).
        """
        self._refuse_unknown(state.conversation)
        following = state.model_copy(update={"revision": state.revision + 1})
        self._put(following, state.revision)
        if evaluations:
            self._connection.execute(insert(_evaluations), [_row(one) for one in evaluations])
        return following

    def evaluations(
        self, conversation: ConversationId, after: int = 0, limit: int | None = None
    ) -> tuple[Evaluation, ...]:
        """Evaluations with a number above `after`, in order; at most `limit`."""
        wanted = select(evaluations.c.evaluation).where(
            evaluations.c.conversation == conversation, evaluations.c.number > after
        )
        return tuple(self._connection.scalars(wanted.order_by(evaluations.c.number).limit(limit)))

    def notable_turns(self, conversation: ConversationId, after: int, limit: int) -> tuple[TurnNumber, ...]:
        """The newest `limit` turns above `after` whose surprise was far above its baseline, in order."""
        wanted = (
            select(evaluations.c.turn)
            .where(evaluations.c.conversation == conversation, evaluations.c.turn > after, evaluations.c.notable)
            .order_by(evaluations.c.turn.desc())
        )
        return tuple(sorted(self._connection.scalars(wanted.limit(limit))))

    def job_in_flight(self, conversation: ConversationId) -> JobId | None:
        """The oldest job of the conversation that has not ended, or None."""
        jobs = tables.jobs
        going = jobs.c.status.not_in([status.value for status in ENDED])
        wanted = select(jobs.c.id).where(jobs.c.conversation == conversation, going)
        return self._connection.execute(wanted.order_by(jobs.c.created_at, jobs.c.id).limit(1)).scalar_one_or_none()

    def turns_after(self, conversation: ConversationId, after: int, limit: int) -> tuple[Turn, ...]:
        """At most `limit` turns with a number above `after`, in order; its cost does not grow with the conversation."""
        turns = tables.turns
        wanted = select(turns).where(turns.c.conversation == conversation, turns.c.number > after)
        return tuple(read_turn(row) for row in self._connection.execute(wanted.order_by(turns.c.number).limit(limit)))

    def behind(self, limit: int, at: datetime) -> tuple[str, ...]:
        """Watched conversations that are to be looked at by `at`, in alphabetical order; at most `limit`."""
        turns, states, jobs = tables.turns, trigger_states, tables.jobs
        newest = select(func.max(turns.c.number)).where(turns.c.conversation == watches.c.conversation)
        ended = [status.value for status in ENDED]
        wanted = (
            select(watches.c.conversation)
            .outerjoin(states, states.c.conversation == watches.c.conversation)
            .outerjoin(jobs, jobs.c.id == states.c.awaited)
            .where(
                or_(
                    newest.scalar_subquery() > func.coalesce(states.c.through, 0),
                    jobs.c.status.in_(ended),
                    states.c.look_at <= at,
                )
            )
        )
        found = self._connection.scalars(wanted.order_by(watches.c.conversation).limit(limit))
        return tuple(sorted(found))

    def _put(self, state: TriggerState, expected: int) -> None:
        values = {
            "revision": state.revision,
            "through": state.through,
            "awaited": state.awaited,
            "look_at": state.look_at,
            "state": state.model_copy(update={"memory": b"", "look_at": None}),
            "memory": state.memory,
        }
        states = trigger_states
        first = {**values, "conversation": state.conversation, "revision": 0}
        if expected == 0:
            insert_if_absent(self._connection, states, first)
        row = states.c.conversation == state.conversation
        done = self._connection.execute(update(states).where(row, states.c.revision == expected).values(values))
        if done.rowcount == 0:
            present = self._connection.execute(select(states.c.revision).where(row)).scalar_one_or_none()
            raise EvaluationConflict(state.conversation, expected, present or 0)

    def _refuse_unknown(self, conversation: ConversationId) -> None:
        row = select(tables.conversations.c.id).where(tables.conversations.c.id == conversation)
        if self._connection.execute(row).first() is None:
            kind = "conversation"
            raise NotFound(kind, conversation)


_evaluations = evaluations  # the argument of `save` has the table's name


def _row(evaluation: Evaluation) -> dict[str, object]:
    return {
        "conversation": evaluation.conversation,
        "number": evaluation.number,
        "turn": evaluation.turn,
        "fired": evaluation.decision.fires,
        "notable": evaluation.surprise is not None and evaluation.surprise.notable,
        "evaluation": evaluation,
    }
