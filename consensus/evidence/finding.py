"""From a claim to the verbatim stretches of the snapshot it rests on, or to none (rule 3: no quote, no claim).

Score of a claim on one stretch, 0..1:
    WORDS x weighted share of the claim's words found there + MEANING x embedding cosine, rescaled
Of a claim with figures (numbers, dates, identifiers) FIGURES of the score is the share of them found. Words weigh their
inverse document frequency. The turns that members name come first; where none of their stretches reaches the floor, or
none is named, the best stretch of all. Figures and words spread over turns are gathered from several stretches. What
stands nowhere in the conversation, a wrong digit say, halves the score: it is no paraphrase. That ranks, and weighs one
family's word; what enough families state it puts under no floor.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from consensus.embedding.vectors import DIGITS, BoolMatrix, FloatArray, IntArray, Matrix, cosine_matrix, settled
from consensus.evidence.grounding import NOTHING, Grounding
from consensus.evidence.quotes import locate
from consensus.evidence.spans import Candidate, candidates
from consensus.wording import lexical
from consensus.wording.profile import Profile, profile_of
from consensus.wording.typed_values import rounded_forms
from dissolution.checking import check, each
from dissolution.claims import Evidence, Statement
from dissolution.conversation import Snapshot
from dissolution.policy.calibration import CALIBRATION, EmbedderCalibration

WORDS = CALIBRATION.consensus.evidence_words
MEANING = CALIBRATION.consensus.evidence_meaning
FIGURES = CALIBRATION.consensus.evidence_figures
BESIDE = CALIBRATION.consensus.word_beside
NOWHERE = CALIBRATION.consensus.figure_nowhere
ELSEWHERE = CALIBRATION.consensus.figure_elsewhere
MOST_STRETCHES = 8
LEAST_NAMED = CALIBRATION.consensus.named_stretch
LEAST_TOPIC = CALIBRATION.consensus.topic_of_figures
WORTH_ADDING = CALIBRATION.consensus.further_stretch
RESTATES = CALIBRATION.consensus.restating_stretch
MOST_EMBEDDED = 4000
"""Stretches up to which all are compared by meaning; of more, those that words point to: docs/consensus.md."""

PIECE = 4000
"""Stretches whose words are weighed at once."""

NO_WEIGHT = 1e-9  # keeps a claim without words from dividing by zero
QUOTED_SCORE = CALIBRATION.consensus.own_quote


class Ground:
    """A snapshot laid out for finding evidence in it.

    Args:
        snapshot: What the claims are about.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.stretches: tuple[Candidate, ...] = candidates(snapshot)
        self.profiles: tuple[Profile, ...] = tuple(profile_of(stretch.text) for stretch in each(self.stretches))
        self.spoken: BoolMatrix = np.array([stretch.spoken for stretch in self.stretches], dtype=np.bool_)
        self.turns = np.array([stretch.turn for stretch in self.stretches], dtype=np.int64)
        self.embedded: IntArray = np.arange(len(self.stretches))
        """Rows of the stretches that are compared by meaning."""
        self.holding: dict[str, list[int]] = {}
        """Rows of the stretches that hold a figure, by the forms it may be found by."""
        for place, profile in enumerate(each(self.profiles)):
            for form in (*profile.holds, *rounded_forms(profile)):
                self.holding.setdefault(form, []).append(place)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much each word of the conversation tells."""
        return lexical.inverse_frequencies([sorted(profile.terms) for profile in each(self.profiles)])

    def texts(self, claims: Sequence[Profile] = (), named: Iterable[int] = ()) -> list[str]:
        """The stretches' texts that have to be embedded, in order: all, or of very many those that words point to.

        Of a conversation with more than MOST_EMBEDDED stretches these are the spoken and quoted ones of the turns that
        members name, and for each claim those that hold most of its words; the others are found by words alone.

        Args:
            claims: What is looked for.
            named: Turns that members name.
        """
        self.embedded = self._pointed_to(claims, named)
        return [self.stretches[int(place)].text for place in self.embedded]

    def _pointed_to(self, claims: Sequence[Profile], named: Iterable[int]) -> IntArray:
        every = np.arange(len(self.stretches))
        if len(every) <= MOST_EMBEDDED:
            return every
        found = np.isin(self.turns, sorted(set(named)))
        share = max(1, MOST_EMBEDDED // max(1, len(claims)))
        places: dict[str, list[int]] = {}
        for place, profile in enumerate(self.profiles):
            for term in profile.terms:
                places.setdefault(term, []).append(place)
        for claim in each(claims):
            shared = np.zeros(len(every))
            for term in claim.terms & places.keys():
                shared[places[term]] += self.weights[term]
            found[np.argsort(-shared, kind="stable")[:share]] = True
        return np.flatnonzero(found)[: 2 * MOST_EMBEDDED]

    def scores(
        self, claims: Sequence[Profile], rows: FloatArray, ground_rows: FloatArray, calibration: EmbedderCalibration
    ) -> "Scores":
        """Compare n claims with all m stretches.

        Args:
            claims: n claims.
            rows: (n, dim) float32, the claims' unit rows.
            ground_rows: (k, dim) float32, the unit rows of the stretches whose `texts` were asked for.
            calibration: Where the embedding model's cosines begin and end to mean something.
        """
        weights = self.weights
        unheard = max(weights.values(), default=1.0)  # a word the conversation never uses weighs like its rarest
        span = calibration.evidence_full_cosine - calibration.evidence_floor_cosine
        meaning = np.zeros((len(claims), len(self.stretches)))
        near = cosine_matrix(rows, ground_rows)
        meaning[:, self.embedded] = np.clip((near - calibration.evidence_floor_cosine) / span, 0.0, 1.0)
        said = {term for claim in claims for term in claim.terms}
        asked_for = {term: weight for term, weight in weights.items() if term in said}  # the rest counts nothing
        held = lexical.holding_rows([profile.terms & said for profile in self.profiles], asked_for)
        asked = lexical.weighted_rows([sorted(c.terms) for c in claims], asked_for, binary=True)
        strange = [unheard * sum(term not in weights for term in claim.terms) for claim in claims]
        totals = np.maximum(asked.sum(axis=1) + np.array(strange, dtype=np.float64), NO_WEIGHT)[:, None]
        return Scores(self, claims, meaning=settled(meaning), asked=asked / totals, held=held)

    def beside(self, held: Matrix, turns: IntArray) -> Matrix:
        """What stands in the stretch before or after, within the same turn; `turns` has the turn of each."""
        around = np.zeros_like(held)
        if len(held) > 1:
            same = (turns[1:] == turns[:-1])[:, None]
            around[1:] = np.where(same, held[:-1], 0.0)
            around[:-1] = np.maximum(around[:-1], np.where(same, held[1:], 0.0))
        return around


def _recall(asked: Matrix, held: FloatArray, ground: Ground) -> Matrix:
    """How much of each claim's words stands in or beside each stretch, shape (n, m); piece by piece, for memory's sake.

    Args:
        asked: (n, terms), what each claim asks for, adding up to 1 at most.
        held: (m, terms) float32, what each stretch holds.
        ground: The stretches.
    """
    found = np.zeros((len(asked), len(held)))
    for start in range(0, len(held), PIECE):
        check()
        first, end = max(0, start - 1), min(len(held), start + PIECE)
        part = held[first : end + 1].astype(np.float64)
        whole = np.maximum(part, BESIDE * ground.beside(part, ground.turns[first : end + 1]))
        found[:, start:end] = asked @ whole[start - first : end - first].T
    return found


def _missing(figures: BoolMatrix, chosen: Sequence[int]) -> float:
    """The factor for a figure of the claim that the chosen stretches lack: 1 when they have all, or there are none."""
    if bool(figures[chosen].any(axis=0).all()):
        return 1.0
    return ELSEWHERE if bool(figures.any(axis=0).all()) else NOWHERE


class Scores:
    """Claims against stretches, ready to be asked for the grounding of one claim."""

    def __init__(
        self, ground: Ground, claims: Sequence[Profile], *, meaning: Matrix, asked: Matrix, held: FloatArray
    ) -> None:
        self._ground = ground
        self._claims = claims
        self._meaning = meaning
        self._asked = asked
        self._held = held
        self._recall = settled(_recall(asked, held, ground))

    def ground(
        self, row: int, said: Sequence[Statement], *, floor: float, spoken_only: bool = False, agreed: bool = False
    ) -> Grounding:
        """What claim `row` rests on; NOTHING when its score stays under `floor`.

        Args:
            row: The claim's row.
            said: The statements that say it, with the turns and quotes their members gave.
            floor: Least score, 0..1.
            spoken_only: Whether quoted material may not serve.
            agreed: Whether enough families state it, or it binds and will be reviewed: the score is then held against
                the floor without what a missing figure takes from it, and a stretch of a turn that is named is enough
                where it is about it at all.
        """
        allowed = self._ground.spoken if spoken_only else np.ones(len(self._ground.turns), dtype=np.bool_)
        if not bool(allowed.any()):
            return NOTHING
        check()
        figures = self._figure_table(row)
        rank = np.where(allowed, self._alone(row, figures), -1.0)
        quoted = self._quoted(row, said, allowed)
        cited = np.isin(self._ground.turns, sorted({turn for one in said for turn in one.claim.turns}))
        first = np.where(cited, rank, -1.0)
        least = min(floor, LEAST_NAMED) if agreed else floor
        start = int(np.argmax(first if float(first.max()) >= least else rank))
        chosen = self._gather(row, [place for _, place in quoted] or [start], rank, figures)
        bare = self._score(row, chosen, figures)
        score = round(bare * _missing(figures, chosen), DIGITS)
        if quoted and bool(figures[chosen].any(axis=0).all()):
            score = max(score, QUOTED_SCORE)
        named = agreed and float(first.max()) >= LEAST_NAMED
        if max(score, round(bare, DIGITS) if agreed else 0.0) < floor and not named:
            return NOTHING
        states = (rank >= max(floor, RESTATES * float(rank[chosen[0]]))) & figures.all(axis=1)
        stating = tuple(int(place) for place in np.flatnonzero(states)) or tuple(chosen)
        words = [evidence for evidence, _ in quoted]
        words += [self.words_at(place) for place in chosen if place not in {place for _, place in quoted}]
        turns = tuple(sorted({int(self._ground.turns[place]) for place in stating}))
        return Grounding(tuple(words), score, turns, tuple(chosen), stating)

    def each(self, row: int) -> Matrix:
        """How well each stretch states claim `row` by itself, shape (m,), 0..1."""
        check()
        return self._alone(row, self._figure_table(row))

    def best(self, row: int, count: int) -> list[int]:
        """The `count` stretches that state claim `row` best by themselves, best first."""
        return [int(place) for place in np.argsort(-self.each(row), kind="stable")[:count]]

    def words_at(self, place: int) -> Evidence:
        """The words of one stretch."""
        stretch = self._ground.stretches[place]
        return Evidence(turn=stretch.turn, start=stretch.start, end=stretch.end, text=stretch.text)

    def _figure_table(self, row: int) -> BoolMatrix:
        """Which of the claim's figures stand in which stretch, shape (m, figures)."""
        marks = [mark for mark in self._claims[row].marks if mark.hard]
        table = np.zeros((len(self._ground.turns), len(marks)), dtype=np.bool_)
        for column, mark in enumerate(marks):
            for form in mark.wants:
                rows = self._ground.holding.get(form, [])
                if form.startswith("bare:"):  # a number without the unit may count anything: an error 500 is no 500 MB
                    rows = [place for place in rows if self._shares_a_word(row, place)]
                table[rows, column] = True
        return table

    def _shares_a_word(self, row: int, place: int) -> bool:
        shared = self._claims[row].terms & self._ground.profiles[place].terms
        return any(not term[0].isdigit() for term in shared)

    def _alone(self, row: int, figures: BoolMatrix) -> Matrix:
        """Each stretch's score by itself, shape (m,)."""
        plain = WORDS * self._recall[row] + MEANING * self._meaning[row]
        return settled((1 - FIGURES) * plain + FIGURES * figures.mean(axis=1) if figures.shape[1] else plain)

    def _gather(self, row: int, start: list[int], rank: Matrix, figures: BoolMatrix) -> list[int]:
        """The first stretches, and those that add missing figures or words while they stay on the topic."""
        chosen = list(dict.fromkeys(start))[:MOST_STRETCHES]
        topical = np.flatnonzero(rank >= LEAST_TOPIC)
        columns = np.flatnonzero(self._asked[row])  # a claim has few of the conversation's words
        asked, held = self._asked[row, columns], self._held[:, columns]
        while len(chosen) < MOST_STRETCHES and len(topical):
            more = np.maximum(0.0, held[topical] - held[chosen].max(axis=0))
            added = settled((asked * more).sum(axis=1))
            new = (figures[topical] & ~figures[chosen].any(axis=0)).sum(axis=1)
            adds = (new > 0) | (added >= WORTH_ADDING)
            if not adds.any():
                break
            best = int(topical[int(np.argmax(np.where(adds, new + added + rank[topical], -1.0)))])
            if best in chosen:
                break
            chosen.append(best)
        return chosen

    def _score(self, row: int, chosen: list[int], figures: BoolMatrix) -> float:
        """The score of these stretches together, before what a missing figure takes from it."""
        words = max(float(self._asked[row] @ self._held[chosen].max(axis=0)), float(self._recall[row, chosen].max()))
        plain = WORDS * words + MEANING * float(self._meaning[row, chosen].max())
        if figures.shape[1] == 0:
            return plain
        return (1 - FIGURES) * plain + FIGURES * float(figures[chosen].any(axis=0).mean())

    def _quoted(self, row: int, said: Sequence[Statement], allowed: BoolMatrix) -> list[tuple[Evidence, int]]:
        """The members' own quotes that stand verbatim and are about the claim, each with its stretch."""
        found: dict[Evidence, int] = {}
        for statement in said:
            for quote in statement.claim.quotes:
                evidence = locate(quote, self._ground.snapshot, statement.claim.turns)
                place = None if evidence is None else self._stretch_of(evidence)
                if evidence is not None and place is not None and allowed[place] and self._about(row, place):
                    found.setdefault(evidence, place)
        return list(found.items())[:MOST_STRETCHES]

    def _about(self, row: int, place: int) -> bool:
        return WORDS * self._recall[row, place] + MEANING * self._meaning[row, place] >= LEAST_TOPIC

    def _stretch_of(self, evidence: Evidence) -> int | None:
        """The stretch that shares most characters with a quote."""
        best, most = None, 0
        for place in np.flatnonzero(self._ground.turns == evidence.turn):
            stretch = self._ground.stretches[place]
            shared = min(stretch.end, evidence.end) - max(stretch.start, evidence.start)
            if shared > most:
                best, most = int(place), shared
        return best
