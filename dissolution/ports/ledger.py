"""The port of the ledger: readings on both time axes, acts of people, roll-backs and erasures."""

from datetime import datetime
from typing import Protocol

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim
from dissolution.conversation import ConversationId
from dissolution.intervals import Moment
from dissolution.ledger import Act, Erasure, LedgerEvent, Query


class LedgerStore(Protocol):
    """All claims of a conversation ever, on both time axes, and the versions that made them so.

    A conversation without a version has an empty ledger: readings of it are empty, not errors.
    """

    def at_version(self, conversation: ConversationId, version: int) -> BoundaryState:
        """The boundary as it stood in a version of the ledger. Raises NotFound."""
        ...

    def as_of(self, conversation: ConversationId, moment: Moment) -> tuple[Claim, ...]:
        """The claims that held at `moment` on the valid axis, as known at it on the recorded axis.

        Claims of every state are read: one superseded at turn 22 held at turn 20. One that was corrected held until
        the error began. With neither turn nor instant the question is what holds now: what is open. An instant is
        looked up in valid intervals of instants; where a claim has none, the turn decides, or what is open.

        Raises NotFound for a version that is not there.
        """
        ...

    def events(self, conversation: ConversationId, after: int = 0) -> tuple[LedgerEvent, ...]:
        """The versions above `after`, in order."""
        ...

    def act(self, conversation: ConversationId, act: Act, expected_version: int, at: datetime) -> LedgerEvent:
        """Do what a person asked of one claim or dissent, as a new version.

        Raises NotFound (no such open claim or dissent), VersionConflict, InputError (an act that changes nothing).
        """
        ...

    def roll_back(
        self,
        conversation: ConversationId,
        version: int,
        expected_version: int,
        at: datetime,
        *,
        actor: str,
        reason: str,
    ) -> LedgerEvent:
        """Make the state of an earlier version current again, as a new version; nothing is deleted.

        Raises NotFound, VersionConflict, InputError (the version that is current).
        """
        ...

    def recall(self, conversation: ConversationId, query: Query) -> tuple[Claim, ...]:
        """The claims that fit, those affirmed lately first. Raises NotFound for a version that is not there."""
        ...

    def erase(self, conversation: ConversationId, at: datetime, *, actor: str, reason: str) -> Erasure:
        """Delete a conversation with all that came of it, and record that; the one deletion there is (rule 9).

        Raises NotFound, StepHeld (a worker is at one of its jobs).
        """
        ...

    def erasures(self) -> tuple[Erasure, ...]:
        """What was erased, oldest first."""
        ...
