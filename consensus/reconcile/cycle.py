"""The steps of one cycle in order: count the votes, match, end, let time run, settle the rest, promote."""

from collections.abc import Sequence

from consensus.reconcile import hints
from consensus.reconcile.closing import turn_after
from consensus.reconcile.comparison import Space
from consensus.reconcile.matching import ClaimMatch, match, retells, within
from consensus.reconcile.merging import by_words, newest, plain
from consensus.reconcile.minority import promotion
from consensus.reconcile.open_claims import Desk, End
from consensus.reconcile.returned import Gone
from consensus.reconcile.validity import come, has_come, now_of, ran_out, timed
from consensus.reconcile.votes import QUORUM, Doubt, Ending, Vote, affirming, decided, new_words, said_to_end, votes_on
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    BINDING_SECTIONS,
    PERSONAL_MARKS,
    Claim,
    ClaimId,
    ClaimState,
    Dissent,
    DissentReason,
    FamilyName,
    HeldAct,
    Section,
)
from dissolution.conversation import Snapshot
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import Policy
from dissolution.reviewing import Hint

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
        self.desk = Desk({claim.id: claim for claim in sorted(prior.claims, key=by_words)}, snapshot.through)
        self._snapshot = snapshot
        self._space = space
        self._policy = policy
        self._job = job
        self._since = prior.through
        self._dissent = prior.dissent
        self._gone = tuple(claim for claim in sorted(gone, key=by_words) if claim.id not in self.desk.held)
        self._doubts: list[Doubt] = []
        self._more: list[tuple[Claim, Claim]] = []
        self._promoted: list[Claim] = []
        self._returned: list[tuple[Claim, Claim]] = []
        self._demoted: list[tuple[Claim, Claim | Dissent, ClaimId]] = []

    def run(self, fresh: Sequence[Claim], dissent: Sequence[Dissent]) -> list[Dissent]:
        """Go through the cycle; returns the dissent that is left."""
        endings = self._endings([*fresh, *dissent])
        ending = {one.claim.id for one in endings}
        self._match([claim for claim in fresh if self._ends(claim, endings)], ending)
        self._end(endings)
        gone = self._ended()
        left: list[Dissent] = []
        for claim in (one for one in fresh if not self._ends(one, endings)):
            back = gone.repeated_by(claim)
            if back is not None:
                left.append(back)
                continue
            self._match([claim], ending)
            self._ask_about(claim, gone)
        self._end_by_time()
        left += [item for item in dissent if not self._says_held(item)]
        self.desk.settle()
        return left

    def _endings(self, items: Sequence[Claim | Dissent]) -> list[Ending]:
        """The held claims that end by the votes of members; what is said to end and does not is a doubt."""
        found: list[Ending] = []
        named = said_to_end(items)
        for held in (one for one in self.desk.held.values() if one.id in named):
            votes = [
                vote for vote in votes_on(held, items, self._snapshot, self._since) if not _only_says_it(vote, held)
            ]
            verdict = decided(held, votes, self._still(held, items, votes))
            if isinstance(verdict, Ending):
                found.append(verdict)
            elif verdict is not None:
                self._doubts.append(verdict)
        return found

    def _still(self, held: Claim, items: Sequence[Claim | Dissent], votes: Sequence[Vote]) -> frozenset[FamilyName]:
        """The families that say a held claim again on words of a new turn, by naming it or by meaning."""
        against = {vote.item.id for vote in votes}
        near = self._space.distance
        found: set[FamilyName] = set()
        for item in items:
            if not self._new_words(item) or (isinstance(item, Dissent) and item.reason not in SAYS_IT):
                continue
            found |= affirming(item, held.id)
            other = min((near(item.text, vote.item.text) for vote in votes), default=1.0)
            again = item.id not in against and match(held, item, self._space, anew=True) is ClaimMatch.SAME
            if again and near(item.text, held.text) <= other:
                found |= set(item.support.families)
        return frozenset(found)

    def _new_words(self, item: Claim | Dissent) -> bool:
        return bool(new_words(item, self._snapshot, self._since))

    def _ends(self, claim: Claim, endings: Sequence[Ending]) -> bool:
        """Whether it is an item by which a held claim ends: it is no repetition of that one."""
        return any(one.vote.item.id == claim.id for one in endings)

    def _match(self, fresh: Sequence[Claim], ending: set[str]) -> None:
        """Say held claims again, or add what is new; what members say again with values besides does both."""
        for claim in fresh:
            held = [one for one in self.desk.held.values() if one.id not in ending]
            anew = self._new_words(claim)
            found = [(one, how) for one in held if (how := match(one, claim, self._space, anew=anew))]
            if not found:
                found = [(one, ClaimMatch.SAME) for one in held if retells(claim, one, self._space)]
            if self._since < self._snapshot.through and not anew:
                self.desk.echoes.add(claim.id)
            if all(how is ClaimMatch.MORE for _, how in found):
                self.desk.add(claim, "not held before")
            for one, how in found:
                if how is ClaimMatch.MORE:
                    self._more.append((one, claim))
                if how is ClaimMatch.SAME or affirming(claim, one.id):
                    self.desk.affirm(one.id, claim)

    def _end(self, endings: Sequence[Ending]) -> None:
        """End what the votes end; what revises or answers takes the place of it, what closes takes none."""
        for one in endings:
            vote, words = one.vote, one.vote.words
            home = self.desk.home.get(vote.item.id)
            closes = vote.act is HeldAct.CLOSE
            state = ClaimState.EXPIRED if closes else ClaimState.SUPERSEDED
            if len(one.taking_back) >= QUORUM:
                state = ClaimState.CORRECTED
            turn = min(piece.turn for piece in words)
            if home is not None and _may_say_it(vote, one.claim, self._space):
                self._demoted.append((one.claim, vote.item, home))
            end = End(state, turn, one.reason, None if closes else home, words, told=home)
            self.desk.end(one.claim, end)

    def _ended(self) -> Gone:
        """What ended before and in this cycle, for telling what only repeats it."""
        heirs = {claim.id: claim.text for claim in self.desk.open()}
        dismissed = [item for item in self._dissent if item.reason is DissentReason.DISMISSED]
        return Gone([*self._gone, *self.desk.closed.values()], dismissed, heirs, self._space)

    def _says_held(self, item: Dissent) -> bool:
        """Let dissent that somebody vouches for affirm the held claim it says."""
        if item.reason not in SAYS_IT:
            return False
        anew = self._new_words(item)
        open_ones = self.desk.held.values()
        twins = [held for held in open_ones if match(held, item, self._space, anew=anew) is ClaimMatch.SAME]
        if self._since < self._snapshot.through and not anew:
            self.desk.echoes.add(item.id)
        for held in twins:
            self.desk.affirm(held.id, item)
        return bool(twins)

    def _ask_about(self, claim: Claim, gone: Gone) -> None:
        """Note that a claim which was added may only repeat what ended."""
        old = gone.near_to(claim)
        if old is not None and claim.id in self.desk.new:
            self._returned.append((claim, old))

    def _end_by_time(self) -> None:
        """End what ran out by its own interval, and let begin what was put off to now."""
        now = now_of(self._snapshot)
        for held in tuple(self.desk.held):
            claim = self.desk.held[held]
            over = ran_out(claim, now)
            if over is not None and not PERSONAL_MARKS & frozenset(claim.marks):
                self.desk.end(claim, End(ClaimState.EXPIRED, turn_after(self._snapshot, claim), over))
            elif has_come(claim, now):
                self.desk.held[held] = come(claim)

    def promote(self, dissent: Sequence[Dissent]) -> tuple[Dissent, ...]:
        """Let minority branches become claims where enough families say them; returns those that stay dissent."""
        kept: list[Dissent] = []
        gone, before = self._ended(), {item.id for item in self._dissent}
        least = self._policy.rolling.promote_families or self._policy.consensus.min_families
        for item in dissent:
            twin = next((claim for claim in self.desk.new.values() if self._space.same(item.text, claim.text)), None)
            if twin is not None and item.id in before and item.reason is not DissentReason.DISMISSED:
                self.desk.change(ChangeKind.PROMOTED, twin.id, f"was dissent for {item.cycles} cycles", item.id)
                continue
            made = promotion(item, least, self._snapshot.through, job=self._job)
            if made is None or gone.repeated_by(item) is not None:
                kept.append(item)
            else:
                made = timed(made, self._snapshot)
                self._promoted.append(made)
                self.desk.add(made, made.reason, ChangeKind.PROMOTED, item.id)
                self._ask_about(made, gone)
        return tuple(kept)

    def hints(self, before: Sequence[Hint] = ()) -> tuple[Hint, ...]:
        """What the cycle suspects of the claims that stand, what members say first.

        Args:
            before: Hints about the claims of this cycle; each is about the claim that stands for them now.
        """
        standing = self.desk.open()
        later = [
            (claim, words)
            for claim in sorted(standing, key=by_words)
            if (words := new_words(claim, self._snapshot, self._since)) and newest(claim) > self._since
        ]
        home = self.desk.home
        found = [
            *(one.model_copy(update={"claims": tuple(home.get(name, name) for name in one.claims)}) for one in before),
            *hints.of_doubts(self._doubts),
            *hints.of_returned(self._returned),
            *hints.of_demoted(self._demoted),
            *hints.of_more(self._more),
            *hints.of_opposites(self._promoted, standing, self._space),
            *hints.of_values(self.desk.held.values(), later, self._space),
        ]
        return hints.hints_about(found, standing)

    def changes(self) -> tuple[Change, ...]:
        """What became of each claim, in the order in which it did."""
        return tuple(self.desk.changes)


def _only_says_it(vote: Vote, held: Claim) -> bool:
    """Whether an item that is said to revise a claim says just that again, in the same words.

    A commitment is not revised into KNOWN so: it is said, and stays where it stands.
    """
    if vote.act is not HeldAct.REVISE or (held.section is Section.EDGES) != (vote.item.section is Section.EDGES):
        return False
    return plain(vote.item.text) == plain(held.text) and not vetoes(profile_of(held.text), profile_of(vote.item.text))


def _may_say_it(vote: Vote, held: Claim, space: Space) -> bool:
    """Whether what revises a commitment into KNOWN may only say it again in other words, as far as distances tell."""
    demoted = vote.act is HeldAct.REVISE and held.section in BINDING_SECTIONS and vote.item.section is Section.KNOWN
    return demoted and space.same(vote.item.text, held.text) and within(vote.item.text, held.text)
