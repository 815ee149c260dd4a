"""What is chosen, rejected, started, stopped and reversed."""

import re
from enum import StrEnum

from dissolution.values import Frozen, Span
from wording.masks import straightened
from wording.words import content_words


class ChoiceKind(StrEnum):
    """What is done with an option."""

    CHOSEN = "chosen"
    REJECTED = "rejected"
    STARTED = "started"
    STOPPED = "stopped"
    REVERSED = "reversed"


class Choice(Frozen):
    """One act of choosing: its kind, the cue, and the content words of what it is about (stems, may be empty)."""

    kind: ChoiceKind
    span: Span
    text: str
    object_words: frozenset[str]


FIRST = {
    ChoiceKind.CHOSEN: r"(?:use|uses|adopt|go with|stays?)",
    ChoiceKind.REJECTED: r"(?:ruled out|rejected|drop|dropped)",
    ChoiceKind.STOPPED: r"(?:stop|stopped)",
    ChoiceKind.STARTED: r"(?:start|started|enable)",
    ChoiceKind.REVERSED: r"(?:revert|reverted|roll back)",
}


def choices(text: str) -> tuple[Choice, ...]:
    """Every choice in `text`, in order."""
    plain = straightened(text)
    found = [
        Choice(
            kind=kind,
            span=Span(start=match.start(), end=match.end()),
            text=text[match.start() : match.end()],
            object_words=content_words(plain[match.end() : match.end() + 40]),
        )
        for kind, pattern in FIRST.items()
        for match in re.finditer(rf"\b{pattern}\b", plain, re.IGNORECASE)
    ]
    return tuple(sorted(found, key=lambda choice: choice.span.start))
