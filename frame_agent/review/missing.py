"""What reviewers say that no claim holds: taken up when two families say the same of it, kept as dissent else."""

from collections.abc import Iterator, Sequence

from dissolution.claims import DissentReason, Section
from dissolution.conversation import Snapshot
from dissolution.framing import MOST_NEEDED, Finding
from dissolution.reviewing import Fault
from frame_agent.review.candidate_sheet import Sheet, same_as_hint
from frame_agent.review.one_per_member import Voice, families
from frame_agent.review.replacements import alike, as_claim, as_dissent, binds_by_quotes, standing_for, worded
from frame_agent.review.single_claims import finding_of, lacking, reason_of
from frame_agent.review.wording_distance import Comparing


def taken_up(sheet: Sheet, voices: Sequence[Voice], snapshot: Snapshot, comparing: Comparing) -> Iterator[Finding]:
    """Take up what two families miss, in the words of one of them on the words that all of them show.

    A claim in the same words makes that needless. One that is merely near does not: a hint says that the two may be
    one.

    Args:
        sheet: The candidate while it is amended.
        voices: What was said; the rest of it is passed over.
        snapshot: The conversation.
        comparing: Says what means the same.
    """
    for said in _alike([one for one in voices if one.fault is Fault.MISSING], comparing):
        found = worded(said, said[0].remark.section or Section.EDGES, comparing)
        if found is None:
            continue
        told = len(families(said))
        there = standing_for(found, list(sheet.claims.values()), comparing)
        reason, name = reason_of(said), sheet.new_id("missing", found.section.value, found.text)
        against = () if there.near is None else (there.near,)
        if there.word_for_word is not None:
            yield finding_of((), said, MOST_NEEDED, None, why=f"{there.word_for_word} says it already: {found.text}")
        elif binds_by_quotes(found, snapshot):
            sheet.note(as_dissent(found, name, DissentReason.INJECTED, reason, against=against))
            why = f"nothing was changed: quoted material alone binds nobody; kept as dissent: {found.text}"
            yield finding_of((), said, MOST_NEEDED, None, why=why)
        elif told < MOST_NEEDED:
            sheet.note(as_dissent(found, name, DissentReason.FEW_FAMILIES, reason, against=against))
            yield finding_of((), said, MOST_NEEDED, None, why=f"{lacking(told, 2)}; kept as dissent: {found.text}")
        else:
            name = sheet.new_id(found.section.value, found.text)
            sheet.add(as_claim(found, name, reason, comparing, through=snapshot.through), reason)
            if there.near is not None:
                sheet.suspect(same_as_hint(there.near, name))
            yield finding_of((), said, MOST_NEEDED, f"taken up in {found.section.value}: {found.text}")


def _alike(voices: Sequence[Voice], comparing: Comparing) -> list[list[Voice]]:
    """Those that miss the same, in the same section.

    One joins those whom it is like, all of them, or else where it is like one of another family: what two families miss
    is not parted because one of them misses something near as well.
    """
    found: list[list[Voice]] = []
    for one in voices:
        whole = (group for group in found if all(_same(one, other, comparing) for other in group))
        others = (
            group
            for group in found
            if any(one.family != other.family and _same(one, other, comparing) for other in group)
        )
        group = next(whole, None) or next(others, None)
        if group is None:
            found.append([one])
        else:
            group.append(one)
    return found


def _same(one: Voice, other: Voice, comparing: Comparing) -> bool:
    return one.remark.section is other.remark.section and alike(one, other, comparing)
