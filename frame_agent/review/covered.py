"""What reviewers say that two claims or more hold only together: the claim goes, as dissent beside those.

It goes on the same word as one that merges into another: what two families state on the word of two, and a person's
claim on nobody's. Its statements are not given to those that stay, since neither says all of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dissolution.claims import BINDING_SECTIONS, Claim, ClaimId, ClaimState, DissentReason
from dissolution.framing import MOST_NEEDED, Finding
from frame_agent.review.candidate_sheet import Sheet
from frame_agent.review.one_per_member import Voice, families, needed
from frame_agent.review.single_claims import PERSONS, finding_of, lacking, reason_of
from frame_agent.review.wording_distance import Comparing

GONE = "one of them does not stand any more"
APART = "nothing was changed: numbers, dates or names keep them apart, and one family alone says that they hold it"
BINDS = "nothing was changed: a commitment that the ledger holds ends only in what binds"


class Cover(NamedTuple):
    """One voice's word that a claim is held by others: by one of them, or by several together."""

    by: frozenset[ClaimId]
    voice: Voice


def covered(
    sheet: Sheet, voices: Sequence[Voice], home: Mapping[ClaimId, ClaimId], comparing: Comparing
) -> Iterator[Finding]:
    """Let go what enough families say that several others hold together.

    Who says that one of them holds it by itself agrees that they hold it.

    Args:
        sheet: The candidate while it is amended, after claims of the same were merged.
        voices: Those that call claims the same.
        home: Which claim has taken in a merged one.
        comparing: Says whether typed values keep texts apart.
    """
    found: dict[ClaimId, list[Cover]] = {}
    for one in voices:
        for name, cover in _covers(one, home):
            found.setdefault(name, []).append(cover)
    for name, covers in found.items():
        together = [one.by for one in covers if one.voice.also]
        if together:
            yield _finding(sheet, name, covers, _chosen(sheet, name, together, covers), comparing)


def _covers(voice: Voice, home: Mapping[ClaimId, ClaimId]) -> Iterator[tuple[ClaimId, Cover]]:
    best = (() if voice.best is None else (voice.best,)) + voice.also
    for name in voice.claims:
        if voice.also and name not in best:
            yield name, Cover(frozenset(home.get(one, one) for one in best), voice)
        elif not voice.also and name != voice.best:
            for other in best or voice.claims:
                if other != name:
                    yield name, Cover(frozenset({home.get(other, other)}), voice)


def _chosen(
    sheet: Sheet, name: ClaimId, together: Sequence[frozenset[ClaimId]], covers: Sequence[Cover]
) -> tuple[tuple[Claim, ...], tuple[Voice, ...]]:
    """The claims that most families say hold it, the fewest first; none where they do not all stand any more."""
    stand = [by for by in together if name not in by and by <= sheet.claims.keys()]
    told = {by: tuple(one.voice for one in covers if one.by <= by) for by in stand}
    best = min(told, key=lambda by: (-len(families(told[by])), len(by), sorted(map(sheet.place, by))), default=None)
    if best is None:
        return (), tuple(one.voice for one in covers if one.voice.also)
    return tuple(sheet.claims[one] for one in sorted(best, key=sheet.place)), told[best]


def _finding(
    sheet: Sheet,
    name: ClaimId,
    covers: Sequence[Cover],
    chosen: tuple[tuple[Claim, ...], tuple[Voice, ...]],
    comparing: Comparing,
) -> Finding:
    """Do it, or say why it is not done."""
    stay, voices = chosen
    goes = sheet.claims.get(name)
    if goes is None or not stay:
        return finding_of(stay, [one.voice for one in covers if one.voice.also], MOST_NEEDED, None, why=GONE)
    least, told = needed([goes]), len(families(voices))
    shown = (goes, *stay)
    if least is None:
        return finding_of(shown, voices, None, None, why=PERSONS)
    if told < least:
        return finding_of(shown, voices, least, None, why=lacking(told, least))
    if (
        sheet.holds(name)
        and goes.section in BINDING_SECTIONS
        and any(one.section not in BINDING_SECTIONS for one in stay)
    ):
        return finding_of(shown, voices, least, None, why=BINDS)
    if told < MOST_NEEDED and comparing.apart(" ".join(one.text for one in stay), goes.text):
        return finding_of(shown, voices, MOST_NEEDED, None, why=APART)
    names = tuple(one.id for one in stay)
    reason = f"{reason_of(voices)}: {' and '.join(names)} hold it together"
    words = tuple(dict.fromkeys(piece for one in stay for piece in one.evidence)) or goes.evidence
    sheet.close(goes, ClaimState.SUPERSEDED, DissentReason.CONTAINED, reason, words, by=names[0], beside=names[1:])
    return finding_of(shown, voices, least, f"{name} merged into {' and '.join(names)}, which hold it together")
