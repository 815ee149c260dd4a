"""The statements under one heading: bullets, and prose parted into sentences, each with its place in the reply."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dissolution.claims import ClaimId, HeldAct, HeldMark
from dissolution.values import Span
from language.sentences import sentence_spans
from language.signature import tamed
from prompts.lines import Line
from prompts.marks import (
    NO_REFERENCE,
    SENTENCE_END,
    Reference,
    is_none,
    leading_reference,
    trailing_reference,
    unwrapped,
    without_words,
)
from prompts.sections import Block
from prompts.symptoms import is_courtesy

ENDS_LEAD_IN = (":", "\uff1a")

INDENTED = 2
"""Columns from which a line after a gap still belongs to the bullet above it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One statement as it stands, before it has a section."""

    text: str
    place: Span | None  # None when it was wrapped over lines
    end: int  # where it ends in the reply, its references included
    bullet: bool
    reference: Reference = NO_REFERENCE
    act: HeldAct | None = None
    about: ClaimId | None = None
    further: tuple[HeldMark, ...] = ()
    quotes: tuple[str, ...] = ()  # words of the turns that the member copied for it


@dataclass(slots=True)
class Body:
    """What one block says."""

    items: list[Item]
    says_none: bool
    problems: list[str]


@dataclass(slots=True)
class _Run:
    """Lines that belong together: one bullet with its continuation, or one paragraph."""

    bullet: bool
    indent: int
    pieces: list[tuple[int, int]]


def body_of(text: str, block: Block, through: int | None) -> Body:
    """The statements of a block in order."""
    body = Body(items=[], says_none=False, problems=[])
    runs = list(_runs(text, block))
    for position, run in enumerate(runs):
        following = runs[position + 1] if position + 1 < len(runs) else None
        if _is_lead_in(text, run, following):
            body.problems.append("lead_in")
            continue
        for item in _bullet(text, run, through) if run.bullet else sentences(text, run.pieces, through):
            if is_none(item.text):
                body.says_none = True
            else:
                body.items.append(item)
    if body.says_none and body.items:
        body.problems.append("none_beside_statements")
    return body


def sentences(text: str, pieces: list[tuple[int, int]], through: int | None) -> list[Item]:
    """One paragraph as one item a sentence. A reference that opens a sentence belongs to the one before."""
    start, end = pieces[0][0], pieces[-1][1]
    items: list[Item] = []
    for span in sentence_spans(tamed(text[start:end])):
        first, reference = leading_reference(text, start + span.start, start + span.end, through)
        if reference != NO_REFERENCE and items:
            known = items[-1].reference
            joined = Reference(turns=known.turns + reference.turns, problems=known.problems + reference.problems)
            items[-1] = replace(items[-1], reference=joined, end=first)
        items.extend(_item(text, [(first, start + span.end)], through, bullet=False))
    return items


def _runs(text: str, block: Block) -> Iterable[_Run]:
    run = _Run(bullet=False, indent=0, pieces=[block.rest]) if block.rest else None
    gap = False
    for line in block.lines:
        if line.is_blank:
            gap = True
            continue
        if run is not None and _goes_on(text, run, line, gap=gap):
            run.pieces.append((line.start, line.end))
        else:
            if run is not None:
                yield run
            run = _Run(bullet=line.is_bullet, indent=line.indent, pieces=[(line.body, line.end)])
        gap = False
    if run is not None:
        yield run


def _goes_on(text: str, run: _Run, line: Line, *, gap: bool) -> bool:
    """Whether a line belongs to the run above it."""
    if line.is_bullet:
        return False
    if not run.bullet:
        return not gap
    if line.indent >= INDENTED:
        return True
    # Not indented under a bullet: only a sentence that is still going on.
    return not gap and text[run.pieces[-1][1] - 1] not in SENTENCE_END and not is_courtesy(text[line.start : line.end])


def _is_lead_in(text: str, run: _Run, following: _Run | None) -> bool:
    """Whether a run only announces the bullets after it ("Runtime:")."""
    if following is None or not following.bullet or (run.bullet and following.indent <= run.indent):
        return False
    start, end = run.pieces[0][0], run.pieces[-1][1]
    start, end = unwrapped(text, start, end)
    return text[start:end].endswith(ENDS_LEAD_IN)


def _bullet(text: str, run: _Run, through: int | None) -> list[Item]:
    return _item(text, [piece for piece in run.pieces if piece[0] < piece[1]], through, bullet=True)


def _item(text: str, pieces: list[tuple[int, int]], through: int | None, *, bullet: bool) -> list[Item]:
    """The statement in these pieces without emphasis around the whole and without references, if any is left."""
    if not pieces:
        return []
    end = pieces[-1][1]
    if len(pieces) > 1:
        # Wrapped by hand: the words are joined by single spaces and stand nowhere verbatim.
        joined = " ".join(text[first:last].strip() for first, last in pieces)
        return [
            replace(item, place=None, end=end) for item in _item(joined, [(0, len(joined))], through, bullet=bullet)
        ]
    first, last = unwrapped(text, *pieces[0])
    plain, quotes = without_words(text[first:last])
    if quotes and not text.startswith(plain, first):  # other brackets stand behind the copied words
        found = _item(plain, [(0, len(plain))], through, bullet=bullet)
        return [replace(item, place=None, end=end, quotes=quotes) for item in found]
    last = first + len(plain)
    last, reference = trailing_reference(text, first, last, through)
    first, last = unwrapped(text, first, last)
    words = text[first:last]
    if not any(char.isalnum() for char in words):
        return []
    place: Span | None = Span(start=first, end=last)
    if "\n" in words or "\r" in words:
        words, place = " ".join(words.split()), None
    return [Item(text=words, place=place, end=end, bullet=bullet, reference=reference, quotes=quotes)]
