"""When two open questions are one: asked with a question mark, or told with "whether", with or without a reason.

Structure alone says what is a question: a question mark, or the word "whether" behind at most one content word ("It is
open whether", never "Ilse reports by noon whether"). What is asked is compared by content words and their order. What a
statement adds, a reason or who answers, parts two only where its values, or the denials of both additions, differ.
"""

import re
from dataclasses import dataclass

from consensus.wording.profile import Profile, profile_of, said_in_order
from consensus.wording.typed_floor import FIGURES, Slot, vetoed
from language.reading import read

MARK = re.compile(r"\?(?!\w)")  # not within an address
WHETHER = re.compile(r"\bwhether\b", re.IGNORECASE)
SENTENCE = re.compile(r"[.!?;](?=\s|$)")
PIECE = re.compile(r"(?<=[,;:?\u2013\u2014])\s+|\s+(?=\()")
ASKED = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""What a question asks for, a closed class: it only keeps apart, as "why is it so" is not "is it so"."""

FEWEST_ROOTS = 2  # content words without which a question may be about anything


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question of a text.

    Attributes:
        asked: What is asked, without what stands before "whether" and without later sentences.
        added: Later sentences: a reason, or who answers; may be empty.
    """

    asked: Profile
    added: Profile


def question_of(text: str) -> OpenQuestion | None:
    """The question that a text asks or tells; None when it does neither."""
    marks = [found.end() for found in MARK.finditer(text)]
    start, end = 0, max(marks, default=0)
    if not marks:
        told = WHETHER.search(text)
        if told is None or not _bare(profile_of(text[: told.start()])):
            return None
        start = told.start()
        stop = SENTENCE.search(text, start)
        end = stop.end() if stop else len(text)
    return OpenQuestion(profile_of(text[start:end].strip()), profile_of(text[end:].strip()))


def _bare(before: Profile) -> bool:
    """Whether what stands before "whether" only says that it is open: at most one content word, no value, no name."""
    return len(read(before.text).content) <= 1 and not before.marks and not before.names


def asks_part_of(part: Profile, whole: Profile) -> bool:
    """Whether `whole` asks all that `part` asks, and neither values nor denials set them against each other."""
    mine, theirs = question_of(part.text), question_of(whole.text)
    if mine is None or theirs is None or len(mine.asked.roots) < FEWEST_ROOTS:
        return False
    same = profile_of(_shared(theirs.asked, mine.asked))
    return (
        mine.asked.roots <= same.roots
        and not mine.asked.lacking(same)
        and said_in_order(mine.asked.order, same.order)
        and _asked_for(mine.asked) == _asked_for(same)
        and not vetoed(mine.asked, same)
        and not vetoed(part, whole, {*FIGURES, Slot.NAME})
        and not (mine.added.text and theirs.added.text and vetoed(mine.added, theirs.added, {Slot.DENIAL}))
    )


def _shared(asked: Profile, other: Profile) -> str:
    """The pieces of what is asked from the first to the last that says a word of the other; around them are reasons."""
    pieces = PIECE.split(asked.text)
    places = [place for place, piece in enumerate(pieces) if profile_of(piece).roots & other.roots]
    return " ".join(pieces[places[0] : places[-1] + 1]) if places else ""


def _asked_for(asked: Profile) -> frozenset[str]:
    return frozenset(word.casefold() for word in ASKED.findall(asked.text))
