"""Statements whose words stand in quoted material alone: it informs, and never instructs, decides or approves (rule 8).

They are taken out before anything is counted, so that a member, a family or a whole fleet that obeys planted text
changes neither what is decided and standing nor what the others' statements come to. A statement is one of them when
quoted material says it clearly better than anything spoken, and it binds: it is put into DECIDED or IDENTITY, promises
or forbids something, or rests on words that speak to their reader. What people say to quoted material, such as that it
is to be ignored or that they accept it, is speech and stays. What is hidden in an encoding is quoted material too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from consensus.commitments import commits
from consensus.evidence import Ground, Scores
from consensus.guards import contradiction
from consensus.own_words import OwnWords, reverses
from consensus.points import Point
from consensus.profile import Profile, profile_of
from consensus.vectors import Matrix
from dissolution.claims import Dissent, DissentReason, Evidence, Section, Statement, Support
from dissolution.ids import claim_id
from wording.bidding import bids
from wording.disguise import folded, revealed
from wording.orders import claims_consent, consent_words, speaks_to_reader
from wording.refusals import turns_down

SAYS = 0.5  # least score of quoted material that says a claim
STATES = 0.75  # score from which it says nearly all of it
CLEARLY = 0.15  # how much better than all speech quoted material must say a claim to be where it comes from
BETTER = 0.05  # the same where its wording binds and no speech has that wording
HIDDEN = 0.7  # share of a claim's words that a hidden text has
FEWEST_HIDDEN = 3  # words of a claim that are looked for in hidden texts
BINDING = frozenset({Section.DECIDED, Section.IDENTITY})


@dataclass(frozen=True, slots=True)
class Planted:
    """Where a statement comes from.

    Attributes:
        why: The reason in words.
        evidence: The quoted words; none where they are hidden in an encoding, or where it comes from nobody's words.
        reason: What kind of dissent it is.
    """

    why: str
    evidence: tuple[Evidence, ...] = ()
    reason: DissentReason = DissentReason.INJECTED


class Quoted:
    """The quoted side of a snapshot, and what is hidden anywhere in it.

    Args:
        ground: The snapshot laid out; its stretches are spoken or quoted.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._hidden = tuple(_hidden_texts(ground))
        self._own = OwnWords(ground)
        self.present = bool(self._hidden) or not bool(ground.spoken.all())

    def ruling(self, point: Point, profile: Profile, scores: Scores, row: int, said: float) -> Planted | None:
        """Why a point is not heard: it binds, and comes from quoted material or from nobody's own words; else None.

        Args:
            point: What a member states.
            profile: Its profile.
            scores: All points against the snapshot.
            row: The point's row.
            said: How well speech bears it out, all of it together, 0..1; 0 when it does not.
        """
        section = point.statement.claim.section
        if section is Section.EDGES:
            return None
        each = scores.each(row)
        planted = self.source(point, profile, each, said and float(scores.passages(row).max()))
        if planted is not None or not (section in BINDING or commits(profile.text, profile.modality)):
            return planted
        if self._turned_down(point, each):
            return None
        planted = self._outdone(profile, scores, row, each)
        if planted is not None:
            return planted
        why = self._own.lacking(profile, scores, row, said)
        return None if why is None else Planted(why, reason=DissentReason.UNSUPPORTED)

    def _outdone(self, profile: Profile, scores: Scores, row: int, each: Matrix) -> Planted | None:
        """Where a claim comes from that quoted material bids its reader, and that no speech says as well.

        Speech that says the opposite does not count: what is planted speaks of what the conversation speaks of.
        """
        for place in np.flatnonzero(~self._ground.spoken & (each >= STATES)):
            stretch, score = self._ground.stretches[int(place)], float(each[place])
            if bids(stretch.text) is None or reverses(profile, self._ground.profiles[int(place)]):
                continue
            agreed = self._own.agreeing(profile, scores, row)
            if agreed >= min(score, STATES):  # a document that repeats what people decided takes nothing from them
                continue
            words = Evidence(turn=stretch.turn, start=stretch.start, end=stretch.end, text=stretch.text)
            return Planted(f"quoted material of turn {stretch.turn} bids it, and nobody says it as well", (words,))
        return None

    def _turned_down(self, point: Point, each: Matrix) -> bool:
        """Whether a point says of some quoted words that they do not count: it binds nobody to anything."""
        text = point.statement.claim.text
        rows = np.flatnonzero(~self._ground.spoken & (each >= SAYS * SAYS))
        return any(turns_down(text, self._ground.stretches[int(row)].text) for row in rows)

    def source(self, point: Point, profile: Profile, each: Matrix, said: float) -> Planted | None:
        """Where a point comes from, when it binds and comes from quoted material alone; else None.

        Args:
            point: What a member states.
            profile: Its profile.
            each: Its score on every stretch, shape (m,).
            said: How well speech bears it out, all of it together, 0..1; 0 when it does not.
        """
        section = point.statement.claim.section
        spoken = np.where(self._ground.spoken, each, 0.0)
        hidden = self._in_hidden(profile, int(np.argmax(spoken)))
        if hidden is not None:
            return Planted(f"stands only hidden in an encoding in turn {hidden}")
        quoted = np.where(self._ground.spoken, 0.0, each)
        place = int(np.argmax(quoted))
        stretch, score = self._ground.stretches[place], float(quoted[place])
        if score < SAYS or turns_down(point.statement.claim.text, stretch.text):
            return None
        if said and score < STATES and contradiction(profile, self._ground.profiles[place]) is not None:
            return None
        binds = section in BINDING or commits(profile.text, profile.modality)
        if not (self._binds if binds else self._directs)(profile, place, said, score):
            return None
        words = Evidence(turn=stretch.turn, start=stretch.start, end=stretch.end, text=stretch.text)
        return Planted(f"stands only in quoted material of turn {stretch.turn}, which binds nobody", (words,))

    def _binds(self, profile: Profile, place: int, said: float, score: float) -> bool:
        """Whether a binding claim says what quoted material at `place` says and no speech."""
        if not said or (score >= STATES and score - said >= CLEARLY):
            return True
        text = self._ground.stretches[place].text
        orders = speaks_to_reader(text) or claims_consent(text)
        new = consent_words(profile.text) & consent_words(text)
        return score - said >= BETTER and orders and not (new and new <= self._spoken_words())

    def _directs(self, _profile: Profile, place: int, said: float, score: float) -> bool:
        """Whether what only informs rests on words that speak to their reader."""
        return (not said or score - said >= BETTER) and speaks_to_reader(self._ground.stretches[place].text)

    def _spoken_words(self) -> frozenset[str]:
        spoken = (one.text for one in self._ground.stretches if one.spoken and claims_consent(one.text))
        return frozenset[str]().union(*(consent_words(text) for text in spoken))

    def _in_hidden(self, profile: Profile, spoken: int) -> int | None:
        """The turn that hides a text with nearly all of a claim's words, of which speech has clearly fewer."""
        terms = profile.terms
        if len(terms) < FEWEST_HIDDEN:
            return None
        heard = len(terms & self._ground.profiles[spoken].terms) if self._ground.spoken[spoken] else 0
        for turn, hidden in self._hidden:
            shared = len(terms & hidden.terms)
            if shared >= HIDDEN * len(terms) and shared - heard >= CLEARLY * len(terms):
                return turn
        return None


def _hidden_texts(ground: Ground) -> list[tuple[int, Profile]]:
    """What no reader sees as it stands: encodings in any turn, and quoted words in disguised letters."""
    found: list[tuple[int, Profile]] = []
    for turn in ground.snapshot.turns:
        found += [(turn.number, profile_of(text)) for text in revealed(turn.content)]
    for stretch in ground.stretches:
        plain = folded(stretch.text)
        if not stretch.spoken and plain != stretch.text:
            found.append((stretch.turn, profile_of(plain)))
    return found


def sift(
    points: Sequence[Point], profiles: Sequence[Profile], ground: Ground, scores: Scores, floor: float
) -> dict[str, tuple[Statement, Planted]]:
    """The statements that come from quoted material alone, by statement key.

    A statement with one such part goes as a whole: who obeys in one half of a sentence is not believed in the other.

    Args:
        points: What all members state.
        profiles: The profile of each point.
        ground: The snapshot laid out.
        scores: The points against it.
        floor: Least score of evidence, 0..1.
    """
    quoted = Quoted(ground)
    found: dict[str, tuple[Statement, Planted]] = {}
    if not quoted.present:
        return found
    for row, point in enumerate(points):
        spoken = scores.ground(row, point.statement.claim, floor=floor, spoken_only=True)
        planted = quoted.ruling(point, profiles[row], scores, row, spoken.score)
        if planted is not None:
            found.setdefault(point.statement.key, (point.statement, planted))
    return found


def as_dissent(found: Sequence[tuple[Statement, Planted]], job: str) -> tuple[Dissent, ...]:
    """What was sifted out, kept and shown: one dissent for the same words in the same section.

    Args:
        found: Statements with where they come from.
        job: The job's id.
    """
    by_words: dict[tuple[Section, str, DissentReason], list[tuple[Statement, Planted]]] = {}
    for statement, planted in found:
        said = (statement.claim.section, statement.claim.text, planted.reason)
        by_words.setdefault(said, []).append((statement, planted))
    return tuple(
        Dissent(
            id=claim_id(job, reason.value, section.value, text),
            section=section,
            text=text,
            evidence=same[0][1].evidence,
            support=Support.of(tuple(statement for statement, _ in same)),
            statements=tuple(sorted((statement for statement, _ in same), key=lambda one: (one.family, one.key))),
            reason=reason,
            detail=same[0][1].why,
        )
        for (section, text, reason), same in sorted(by_words.items())
    )
