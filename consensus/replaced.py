"""Sentences that take a figure back: they deny it for another, give it a new value, or drop it.

Each is held against the figures of one claim. Whether it comes late enough to count is decided by the caller.
"""

import re
from collections.abc import Sequence

from consensus.lexical import root
from consensus.profile import CLAUSE_END, Figure, Profile
from wording.words import content_words

TAKEN_BACK = re.compile(
    r"\b(?:not|instead of|rather than|no longer|never|nor|replaces|forget|scrap|wrong)\W+"
    r"(?:(?:the|an?|at|in|on|by|to|of|for|from|about|around|until|after|before)\W+){0,2}$",
    re.IGNORECASE,
)
"""Wording right before a figure that a turn takes back: "52 per cent, not 43"."""

MOVES = re.compile(
    r"\b(?:mov(?:es?|ed|ing)|shift(?:s|ed)?|slip(?:s|ped)?|postponed|brought forward|put (?:off|back)|chang(?:es?|ed)"
    r"|rais(?:es?|ed)|lower(?:s|ed)|cut|go(?:es)? (?:up|down)|went (?:up|down)|switch(?:es|ed)?|reset|revised"
    r"|correct(?:s|ed))\b(?:\W+from\b.{1,40}?)?\W+(?:to|at|until)\b"
    r"|\b(?:is|are|was|were) now\b|\bbec(?:omes?|ame)\b",
    re.IGNORECASE,
)
"""Wording that gives something a new value: what moves stands before it, the value after it."""

VOIDS = re.compile(
    r"\b(?:(?:go(?:es)?|went|belongs?|is|are) (?:straight )?(?:in|into) the bin|(?:is|are|was|were) (?:now )?"
    r"(?:binned|scrapped|void|obsolete|withdrawn|retracted|discarded|dead|history|off the table|struck out|thrown out"
    r"|superseded|wrong))\b"
    r"|\b(?:no longer|don't|doesn't|do not|does not) (?:holds?|stands?|counts?|appl(?:y|ies))\b",
    re.IGNORECASE,
)
"""Wording after a figure that a turn drops without another in its place: "0.42 and 0.12 go in the bin"."""

DROPPED = re.compile(
    r"\b(?:binned|scrapped|obsolete|withdrawn|retracted|discarded|superseded|struck out)\b", re.IGNORECASE
)
"""Wording that lists a value as dropped: who lists it so does not state it."""

BEFORE_FIGURE = 40  # characters looked at for that wording


def takes_back(claim: Profile, said: Profile, marks: Sequence[Figure]) -> str | None:
    """What `said` does to those figures of the claim that no turn gives again since."""
    if (
        said.marks
        and marks
        and (_replaces(claim, said, marks) or _moves(claim, said, marks) or _voids(claim, said, marks))
    ):
        return "takes a figure of it back"
    return None


def _replaces(claim: Profile, said: Profile, marks: Sequence[Figure]) -> bool:
    """Whether `said` denies a value of the claim and gives another of its kind: "52 per cent, not 43"."""
    values = [mark for mark in said.marks if mark.kind != "identifier" or mark.hard]
    gone = [mark for mark in values if denied(said, mark)]
    hit = [
        (mark, one)
        for mark in marks
        if mark.hard and not denied(claim, mark)
        for one in gone
        if not mark.wants.isdisjoint(one.holds)
    ]
    fresh = [mark for mark in said.lacking(claim) if not denied(said, mark)]
    replaced = any(mark.kind == one.kind for mark in fresh for _, one in hit)
    return replaced and _related(claim, said, {mark.key for mark, _ in hit})


def _moves(claim: Profile, said: Profile, marks: Sequence[Figure]) -> bool:
    """Whether `said` gives what the claim gives a value a new one: "Launch moves to 1 March 2027"."""
    move = MOVES.search(said.text)
    if move is None:
        return False
    fresh = [mark for mark in said.lacking(claim) if mark.at >= move.end() and mark.kind != "identifier"]
    what = frozenset(root(word) for word in content_words(CLAUSE_END.split(said.text[: move.start()])[-1]))
    return any(
        mark.kind == new.kind and mark.group == new.group and what and what <= claim.bound[mark.key]
        for mark in marks
        if mark.hard and not said.has(mark)
        for new in fresh[:1]
    )


def _voids(claim: Profile, said: Profile, marks: Sequence[Figure]) -> bool:
    """Whether `said` drops a figure of the claim: one that says what it is, or that no other can be meant by."""
    void = VOIDS.search(said.text)
    if void is None or said.open or claim.denies or DROPPED.search(claim.text):
        return False
    dropped = [mark for mark in said.mentions if 0 <= void.start() - mark.end <= BEFORE_FIGURE]
    values = [mark for mark in marks if mark.hard and mark.kind != "identifier"]
    hit = [mark for mark in values if any(not mark.wants.isdisjoint(one.holds) for one in dropped)]
    telling = any(mark.kind == "number" and "." in claim.text[mark.at : mark.end] for mark in hit)
    return bool(hit) and (telling or _related(claim, said, {mark.key for mark in hit}))


def denied(profile: Profile, mark: Figure) -> bool:
    """Whether a text takes back one of its own figures: "52 per cent, not 43"."""
    return TAKEN_BACK.search(profile.text[max(0, mark.at - BEFORE_FIGURE) : mark.at]) is not None


def _related(claim: Profile, said: Profile, denied: set[str]) -> bool:
    """Whether a word, or a figure other than the denied ones, stands in both: one number may mean many things."""
    words = {term for term in claim.terms & said.terms if not term[0].isdigit()}
    return bool(words) or bool((claim.figures & said.figures) - denied)
