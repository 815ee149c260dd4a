"""What benchmarks/triggers.py measures with: gold topics, baselines, segmentation measures, regret, intervals."""

import json
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dissolution.conversation import Role, Turn
from dissolution.surprise import NO_TOKENS, Surprise
from language.surprise.backoff import BackoffEstimator
from language.tokens import ApproximateTokenCounter
from language.words import content_sequence
from triggers.fold import NewTurn
from triggers.simulate import STARTED, Trace, traced
from triggers.talk import spoken

CLOSE_STARTS = 10
"""Turns: topics that begin closer to each other than this are one boundary (a second span of one topic)."""

Starts = tuple[int, ...]


@dataclass(frozen=True)
class Talk:
    """A conversation with the turns at which topics begin; the first turn is not among them."""

    name: str
    kind: str
    turns: tuple[Turn, ...]
    starts: Starts


def turns_of(contents: Iterable[str]) -> tuple[Turn, ...]:
    """Turns of one kind of speaker."""
    said = [content.strip() for content in contents]
    return tuple(
        Turn(number=number, role=Role.PARTICIPANT, speaker="speaker", content=content, recorded_at=STARTED)
        for number, content in enumerate([content for content in said if content], start=1)
    )


def meetings(data: Path) -> list[Talk]:
    """QMSum's meetings with their gold topics: a boundary is where the first turn of a topic's span stands."""
    found: list[Talk] = []
    for line in (data / "real" / "qmsum.jsonl").read_text(encoding="utf-8").splitlines():
        meeting = json.loads(line)
        kept = [turn for turn in meeting["turns"] if turn["content"].strip()]
        place = {turn["turn"]: number for number, turn in enumerate(kept, start=1)}
        firsts = sorted({span[0] for topic in meeting["gold"]["topics"] for span in topic["spans"]})
        starts: list[int] = []
        for first in firsts[1:]:
            number = next((place[turn] for turn in range(first, first + 50) if turn in place), None)
            if number is not None and number > 1 and (not starts or number - starts[-1] >= CLOSE_STARTS):
                starts.append(number)
        found.append(Talk(meeting["id"], meeting["subset"], turns_of(turn["content"] for turn in kept), tuple(starts)))
    return found


def joined(name: str, parts: Sequence[Sequence[str]], kind: str) -> Talk:
    """Stretches of unrelated talk, one behind the other: topics begin where they meet."""
    starts: list[int] = []
    contents: list[str] = []
    for part in parts:
        if contents:
            starts.append(len(contents) + 1)
        contents.extend(content for content in part if content.strip())
    return Talk(name, kind, turns_of(contents), tuple(starts))


def concatenations(planted: Path, count: int, seed: int) -> list[Talk]:
    """Stretches of 14 to 30 turns of the six planted conversations in a drawn order, five to a talk."""
    draw = random.Random(seed)  # noqa: S311 - a benchmark's draw
    texts = [
        [turn["content"] for turn in json.loads(file.read_text())["turns"]] for file in sorted(planted.glob("*.json"))
    ]
    made: list[Talk] = []
    for number in range(count):
        parts: list[list[str]] = []
        for talk in draw.sample(texts, 5):
            length = draw.randint(14, 30)
            first = draw.randrange(len(talk) - length)
            parts.append(talk[first : first + length])
        made.append(joined(f"planted-{number}", parts, "concatenated"))
    return made


def small_talk(data: Path, count: int, seed: int) -> list[Talk]:
    """Chatter of meetings (turns of at most eight words) and greetings, shuffled: nothing begins in it."""
    draw = random.Random(seed)  # noqa: S311 - as above
    lines = (data / "real" / "qmsum.jsonl").read_text(encoding="utf-8").splitlines()
    every = [turn["content"].strip() for line in lines for turn in json.loads(line)["turns"]]
    short = [content for content in every if 0 < len(content.split()) <= 8]
    return [Talk(f"chatter-{n}", "chatter", turns_of(draw.sample(short, 600)), ()) for n in range(count)]


def shuffled(talk: Talk, seed: int) -> Talk:
    """The same turns in a drawn order: what is left has no topics that begin or end."""
    draw = random.Random(seed)  # noqa: S311 - as above
    contents = [turn.content for turn in talk.turns]
    draw.shuffle(contents)
    return Talk(f"{talk.name}-shuffled", "shuffled", turns_of(contents), ())


def measured(
    talk: Talk, embed: Callable[[Sequence[str]], np.ndarray], embedder: str, *, surprise: bool = True
) -> Trace:
    """What the replays of a talk need; those that look for topics alone need no surprise."""
    counter = ApproximateTokenCounter()
    said = [spoken(turn) for turn in talk.turns]
    rows = iter(embed([one.text for one in said if one is not None]))
    new = [
        NewTurn(turn=turn, tokens=counter.count(turn.content), said=one, row=None if one is None else next(rows))
        for turn, one in zip(talk.turns, said, strict=True)
    ]
    if surprise:
        return traced(talk.name, new, BackoffEstimator(), embedder, 384)
    none = Surprise(bits=NO_TOKENS, tokens=0)
    return Trace(
        name=talk.name,
        turns=tuple(new),
        surprises=(none,) * len(new),
        estimator="none",
        embedder=embedder,
        dimension=384,
    )


def segments(turns: int, starts: Starts) -> NDArray[np.int64]:
    """The number of the segment each turn lies in, shape (turns,)."""
    marks = np.zeros(turns, dtype=np.int64)
    for start in starts:
        marks[start - 1] += 1
    return np.cumsum(marks, dtype=np.int64)


def pk_and_window_diff(turns: int, gold: Starts, found: Starts) -> tuple[float, float]:
    """Pk (Beeferman et al. 1999) and WindowDiff (Pevzner and Hearst 2002), 0..1, smaller is better.

    The window is half the mean gold segment, as both papers say; Pk asks whether its two ends lie in one segment,
    WindowDiff whether there are as many boundaries between them.
    """
    wanted, given = segments(turns, gold), segments(turns, found)
    window = max(2, round(turns / (len(gold) + 1) / 2))
    first = np.arange(turns - window)
    apart, told = wanted[first + window] - wanted[first], given[first + window] - given[first]
    missed = np.asarray((apart > 0) != (told > 0), dtype=np.float64)
    counted = np.asarray(apart != told, dtype=np.float64)
    return float(missed.mean()), float(counted.mean())


def lexical_tiling(talk: Talk, block: int, depth: float) -> Starts:
    """TextTiling over words (Hearst 1997), after the fact: blocks of `block` content words on both sides of a turn.

    A boundary stands where the similarity of word counts falls into a valley at least `depth` standard deviations
    deeper than the mean depth; smoothing with a window of three, as in the paper.
    """
    words = [content_sequence(turn.content) for turn in talk.turns]
    flat = [(word, place) for place, turn in enumerate(words) for word in turn]
    ends = np.cumsum([len(turn) for turn in words])
    scores: list[float] = []
    for end in ends[:-1]:
        left, right = (
            Counter(w for w, _ in flat[max(0, end - block) : end]),
            Counter(w for w, _ in flat[end : end + block]),
        )
        shared = sum(count * right[word] for word, count in left.items())
        size = (sum(c * c for c in left.values()) * sum(c * c for c in right.values())) ** 0.5
        scores.append(shared / size if size else 0.0)
    smooth = np.convolve(scores, np.ones(3) / 3, mode="same")
    depths = np.array([_valley(smooth, gap) for gap in range(len(smooth))])
    wanted = depths.mean() + depth * depths.std()
    inner = [gap for gap in range(len(depths)) if min(ends[gap], ends[-1] - ends[gap]) >= block]
    chosen: list[int] = []
    for gap in sorted(inner, key=lambda gap: -depths[gap]):
        if depths[gap] >= wanted and all(abs(ends[gap] - ends[other]) >= block for other in chosen):
            chosen.append(gap)
    return tuple(sorted(gap + 2 for gap in chosen))


def _valley(scores: np.ndarray, gap: int) -> float:
    """How far a score lies below the peaks on both sides of it."""
    left = right = gap
    while left > 0 and scores[left - 1] >= scores[left]:
        left -= 1
    while right + 1 < len(scores) and scores[right + 1] >= scores[right]:
        right += 1
    return float(scores[left] + scores[right] - 2 * scores[gap])


def every_turns(talk: Talk, length: int) -> Starts:
    """A boundary after every `length` turns."""
    return tuple(range(length + 1, len(talk.turns) + 1, length))


def every_tokens(trace: Trace, tokens: int) -> Starts:
    """A boundary after every `tokens` tokens, as a compactor at a threshold puts them."""
    found: list[int] = []
    held = 0
    for new in trace.turns[:-1]:
        held += new.tokens
        if held >= tokens:
            found.append(new.turn.number + 1)
            held = 0
    return tuple(found)


def at_random(talk: Talk, share: float, seed: int) -> Starts:
    """Boundaries drawn anywhere, so many a turn on average."""
    draw = random.Random(f"{talk.name}{seed}")  # noqa: S311 - as above
    count = min(len(talk.turns) - 1, round(share * len(talk.turns)))
    return tuple(sorted(draw.sample(range(2, len(talk.turns) + 1), count)))


def regret(trace: Trace, gold: Starts, fired: Sequence[int], window: int) -> tuple[float, float]:
    """(tokens of closed topics carried too long, tokens of the open topic lost too early), each over all tokens.

    After each turn the reader is given what came after the last firing. Carried too long: tokens in it of topics that
    are closed, beyond `window` tokens of grace, summed over turns and divided by all tokens given with no firing at
    all. Lost too early: tokens of the topic that is still open and were dissolved, divided likewise.
    """
    ends = np.cumsum([new.tokens for new in trace.turns])
    carried = lost = whole = 0.0
    boundary = 0
    fires = set(fired)
    begins = sorted({1, *gold})
    for place, end in enumerate(ends):
        turn = place + 1
        start = max(begin for begin in begins if begin <= turn)
        topic_from = int(ends[start - 2]) if start > 1 else 0
        carried += max(0, topic_from - boundary - window)
        lost += max(0, boundary - topic_from)
        whole += int(end)
        if turn in fires:
            boundary = int(end)
    return carried / whole, lost / whole


def interval(values: Sequence[float], seed: int = 7) -> tuple[float, float, float]:
    """The mean and its 95 % bootstrap interval over conversations (2000 resamples)."""
    draw = np.random.default_rng(seed)
    held = np.asarray(values, dtype=float)
    means = held[draw.integers(0, len(held), size=(2000, len(held)))].mean(axis=1)
    return statistics.fmean(values), float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def shown(values: Sequence[float], digits: int = 3) -> str:
    """Mean and interval as a cell of a table."""
    mean, low, high = interval(values)
    return f"{mean:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
