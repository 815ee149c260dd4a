"""Statements taken apart into points: a bullet of three sentences says three things, and each is counted by itself."""

from dataclasses import dataclass

from consensus.profile import profile_of
from consensus.representative import stands_alone
from dissolution.claims import Statement
from wording.sentences import sentence_spans

FEWEST_WORDS = 2  # content words; a shorter sentence ("Approved.") belongs to the one before it


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a statement says.

    Attributes:
        statement: The whole statement.
        text: The sentence or sentences of it that say this, as they stand there.
        start: Where they begin in the statement's text.
    """

    statement: Statement
    text: str
    start: int = 0


def points(statement: Statement) -> tuple[Point, ...]:
    """The points of one statement in order, at least one.

    A sentence stays with the one before it when it cannot be read alone: it opens with a pronoun, is very short, or
    follows a question, which it may answer.
    """
    text = statement.claim.text
    parts: list[tuple[int, int]] = []
    for span in sentence_spans(text):
        sentence = text[span.start : span.end]
        if parts and (_leans(sentence) or text[parts[-1][0] : parts[-1][1]].endswith("?")):
            parts[-1] = (parts[-1][0], span.end)
        else:
            parts.append((span.start, span.end))
    if len(parts) < 2:  # noqa: PLR2004 - nothing to part
        return (Point(statement, text),)
    return tuple(Point(statement, text[start:end], start) for start, end in parts)


def _leans(sentence: str) -> bool:
    return not stands_alone(sentence) or len(profile_of(sentence).terms) < FEWEST_WORDS
