"""Stretches of a text: those that are embedded, and the words that answer a query best. Pure."""

import re
from collections.abc import Sequence
from itertools import islice, takewhile

from context.terms import terms
from dissolution.values import Span
from language.sentences import sentence_spans

PASSAGE = 900
"""Characters of a passage, at most: the embedding model reads 256 word pieces and no further."""

MOST_PASSAGES = 32
"""Passages of one text that are embedded: the first ones, so that one long tool output costs no more than that."""

QUOTE = 400
"""Characters of the words that are shown of a turn, at most."""

WORD = re.compile(r"\S+")

LONG = 20_000
"""Characters of a text from which its sentences are not told apart: long outputs of tools are no prose."""


def passages(text: str) -> tuple[str, ...]:
    """The text in passages of whole lines or words, the first MOST_PASSAGES; one of a text that is short."""
    if len(text) <= PASSAGE:
        return (text,)
    found: list[str] = []
    start = 0
    while start < len(text) and len(found) < MOST_PASSAGES:
        end = _end_of(text, start)
        if text[start:end].strip():
            found.append(text[start:end].strip())
        start = end
    return tuple(found) or (text[:PASSAGE],)


def quote(text: str, query: str) -> Span | None:
    """Where the words of a text stand that have most of a query's terms: whole sentences, or a part of a long one.

    Further sentences that have terms of it are taken in as long as they fit. Without any of its terms, the beginning.
    None for a text that is blank.
    """
    spans = (sentence_spans(text) if len(text) <= LONG else ()) or _all_of(text)
    if not spans:
        return None
    wanted = frozenset(terms(query))
    having = [frozenset(terms(text[span.start : span.end])) & wanted for span in spans]
    first = max(range(len(spans)), key=lambda at: (len(having[at]), -at))
    if spans[first].end - spans[first].start > QUOTE:
        return _within(text, spans[first], wanted)
    start, end = first, first
    while (grown := _grown(spans, having, start, end)) is not None:
        start, end = grown
    return Span(start=spans[start].start, end=spans[end].end)


def _grown(spans: Sequence[Span], having: Sequence[frozenset[str]], start: int, end: int) -> tuple[int, int] | None:
    """One sentence more, the neighbour with more terms that are new; None where there is no room or no use."""
    seen = frozenset[str]().union(*having[start : end + 1])
    near = [(start - 1, end)] if start > 0 else []
    near += [(start, end + 1)] if end + 1 < len(spans) else []
    fitting = [
        (len((having[left] | having[right]) - seen), (left, right))
        for left, right in near
        if spans[right].end - spans[left].start <= QUOTE
    ]
    gain, best = max(fitting, default=(0, None))
    return best if gain > 0 else None


def _within(text: str, span: Span, wanted: frozenset[str]) -> Span:
    """The stretch of a long sentence, or block of code, that has most of the terms."""
    words = [(m.start(), m.end()) for m in WORD.finditer(text, span.start, span.end)]
    hits = [(start, found) for start, end in words if (found := frozenset(terms(text[start:end])) & wanted)]
    best, most = words[0][0], 0
    for at, (start, _) in enumerate(hits):
        near = takewhile(lambda hit, start=start: hit[0] < start + QUOTE // 2, islice(hits, at, None))
        if (count := len(frozenset[str]().union(*(found for _, found in near)))) > most:
            best, most = start, count
    begin = next(start for start, _ in words if start >= best - QUOTE // 4)
    ends = [end for start, end in words if start >= begin and end <= begin + QUOTE]
    return Span(start=begin, end=ends[-1] if ends else min(span.end, begin + QUOTE))


def _all_of(text: str) -> tuple[Span, ...]:
    bare = text.strip()
    start = text.find(bare)
    return (Span(start=start, end=start + len(bare)),) if bare else ()


def _end_of(text: str, start: int) -> int:
    """Where a passage that begins at `start` ends: at the last line break or space that it has room for."""
    limit = start + PASSAGE
    if limit >= len(text):
        return len(text)
    line = text.rfind("\n", start + PASSAGE // 2, limit)
    if line >= 0:
        return line + 1
    space = text.rfind(" ", start + 1, limit)
    return space + 1 if space >= 0 else limit
