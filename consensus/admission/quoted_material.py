"""What stands in quoted material alone never binds (rule 8): it informs, and instructs, decides and approves nothing.

By structure and scores, whatever the words are. Beside quoted material a sentence put into DECIDED or IDENTITY is heard
where one stretch of somebody's own words bears it, and about as well as any quoted stretch does. Where its member names
turns that hold quoted material, the spoken words of those turns must bear it. A member that was asked to show its words
is heard, of turns with quoted material, on words that it copied from there and that nobody quoted, and of other turns
on what they say, as far as they are about it at all: no score tells an order from the decision that it turns round. A
member that was asked for turns and names none for it is not heard: nobody says whose words they are. What is kept out
is taken out before anything is counted, so that a member, a family or a whole fleet that obeys planted text changes
neither what is decided nor what the statements of others come to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from consensus.embedding.vectors import Matrix
from consensus.evidence.finding import Ground, Scores
from consensus.evidence.quotes import places
from consensus.grouping.group import each_once
from consensus.grouping.sentences import Point
from dissolution.claims import BINDING_SECTIONS, Dissent, DissentReason, Evidence, Section, Statement, Support
from dissolution.ids import claim_id
from dissolution.policy.calibration import CALIBRATION

ABOUT_AS_WELL = CALIBRATION.consensus.about_as_well
SPOKEN = CALIBRATION.consensus.spoken_beside_quoted
NAMED = CALIBRATION.consensus.spoken_in_named_turns
SHOWN = CALIBRATION.consensus.shown_words
SURELY = CALIBRATION.consensus.surely_spoken


@dataclass(frozen=True, slots=True)
class Planted:
    """Where a sentence comes from that is kept from binding.

    Attributes:
        why: The reason in words.
        evidence: The quoted words; none where nothing quoted says it either.
        reason: INJECTED, or UNSUPPORTED where nothing quoted says it either.
    """

    why: str
    evidence: tuple[Evidence, ...]
    reason: DissentReason


@dataclass(frozen=True, slots=True)
class Asked:
    """Which members were asked where a statement comes from.

    Attributes:
        turns: Those asked for its turns.
        words: Those asked for the spoken words of what binds beside quoted material.
    """

    turns: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


NOBODY = Asked()


def planted(
    ground: Ground, scores: Scores, row: int, said: Sequence[Statement], asked: Asked = NOBODY
) -> Planted | None:
    """Where a binding sentence comes from when it stands in quoted material alone; None when it may bind.

    Args:
        ground: The snapshot laid out.
        scores: The sentences against it.
        row: The sentence's row.
        said: The statements that say it.
        asked: What its members were asked for.
    """
    if bool(ground.spoken.all()):
        return None
    each = scores.each(row)
    spoken, quoted = np.where(ground.spoken, each, 0.0), np.where(ground.spoken, 0.0, each)
    if any(_is_heard(ground, spoken, quoted, one, asked) for one in said):
        return None
    place = int(np.argmax(quoted))
    if quoted[place] < max(SPOKEN, float(spoken.max()) - ABOUT_AS_WELL) and not _names_quotes(ground, said):
        return Planted("kept from binding: no words of anybody's own bear it", (), DissentReason.UNSUPPORTED)
    words = scores.words_at(place)
    why = f"kept from binding: its words stand in quoted material of turn {words.turn} alone"
    return Planted(why, (words,), DissentReason.INJECTED)


def _is_heard(ground: Ground, spoken: Matrix, quoted: Matrix, one: Statement, asked: Asked) -> bool:
    """Whether a member says whose words a binding statement rests on, as far as it was asked to, and these bear it."""
    turns, member = one.claim.turns, one.member
    if not turns:
        return member not in asked.turns and _bears(ground, spoken, quoted, turns)
    if member not in asked.words:
        return _bears(ground, spoken, quoted, turns)
    if not _names_quotes(ground, (one,)):
        return float(np.where(np.isin(ground.turns, sorted(turns)), spoken, 0.0).max()) >= SHOWN
    shown = [place for quote in one.claim.quotes for place in _spoken_places(ground, quote, turns)]
    return any(spoken[place] >= SHOWN for place in shown)


def _spoken_places(ground: Ground, quote: str, turns: Sequence[int]) -> list[int]:
    """The stretches in which copied words stand in one of these turns, where none of them is quoted material."""
    last = ground.snapshot.through
    for found in (one for turn in turns if turn <= last for one in places(quote, ground.snapshot.turn(turn))):
        met = [
            place
            for place, one in enumerate(ground.stretches)
            if one.turn == found.turn and one.start < found.end and found.start < one.end
        ]
        if met and all(bool(ground.spoken[place]) for place in met):
            return met
    return []


def _names_quotes(ground: Ground, said: Sequence[Statement]) -> bool:
    turns = sorted({turn for one in said for turn in one.claim.turns})
    return bool((np.isin(ground.turns, turns) & ~ground.spoken).any())


def _bears(ground: Ground, spoken: Matrix, quoted: Matrix, turns: Sequence[int]) -> bool:
    """Whether somebody's own words bear a sentence whose member names these turns.

    Args:
        ground: The snapshot laid out.
        spoken: How well each spoken stretch says it, 0 for quoted ones.
        quoted: How well each quoted stretch does, 0 for spoken ones.
        turns: The turns named; none may be.
    """
    named = np.isin(ground.turns, sorted(turns))
    own = float(np.where(named, spoken, 0.0).max())
    if bool((named & ~ground.spoken).any()):
        return own >= min(SURELY, max(NAMED, float(quoted[named].max()) - ABOUT_AS_WELL))
    return own >= NAMED or float(spoken.max()) >= max(SPOKEN, float(quoted.max()) - ABOUT_AS_WELL)


def sift(points: Sequence[Point], ground: Ground, scores: Scores, asked: Asked = NOBODY) -> dict[Point, Planted]:
    """Those of the sentences that their members put into a binding section and that only quoted material says.

    Args:
        points: What all members state.
        ground: The snapshot laid out.
        scores: The points against it.
        asked: What their members were asked for.
    """
    found: dict[Point, Planted] = {}
    for row, point in enumerate(points):
        if point.statement.claim.section in BINDING_SECTIONS:
            where = planted(ground, scores, row, (point.statement,), asked)
            if where is not None:
                found[point] = where
    return found


def as_dissent(found: Mapping[Point, Planted], job: str) -> tuple[Dissent, ...]:
    """What was taken out, kept and shown: one dissent for the same words in the same section.

    Args:
        found: Sentences with where they come from.
        job: The job's id.
    """
    by_words: dict[tuple[Section, str, DissentReason], list[Point]] = {}
    for point, where in found.items():
        by_words.setdefault((point.statement.claim.section, point.text, where.reason), []).append(point)
    return tuple(
        Dissent(
            id=claim_id(job, reason.value, section.value, text),
            section=section,
            text=text,
            evidence=found[same[0]].evidence,
            support=Support.of(statements := each_once(point.statement for point in same)),
            statements=statements,
            reason=reason,
            detail=found[same[0]].why,
        )
        for (section, text, reason), same in sorted(by_words.items())
    )
