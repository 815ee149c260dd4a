"""From a snapshot to the candidate claims that every method chooses from."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Lock

from dissolution.claims import Section
from dissolution.conversation import Role, Snapshot
from fleet.extractive.corrections import withdrawn
from fleet.extractive.discourse import Read, read
from fleet.extractive.sections import MIN_TERMS, SECTION_OF, Kind
from fleet.extractive.segments import Sentence, sentences
from fleet.extractive.standalone import LONGEST, Wording, stand_alone
from fleet.extractive.talk_words import TAKES_BACK
from fleet.extractive.terms import names, terms, values
from wording.words import STOPWORDS

FACT_WORDS = 4  # least words of a fact taken from quoted material
MIN_GRAMMAR = 0.2  # share of function words; tables, logs and commands have less
COLUMNS = re.compile(r"\S\s{2,}\S|[|=]|^[$#>]")  # aligned columns, assignments, prompts
CONTEXT_TURNS = 6  # turns before those asked about that are read too: what "it" or "agreed" refers to is close by
CACHED = 4  # snapshots whose reading is kept, so that the members of one job read it once


@dataclass(frozen=True)
class Candidate:
    """One statement that may become a claim, with the words of one turn it rests on."""

    ordinal: int  # its place among the candidates
    kind: Kind
    section: Section
    text: str
    turn: int
    turns: tuple[int, ...]
    start: int
    end: int
    quote: str
    quoted: bool
    by_user: bool  # said by the person who works with an assistant
    addressed: bool  # says I or you, so its speaker is named
    leaning: bool  # a reference in it has nothing to stand for
    terms: tuple[str, ...]
    values: frozenset[str]
    names: frozenset[str]

    @property
    def size(self) -> int:
        """Words of the text."""
        return len(self.text.split())


@dataclass(frozen=True, eq=False)
class Reading:
    """A snapshot read: its sentences, the candidates in order, and in how many turns each content word occurs.

    `restated` holds, for each candidate, its greatest word overlap (0..1) with a candidate of an earlier turn.
    """

    sentences: tuple[Sentence, ...]
    candidates: tuple[Candidate, ...]
    restated: tuple[float, ...]
    spread: dict[str, int]
    before: int  # turns of the snapshot that were not read
    turns: int  # turns that were read
    words: int  # of the turns that candidates are made of

    def rarity(self, term: str) -> float:
        """ln(1 + turns / turns with the word): high for words of few turns."""
        return math.log(1 + self.turns / self.spread.get(term, 1))

    def lateness(self, candidate: Candidate) -> float:
        """Where its turn stands among those read, above 0 up to 1 for the last one."""
        return (candidate.turn - self.before) / self.turns

    def topicality(self, candidate: Candidate) -> float:
        """Share of its content words that occur in another turn too, 0..1: low for digressions."""
        found = set(candidate.terms)
        return sum(self.spread.get(term, 0) > 1 for term in found) / len(found) if found else 0.0


class _Readings:
    """The newest readings by snapshot digest and quoted spans; one thread reads, the others wait for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[tuple[object, ...], Reading] = {}

    def of(self, snapshot: Snapshot, since: int) -> Reading:
        key = (snapshot.digest, since, *(turn.quoted for turn in snapshot.turns))
        with self._lock:
            reading = self._kept.pop(key, None) or _read(snapshot, since)
            self._kept[key] = reading
            while len(self._kept) > CACHED:
                del self._kept[next(iter(self._kept))]
        return reading


_READINGS = _Readings()


def read_snapshot(snapshot: Snapshot, since: int = 0) -> Reading:
    """The reading of the turns after `since`; the same snapshot gives the same reading. Safe to call from threads.

    Six turns before them are read for what the later ones refer to; candidates are made of the turns after `since`
    alone, so that a cycle reads as much of a long conversation as of a short one.
    """
    return _READINGS.of(snapshot, since)


def _read(snapshot: Snapshot, since: int) -> Reading:
    before = max(0, since - CONTEXT_TURNS)
    found = sentences(snapshot, before)
    reads = read(found)
    replaced = (sentence for place in range(len(reads)) for sentence in _taken_back(reads, place))
    dropped = withdrawn(reads) | {(sentence.turn, sentence.index) for sentence in replaced}
    spread: Counter[str] = Counter()
    for _, said in groupby(found, key=lambda sentence: sentence.turn):
        spread.update({term for sentence in said for term in sentence.terms})
    candidates: list[Candidate] = []
    for place, item in enumerate(reads):
        if item.sentence.turn <= since or (item.sentence.turn, item.sentence.index) in dropped:
            continue
        made = _candidate(snapshot, len(candidates), reads, place, dropped)
        if made is not None:
            candidates.append(made)
    total = sum(len(turn.content.split()) for turn in snapshot.turns[since:])
    return Reading(
        sentences=found,
        candidates=tuple(candidates),
        restated=_restated(candidates),
        spread=dict(spread),
        before=before,
        turns=snapshot.through - before,
        words=total,
    )


def _restated(candidates: Sequence[Candidate]) -> tuple[float, ...]:
    """Greatest Jaccard overlap of each candidate's content words with an earlier turn's, by an inverted index."""
    holders: dict[str, list[int]] = defaultdict(list)
    sets = [frozenset(candidate.terms) for candidate in candidates]
    found: list[float] = []
    for place, own in enumerate(sets):
        shared = Counter(holder for term in own for holder in holders[term])
        turn = candidates[place].turn
        found.append(
            max(
                (
                    count / (len(own) + len(sets[other]) - count)
                    for other, count in shared.items()
                    if candidates[other].turn != turn
                ),
                default=0.0,
            )
        )
        for term in own:
            holders[term].append(place)
    return tuple(found)


def _candidate(
    snapshot: Snapshot, ordinal: int, reads: Sequence[Read], place: int, dropped: frozenset[tuple[int, int]]
) -> Candidate | None:
    item = reads[place]
    if item.kind in {Kind.NOTHING, Kind.ONE_OFF} or (item.sentence.quoted and not _is_fact(item.sentence)):
        return None
    before = _taken_back(reads, place) or _breath_before(reads, place, dropped)
    after = () if item.hedged_by is None else (item.hedged_by,)
    wording = stand_alone(item.sentence, before, after)
    if len(wording.text.split()) > LONGEST or len({*terms(wording.text), *values(wording.text)}) < MIN_TERMS:
        return None
    return _made(snapshot, ordinal, item, wording)


def _is_fact(sentence: Sentence) -> bool:
    """Whether quoted material reads as a plain sentence with something checkable in it, not as a table or a command."""
    letters = sum(word.isalpha() for word in sentence.words)
    grammar = sum(word in STOPWORDS for word in sentence.words)
    if letters < FACT_WORDS or len(sentence.words) > LONGEST or grammar < MIN_GRAMMAR * len(sentence.words):
        return False
    return bool(sentence.values or names(sentence.quote)) and COLUMNS.search(sentence.quote) is None


def _taken_back(reads: Sequence[Read], place: int) -> tuple[Sentence, ...]:
    """The sentence right before it that it takes back in the same breath, if it does."""
    own = reads[place].sentence
    if not place or own.quoted or not TAKES_BACK.match(own.quote):
        return ()
    other = reads[place - 1].sentence
    same_breath = (other.turn, other.paragraph, other.quoted) == (own.turn, own.paragraph, own.quoted)
    return (other,) if same_breath and not other.is_question else ()


def _breath_before(reads: Sequence[Read], place: int, dropped: frozenset[tuple[int, int]]) -> tuple[Sentence, ...]:
    """Sentences right before it that say something themselves: same turn, same paragraph, same voice."""
    own = reads[place].sentence
    found: list[Sentence] = []
    for item in reversed(reads[:place]):
        other = item.sentence
        if other.turn != own.turn or other.paragraph != own.paragraph or other.quoted != own.quoted:
            break
        if (other.turn, other.index) in dropped or other.is_question or len(other.terms) < MIN_TERMS:
            break
        found.append(other)
    return tuple(reversed(found))


def _made(snapshot: Snapshot, ordinal: int, item: Read, wording: Wording) -> Candidate:
    first, last = wording.parts[0], wording.parts[-1]
    turns = {item.sentence.turn} | ({item.accepted_by.turn} if item.accepted_by else set[int]())
    return Candidate(
        ordinal=ordinal,
        kind=item.kind,
        section=Section.KNOWN if item.sentence.quoted else SECTION_OF[item.kind],
        text=wording.text,
        turn=item.sentence.turn,
        turns=tuple(sorted(turns)),
        start=first.start,
        end=last.end,
        quote=snapshot.turn(item.sentence.turn).content[first.start : last.end],
        quoted=item.sentence.quoted,
        by_user=item.sentence.role is Role.USER,
        addressed=wording.addressed,
        leaning=wording.leaning,
        terms=terms(wording.text),
        values=values(wording.text),
        names=names(wording.text),
    )
