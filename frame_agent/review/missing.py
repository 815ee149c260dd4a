"""What reviewers say that no claim holds: taken up when two families say the same of it, kept as dissent else."""

from collections.abc import Iterator, Sequence

from dissolution.claims import Dissent, DissentReason, Section, Support
from dissolution.conversation import Snapshot
from dissolution.framing import MOST_NEEDED, Finding
from dissolution.reviewing import Fault
from frame_agent.review.comparing import Comparing
from frame_agent.review.sheet import Sheet
from frame_agent.review.single import finding_of, lacking, reason_of
from frame_agent.review.voices import Voice, families
from frame_agent.review.wording import Worded, as_claim, binds_by_quotes, says_already, statements_of, worded


def taken_up(sheet: Sheet, voices: Sequence[Voice], snapshot: Snapshot, comparing: Comparing) -> Iterator[Finding]:
    """Take up what two families miss, in the words of one of them on the words that all of them show.

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
        there = says_already(found, list(sheet.claims.values()), comparing)
        if there is not None:
            yield finding_of((), said, MOST_NEEDED, None, why=f"{there} says it already: {found.text}")
        elif binds_by_quotes(found, snapshot):
            sheet.note(_dissent(sheet, found, DissentReason.INJECTED))
            why = f"nothing was changed: quoted material alone binds nobody; kept as dissent: {found.text}"
            yield finding_of((), said, MOST_NEEDED, None, why=why)
        elif told < MOST_NEEDED:
            sheet.note(_dissent(sheet, found, DissentReason.FEW_FAMILIES))
            yield finding_of((), said, MOST_NEEDED, None, why=f"{lacking(told, 2)}; kept as dissent: {found.text}")
        else:
            name = sheet.new_id(found.section.value, found.text)
            reason = reason_of(said)
            sheet.add(as_claim(found, name, reason, comparing, through=snapshot.through), reason)
            yield finding_of((), said, MOST_NEEDED, f"taken up in {found.section.value}: {found.text}")


def _alike(voices: Sequence[Voice], comparing: Comparing) -> list[list[Voice]]:
    """Those that miss the same, in the same section."""
    found: list[list[Voice]] = []
    for one in voices:
        group = next((group for group in found if all(_same(one, other, comparing) for other in group)), None)
        if group is None:
            found.append([one])
        else:
            group.append(one)
    return found


def _same(one: Voice, other: Voice, comparing: Comparing) -> bool:
    mine, theirs = one.remark.text or "", other.remark.text or ""
    return one.remark.section is other.remark.section and (mine == theirs or comparing.same(mine, theirs))


def _dissent(sheet: Sheet, found: Worded, reason: DissentReason) -> Dissent:
    statements = statements_of(found)
    return Dissent(
        id=sheet.new_id("missing", found.section.value, found.text),
        section=found.section,
        text=found.text,
        evidence=found.evidence,
        support=Support.of(statements),
        statements=statements,
        reason=reason,
        detail=reason_of(found.voices),
    )
