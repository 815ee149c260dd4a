"""From drafts to claims and dissent: what is promoted, corrected, contested, repeated or below the admission rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from consensus.calibration import Calibration
from consensus.concepts import Worth
from consensus.contested import both_sides
from consensus.corrections import Conflict, TextPair, conflicts
from consensus.draft import Draft, each_once
from consensus.evidence import Ground
from consensus.guards import contradiction, vetoes
from consensus.points import Point
from consensus.promotion import only_supposed, promoted
from consensus.repeats import Lost, falls_with
from consensus.retractions import retraction
from consensus.selection import rejoined, select
from consensus.states import unsaid
from consensus.support import rule
from consensus.vectors import Matrix
from dissolution.claims import FIRM_SECTIONS, Claim, Dissent, DissentReason, Mark, Section, Support, TurnInterval
from dissolution.ids import claim_id
from dissolution.policy import ConsensusPolicy

ORDER = tuple(Section)


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides which admitted drafts stand.

    Attributes:
        lead: The member whose answer goes first, or None.
        worth: What concepts count.
        parted: The points of each statement that was taken apart, in order, by statement key.
        most_words: Words the boundary may have.
    """

    lead: str | None
    worth: Worth
    parted: Mapping[str, Sequence[Point]]
    most_words: float

    def parted_by_lead(self) -> dict[str, Sequence[Point]]:
        """The lead's statements that were taken apart."""
        return {key: found for key, found in self.parted.items() if found[0].statement.member == self.lead}


def settle(
    drafts: Sequence[Draft],
    distances: Matrix,
    ground: Ground,
    policy: ConsensusPolicy,
    calibration: Calibration,
    *,
    job: str,
    shape: Shape | None = None,
    opposed: frozenset[TextPair] = frozenset(),
) -> tuple[tuple[Claim, ...], tuple[Dissent, ...]]:
    """Claims by section and earliest evidence, and dissent in the same order.

    Args:
        drafts: The groups.
        distances: Joint distances between all statements.
        ground: The snapshot's stretches.
        policy: The admission rule.
        calibration: Distances of the embedding model.
        job: The job's id.
        shape: What decides which of them stand; all do when None.
        opposed: Pairs of words that an adjudicator found to contradict each other.
    """
    desk = _Desk(ground, policy, job)
    sound = [draft for draft in drafts if not (desk.is_promoted(draft) or desk.is_taken_back(draft))]
    admitted = [draft for draft in sound if desk.admit(draft)]
    found = conflicts(admitted, distances, ground, calibration.same_topic, told=opposed)
    left = desk.settle_conflicts(admitted, found)
    standing = desk.without_lost(left, distances, calibration.same_claim)
    first = None if shape is None else shape.lead
    kept = desk.without_repeats(standing, distances, calibration.same_claim, first)
    final = kept if shape is None else desk.shaped(kept, shape)
    desk.stand(final)
    desk.tell_retracted(final)
    desk.name_opponents(standing)
    return desk.result()


class _Desk:
    """Collects claims and dissent while the drafts are gone through."""

    def __init__(self, ground: Ground, policy: ConsensusPolicy, job: str) -> None:
        self._ground = ground
        self._policy = policy
        self._job = job
        self._claims: list[Claim] = []
        self._dissent: list[Dissent] = []
        self._retracted: list[tuple[Draft, str]] = []
        self._lost: list[Lost] = []
        self._merged: list[Draft] = []  # what stood after the conflicts, with repeats and parts put together

    def is_promoted(self, draft: Draft) -> bool:
        """Turn a draft that says more than its evidence into dissent."""
        places = tuple(dict.fromkeys((*draft.grounding.stating, *draft.grounding.places)))
        stretches = [(self._ground.stretches[place].turn, self._ground.profiles[place]) for place in places]
        why = promoted(draft.profile, draft.section, stretches) or self._overstated(draft)
        if why is None:
            return False
        self._dissent.append(draft.dissent(self._job, DissentReason.UNSUPPORTED, why))
        self._lost.append(Lost(draft, DissentReason.UNSUPPORTED, why))
        return True

    def _overstated(self, draft: Draft) -> str | None:
        """Why a firm draft says of its subject what no turn that it rests on says, or None."""
        if draft.section not in FIRM_SECTIONS or not draft.grounding.evidence:
            return None
        rows = self._ground.lookup.with_figure(mark for mark in draft.profile.marks if mark.hard)
        if only_supposed(draft.profile, [self._ground.profiles[row] for row in sorted(rows)]):
            return "the conversation only supposes a figure of it"
        turns = {evidence.turn for evidence in draft.grounding.evidence} | set(draft.grounding.turns)
        word = unsaid(draft.text, (stretch.text for stretch in self._ground.stretches if stretch.turn in turns))
        return None if word is None else f"no turn that it rests on says {word!r} or as much"

    def is_taken_back(self, draft: Draft) -> bool:
        """Turn a draft that a later turn takes back word for word into dissent."""
        found = retraction(draft, self._ground)
        if found is None:
            return False
        why = f"turn {found.turn} {found.why}"
        self._retracted.append((draft, why))
        self._lost.append(Lost(draft, DissentReason.SUPERSEDED, why, found.turn))
        return True

    def tell_retracted(self, standing: Sequence[Draft]) -> None:
        """Turn what was taken back into dissent, against the claims that say otherwise."""
        for draft, why in self._retracted:
            rivals = [other for other in standing if contradiction(draft.profile, other.profile) is not None]
            against = tuple(sorted(other.identifier(self._job) for other in rivals))
            self._dissent.append(draft.dissent(self._job, DissentReason.SUPERSEDED, why, against))

    def settle_conflicts(self, drafts: Sequence[Draft], found: Sequence[Conflict]) -> list[Draft]:
        """Superseded drafts and both sides of contested ones become dissent; returns the rest."""
        lost: dict[int, tuple[DissentReason, str, list[int]]] = {}
        for conflict in found:
            if conflict.settled_by is None:
                continue
            why = f"turn {conflict.settled_by} says otherwise ({conflict.veto.guard}: {conflict.veto.detail})"
            if conflict.first not in lost:
                self._lost.append(Lost(drafts[conflict.first], DissentReason.SUPERSEDED, why, conflict.settled_by))
            lost.setdefault(conflict.first, (DissentReason.SUPERSEDED, why, []))[2].append(conflict.second)
        for conflict in found:
            if conflict.settled_by is None and not {conflict.first, conflict.second} & lost.keys():
                self._contest(drafts[conflict.first], drafts[conflict.second], conflict)
                why = f"no turn settles it ({conflict.veto.guard}: {conflict.veto.detail})"
                for place, other in ((conflict.first, conflict.second), (conflict.second, conflict.first)):
                    lost[place] = (DissentReason.CONTESTED, why, [other])
                    self._lost.append(Lost(drafts[place], DissentReason.CONTESTED, why))
        for place, (reason, why, against) in lost.items():
            opponents = tuple(sorted(drafts[other].identifier(self._job) for other in against))
            self._dissent.append(drafts[place].dissent(self._job, reason, why, opponents))
        return [draft for place, draft in enumerate(drafts) if place not in lost]

    def without_lost(self, drafts: Sequence[Draft], distances: Matrix, same_claim: float) -> list[Draft]:
        """Drafts that repeat what lost become dissent for the same reason; returns the rest."""
        kept: list[Draft] = []
        for draft in drafts:
            found = falls_with(draft, self._lost, distances, same_claim)
            if found is None:
                kept.append(draft)
            else:
                why = f"{found.why}: it says the same as {found.draft.text!r}"
                self._dissent.append(draft.dissent(self._job, found.reason, why))
        return kept

    def _contest(self, first: Draft, second: Draft, conflict: Conflict) -> None:
        """One EDGE that quotes both sides: the only claim whose words nobody said as they stand."""
        one, two = sorted((first, second), key=lambda draft: (draft.grounding.first_turn, draft.text))
        statements = each_once((*one.statements, *two.statements))
        self._claims.append(
            Claim(
                id=claim_id(self._job, "contested", one.text, two.text),
                section=Section.EDGES,
                text=both_sides(one.text, len(one.support.families), two.text, len(two.support.families)),
                evidence=(*one.grounding.evidence, *two.grounding.evidence),
                support=Support.of(statements),
                valid=TurnInterval(start=two.grounding.first_turn),
                statements=statements,
                reason=f"contested: no turn settles it ({conflict.veto.guard})",
                marks=(Mark.CONTESTED,),
            )
        )

    def admit(self, draft: Draft) -> bool:
        """Apply the admission rule; what it turns down becomes dissent."""
        ruling = rule(draft, self._policy)
        if ruling.reason is not None:
            self._dissent.append(draft.dissent(self._job, ruling.reason, ruling.detail))
            return False
        return True

    def without_repeats(
        self, drafts: Sequence[Draft], distances: Matrix, same_claim: float, lead: str | None
    ) -> list[Draft]:
        """Near-duplicates do not both stand: the lead's, or the better supported, takes the other's statements in."""
        kept: list[Draft] = []

        def rank(draft: Draft) -> tuple[bool, int, float, str]:
            by_lead = any(s.member == lead and draft.text in s.claim.text for s in draft.statements)
            return not by_lead, -len(draft.support.families), -draft.grounding.score, draft.text

        for draft in sorted(drafts, key=rank):
            twin = next(
                (place for place, other in enumerate(kept) if _repeats(other, draft, distances, same_claim)), None
            )
            if twin is None:
                kept.append(draft)
            else:
                kept[twin] = kept[twin].with_repeat(draft)
        self._merged = kept
        return kept

    def shaped(self, drafts: Sequence[Draft], shape: "Shape") -> list[Draft]:
        """Put what one statement says together again, and leave out what the rest says already.

        What rests on quoted material alone takes the room that is left: it drives out nothing that people said.
        """
        whole = rejoined(drafts, shape.parted_by_lead(), self._policy.min_families)
        self._merged = whole
        used = sum(len(claim.text.split()) for claim in self._claims)
        quoted = [draft for draft in whole if draft.grounding.places and not self._ground.speaks(draft.grounding)]
        own = [draft for draft in whole if draft not in quoted]
        standing, left = select(own, shape.lead, shape.worth, shape.most_words - used)
        used += sum(len(draft.text.split()) for draft in standing)
        informing, rest = select(quoted, shape.lead, shape.worth, shape.most_words - used, standing)
        standing = [*standing, *informing]
        for out in (*left, *rest):
            why = f"{out.new:.0%} of it is new beside the claims that stand"
            self._dissent.append(out.draft.dissent(self._job, out.reason, why))
        return standing

    def stand(self, drafts: Sequence[Draft]) -> None:
        """Turn drafts into claims."""
        self._claims.extend(
            draft.claim(self._job, self._marks_of(draft), self._ground.snapshot.through) for draft in drafts
        )

    def _marks_of(self, draft: Draft) -> tuple[Mark, ...]:
        """A claim that gained a second family by taking a repeat in is no single source any more."""
        enough = len(draft.support.families) >= self._policy.min_families
        return () if enough or draft.section not in FIRM_SECTIONS else (Mark.SINGLE_SOURCE,)

    def name_opponents(self, standing: Sequence[Draft]) -> None:
        """Name what dissent is against by the ids it has after merging; `standing` is what was not yet merged."""
        home = {row: draft.identifier(self._job) for draft in self._merged for row in draft.rows}
        present = {draft.identifier(self._job): home[draft.rows[0]] for draft in standing}
        self._dissent = [
            item.model_copy(update={"against": tuple(sorted({present.get(one, one) for one in item.against}))})
            for item in self._dissent
        ]

    def result(self) -> tuple[tuple[Claim, ...], tuple[Dissent, ...]]:
        """Claims by section, earliest evidence and words; dissent likewise."""
        return tuple(sorted(self._claims, key=_place)), tuple(sorted(self._dissent, key=_place))


def _repeats(one: Draft, two: Draft, distances: Matrix, same_claim: float) -> bool:
    near = bool(distances[one.chosen, two.chosen] < same_claim)
    return near and not vetoes(one.profile, two.profile)


def _place(item: Claim | Dissent) -> tuple[int, bool, int, str, str]:
    turns = [evidence.turn for evidence in item.evidence]
    return ORDER.index(item.section), not turns, min(turns, default=0), item.text, item.id
