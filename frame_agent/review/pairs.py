"""What reviewers say of claims beside each other: several say the same, or two cannot both hold."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from dissolution.claims import (
    BINDING_SECTIONS,
    FIRM_SECTIONS,
    PERSONAL_MARKS,
    Claim,
    ClaimId,
    ClaimState,
    DissentReason,
    Evidence,
    Mark,
    Section,
    Support,
)
from dissolution.framing import MOST_NEEDED, Finding
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval
from dissolution.reviewing import Fault
from frame_agent.review.candidate_sheet import Sheet, statements_once
from frame_agent.review.covered import GONE, covered
from frame_agent.review.one_per_member import Voice, evidence_of, families, needed
from frame_agent.review.single_claims import PERSONS, finding_of, lacking, reason_of
from frame_agent.review.wording_distance import Comparing

Pair = tuple[ClaimId, ClaimId]

APART = "nothing was changed: numbers, dates or names keep them apart, and one family alone says that they are the same"


def merged(sheet: Sheet, voices: Sequence[Voice], comparing: Comparing) -> Iterator[Finding]:
    """Merge what reviewers call the same: what two families join first, then what one says of one family's claim.

    Last comes what several claims hold only together.

    Args:
        sheet: The candidate while it is amended.
        voices: What was said; the rest of it is passed over.
        comparing: Says whether typed values keep two claims apart.
    """
    same = [one for one in voices if one.fault is Fault.SAME_AS]
    said = [one for one in same if not one.also]
    before = dict(sheet.claims)
    home: dict[ClaimId, ClaimId] = {}
    joined = _pairs(said, sheet)
    for group in _groups([pair for pair, told in joined.items() if len(families(told)) >= MOST_NEEDED]):
        told = [one for one in said if len(group & set(one.claims)) > 1]
        yield _merge_group(sheet, group, told, home)
    for pair, told in joined.items():
        if len(families(told)) < MOST_NEEDED:
            yield _merge_pair(sheet, [before[one] for one in pair if one in before], told, home, comparing)
    yield from covered(sheet, same, home, comparing)


def _pairs(voices: Sequence[Voice], sheet: Sheet) -> Mapping[Pair, list[Voice]]:
    """Who names which two claims, in the order in which they were named."""
    found: dict[Pair, list[Voice]] = {}
    for one in voices:
        for first, second in combinations(sorted(one.claims, key=sheet.place), 2):
            found.setdefault((first, second), []).append(one)
    return found


def _groups(pairs: Sequence[Pair]) -> list[set[ClaimId]]:
    """The claims that pairs hang together, group by group."""
    found: list[set[ClaimId]] = []
    for pair in pairs:
        touched = [group for group in found if not group.isdisjoint(pair)]
        found = [group for group in found if group.isdisjoint(pair)]
        found.append(set(pair).union(*touched))
    return found


def _merge_group(sheet: Sheet, group: set[ClaimId], voices: Sequence[Voice], home: dict[ClaimId, ClaimId]) -> Finding:
    """Join claims that two families call the same; the one that most call best stays."""
    open_ = [sheet.claims[one] for one in sorted(group, key=sheet.place) if one in sheet.claims]
    if len(open_) < 2:  # noqa: PLR2004 - a pair
        return finding_of(open_, voices, MOST_NEEDED, None, why=GONE)
    stays = _best(sheet, open_, voices)
    told: list[str] = []
    for goes in open_:
        if goes.id != stays.id and PERSONAL_MARKS.isdisjoint(goes.marks) and not _demotes(sheet, stays, goes):
            sheet.merge(sheet.claims[stays.id], goes, f"{reason_of(voices)}: {stays.id} says it best")
            home[goes.id] = stays.id
            told.append(goes.id)
    if not told:
        return finding_of(open_, voices, None, None, why=PERSONS)
    return finding_of(open_, voices, MOST_NEEDED, f"{', '.join(told)} merged into {stays.id}: {stays.text}")


def _merge_pair(
    sheet: Sheet, pair: Sequence[Claim], voices: Sequence[Voice], home: dict[ClaimId, ClaimId], comparing: Comparing
) -> Finding:
    """Let a claim of one family go into another on one family's word, unless typed values keep the two apart."""
    now = [sheet.claims.get(home.get(one.id, one.id)) for one in pair]
    open_ = [one for one in now if one is not None]
    if len(open_) < 2 or open_[0].id == open_[1].id:  # noqa: PLR2004 - a pair
        return finding_of(pair, voices, 1, None, why=GONE)
    best = {home.get(one.best, one.best) for one in voices if one.best is not None}
    stays = next((one for one in open_ if one.id in best), None) or _best(sheet, open_, voices)
    goes = next(one for one in open_ if one.id != stays.id)
    least = needed([goes])
    if least is None:
        return finding_of(pair, voices, None, None, why=PERSONS)
    if least > 1 or _demotes(sheet, stays, goes):
        return finding_of(pair, voices, MOST_NEEDED, None, why=lacking(1, MOST_NEEDED))
    if comparing.apart(stays.text, goes.text):
        return finding_of(pair, voices, MOST_NEEDED, None, why=APART)
    sheet.merge(stays, goes, f"{reason_of(voices)}: {stays.id} says it best")
    home[goes.id] = stays.id
    return finding_of(pair, voices, 1, f"{goes.id} merged into {stays.id}: {stays.text}")


def _demotes(sheet: Sheet, stays: Claim, goes: Claim) -> bool:
    """Whether a commitment that the ledger holds would end in what does not bind."""
    return sheet.holds(goes.id) and goes.section in BINDING_SECTIONS and stays.section not in BINDING_SECTIONS


def _best(sheet: Sheet, claims: Sequence[Claim], voices: Sequence[Voice]) -> Claim:
    """The claim that stays: a person's, else a commitment that is held, else as most say; then of most families."""
    told = Counter(best for _, best in {(one.family, one.best) for one in voices})
    return min(
        claims,
        key=lambda one: (
            PERSONAL_MARKS.isdisjoint(one.marks),
            not (sheet.holds(one.id) and one.section in BINDING_SECTIONS),
            -told[one.id],
            -len(one.support.families),
            -len(one.text),
            one.text,
        ),
    )


def contested(sheet: Sheet, voices: Sequence[Voice]) -> Iterator[Finding]:
    """Quote both sides of what two families call a contradiction and no turn settles; tell the rest.

    Args:
        sheet: The candidate while it is amended, after claims that a turn settles were closed.
        voices: What was said; the rest of it is passed over.
    """
    for pair, told in _pairs([one for one in voices if one.fault is Fault.CONTRADICTS], sheet).items():
        claims = [sheet.claims[one] for one in pair if one in sheet.claims]
        if len(claims) < 2:  # noqa: PLR2004 - a pair
            unheard = [one for one in told if one.best is None or one.best not in sheet.claims]
            if unheard:
                yield finding_of(claims, unheard, MOST_NEEDED, None, why=GONE)
            continue
        least = None if needed(claims) is None else MOST_NEEDED
        if least is None:
            yield finding_of(claims, told, None, None, why=PERSONS)
        elif len(families(told)) < least:
            yield finding_of(claims, told, least, None, why=lacking(len(families(told)), least))
        elif all(one.section not in FIRM_SECTIONS for one in claims):
            yield finding_of(claims, told, least, None, why="both stand as open already")
        else:
            edge = _contest(sheet, claims, told)
            yield finding_of(claims, told, least, f"both are quoted in EDGES, as {edge}: no turn settles it")


def _contest(sheet: Sheet, claims: Sequence[Claim], voices: Sequence[Voice]) -> ClaimId:
    """One EDGE that quotes both, in place of both."""
    one, two = sorted(claims, key=lambda each: (each.valid.start, each.text, each.id))
    words = evidence_of(voices)
    reason = reason_of(voices)
    edge = Claim(
        id=claim_id("contested", *sorted((one.id, two.id))),
        section=Section.EDGES,
        text=f"“{one.text}” / “{two.text}”",
        evidence=_once((*one.evidence, *two.evidence, *words)),
        support=Support(
            members=tuple(sorted({*one.support.members, *two.support.members})),
            families=tuple(sorted({*one.support.families, *two.support.families})),
        ),
        valid=TurnInterval(start=two.valid.start),
        statements=statements_once(one.statements, two.statements),
        reason=reason,
        marks=(Mark.CONTESTED,),
    )
    sheet.add(edge, reason)
    for claim in (one, two):
        sheet.close(claim, ClaimState.SUPERSEDED, DissentReason.CONTESTED, reason, words, by=edge.id)
    return edge.id


def _once(pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(pieces))
