"""A turn cut into sentences with exact spans, each marked as speech or as quoted material."""

import re
from dataclasses import dataclass
from functools import cached_property

from dissolution.conversation import Role, Snapshot, Turn
from dissolution.values import Span
from fleet.extractive.terms import terms, values
from wording.masks import fenced_spans
from wording.sentences import sentence_spans
from wording.words import words

INDENTED = re.compile(r"(?m)^(?:\t| {4,})\S.*$")  # a line indented as code
QUOTE_LINE = re.compile(r"(?m)^\s{0,3}>.*$")  # a quoted line of a mail
# The mark that announces a pasted text; all that follows in the turn is passed on, not said.
PASTED = re.compile(
    r"^-{2,}\s*(?:pasted|begin|forwarded|attached|original)\b.*\Z", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
LIST_MARK = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•–]|\(?\d{1,2}[.)])[ \t]+$")  # what stands before an item of a list
# Where a long run of speech may be parted: at a comma, a semicolon or before a conjunction.
CLAUSE = re.compile(r"(?<=[,;])\s|\s(?=(?:and|but|so|because|then|und|aber|et|mais|y|pero|e|ma)\s)", re.IGNORECASE)
LONGEST_SENTENCE = 60  # words; more is no single claim
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
    listed: bool  # an item of a list

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, lower case."""
        return words(self.quote)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Its content words, stemmed."""
        return terms(self.quote)

    @cached_property
    def values(self) -> frozenset[str]:
        """The values it states."""
        return values(self.quote)

    @property
    def is_question(self) -> bool:
        """Whether it ends as a question."""
        return self.quote.rstrip("\"'”’) *_").endswith("?")


def sentences(snapshot: Snapshot, after: int = 0) -> tuple[Sentence, ...]:
    """All sentences of the turns after number `after` in order; code is left out, quoted material is marked."""
    found: list[Sentence] = []
    for turn in snapshot.turns[after:]:
        found.extend(_of_turn(turn))
    return tuple(found)


def _of_turn(turn: Turn) -> list[Sentence]:
    code = [(span.start, span.end) for span in fenced_spans(turn.content)]
    code += [match.span() for match in INDENTED.finditer(turn.content)]
    passed_on = [match.span() for pattern in (QUOTE_LINE, PASTED) for match in pattern.finditer(turn.content)]
    gaps = [match.start() for match in PARAGRAPH_GAP.finditer(turn.content)]
    found: list[Sentence] = []
    pieces = (piece for span in sentence_spans(turn.content) for piece in _pieces(turn.content, span))
    for span in pieces:
        first, last = span.start, span.end
        if _touches(code, first, last):
            continue
        quoted = turn.role is Role.TOOL or turn.is_quoted(span) or _touches(passed_on, first, last)
        found.append(
            Sentence(
                turn=turn.number,
                index=len(found),
                paragraph=sum(gap < first for gap in gaps),
                start=first,
                end=last,
                quote=turn.content[first:last],
                speaker=turn.speaker,
                role=turn.role,
                quoted=quoted,
                listed=LIST_MARK.search(turn.content[max(0, first - 12) : first]) is not None,
            )
        )
    return found


def _pieces(content: str, span: Span) -> list[Span]:
    """The span itself, or the clauses of one that is too long to be a claim: speech written down without full stops."""
    text = content[span.start : span.end]
    if len(text.split()) <= LONGEST_SENTENCE and len(text) <= LONGEST_CHARS:
        return [span]
    pieces: list[Span] = []
    start = 0
    last_cut = 0
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


def _touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in spans)
