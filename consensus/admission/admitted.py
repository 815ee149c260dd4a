"""Which groups stand as claims: all that enough families state, and what one family states on strong evidence.

What enough families state is never left out for size. Of what one family states, the answer that says most of what the
others say stands first, so that the boundary reads as one text and forgets nothing that this member says. The rest is
ranked and enters while there is room: always what says most that nothing standing says. What typed values set against
what stands on the same matter comes last, of the first answer too: values rank and point, they remove nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from consensus.embedding.vectors import DIGITS, Matrix
from consensus.grouping.group import Group
from consensus.wording.profile import Profile
from consensus.wording.typed_floor import Slot, vetoed, vetoes
from dissolution.claims import (
    BINDING_SECTIONS,
    FIRM_SECTIONS,
    Claim,
    ClaimId,
    Dissent,
    DissentReason,
    Mark,
    Section,
    Statement,
)
from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.job_policy import ConsensusPolicy

ORDER = tuple(Section)
VALUES = frozenset({Slot.NUMBER, Slot.DATE})
LENGTH_POWER = CALIBRATION.consensus.length_power


@dataclass(frozen=True, slots=True)
class Out:
    """A group that does not stand, and why."""

    group: Group
    reason: DissentReason
    detail: str
    against: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near all sentences are to each other, and who said them.

    Attributes:
        distances: Joint distances, 0..1.
        said: The statement each comes from.
        profiles: What each says.
        same_claim: Distance under which two more often say the same than not.
        same_topic: Distance under which two are about the same matter.
    """

    distances: Matrix
    said: Sequence[Statement]
    profiles: Sequence[Profile]
    same_claim: float
    same_topic: float

    def covered(self, rows: Sequence[int]) -> Matrix:
        """How well these sentences say each sentence, shape (n,), 0..1; 0 where there are none."""
        return 1 - self.distances[list(rows)].min(axis=0) if len(rows) else np.zeros(len(self.said))

    def echoed(self, group: Group) -> bool:
        """Whether another family nearly says what a group says."""
        near = np.flatnonzero(self.distances[group.chosen] < self.same_claim).tolist()
        others = (row for row in near if self.said[row].family not in group.support.families)
        return any(not vetoed(group.profile, self.profiles[row]) for row in others)

    def repeats(self, one: Group, two: Group) -> bool:
        """Whether two groups nearly say the same."""
        near = bool(self.distances[one.chosen, two.chosen] < self.same_claim)
        return near and not vetoed(one.profile, two.profile)

    def opposed(self, one: Group, two: Group, within: float) -> tuple[Slot, ...]:
        """In what numbers or dates set two groups nearer than `within` against each other; empty when nothing does."""
        if not self.distances[one.chosen, two.chosen] < within:
            return ()
        return tuple(veto.slot for veto in vetoes(one.profile, two.profile, VALUES) if veto.opposed)

    def lead(self) -> str | None:
        """The member whose answer says most of what other families say: coverage of their sentences x its words.

        Members that come out even are told apart by their words, not by their names. None when nobody says anything.
        """
        rows_of: dict[str, list[int]] = {}
        for row, statement in enumerate(self.said):
            rows_of.setdefault(statement.member, []).append(row)
        families = np.array([statement.family for statement in self.said], dtype=object)

        def rank(member: str) -> tuple[float, list[str], str]:
            rows = rows_of[member]
            others = np.flatnonzero(families != families[rows[0]])
            texts = sorted({self.said[row].key: self.said[row].claim.text for row in rows}.values())
            covers = float(self.covered(rows)[others].mean()) if len(others) else 0.0
            return -round(covers * sum(len(text.split()) for text in texts), DIGITS), texts, member

        return min(rows_of, key=rank, default=None)


class Admission:
    """Decides group by group.

    Args:
        policy: The admission rule.
        near: Who says nearly what whom else says.
        most_words: Words the boundary may have; what enough families state may exceed it.
        to_be_reviewed: Whether members will review it: then all that binds stands until they have, on any evidence.
    """

    def __init__(
        self, policy: ConsensusPolicy, near: Nearness, most_words: float, *, to_be_reviewed: bool = False
    ) -> None:
        self._policy = policy
        self._near = near
        self._most_words = most_words
        self._to_be_reviewed = to_be_reviewed
        self.stand: list[Group] = []
        self.out: list[Out] = []

    def settle(self, groups: Sequence[Group]) -> None:
        """Sort groups into `stand` and `out`."""
        single: list[Group] = []
        for group in sorted(groups, key=lambda one: one.text):
            if group.section in FIRM_SECTIONS and not group.grounding.evidence:
                detail = f"no stretch of the conversation reaches the evidence floor {self._policy.evidence_floor:g}"
                self.out.append(Out(group, DissentReason.UNSUPPORTED, detail))
            elif group.families >= self._policy.min_families or self._waits_for_review(group):
                self.stand.append(group)
            else:
                single.append(group)
        evident = self._evident(single)
        lead = self._near.lead()
        first = [group for group in evident if lead in group.support.members]
        self.stand.extend([group for group in first if not self._rivals(group, self._near.same_claim)])
        stand = {group.chosen for group in self.stand}
        self._fill([group for group in evident if group.chosen not in stand])

    def _waits_for_review(self, group: Group) -> bool:
        admitted = self._to_be_reviewed and self._policy.admit_single_source
        return admitted and group.section in BINDING_SECTIONS and bool(group.grounding.evidence)

    def _evident(self, groups: Sequence[Group]) -> list[Group]:
        """Those that may enter on one family's word: the policy admits it and their evidence is strong."""
        kept: list[Group] = []
        for group in groups:
            said = f"{group.families} of {self._policy.min_families} families"
            least = self._policy.single_source_evidence
            if not self._policy.admit_single_source:
                self.out.append(Out(group, DissentReason.FEW_FAMILIES, f"{said}; the policy admits no single source"))
            elif group.grounding.score < least:
                detail = f"{said}; evidence {group.grounding.score:.2f} is below {least:g} asked of a single source"
                self.out.append(Out(group, DissentReason.FEW_FAMILIES, detail))
            else:
                kept.append(group)
        return kept

    def _rivals(self, group: Group, within: float) -> tuple[Group, ...]:
        """What stands on the same matter and typed values set against a group."""
        return tuple(other for other in self.stand if self._near.opposed(group, other, within))

    def _fill(self, left: list[Group]) -> None:
        """Add groups of one family, always the one that says most that nothing standing says, while there is room."""
        used = sum(group.words for group in self.stand)
        covered = self._near.covered([group.chosen for group in self.stand])
        opposed = {group.chosen for group in left if self._rivals(group, self._near.same_topic)}
        while left:
            best = min(left, key=lambda group: (group.chosen in opposed, *self._rank(group, covered)))
            if used + best.words > self._most_words:  # nothing of lower rank slips in because it is shorter
                for group in left:
                    self._leave_out(group, used)
                break
            left.remove(best)
            self.stand.append(best)
            used += best.words
            covered = np.maximum(covered, self._near.covered([best.chosen]))
            opposed |= {group.chosen for group in left if self._near.opposed(group, best, self._near.same_topic)}

    def _leave_out(self, group: Group, used: int) -> None:
        rivals = self._rivals(group, self._near.same_topic)
        detail = f"no room: {used} of {self._most_words:.0f} words stand"
        last = "; it comes last, as typed values set it against what stands" if rivals else ""
        self.out.append(Out(group, DissentReason.SIZE, f"{detail}{last}", rivals))

    def _rank(self, group: Group, covered: Matrix) -> tuple[bool, bool, float, str]:
        new = float(np.maximum(0.0, self._near.covered([group.chosen]) - covered).sum())
        said = any(self._near.repeats(group, other) for other in self.stand)
        worth = -round(new * group.words**-LENGTH_POWER, DIGITS)
        return said, not self._near.echoed(group), worth, group.text

    def claims(self, job: str, through: int) -> tuple[Claim, ...]:
        """What stands, by section, earliest evidence and words."""
        return tuple(sorted((group.claim(job, self._marks(group), through) for group in self.stand), key=_place))

    def dissent(self, job: str) -> tuple[Dissent, ...]:
        """What does not stand, in the same order."""
        told = (one.group.dissent(job, one.reason, one.detail, self.ids(one.against, job)) for one in self.out)
        return tuple(sorted(told, key=_place))

    def ids(self, groups: Sequence[Group], job: str) -> tuple[ClaimId, ...]:
        """The ids under which these groups stand, in what they were put together with; each once, in their order."""
        homes = (home for group in groups for home in self.stand if set(group.texts) <= set(home.texts))
        return tuple(sorted({home.identifier(job) for home in homes}))

    def _marks(self, group: Group) -> tuple[Mark, ...]:
        enough = group.families >= self._policy.min_families
        return () if enough or group.section not in FIRM_SECTIONS else (Mark.SINGLE_SOURCE,)


def _place(item: Claim | Dissent) -> tuple[int, bool, int, str, str]:
    turns = [evidence.turn for evidence in item.evidence]
    return ORDER.index(item.section), not turns, min(turns, default=0), item.text, item.id
