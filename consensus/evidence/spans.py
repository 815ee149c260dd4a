"""The stretches of a snapshot that can serve as evidence: sentences, and lines of what is not prose."""

import re
from dataclasses import dataclass

from dissolution.checking import each
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.values import Span
from language.reading import read

LONGEST = 400  # characters; a longer stretch (a pasted log, a fenced block) is offered line by line, then in pieces
LINE = re.compile(r"[^\n]+")
PIECE = re.compile(r"\S(?:.{0,398}\S)?(?=\s|$)|\S{1,400}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One stretch of one turn that may be quoted.

    Attributes:
        turn: Its turn number.
        start: First code point.
        end: One past the last code point.
        text: What stands there, verbatim.
        spoken: Whether the speaker says it himself; pasted and tool text is not spoken and instructs nobody (rule 8).
        speaker: Who passes it on.
        role: The turn's role.
    """

    turn: int
    start: int
    end: int
    text: str
    spoken: bool
    speaker: str
    role: Role


def candidates(snapshot: Snapshot) -> tuple[Candidate, ...]:
    """All stretches of all turns, in order, none longer than 400 characters, each with a letter or digit."""
    return tuple(
        Candidate(
            turn=turn.number,
            start=span.start,
            end=span.end,
            text=turn.content[span.start : span.end],
            spoken=turn.role is not Role.TOOL and not turn.is_quoted(span),
            speaker=turn.speaker,
            role=turn.role,
        )
        for turn in each(snapshot.turns)
        for span in _stretches(turn)
    )


def _stretches(turn: Turn) -> list[Span]:
    found: list[Span] = []
    for sentence, _ in read(turn.content).sentences:
        if sentence.end - sentence.start <= LONGEST:
            found.append(sentence)
        else:
            found.extend(_pieces(turn.content, sentence))
    return found


def _pieces(text: str, whole: Span) -> list[Span]:
    found: list[Span] = []
    for line in LINE.finditer(text, whole.start, whole.end):
        found.extend(
            Span(start=piece.start(), end=piece.end())
            for piece in PIECE.finditer(text, line.start(), line.end())
            if any(character.isalnum() for character in piece[0])
        )
    return found
