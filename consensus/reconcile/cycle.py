"""The steps of one cycle in order: match, supersede, end by turns and time, answer, settle the rest."""

from collections.abc import Sequence
from dataclasses import replace

from consensus.reconcile.closing import turn_after
from consensus.reconcile.contests import Contests, quoted
from consensus.reconcile.desk import Desk, End
from consensus.reconcile.endings import NewTurns
from consensus.reconcile.lifting import lifts_of
from consensus.reconcile.matching import Match, match, says_all, together
from consensus.reconcile.merging import by_words, newest
from consensus.reconcile.minority import promotion
from consensus.reconcile.parts import parts_of
from consensus.reconcile.questions import answers
from consensus.reconcile.returning import as_dissent
from consensus.reconcile.ruling import Fate, Ruling, rule, touches
from consensus.reconcile.space import Space
from consensus.reconcile.timing import come, time_of
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, ClaimState, Dissent, DissentReason, Evidence, Mark, Section
from dissolution.conversation import Snapshot
from dissolution.ledger import Change, ChangeKind
from dissolution.policy import Policy

SAYS_IT = frozenset({DissentReason.FEW_FAMILIES, DissentReason.CONTAINED, DissentReason.SIZE})
"""Dissent whose words somebody vouches for: a held claim of the same meaning was said."""


class Cycle:
    """One cycle against what is held.

    Args:
        prior: The boundary that stands.
        snapshot: The conversation.
        space: Distances between all texts.
        policy: The thresholds.
        job: The job's id.
        gone: Claims that were closed in earlier versions.
    """

    def __init__(
        self,
        prior: BoundaryState,
        snapshot: Snapshot,
        space: Space,
        policy: Policy,
        *,
        job: str,
        gone: Sequence[Claim] = (),
    ) -> None:
        held = {claim.id: claim for claim in sorted(prior.claims, key=by_words)}
        self.desk = Desk(held, snapshot.through, job)
        self._snapshot = snapshot
        self._space = space
        self._policy = policy
        self._job = job
        self._since = prior.through
        self._before = frozenset(item.id for item in prior.dissent)
        self.turns = NewTurns(snapshot, prior.through)
        self._spoken: list[Evidence] = self.turns.spoken()
        self._contests = Contests(self.desk, space, snapshot, self._spoken, gone)

    def run(self, fresh: Sequence[Claim], dissent: Sequence[Dissent]) -> list[Dissent]:
        """Go through the cycle; returns the dissent that is left."""
        fresh, outdated = self._without_outdated([self._on_newest_words(claim) for claim in fresh])
        self._match(fresh)
        left = [*(item for item in dissent if not self._says_held(item)), *outdated]
        self._supersede(fresh)
        self._end_by_turns()
        self._end_by_name()
        self._end_by_time()
        self._answer(fresh)
        self._contests.settle(later for later in fresh if self._is_news(later))
        self.desk.settle_rest()
        return left

    def _on_newest_words(self, claim: Claim) -> Claim:
        """A claim with the last new stretch that says all of it: the consensus names the first, which may be older."""
        last = next((piece for piece in reversed(self._spoken) if says_all(claim.text, [piece.text])), None)
        if last is None or last.turn <= newest(claim) or claim.section is Section.EDGES:
            return claim
        return claim.model_copy(update={"evidence": (*claim.evidence, last)})

    def _without_outdated(self, fresh: Sequence[Claim]) -> tuple[list[Claim], list[Dissent]]:
        """Claims that say what a held one replaced are dissent against it."""
        kept: list[Claim] = []
        out: list[Dissent] = []
        for claim in fresh:
            again = any(says_all(claim.text, [piece.text]) for piece in self._spoken)
            if again or any(self._space.same(held.text, claim.text) for held in self.desk.held.values()):
                kept.append(claim)  # a new turn says it once more, or both are held: side by side is no news
                continue
            rulings = ((held, rule(held, claim, self._snapshot, self._space)) for held in self.desk.held.values())
            against = next(((held, found) for held, found in rulings if found.fate is Fate.OUTDATED), None)
            if against is None:
                kept.append(claim)
            else:
                held, found = against
                out.append(as_dissent(claim, DissentReason.SUPERSEDED, found.reason, (held.id,)))
        return kept, out

    def _match(self, fresh: Sequence[Claim]) -> None:
        """Say held claims again, revise them by fuller ones, or add what is new."""
        for claim in fresh:
            found = [(held, how) for held in self.desk.held.values() if (how := match(held, claim, self._space))]
            whole = [pair for pair in found if pair[1] is not Match.MORE]
            if not found:
                whole = [(held, Match.LESS) for held in together(self.desk.held.values(), claim, self._space)]
            for held, how in whole or found:
                self.desk.affirm(held.id, claim, how)
            if not whole:
                self.desk.add(claim, "not held before")

    def _says_held(self, item: Dissent) -> bool:
        """Let dissent that somebody vouches for affirm the held claim it says."""
        if item.reason not in SAYS_IT:
            return False
        twins = [held for held in self.desk.held.values() if match(held, item, self._space) in {Match.SAME, Match.LESS}]
        for held in twins:
            self.desk.affirm(held.id, item, Match.SAME)
        return bool(twins)

    def _supersede(self, fresh: Sequence[Claim]) -> None:
        """End held claims whose slot a newer claim fills, or that a fuller one says as well; contest the doubtful."""
        news = [later for later in fresh if self._is_news(later)]
        for held in tuple(self.desk.held):
            claim = self.desk.grown(held)
            saying = {item.id for item, _ in self.desk.said.get(held, [])}
            rulings = [(later, self._ruling(held, later)) for later in news if later.id not in saying]
            ends = [pair for pair in rulings if pair[1].fate is Fate.ENDS]
            if ends:
                self._end_by(claim, ends)
                continue
            fuller = self._fuller(claim)
            if fuller is not None:
                self._revise(claim, fuller)
            self._contest(claim if fuller is None else fuller, rulings)

    def _ruling(self, held: ClaimId, later: Claim) -> Ruling:
        """What a newer claim does to a held one; what a turn says once more after it does not end: it is contested."""
        claim, before = self.desk.grown(held), self.desk.held[held]
        once_more = newest(before) < newest(later) < newest(claim)
        found = rule(before if once_more else claim, later, self._snapshot, self._space)
        if found.fate is not Fate.ENDS:
            return found
        again = newest(claim) if once_more else self._last_said(claim)
        if again <= found.evidence[0].turn:
            return found
        return replace(found, fate=Fate.CONTESTS, reason=f"{found.reason}, and turn {again} says it again")

    def _last_said(self, claim: Claim) -> int:
        """The last new turn that says all of a claim; 0 where none does."""
        return max((piece.turn for piece in self._spoken if says_all(claim.text, [piece.text])), default=0)

    def _contest(self, claim: Claim, rulings: Sequence[tuple[Claim, Ruling]]) -> None:
        """Note what stands against a claim; opposites get an EDGE, what may be another thing does not."""
        for later, ruling in rulings:
            if ruling.fate is not Fate.CONTESTS:
                continue
            home = self.desk.home[later.id]
            if claim.id in self.desk.held:
                self.desk.change(ChangeKind.CONTESTED, home, ruling.reason, claim.id, ruling.evidence)
            if ruling.opposed:
                self._contests.note(self.desk.home.get(claim.id, claim.id), home)

    def _is_news(self, later: Claim) -> bool:
        """Whether a claim is new or rests on turns since: what is held is not set against each other anew."""
        return self.desk.home[later.id] in self.desk.new or newest(later) > self._since

    def _end_by(self, claim: Claim, ends: Sequence[tuple[Claim, Ruling]]) -> None:
        """End a claim by the newest of what ends it; its parts that none of them touches go on."""
        later, ruling = max(ends, key=lambda pair: (newest(pair[0]), pair[0].text, pair[0].id))

        def touched(words: str) -> bool:
            return any(touches(words, claim, other, self._space) for other, _ in ends)

        turn = ruling.evidence[0].turn
        home = self.desk.home[later.id]
        if not self.desk.end(claim.id, End(ruling.state, turn, ruling.reason, home, ruling.evidence, touched)):
            self._contest(claim, [(later, replace(ruling, fate=Fate.CONTESTS))])
            return
        for item, _ in self.desk.said.get(claim.id, []):
            if isinstance(item, Claim) and item.id not in self.desk.new and not touched(item.text):
                self.desk.stays(item, claim.id)

    def _fuller(self, claim: Claim) -> Claim | None:
        """The claim of this cycle that says all of a held one and more, and is as well grounded; or None."""
        if Mark.PINNED in claim.marks or claim.section is Section.EDGES:
            return None
        least = min(len(self.desk.held[claim.id].support.families), self._policy.consensus.min_families)
        found = [
            item
            for item, how in self.desk.said.get(claim.id, [])
            if how is Match.MORE
            and isinstance(item, Claim)
            and item.section is claim.section
            and len(item.support.families) >= least
            and item.evidence
        ]
        return min(found, key=lambda item: (len(item.text), item.text, item.id), default=None)

    def _revise(self, claim: Claim, fuller: Claim) -> None:
        reason = "a fuller wording on evidence of its own says all of it"
        turn = max(newest(fuller), claim.valid.start)
        end = End(ClaimState.SUPERSEDED, turn, reason, fuller.id, fuller.evidence[:1])
        self.desk.end(claim.id, end)

    def _end_by_turns(self) -> None:
        """End what a new turn takes back, though nobody of the fleet says so."""
        for held in tuple(self.desk.held):
            claim = self.desk.held[held]
            untold = self.desk.is_claimed(held) or quoted(claim) is not None
            found = None if untold else self.turns.ending(claim.text, claim)
            if found is None:
                continue
            again = self._last_said(claim)
            if again > found.turn:
                reason = f"{found.why}, and turn {again} says it again"
                self.desk.change(ChangeKind.CONTESTED, held, reason, None, found.evidence)
                continue
            self.desk.end(
                held,
                End(
                    found.state,
                    found.turn,
                    found.why,
                    None,
                    found.evidence,
                    self.turns.touched(claim, found, parts_of(claim)),
                ),
            )

    def _end_by_name(self) -> None:
        """End what a new turn ends by name; where the name fits several, contest them."""
        for lift in lifts_of(list(self.desk.held.values()), self._spoken):
            fits = [held for held in lift.claims if held in self.desk.held]
            if len(fits) == 1 and self._last_said(self.desk.held[fits[0]]) <= lift.evidence.turn:
                turn = lift.evidence.turn
                self.desk.end(fits[0], End(ClaimState.EXPIRED, turn, lift.why, None, (lift.evidence,)))
            else:
                doubt = "a later turn says it again" if len(fits) == 1 else f"what it names fits {len(fits)} claims"
                for held in fits:
                    reason = f"{lift.why}, and {doubt}"
                    self.desk.change(ChangeKind.CONTESTED, held, reason, None, (lift.evidence,))

    def _end_by_time(self) -> None:
        """End what ran out, and let begin what was put off to now."""
        for held in tuple(self.desk.held):
            claim = self.desk.held[held]
            found = None if quoted(claim) else time_of(claim, self._snapshot, self._spoken)
            if found is None or (found.over and self.desk.is_claimed(held)):
                continue
            if not found.over:
                self.desk.held[held] = come(claim)
                continue
            turn = max((piece.turn for piece in found.evidence), default=turn_after(self._snapshot, claim))
            self.desk.end(held, End(ClaimState.EXPIRED, turn, found.reason, None, found.evidence))

    def _answer(self, fresh: Sequence[Claim]) -> None:
        """End the questions that a claim of this cycle answers."""
        for held in tuple(self.desk.held):
            claim = self.desk.held[held]
            if claim.section is not Section.EDGES or held in self.desk.said:
                continue
            answer = next((said for said in fresh if answers(said, claim)), None)
            if answer is not None:
                turn = newest(answer)
                words = tuple(piece for piece in answer.evidence if piece.turn == turn)
                reason = f"turn {turn} answers it"
                end = End(ClaimState.SUPERSEDED, turn, reason, self.desk.home[answer.id], words)
                self.desk.end(held, end)

    def promote(self, dissent: Sequence[Dissent]) -> tuple[Dissent, ...]:
        """Let minority branches become claims where enough families say them; returns those that stay dissent."""
        kept: list[Dissent] = []
        for item in dissent:
            twin = next((claim for claim in self.desk.new.values() if self._space.same(item.text, claim.text)), None)
            if twin is not None and item.id in self._before and item.reason is not DissentReason.DISMISSED:
                self.desk.change(ChangeKind.PROMOTED, twin.id, f"was dissent for {item.cycles} cycles", item.id)
                continue
            least = self._policy.rolling.promote_families or self._policy.consensus.min_families
            made = promotion(item, self.desk.open(), least, self._snapshot.through, space=self._space, job=self._job)
            if made is None:
                kept.append(item)
            else:
                self.desk.add(made.claim, made.claim.reason, ChangeKind.PROMOTED, item.id)
        return tuple(kept)

    def changes(self) -> tuple[Change, ...]:
        """What became of each claim; a pair is contested only while both stand."""
        closed = self.desk.closed.keys()
        return tuple(
            change
            for change in self.desk.changes
            if change.kind is not ChangeKind.CONTESTED or not {change.claim, change.other} & closed
        )
