"""Port of what triggers keep: which conversations they watch, what they remember, and every evaluation."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from dissolution.conversation import ConversationId, Turn, TurnNumber
from dissolution.ids import JobId
from dissolution.triggering import Evaluation, TriggerState, Watch


class TriggerStore(Protocol):
    """Triggers of conversations; all of it goes with the conversation when that is erased."""

    def watch(self, watch: Watch) -> None:
        """Watch a conversation, or watch it otherwise from now on; then it is to be looked at once more.

        Raises NotFound (no such conversation).
        """
        ...

    def unwatch(self, conversation: ConversationId) -> bool:
        """Watch it no more; whether it was watched. What was remembered and evaluated stays."""
        ...

    def watched(self, conversation: ConversationId) -> Watch | None:
        """How a conversation is watched, or None."""
        ...

    def state(self, conversation: ConversationId) -> TriggerState | None:
        """What was remembered last, or None."""
        ...

    def save(self, state: TriggerState, evaluations: Sequence[Evaluation]) -> TriggerState:
        """Store evaluations and what is to be remembered, if nobody else has meanwhile; returns it as stored.

        Raises EvaluationConflict when the stored revision is not `state.revision`, NotFound (no such conversation).
        """
        ...

    def evaluations(
        self, conversation: ConversationId, after: int = 0, limit: int | None = None
    ) -> tuple[Evaluation, ...]:
        """Evaluations with a number above `after`, in order; at most `limit`."""
        ...

    def notable_turns(self, conversation: ConversationId, after: int, limit: int) -> tuple[TurnNumber, ...]:
        """The newest `limit` turns above `after` whose surprise was far above its baseline, in order."""
        ...

    def job_in_flight(self, conversation: ConversationId) -> JobId | None:
        """The oldest job of the conversation that has not ended, or None."""
        ...

    def turns_after(self, conversation: ConversationId, after: int, limit: int) -> tuple[Turn, ...]:
        """At most `limit` turns with a number above `after`, in order; its cost does not grow with the conversation."""
        ...

    def behind(self, limit: int, at: datetime) -> tuple[str, ...]:
        """Watched conversations that are to be looked at, in alphabetical order; at most `limit`.

        Those with turns that were not evaluated, those whose awaited job has ended, and those whose `look_at` has come
        by the instant `at`.
        """
        ...
