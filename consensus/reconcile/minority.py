"""Dissent across cycles: a minority branch keeps its families, counts cycles, and is promoted when enough say so."""

from collections.abc import Iterable, Sequence

from consensus.reconcile.comparison import Space
from consensus.reconcile.merging import by_words, evidence_of, oldest, statements_of, support_of
from dissolution.claims import FIRM_SECTIONS, Claim, Dissent, DissentReason, Section
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval

PROMOTABLE = frozenset({DissentReason.FEW_FAMILIES, DissentReason.SIZE})
"""Dissent for want of families, or of room for what one family states: what two state has room.

What no turn bears out, or what was taken back, does not come true by numbers.
"""


def joined(before: Sequence[Dissent], now: Iterable[Dissent], space: Space) -> tuple[Dissent, ...]:
    """Dissent of earlier cycles and of this one; what says the same is one branch with the support of all cycles.

    A branch keeps its first words and id, and takes the reason of its newest cycle; what a person dismissed stays
    dismissed.

    Args:
        before: Dissent held before.
        now: Dissent of this cycle.
        space: Distances between the texts.
    """
    found = list(before)
    said: set[int] = set()
    for item in sorted(now, key=by_words):
        place = next((n for n, old in enumerate(found) if _same(old, item, space)), None)
        if place is None:
            found.append(item)
            said.add(len(found) - 1)
        else:
            found[place] = _grown(found[place], item, again=place not in said)
            said.add(place)
    return tuple(found)


def _same(old: Dissent, new: Dissent, space: Space) -> bool:
    if (old.section is Section.EDGES) != (new.section is Section.EDGES):
        return False
    return old.id == new.id or space.same(old.text, new.text)


def _grown(old: Dissent, new: Dissent, *, again: bool) -> Dissent:
    dismissed = old.reason is DissentReason.DISMISSED
    return old.model_copy(
        update={
            "evidence": evidence_of(old.evidence, new.evidence),
            "support": support_of(old.support, new.support),
            "statements": statements_of(old.statements, new.statements),
            "reason": old.reason if dismissed else new.reason,
            "detail": old.detail if dismissed else new.detail,
            "against": tuple(sorted({*old.against, *new.against})),
            "cycles": old.cycles + again,
        }
    )


def promotion(item: Dissent, least_families: int, through: int, *, job: str) -> Claim | None:
    """The claim that a branch becomes, or None: enough families over all cycles, and evidence.

    Args:
        item: Dissent with the support of all cycles.
        least_families: Families a claim needs.
        through: The snapshot's last turn.
        job: The job's id.
    """
    families = len(item.support.families)
    if item.reason not in PROMOTABLE or families < least_families:
        return None
    if item.section in FIRM_SECTIONS and not item.evidence:
        return None
    return Claim(
        id=claim_id(job, "promoted", item.id),
        section=item.section,
        text=item.text,
        evidence=item.evidence,
        support=item.support,
        valid=TurnInterval(start=oldest(item) or through),
        statements=item.statements,
        reason=f"promoted: {families} families over {item.cycles} cycles",
        affirmed=through,
    )
