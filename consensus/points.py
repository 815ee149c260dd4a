"""Statements taken apart into points: a bullet of three sentences says three things, and each is counted by itself."""

from dataclasses import dataclass

from consensus.compound import Carried, parts
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
        text: The sentence or sentences of it that say this, or a part of one, as they stand there but for what a rule
            carried over.
        start: Where they begin in the statement's text.
        carried: What was carried over.
    """

    statement: Statement
    text: str
    start: int = 0
    carried: Carried = Carried.NOTHING


def points(statement: Statement) -> tuple[Point, ...]:
    """The points of one statement in order, at least one.

    A sentence stays with the one before it when it cannot be read alone: it opens with a pronoun, is very short, or
    follows a question, which it may answer. Facts joined inside one sentence are parted by `consensus.compound`.
    """
    text = statement.claim.text
    sentences: list[tuple[int, int]] = []
    for span in sentence_spans(text):
        sentence = text[span.start : span.end]
        if sentences and (_leans(sentence) or text[sentences[-1][0] : sentences[-1][1]].endswith("?")):
            sentences[-1] = (sentences[-1][0], span.end)
        else:
            sentences.append((span.start, span.end))
    found = [
        Point(statement, part.text, start + part.start, part.carried)
        for start, end in sentences
        for part in parts(text[start:end])
    ]
    return tuple(found) if len(found) > 1 else (Point(statement, text),)


def _leans(sentence: str) -> bool:
    return not stands_alone(sentence) or len(profile_of(sentence).terms) < FEWEST_WORDS
