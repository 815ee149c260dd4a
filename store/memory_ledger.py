"""LedgerStore in memory: each version keeps the rows it records. See `store.sql.ledger` for what methods promise."""

from datetime import datetime
from itertools import count

from dissolution.boundary import BoundaryState
from dissolution.claims import OPEN_STATES, Claim, DissentReason
from dissolution.conversation import ConversationId
from dissolution.errors import NotFound, StepHeld, VersionConflict
from dissolution.intervals import Moment
from dissolution.job import StepStatus
from dissolution.ledger import Act, Erasure, LedgerEvent, LedgerEventKind, Query
from dissolution.stability import OWN_CONVERSATIONS
from store.memory_money import MemoryMoney
from store.memory_state import MemoryVersion, State
from store.rules.acts import (
    OPEN_CLAIM,
    OPEN_DISSENT,
    Occasion,
    act_event,
    acted_on,
    adoption,
    check_act,
    check_target,
    dismissed,
    roll_back_event,
)
from store.rules.checks import CONVERSATION, VERSION
from store.rules.ledger_views import shown, shown_changes, shown_claims, shown_closed, shown_dissent
from store.rules.moments import fits, holds
from store.rules.versioning import Plan, after, commit_instant, dissent_after
from store.tables.columns import utc


class MemoryLedger:
    """Ledgers in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def at_version(self, conversation: ConversationId, version: int) -> BoundaryState:
        """The boundary as it stood in a version of the ledger. Raises NotFound."""
        return self.boundary_at(self.standing(conversation, version))

    def events(self, conversation: ConversationId, after: int = 0) -> tuple[LedgerEvent, ...]:
        """The versions above `after`, in order."""
        return tuple(one.event for one in self.versions(conversation)[after:])

    def as_of(self, conversation: ConversationId, moment: Moment) -> tuple[Claim, ...]:
        """The claims that held at `moment`, as known at it. Raises NotFound."""
        standing = self.at_moment(conversation, moment)
        if standing is None:
            return ()
        found = [held for held in standing.held if holds(held.claim, moment)]
        found.sort(key=lambda held: (held.place, held.row))
        return tuple(shown(held, standing.cycle) for held in found)

    def recall(self, conversation: ConversationId, query: Query) -> tuple[Claim, ...]:
        """The claims that fit, those affirmed lately first. Raises NotFound."""
        standing = self.at_moment(conversation, query.at)
        if standing is None:
            return ()
        found = [held for held in standing.held if fits(held.claim, query)]
        found.sort(key=lambda held: (-(held.claim.affirmed or 0), held.place, held.row))
        return tuple(shown(held, standing.cycle) for held in found[: query.limit])

    def act(self, conversation: ConversationId, act: Act, expected_version: int, at: datetime) -> LedgerEvent:
        """Do what a person asked as a new version. Raises NotFound, VersionConflict, InputError."""
        check_act(act)
        before = self.expect(conversation, expected_version)
        dismisses = act.kind is LedgerEventKind.DISMISSED
        if before is None:
            raise NotFound(OPEN_DISSENT if dismisses else OPEN_CLAIM, act.claim)
        event = act_event(act, before.event, commit_instant(utc(at), before.event.at))
        if act.adopted is not None:
            present = any(held.claim.id == act.claim for one in self.versions(conversation) for held in one.held)
            plan = adoption(act.adopted, present, before.event, before.cycle, before.boundary)
        else:
            plan = self._plan_dismissal(before, act) if dismisses else self._plan_act(before, act, event)
        self.add(event, before.boundary, before.cycle, plan, before)
        return event

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
        """Make an earlier version's state current again. Raises NotFound, VersionConflict, InputError."""
        before = self.expect(conversation, expected_version)
        target = self.standing(conversation, version)
        check_target(version, expected_version)
        instant = commit_instant(utc(at), before and before.event.at)
        event = roll_back_event(target.event, expected_version + 1, instant, actor, reason)
        standing = MemoryVersion(event, target.boundary, target.cycle, target.held, target.dissent, ())
        self._state.ledgers[conversation] = (*self.versions(conversation), standing)
        return event

    def erase(self, conversation: ConversationId, at: datetime, *, actor: str, reason: str) -> Erasure:
        """Delete a conversation with all that came of it. Raises NotFound, StepHeld."""
        state = self._state
        for copy in sorted(one for one in state.conversations if one.startswith(f"{conversation}{OWN_CONVERSATIONS}")):
            self.erase(copy, at, actor=actor, reason=reason)
        self._require(conversation)
        jobs = [job.id for job in state.jobs.values() if job.conversation == conversation]
        for step in (step for step in state.steps.values() if step.job in jobs):
            if step.status is StepStatus.RUNNING and step.lease_until is not None and step.lease_until > utc(at):
                raise StepHeld(step.job, step.stage, step.owner or "", step.lease_until.isoformat())
        ids = {held.claim.id for one in self.versions(conversation) for held in one.held}
        erasure = Erasure(
            conversation=conversation,
            at=utc(at),
            actor=actor,
            reason=reason,
            turns=len(state.conversations[conversation].turns),
            jobs=len(jobs),
            claims=len(ids),
        )
        for job in jobs:
            MemoryMoney(state).close(job, at)
        state.forget(conversation, jobs)
        state.erasures[len(state.erasures) + 1] = erasure
        return erasure

    def erasures(self) -> tuple[Erasure, ...]:
        """What was erased, oldest first."""
        return tuple(self._state.erasures.values())

    def versions(self, conversation: ConversationId) -> tuple[MemoryVersion, ...]:
        """All versions of a ledger, in order."""
        return self._state.ledgers.get(conversation, ())

    def standing(self, conversation: ConversationId, version: int) -> MemoryVersion:
        """A version by its number. Raises NotFound."""
        versions = self.versions(conversation)
        if not 1 <= version <= len(versions):
            raise NotFound(VERSION, f"{conversation} {version}")
        return versions[version - 1]

    def known_at(self, conversation: ConversationId, at: datetime) -> MemoryVersion | None:
        """The version that was the newest at an instant, None before the first."""
        instant = utc(at)
        return next((one for one in reversed(self.versions(conversation)) if one.event.at <= instant), None)

    def at_moment(self, conversation: ConversationId, moment: Moment) -> MemoryVersion | None:
        """The version that `moment` names on the recorded axis, None where nothing was recorded. Raises NotFound."""
        if moment.version is not None:
            return self.standing(conversation, moment.version)
        if moment.recorded is not None:
            return self.known_at(conversation, moment.recorded)
        return next(reversed(self.versions(conversation)), None)

    def expect(self, conversation: ConversationId, expected_version: int) -> MemoryVersion | None:
        """The newest version, which must be the expected one. Raises NotFound, VersionConflict."""
        self._require(conversation)
        versions = self.versions(conversation)
        if len(versions) != expected_version:
            raise VersionConflict(conversation, expected_version, len(versions))
        return next(reversed(versions), None)

    def add(self, event: LedgerEvent, boundary: str, cycle: int, plan: Plan, before: MemoryVersion | None) -> None:
        """Add the version that `plan` makes of the one before."""
        present = (*before.held, *before.dissent) if before else ()
        numbers = count(1 + max((one.row for one in present), default=0))
        numbered = plan._replace(
            adds=tuple(one._replace(row=next(numbers)) for one in plan.adds),
            dissent_adds=tuple(one._replace(row=next(numbers)) for one in plan.dissent_adds),
        )
        held = after(before.held if before else (), numbered)
        dissent = dissent_after(before.dissent if before else (), numbered)
        added = MemoryVersion(event, boundary, cycle, held, dissent, numbered.adds)
        self._state.ledgers[event.conversation] = (*self.versions(event.conversation), added)

    def boundary_at(self, standing: MemoryVersion) -> BoundaryState:
        """The boundary as a version shows it; with what its cycle changed if a cycle made it."""
        candidate = self._state.boundaries[standing.boundary]
        by_cycle = standing.event.kind is LedgerEventKind.COMMITTED
        changes = candidate.changes if by_cycle else ()
        return candidate.model_copy(
            update={
                "claims": shown_claims(standing.held, standing.cycle),
                "dissent": shown_dissent(standing.dissent),
                "closed": shown_closed(standing.added) if by_cycle else (),
                "changes": shown_changes(changes, standing.held, standing.cycle),
                "version": standing.event.version,
                "committed_at": standing.event.at,
            }
        )

    def _plan_act(self, before: MemoryVersion, act: Act, event: LedgerEvent) -> Plan:
        for held in before.held:
            if held.claim.id == act.claim and held.claim.state in OPEN_STATES:
                changed = acted_on(held.claim, act, Occasion(event.through, event.at))
                return Plan(ends=(held,), adds=(held._replace(claim=changed),))
        raise NotFound(OPEN_CLAIM, act.claim)

    def _plan_dismissal(self, before: MemoryVersion, act: Act) -> Plan:
        for one in before.dissent:
            if one.dissent.id == act.claim and one.dissent.reason is not DissentReason.DISMISSED:
                return Plan(dissent_ends=(one,), dissent_adds=(one._replace(dissent=dismissed(one.dissent, act)),))
        raise NotFound(OPEN_DISSENT, act.claim)

    def _require(self, conversation: ConversationId) -> None:
        if conversation not in self._state.conversations:
            raise NotFound(CONVERSATION, conversation)
