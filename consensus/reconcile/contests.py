"""Opposites that no turn settles (rule 4): both claims stand and are marked, and one EDGE states both sides.

The EDGE of two claims ends in the cycle that ends one of them, and so do the marks. An EDGE of the consensus, whose
sides are dissent, ends when a newer claim settles either side.
"""

from collections.abc import Iterable, Sequence

from consensus.contested import both_sides, sides_of
from consensus.corrections import opposed
from consensus.profile import profile_of
from consensus.reconcile.desk import Desk, End
from consensus.reconcile.matching import says_all
from consensus.reconcile.merging import by_words, evidence_of, oldest, statements_of, support_of
from consensus.reconcile.ruling import Fate, rule
from consensus.reconcile.space import Space
from dissolution.claims import Claim, ClaimId, ClaimState, Closing, Evidence, Mark, Section
from dissolution.conversation import Snapshot
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval

Pair = tuple[ClaimId, ClaimId]


def quoted(claim: Claim) -> tuple[str, str] | None:
    """The two sides that a contested EDGE quotes; None for every other claim."""
    return sides_of(claim.text) if claim.section is Section.EDGES and Mark.CONTESTED in claim.marks else None


def edge_id(one: ClaimId, two: ClaimId) -> ClaimId:
    """The id of the EDGE of two claims: the same in every cycle, for either order."""
    return claim_id("contested", *sorted((one, two)))


def edge_of(one: Claim, two: Claim) -> Claim:
    """The EDGE that states two claims, each quoted with its support, on the evidence of both."""
    first, second = sorted((one, two), key=by_words)
    words = both_sides(first.text, len(first.support.families), second.text, len(second.support.families))
    return Claim(
        id=edge_id(one.id, two.id),
        section=Section.EDGES,
        text=words,
        evidence=evidence_of(first.evidence, second.evidence),
        support=support_of(first.support, second.support),
        valid=TurnInterval(start=oldest(second)),
        statements=statements_of(first.statements, second.statements),
        reason=f"contested: no turn settles {first.id} against {second.id}",
        marks=(Mark.CONTESTED,),
    )


class Contests:
    """The contested pairs of one cycle.

    Args:
        desk: The open part of the ledger.
        space: Distances between all texts, the sides of contested EDGES among them.
        snapshot: The conversation.
        spoken: What somebody says in turns since the last boundary, in order.
        gone: Claims that were closed in earlier versions.
    """

    def __init__(
        self, desk: Desk, space: Space, snapshot: Snapshot, spoken: Sequence[Evidence], gone: Iterable[Claim]
    ) -> None:
        self._desk = desk
        self._space = space
        self._snapshot = snapshot
        self._spoken = spoken
        self._gone = {claim.id: claim for claim in gone}
        self._pairs: list[Pair] = []

    def note(self, one: ClaimId, two: ClaimId) -> None:
        """Two claims contradict each other, and no turn settles it; whether both still stand is seen at the end."""
        self._pairs.append((one, two))

    def settle(self, news: Iterable[Claim]) -> None:
        """End the EDGES that are settled, add those of the pairs that stand, and mark the claims they are about.

        Args:
            news: Claims of this cycle that are new or rest on new turns.
        """
        later = list(news)
        for edge in sorted(self._edges(), key=by_words):
            if edge.id in self._desk.held:
                self._settle_edge(edge, later)
        for one, two in self._pairs:
            self._add(one, two)
        self._mark()

    def _edges(self) -> list[Claim]:
        return [claim for claim in self._desk.open() if quoted(claim) is not None]

    def _settle_edge(self, edge: Claim, later: Sequence[Claim]) -> None:
        pair = self._pair_of(edge)
        if pair is None:
            self._settle_sides(edge, later)
            return
        still = self._open()
        ended = [name for name in pair if name not in still]
        if not ended:
            return
        side = self._desk.closed.get(ended[0]) or self._gone[ended[0]]
        self._end(edge, side)
        for name in pair:
            by = None if side.closing is None else side.closing.by
            if by in still and name in still and opposed(*(profile_of(still[each].text) for each in (by, name))):
                self.note(by, name)  # what took one side's place may stand against the other all the same

    def _settle_sides(self, edge: Claim, later: Sequence[Claim]) -> None:
        """End an EDGE of the consensus whose side a claim said that ends now, or that a newer claim settles."""
        sides = quoted(edge) or ()
        over = [claim for claim in self._desk.closed.values() if any(self._says(claim, side) for side in sides)]
        if over:
            self._end(edge, min(over, key=by_words))
            return
        for side in sides:
            claim = edge.model_copy(update={"section": Section.KNOWN, "text": side, "marks": ()})
            for new in map(self._on_new_turns, later):
                ruling = rule(claim, new, self._snapshot, self._space)
                if ruling.fate is Fate.ENDS:
                    home = self._desk.home[new.id]
                    turn = ruling.evidence[0].turn
                    reason = f"settled: {ruling.reason}"
                    self._desk.end(edge.id, End(ClaimState.EXPIRED, turn, reason, home, ruling.evidence))
                    return

    def _on_new_turns(self, claim: Claim) -> Claim:
        """A claim with the new stretches that say all of it: evidence names the first turn that does, not the last."""
        again = (piece for piece in self._spoken if says_all(claim.text, [piece.text]))
        return claim.model_copy(update={"evidence": evidence_of(claim.evidence, again)})

    def _end(self, edge: Claim, side: Claim) -> None:
        """End an EDGE by what ended one side of it; by the other side where the words that did say that."""
        sides = quoted(edge) or ()
        closing = side.closing or Closing(state=ClaimState.EXPIRED, reason="it ended")
        words = [piece.text for piece in closing.evidence]
        said = (name for name, claim in self._open().items() if claim.text in sides and says_all(claim.text, words))
        by = closing.by or next(said, None)
        turn = max((piece.turn for piece in closing.evidence), default=self._desk.through)
        reason = f"settled: {side.id} was {closing.state.value} ({closing.reason})"
        self._desk.end(edge.id, End(ClaimState.EXPIRED, turn, reason, by, closing.evidence))

    def _pair_of(self, edge: Claim) -> Pair | None:
        """The ids of the two claims an EDGE was made of; None for an EDGE of the consensus."""
        one, two = quoted(edge) or ("", "")
        known = [*self._desk.open(), *self._desk.closed.values(), *self._gone.values()]
        left, right = ([claim.id for claim in known if claim.text == side] for side in (one, two))
        return next(((a, b) for a in left for b in right if edge_id(a, b) == edge.id), None)

    def _add(self, one: ClaimId, two: ClaimId) -> None:
        still = self._open()
        if one == two or not {one, two} <= still.keys():
            return
        a, b = still[one], still[two]
        if any(self._states(edge, a, b) for edge in self._edges()):
            return
        edge = edge_of(a, b).model_copy(update={"affirmed": self._desk.through})
        self._desk.add(edge, edge.reason)

    def _states(self, edge: Claim, a: Claim, b: Claim) -> bool:
        """Whether an EDGE states these two claims."""
        one, two = quoted(edge) or ("", "")
        return (self._says(a, one) and self._says(b, two)) or (self._says(a, two) and self._says(b, one))

    def _says(self, claim: Claim, side: str) -> bool:
        return claim.section is not Section.EDGES and self._space.same(claim.text, side)

    def _open(self) -> dict[ClaimId, Claim]:
        """The open claims that assert something."""
        return {claim.id: claim for claim in self._desk.open() if claim.section is not Section.EDGES}

    def _mark(self) -> None:
        """Mark the claims that an EDGE is about, and lift the marks of all others."""
        about: set[ClaimId] = set()
        for edge in self._edges():
            pair = self._pair_of(edge)
            sides = quoted(edge) or ()
            about |= set(pair or (name for name, c in self._open().items() if any(self._says(c, s) for s in sides)))
        for claims in (self._desk.held, self._desk.new):
            for name, claim in claims.items():
                if claim.section is not Section.EDGES:
                    claims[name] = _marked(claim, contested=name in about)


def _marked(claim: Claim, *, contested: bool) -> Claim:
    if (Mark.CONTESTED in claim.marks) == contested:
        return claim
    rest = tuple(mark for mark in claim.marks if mark is not Mark.CONTESTED)
    return claim.model_copy(update={"marks": (*rest, Mark.CONTESTED) if contested else rest})
