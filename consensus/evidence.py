"""From a claim to the verbatim stretches of the snapshot it rests on, or to none (rule 3: no quote, no claim).

Score of a claim on one stretch, 0..1:
    WORDS x weighted share of the claim's words found there + MEANING x embedding cosine, rescaled
Of a claim with figures (numbers, dates, identifiers) FIGURES of the score is the share of them found. Words weigh their
inverse document frequency. Figures spread over turns may be gathered from several stretches, the best one first. One
that stands nowhere halves the score: a wrong digit is no paraphrase.
"""

from collections.abc import Sequence

import numpy as np

from consensus import lexical
from consensus.calibration import Calibration
from consensus.grounding import NOTHING, Grounding
from consensus.listings import readings, rivals
from consensus.lookup import Lookup
from consensus.opposing import opposing
from consensus.passages import Rows
from consensus.profile import Figure, Profile, profile_of, rounded_forms
from consensus.quotes import locate
from consensus.spans import Candidate, candidates
from consensus.vectors import DIGITS, BoolMatrix, FloatArray, Matrix, cosine_matrix, settled
from dissolution.claims import Evidence, StatedClaim
from dissolution.conversation import Snapshot

WORDS = 0.60
MEANING = 0.40
FIGURES = 0.25  # taken from both in proportion when the claim has figures
BESIDE = 0.6  # what a word counts that stands in the sentence beside the stretch: talk refers back
CITED = 0.10  # head start of stretches in turns the member names
NOWHERE = 0.5  # factor on the score when a figure of the claim stands nowhere in the conversation: a wrong digit
ELSEWHERE = 0.85  # factor when it stands in the conversation, but in no stretch on the topic
MOST_STRETCHES = 8
LEAST_TOPIC = 0.25  # score under which a stretch cannot lend its figures: the number is about something else
WORTH_ADDING = 0.15  # share of the claim's word weight a further stretch must add
RESTATES = 0.85  # share of the best score from which another stretch states the claim too
NO_WEIGHT = 1e-9  # keeps a claim without words from dividing by zero
QUOTED_SCORE = 0.9  # least score of a claim whose own quote stands verbatim and is about it


class Ground:
    """A snapshot laid out for finding evidence in it.

    Args:
        snapshot: What the claims are about.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.stretches: tuple[Candidate, ...] = candidates(snapshot)
        self.profiles: tuple[Profile, ...] = tuple(profile_of(stretch.text) for stretch in self.stretches)
        self.spoken: BoolMatrix = np.array([stretch.spoken for stretch in self.stretches], dtype=np.bool_)
        self.rivals: dict[str, frozenset[str]] = rivals(readings(snapshot.turns))
        """For each value of a setting read out in the conversation the values it is read out with later."""
        self._turn_of = np.array([stretch.turn for stretch in self.stretches], dtype=np.int64)
        self.rows = Rows(self.spoken, self._turn_of)
        self._shaped: dict[str, list[int]] = {}
        for place, profile in enumerate(self.profiles):
            for shape in {mark.group for mark in profile.marks if mark.kind == "identifier"}:
                self._shaped.setdefault(shape, []).append(place)
        self.holding: dict[str, list[int]] = {}
        """Rows of the stretches that hold a figure, by the forms it may be found by."""
        for place, profile in enumerate(self.profiles):
            for form in (*profile.holds, *rounded_forms(profile)):
                self.holding.setdefault(form, []).append(place)
        self.lookup = Lookup(self.profiles, self.holding)

    def about_another(self, mark: Figure) -> list[int]:
        """Rows of the stretches that name another thing of an identifier's shape and not it: their values are not its.

        Only shapes with a digit tell: `rds-sess-01` and `rds-cache-01` are two of a kind, words with a dash may not be.
        """
        own = {place for form in mark.wants for place in self.holding.get(form, [])}
        return [place for place in self._shaped.get(mark.group, []) if place not in own] if "0" in mark.group else []

    def speaks(self, grounding: Grounding) -> bool:
        """Whether some stretch that a claim rests on is somebody's own words."""
        return any(self.spoken[place] for place in (*grounding.places, *grounding.stating))

    def texts(self) -> list[str]:
        """The stretches' texts in order: what has to be embedded."""
        return [stretch.text for stretch in self.stretches]

    def scores(
        self, claims: Sequence[Profile], rows: FloatArray, ground_rows: FloatArray, calibration: Calibration
    ) -> "Scores":
        """Compare n claims with all m stretches.

        Args:
            claims: n claims.
            rows: (n, dim) float32, the claims' unit rows.
            ground_rows: (m, dim) float32, the stretches' unit rows.
            calibration: Where the embedding model's cosines begin and end to mean something.
        """
        weights = lexical.inverse_frequencies([sorted(profile.terms) for profile in self.profiles])
        unheard = max(weights.values(), default=1.0)  # a word the conversation never uses weighs like its rarest
        span = calibration.evidence_full_cosine - calibration.evidence_floor_cosine
        meaning = np.clip((cosine_matrix(rows, ground_rows) - calibration.evidence_floor_cosine) / span, 0.0, 1.0)
        held = lexical.weighted_rows([sorted(p.terms) for p in self.profiles], dict.fromkeys(weights, 1.0))
        asked = lexical.weighted_rows([sorted(c.terms) for c in claims], weights, binary=True)
        strange = [unheard * sum(term not in weights for term in claim.terms) for claim in claims]
        totals = np.maximum(asked.sum(axis=1) + np.array(strange, dtype=np.float64), NO_WEIGHT)[:, None]
        share = asked / totals
        return Scores(
            self,
            claims,
            meaning=settled(meaning),
            asked=share,
            held=held,
            recall=settled(share @ np.maximum(held, BESIDE * self._neighbours(held)).T),
            turn_of=self._turn_of,
        )

    def _neighbours(self, held: Matrix) -> Matrix:
        """What stands in the stretch before or after, within the same turn."""
        around = np.zeros_like(held)
        if len(held) > 1:
            same = (self._turn_of[1:] == self._turn_of[:-1])[:, None]
            around[1:] = np.where(same, held[:-1], 0.0)
            around[:-1] = np.maximum(around[:-1], np.where(same, held[1:], 0.0))
        return around


class Scores:
    """Claims against stretches, ready to be asked for the grounding of one claim."""

    def __init__(
        self,
        ground: Ground,
        claims: Sequence[Profile],
        *,
        meaning: Matrix,
        asked: Matrix,
        held: Matrix,
        recall: Matrix,
        turn_of: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> None:
        self._ground = ground
        self._claims = claims
        self._meaning = meaning
        self._asked = asked
        self._held = held
        self._recall = recall
        self._turn_of = turn_of

    def ground(self, row: int, stated: StatedClaim, *, floor: float, spoken_only: bool) -> Grounding:
        """What claim `row` rests on, no stretch that says the opposite; NOTHING when its score stays under `floor`.

        Args:
            row: The claim's row.
            stated: The claim with the turns and quotes its member gave.
            floor: Least score, 0..1.
            spoken_only: Whether pasted and tool text may not serve (DECIDED and IDENTITY: rule 8).
        """
        spoken = self._ground.spoken if spoken_only else np.ones(len(self._turn_of), dtype=np.bool_)
        barred = np.zeros(len(self._turn_of), dtype=np.bool_)  # what says the opposite may not even lend a figure
        while bool((spoken & ~barred).any()):
            found = self._on(row, stated, floor, spoken & ~barred, barred)
            against = [place for place in self._opposing(row, (*found.places, *found.stating)) if not barred[place]]
            if not against:
                return found
            barred[against] = True
        return NOTHING

    def _opposing(self, row: int, places: Sequence[int]) -> list[int]:
        return opposing(self._claims[row], places, self._ground.stretches, self._ground.profiles)

    def _on(self, row: int, stated: StatedClaim, floor: float, allowed: BoolMatrix, barred: BoolMatrix) -> Grounding:
        """What claim `row` rests on among the allowed stretches; those that are not barred may lend it figures."""
        figures = self._figure_table(row)
        alone = self._alone(row, figures)
        rank = np.where(allowed, alone + CITED * np.isin(self._turn_of, stated.turns), -1.0)
        quoted = self._quoted(row, stated, allowed)
        lending = np.where(barred, -1.0, np.maximum(rank, alone))  # what is not said may still give a figure its words
        chosen = self._gather(row, [place for _, place in quoted] or [int(np.argmax(rank))], rank, lending, figures)
        score = round(self._score(row, chosen, figures), DIGITS)
        if quoted:
            score = max(score, QUOTED_SCORE) if self._covers(chosen, figures) else score
        if score < floor:
            return NOTHING
        states = allowed & (alone >= max(floor, RESTATES * float(alone[chosen[0]]))) & figures.all(axis=1)
        stating = tuple(int(place) for place in np.flatnonzero(states)) or tuple(chosen)
        turns = tuple(sorted({int(self._turn_of[place]) for place in stating}))
        words = [evidence for evidence, _ in quoted]
        words += [self._evidence(place) for place in chosen if place not in {place for _, place in quoted}]
        return Grounding(tuple(words), score, turns, tuple(chosen), stating)

    def each(self, row: int) -> Matrix:
        """How well each stretch states claim `row` by itself, shape (m,), 0..1."""
        return self._alone(row, self._figure_table(row))

    def passages(self, row: int, of: Rows | None = None) -> Matrix:
        """How well the passage that begins at each stretch bears claim `row` by itself, shape (m,), 0..1.

        Args:
            row: The claim's row.
            of: The stretches that count; all that is spoken when None.
        """
        columns, rows = np.flatnonzero(self._asked[row]), self._ground.rows if of is None else of
        words = rows.gathered(self._held[:, columns]) @ self._asked[row, columns]
        plain = WORDS * words + MEANING * rows.gathered(self._meaning[row][:, None])[:, 0]
        table = rows.gathered(self._figure_table(row).astype(np.float64))
        return settled((1 - FIGURES) * plain + FIGURES * table.mean(axis=1) if table.shape[1] else plain)

    def best(self, row: int, count: int) -> list[int]:
        """The `count` stretches that state claim `row` best by themselves, best first."""
        return [int(place) for place in np.argsort(-self.each(row), kind="stable")[:count]]

    def _figure_table(self, row: int) -> BoolMatrix:
        """Which of the claim's figures stand in which stretch, shape (m, figures)."""
        marks = [mark for mark in self._claims[row].marks if mark.hard]
        table = np.zeros((len(self._turn_of), len(marks)), dtype=np.bool_)
        for column, mark in enumerate(marks):
            for form in mark.wants:
                rows = self._ground.holding.get(form, [])
                if form.startswith("bare:"):  # a number without the unit may count anything: an error 500 is no 500 MB
                    rows = [place for place in rows if self._shares_a_word(row, place)]
                table[rows, column] = True
        values = [column for column, mark in enumerate(marks) if mark.kind != "identifier"]
        for mark in marks:
            if values and mark.kind == "identifier":
                table[np.ix_(self._ground.about_another(mark), values)] = False
        return table

    def _shares_a_word(self, row: int, place: int) -> bool:
        shared = self._claims[row].terms & self._ground.profiles[place].terms
        return any(not term[0].isdigit() for term in shared)

    def _alone(self, row: int, figures: BoolMatrix) -> Matrix:
        """Each stretch's score by itself, shape (m,)."""
        plain = WORDS * self._recall[row] + MEANING * self._meaning[row]
        share = (1 - FIGURES) * plain + FIGURES * figures.mean(axis=1) if figures.shape[1] else plain
        return settled(share)

    def _gather(self, row: int, start: list[int], rank: Matrix, lending: Matrix, figures: BoolMatrix) -> list[int]:
        """The first stretches, and those that add missing figures or words while they stay on the topic.

        Stretches of `rank` below 0 may not serve; they can still lend figures by their score in `lending`.
        """
        chosen = list(dict.fromkeys(start))[:MOST_STRETCHES]
        topical = np.flatnonzero(lending >= LEAST_TOPIC)
        allowed = rank[topical] >= LEAST_TOPIC
        columns = np.flatnonzero(self._asked[row])  # a claim has few of the conversation's words
        asked, held = self._asked[row, columns], self._held[:, columns]
        while len(chosen) < MOST_STRETCHES and len(topical):
            more = np.maximum(0.0, held[topical] - held[chosen].max(axis=0))
            added = settled((asked * more).sum(axis=1)) * allowed
            new = (figures[topical] & ~figures[chosen].any(axis=0)).sum(axis=1)
            if not (new.any() or (added >= WORTH_ADDING).any()):
                break
            best = int(topical[int(np.argmax(new + added + lending[topical] * (new + (added >= WORTH_ADDING) > 0)))])
            if best in chosen:
                break
            chosen.append(best)
        return chosen

    def _score(self, row: int, chosen: list[int], figures: BoolMatrix) -> float:
        words = max(float(self._asked[row] @ self._held[chosen].max(axis=0)), float(self._recall[row, chosen].max()))
        plain = WORDS * words + MEANING * float(self._meaning[row, chosen].max())
        if figures.shape[1] == 0:
            return plain
        share = float(figures[chosen].any(axis=0).mean())
        whole = (1 - FIGURES) * plain + FIGURES * share
        if self._covers(chosen, figures):
            return whole
        return whole * (ELSEWHERE if bool(figures.any(axis=0).all()) else NOWHERE)

    @staticmethod
    def _covers(chosen: list[int], figures: BoolMatrix) -> bool:
        return bool(figures[chosen].any(axis=0).all())

    def _quoted(self, row: int, stated: StatedClaim, allowed: BoolMatrix) -> list[tuple[Evidence, int]]:
        """The member's own quotes that stand verbatim and are about the claim, each with its stretch."""
        found: list[tuple[Evidence, int]] = []
        for quote in stated.quotes:
            evidence = locate(quote, self._ground.snapshot, stated.turns)
            place = None if evidence is None else self._stretch_of(evidence)
            if evidence is not None and place is not None and allowed[place] and self._about(row, place):
                found.append((evidence, place))
        return found

    def _about(self, row: int, place: int) -> bool:
        return WORDS * self._recall[row, place] + MEANING * self._meaning[row, place] >= LEAST_TOPIC

    def _stretch_of(self, evidence: Evidence) -> int | None:
        """The stretch that shares most characters with a quote."""
        best, most = None, 0
        for place in np.flatnonzero(self._turn_of == evidence.turn):
            stretch = self._ground.stretches[place]
            shared = min(stretch.end, evidence.end) - max(stretch.start, evidence.start)
            if shared > most:
                best, most = int(place), shared
        return best

    def _evidence(self, place: int) -> Evidence:
        stretch = self._ground.stretches[place]
        return Evidence(turn=stretch.turn, start=stretch.start, end=stretch.end, text=stretch.text)
