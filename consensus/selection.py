"""Which admitted drafts stand: as few words as it takes to say what the fleet says.

Members put the same facts together in other ways, so groups overlap and their sum is about twice the longest answer.
One answer hardly repeats itself. So the drafts of the lead answer (see `consensus.concepts`) stand first; the drafts of
the others are added one by one, always the one that adds most worth for its words, until nothing adds enough or the
size is reached. What is left out says little that does not stand already, or was the least of what there was no room
for; it is kept as dissent with that reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from consensus.concepts import Concept, Worth, concepts
from consensus.draft import Draft, each_once
from consensus.grounding import Grounding
from consensus.points import Point
from consensus.profile import profile_of
from consensus.representative import LONGEST_WORDS
from dissolution.claims import DissentReason, Section, Statement, Support

CONTAINED = 0.3  # share of a draft's worth that must be new, or it is contained in what stands
LENGTH_POWER = 0.6  # below 1: of two drafts that add as much per word the fuller one, as it keeps facts together
BINDING = 1.5  # what DECIDED and IDENTITY count more: a forgotten commitment costs more than a forgotten fact
BINDS = frozenset({Section.DECIDED, Section.IDENTITY})


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A draft that does not stand.

    Attributes:
        draft: The draft.
        reason: CONTAINED or SIZE.
        new: Share of its worth that nothing standing has, 0..1.
    """

    draft: Draft
    reason: DissentReason
    new: float


def rejoined(drafts: Sequence[Draft], parted: Mapping[str, Sequence[Point]], least_families: int) -> list[Draft]:
    """Put the points of one statement together again where all of them stand, as the member said them.

    A point stands when it speaks for its group, or loses nothing of the words that do. Points stay apart when they
    stand in several sections, would be too long together, or when the whole has less support than a part: whoever says
    one half does not say the other.

    Args:
        drafts: Standing drafts.
        parted: The points of each statement that was taken apart, by statement key.
        least_families: Families from which a claim is supported.
    """
    standing = {text: draft for draft in drafts for text in draft.texts if _as_full(text, draft)}
    gone: set[str] = set()
    whole: list[Draft] = []
    for key in sorted(parted):
        texts = [point.text for point in parted[key]]
        parts = [standing[text] for text in texts if text in standing and standing[text].text not in gone]
        apart = len({part.text for part in parts}) == len(parts) == len(set(texts))
        if apart and _belong(parts, parted[key][0].statement, least_families):
            gone.update(part.text for part in parts)
            whole.append(_joined(parts, parted[key][0].statement))
    return [*(draft for draft in drafts if draft.text not in gone), *whole]


def _as_full(text: str, draft: Draft) -> bool:
    """Whether a point says every figure and name of the words that speak for its group, and denies what they deny."""
    point, speaks = profile_of(text), draft.profile
    if text == speaks.text:
        return True
    return not speaks.lacking(point) and speaks.names <= point.names and speaks.negative == point.negative


def _belong(parts: Sequence[Draft], statement: Statement, least_families: int) -> bool:
    if len({part.section for part in parts}) > 1 or len(statement.claim.text.split()) > LONGEST_WORDS:
        return False
    if not all(statement.member in part.support.members for part in parts):
        return False
    fewest = min(len(part.support.families) for part in parts)
    return len(_common(parts).families) >= min(least_families, fewest)


def _common(parts: Sequence[Draft]) -> Support:
    """The members who say every part."""
    members = set(parts[0].support.members).intersection(*(part.support.members for part in parts))
    said = [statement for part in parts for statement in part.statements if statement.member in members]
    return Support.of(tuple(said))


def _joined(parts: Sequence[Draft], statement: Statement) -> Draft:
    grounds = [part.grounding for part in parts]
    return replace(
        parts[0],
        rows=tuple(sorted({row for part in parts for row in part.rows})),
        texts=tuple(sorted({text for part in parts for text in part.texts})),
        statements=each_once(said for part in parts for said in part.statements),
        words=statement.claim.text,
        counted=_common(parts),
        parts=tuple((part.text, part.support) for part in parts),
        grounding=Grounding(
            evidence=tuple(dict.fromkeys(piece for ground in grounds for piece in ground.evidence)),
            score=min(ground.score for ground in grounds),
            turns=tuple(sorted({turn for ground in grounds for turn in ground.turns})),
            places=tuple(dict.fromkeys(place for ground in grounds for place in ground.places)),
            stating=tuple(dict.fromkeys(place for ground in grounds for place in ground.stating)),
        ),
    )


def select(
    drafts: Sequence[Draft], lead: str | None, worth: Worth, most_words: float, beside: Sequence[Draft] = ()
) -> tuple[list[Draft], list[LeftOut]]:
    """The drafts that stand, and the rest with the reason.

    Args:
        drafts: Admitted drafts that contradict nothing among them.
        lead: The member whose answer goes first.
        worth: What concepts count.
        most_words: Words up to which drafts are added; the lead's own always stand.
        beside: Drafts that stand already, and whose words are not counted again.
    """
    standing = [draft for draft in drafts if lead is not None and _says(draft, lead)]
    left = [draft for draft in drafts if not (lead is not None and _says(draft, lead))]
    said = set[Concept]().union(*(concepts(draft.text) for draft in (*beside, *standing)))
    used = sum(_length(draft) for draft in standing)
    whole = {draft.text: worth.sum(concepts(draft.text)) for draft in left}
    new = {draft.text: worth.sum(concepts(draft.text) - said) for draft in left}
    while left:
        fresh = [draft for draft in left if _adds(draft, new, whole) and used + _length(draft) <= most_words]
        if not fresh:
            break
        best = min(fresh, key=lambda draft: (-_rank(draft, new[draft.text]), draft.text))
        standing.append(best)
        left.remove(best)
        added = concepts(best.text) - said
        said |= added
        used += _length(best)
        touched = [draft for draft in left if not added.isdisjoint(concepts(draft.text))]
        new.update((draft.text, worth.sum(concepts(draft.text) - said)) for draft in touched)
    return standing, list(_left_out(left, said, worth))


def _left_out(drafts: Iterable[Draft], said: set[Concept], worth: Worth) -> Iterable[LeftOut]:
    for draft in drafts:
        whole = worth.sum(concepts(draft.text))
        new = worth.sum(concepts(draft.text) - said) / whole if whole else 0.0
        yield LeftOut(draft, DissentReason.SIZE if new > CONTAINED else DissentReason.CONTAINED, new)


def _says(draft: Draft, member: str) -> bool:
    return any(statement.member == member for statement in draft.statements)


def _adds(draft: Draft, new: Mapping[str, float], whole: Mapping[str, float]) -> bool:
    return new[draft.text] > CONTAINED * whole[draft.text]


def _rank(draft: Draft, new: float) -> float:
    return new * (BINDING if draft.section in BINDS else 1.0) / _length(draft) ** LENGTH_POWER


def _length(draft: Draft) -> int:
    return max(1, len(draft.text.split()))
