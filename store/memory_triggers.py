"""TriggerStore in memory, with the meaning of the SQL one."""

from collections.abc import Sequence
from datetime import datetime

from dissolution.conversation import ConversationId, Turn, TurnNumber
from dissolution.errors import EvaluationConflict, NotFound
from dissolution.ids import JobId
from dissolution.job import ENDED
from dissolution.triggering import Evaluation, TriggerState, Watch
from store.memory_state import State


class MemoryTriggers:
    """Triggers in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def watch(self, watch: Watch) -> None:
        """Watch a conversation, or watch it otherwise from now on; then it is to be looked at once more.

        Raises NotFound (no such conversation).
        """
        self._refuse_unknown(watch.conversation)
        self._state.watches[watch.conversation] = watch
        remembered = self._state.trigger_states.get(watch.conversation)
        if remembered is not None:
            again = remembered.model_copy(update={"look_at": watch.since})
            self._state.trigger_states[watch.conversation] = again

    def unwatch(self, conversation: ConversationId) -> bool:
        """Watch it no more; whether it was watched. What was remembered and evaluated stays."""
        return self._state.watches.pop(conversation, None) is not None

    def watched(self, conversation: ConversationId) -> Watch | None:
        """How a conversation is watched, or None."""
        return self._state.watches.get(conversation)

    def state(self, conversation: ConversationId) -> TriggerState | None:
        """What was remembered last, or None."""
        return self._state.trigger_states.get(conversation)

    def save(self, state: TriggerState, evaluations: Sequence[Evaluation]) -> TriggerState:
        """Store evaluations and what is to be remembered, if nobody else has meanwhile; returns it as stored.

        Raises EvaluationConflict when the stored revision is not `state.revision`, NotFound (no such conversation).
        """
        self._refuse_unknown(state.conversation)
        stored = self._state.trigger_states.get(state.conversation)
        present = stored.revision if stored else 0
        if present != state.revision:
            raise EvaluationConflict(state.conversation, state.revision, present)
        following = state.model_copy(update={"revision": state.revision + 1})
        self._state.trigger_states[state.conversation] = following
        for one in evaluations:
            self._state.evaluations[one.conversation, one.number] = one
        return following

    def evaluations(
        self, conversation: ConversationId, after: int = 0, limit: int | None = None
    ) -> tuple[Evaluation, ...]:
        """Evaluations with a number above `after`, in order; at most `limit`."""
        held = self._state.evaluations
        numbers = sorted(number for name, number in held if name == conversation and number > after)
        return tuple(held[conversation, number] for number in numbers[:limit])

    def notable_turns(self, conversation: ConversationId, after: int, limit: int) -> tuple[TurnNumber, ...]:
        """The newest `limit` turns above `after` whose surprise was far above its baseline, in order."""
        found = sorted(
            one.turn
            for (name, _), one in self._state.evaluations.items()
            if name == conversation and one.turn > after and one.surprise is not None and one.surprise.notable
        )
        return tuple(found[-limit:])

    def job_in_flight(self, conversation: ConversationId) -> JobId | None:
        """The oldest job of the conversation that has not ended, or None."""
        going = [one for one in self._state.jobs.values() if one.conversation == conversation]
        left = sorted((one.created_at, one.id) for one in going if one.status not in ENDED)
        return left[0][1] if left else None

    def turns_after(self, conversation: ConversationId, after: int, limit: int) -> tuple[Turn, ...]:
        """At most `limit` turns with a number above `after`, in order."""
        stored = self._state.conversations.get(conversation)
        return stored.turns[after : after + limit] if stored else ()

    def behind(self, limit: int, at: datetime) -> tuple[str, ...]:
        """Watched conversations that are to be looked at by `at`, in alphabetical order; at most `limit`."""
        found = [name for name in sorted(self._state.watches) if self._is_behind(name, at)]
        return tuple(found[:limit])

    def _is_behind(self, conversation: ConversationId, at: datetime) -> bool:
        remembered = self._state.trigger_states.get(conversation)
        if remembered is None:
            return len(self._state.conversations[conversation].turns) > 0
        awaited = self._state.jobs.get(remembered.awaited or "")
        return (
            len(self._state.conversations[conversation].turns) > remembered.through
            or (awaited is not None and awaited.status in ENDED)
            or (remembered.look_at is not None and remembered.look_at <= at)
        )

    def _refuse_unknown(self, conversation: ConversationId) -> None:
        if conversation not in self._state.conversations:
            kind = "conversation"
            raise NotFound(kind, conversation)
