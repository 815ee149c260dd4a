"""Statements as sentences: a bullet of three sentences says three things, and each is counted by itself, never less."""

from dataclasses import dataclass

from consensus.wording.profile import profile_of
from dissolution.claims import Statement
from language.reading import read

FEWEST_TERMS = 3  # content words; a shorter sentence ("Approved.") belongs to the one before it


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a statement says.

    Attributes:
        statement: The whole statement.
        text: The sentence or sentences of it that say this, word for word.
        start: Where they begin in the statement's text.
    """

    statement: Statement
    text: str
    start: int = 0


def points(statement: Statement) -> tuple[Point, ...]:
    """The points of one statement in order, at least one.

    A sentence stays with the one before it when it is very short, or follows a question, which it may answer.
    """
    text = statement.claim.text
    found: list[tuple[int, int]] = []
    for span, _ in read(text).sentences:
        short = len(profile_of(text[span.start : span.end]).terms) < FEWEST_TERMS
        if found and (short or text[found[-1][0] : found[-1][1]].endswith("?")):
            found[-1] = (found[-1][0], span.end)
        else:
            found.append((span.start, span.end))
    if len(found) <= 1:
        return (whole(statement),)
    return tuple(Point(statement, text[start:end], start) for start, end in found)


def whole(statement: Statement) -> Point:
    """A statement in one point."""
    return Point(statement, statement.claim.text)
