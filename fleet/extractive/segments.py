"""A turn cut into sentences with exact spans, each marked as speech or as quoted material."""

import re
from dataclasses import dataclass
from functools import cached_property

from dissolution.checking import each
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.values import Span
from fleet.extractive.terms import names, terms, values
from language.masks import fenced_spans
from language.sentences import sentence_spans
from language.words import words

CLAUSE = re.compile(r"(?<=[,;])\s")  # where a long run of speech may be parted
LONGEST_SENTENCE = 60  # words; speech written down without full stops is parted from there on
CLAUSE_WORDS = 40
LONGEST_CHARS = 1500  # of a piece; longer ones hold no words (encoded data)
PARAGRAPH_GAP = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Sentence:
    """One sentence of one turn: `content[start:end] == quote`."""

    turn: int
    index: int  # its place among the sentences of its turn
    paragraph: int
    start: int
    end: int
    quote: str
    speaker: str
    role: Role
    quoted: bool

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, lower case."""
        return words(self.quote)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Its words, stemmed."""
        return terms(self.quote)

    @cached_property
    def values(self) -> frozenset[str]:
        """The values it states."""
        return values(self.quote)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in it."""
        return names(self.quote)

    @cached_property
    def size(self) -> int:
        """Its words as a reader counts them: what stands between white space."""
        return len(self.quote.split())


def sentences(snapshot: Snapshot, after: int = 0) -> tuple[Sentence, ...]:
    """All sentences of the turns after number `after` in order; code is left out, quoted material is marked."""
    return tuple(sentence for turn in each(snapshot.turns[after:]) for sentence in _of_turn(turn))


def _of_turn(turn: Turn) -> list[Sentence]:
    code = fenced_spans(turn.content)
    gaps = [match.start() for match in PARAGRAPH_GAP.finditer(turn.content)]
    found: list[Sentence] = []
    for span in (piece for whole in sentence_spans(turn.content) for piece in _pieces(turn.content, whole)):
        if any(one.start < span.end and span.start < one.end for one in code):
            continue
        found.append(
            Sentence(
                turn=turn.number,
                index=len(found),
                paragraph=sum(gap < span.start for gap in gaps),
                start=span.start,
                end=span.end,
                quote=turn.content[span.start : span.end],
                speaker=turn.speaker,
                role=turn.role,
                quoted=turn.role is Role.TOOL or turn.is_quoted(span),
            )
        )
    return found


def _pieces(content: str, span: Span) -> list[Span]:
    """The span itself, or parts of one that is too long for a sentence: speech written down without full stops."""
    text = content[span.start : span.end]
    if len(text.split()) <= LONGEST_SENTENCE and len(text) <= LONGEST_CHARS:
        return [span]
    pieces: list[Span] = []
    start = last_cut = 0
    for cut in [*(match.start() for match in CLAUSE.finditer(text)), len(text)]:
        if len(text[start:cut].split()) > CLAUSE_WORDS and last_cut > start:
            pieces.append(_trimmed(span.start + start, text[start:last_cut]))
            start = last_cut
        last_cut = cut
    pieces.append(_trimmed(span.start + start, text[start:]))
    return [piece for piece in pieces if piece.end - piece.start <= LONGEST_CHARS]


def _trimmed(offset: int, text: str) -> Span:
    begin = len(text) - len(text.lstrip())
    return Span(start=offset + begin, end=offset + len(text.rstrip()))
