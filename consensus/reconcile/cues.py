"""What the turns behind a claim say about change: that something takes the place of something, or never was so."""

import re
from collections.abc import Iterable

from consensus.changes import CHANGES
from consensus.reconcile.merging import newest
from dissolution.claims import Claim, Dissent, Evidence
from dissolution.conversation import Role, Snapshot
from dissolution.temporal import TemporalClass
from wording.sentences import sentence_spans
from wording.temporal import classify

PUTS_IN_PLACE = re.compile(
    r"\b(?:instead|how about|what about|rather|switch(?:es|ed|ing)?|prefer|let(?:'|\u2019)?s (?:try|make|go"
    r"|say)|try|make (?:it|that)"
    r"|scratch that|in that case|on second thoughts?|changed? my mind|different(?:ly)?|after all|then)\b|^(?:no"
    r"|sorry|oh)\b",
    re.IGNORECASE,
)
"""Wording of a turn that puts a wish or choice in the place of one before."""

TURNED_DOWN = re.compile(
    r"\b(?:unfortunately|unable|cannot|can(?:'|\u2019)t|could ?n(?:o|'|\u2019)t|don(?:'|\u2019)t (?:have|see"
    r"|find)|do not have"
    r"|not(?: \w+){0,2} any"
    r"|no (?:such|luck|match(?:es)?|results?)|not available|unavailable|fully booked|(?:are|is|were|was) (?:no"
    r"|none|not any)"
    r"|did(?:n(?:'|\u2019)t| not) (?:find|work|go)|failed|afraid|sorry)\b",
    re.IGNORECASE,
)
"""Wording of an answer that turns a wish down: the next wish takes its place."""


def newest_words(item: Claim | Dissent) -> tuple[Evidence, ...]:
    """The stretches of the newest turn an item rests on."""
    last = newest(item)
    return tuple(piece for piece in item.evidence if piece.turn == last)


def replaces_something(item: Claim | Dissent, snapshot: Snapshot) -> bool:
    """Whether the newest turn behind an item, or its own words, put something in the place of something."""
    words = newest_words(item)
    if CHANGES.search(item.text) or any(_puts(piece.text) for piece in words):
        return True
    before = newest(item) - 1
    return before >= 1 and TURNED_DOWN.search(snapshot.turn(before).content) is not None


def _puts(text: str) -> bool:
    return PUTS_IN_PLACE.search(text) is not None or CHANGES.search(text) is not None


def takes_back(texts: Iterable[str]) -> bool:
    """Whether any of these texts says that something said before was wrong when it was said."""
    return any(
        classify(text[span.start : span.end]).temporal_class is TemporalClass.BACKWARD_MUTATION
        for text in texts
        for span in sentence_spans(text)
    )


def settling_words(earlier: Claim, later: Claim | Dissent, snapshot: Snapshot) -> tuple[Evidence, ...]:
    """The words behind `later` that may settle what `earlier` says, newest turn first; none when nothing settles it.

    They stand in turns after the last one behind `earlier`, and one speaker says both, or the person the conversation
    is for or the operator says them, or they say that something changed (as in `consensus.corrections`).
    """
    last = newest(earlier)
    before = snapshot.turn(last or 1)
    changes = CHANGES.search(later.text) is not None
    found = [
        piece
        for piece in later.evidence
        if piece.turn > last
        and (
            changes
            or snapshot.turn(piece.turn).role in {Role.USER, Role.SYSTEM}
            or snapshot.turn(piece.turn).speaker == before.speaker
            or _puts(piece.text)
        )
    ]
    return tuple(sorted(found, key=lambda piece: -piece.turn))
