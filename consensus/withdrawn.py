"""Words for a state that a later turn takes back: what is gone, and the very word that no longer holds.

A figure is corrected by a figure; a state ("comfortable room", "a spare host") is corrected by saying that it is gone
or never was, or by naming the word that was used for it.
"""

import re

from consensus.lexical import root
from consensus.profile import Profile
from wording.words import content_sequence

EXISTS = re.compile(
    r"^(?:(?:so|and|but|also|now),? )?there (?:is|are|remains?|exists?) (?P<what>[^,;:.]{2,80})", re.IGNORECASE
)
"""Wording that something is there; its head noun comes last before a preposition."""

HEAD_END = re.compile(
    r"\s(?:in|on|at|for|of|to|between|under|over|with|from|by|beside|within|left|per|that|which|who|and|or)\b",
    re.IGNORECASE,
)
NO_THERE = frozenset({"not", "no", "nothing", "nobody", "none", "neither"})

GONE = (
    r"(?:(?:is|are|was|were|has been|have been)(?: all| already| now)? "
    r"(?:gone|not there|no longer there|used up|eaten up|an illusion|imaginary|exhausted|spent)"
    r"|(?:was|were|has been|have been) never there|(?:isn't|aren't|wasn't|weren't) (?:really |ever |actually )?there"
    r"|(?:is|are) no more|never (?:was|were|existed)|no longer exists?|(?:does|did)(?:n't| not) exist"
    r"|(?:has|have) (?:gone|vanished|evaporated|disappeared|melted away|shrunk to nothing|run out))\b"
)
IS_GONE = re.compile(rf"\b{GONE}", re.IGNORECASE)
DEFINITE = r"\b(?:the|that|this|our|my|your|any|all(?: the)?)\b(?: \w+)? "
LONGEST_BETWEEN = 40  # characters between the thing and the wording that it is gone: "the room we thought we had was"

WORD_BACK = re.compile(
    r"\b(?:turns?|chang\w+|mak\w+|takes?|took|withdraw\w*|strike|scrap|replac\w+|forget|downgrad\w+|read|retract\w*)"
    r"\s+(?:back\s+)?"
    r"(?:(?:my|your|the|that|our|his|her|their|word)\s+){1,2}[\"“‘'](?P<word>[^\W\d]\w{2,30})[\"”’']",
    re.IGNORECASE,
)
"""Wording that names a word that was used and puts another in its place, or none."""


def wordings(claim: Profile) -> tuple[re.Pattern[str], ...]:
    """What a sentence needs one of to take something back of a claim by `withdrawn`."""
    return (WORD_BACK,) if existing(claim) is None else (WORD_BACK, IS_GONE)


def withdrawn(claim: Profile, said: Profile) -> str | None:
    """What `said` takes back of the state that `claim` tells, or None.

    Args:
        claim: A claim.
        said: A sentence of a later turn.
    """
    head = existing(claim)
    if head is not None and _gone(head, said.text):
        return f"says that there is no {head}"
    match = WORD_BACK.search(said.text)
    if match is None:
        return None
    word, mine = root_of(match["word"]), [root(term) for term in content_sequence(claim.text)]
    others = {root(term) for term in content_sequence(said.text)} - {word}
    if word in mine and others & set(mine):
        return f"takes the word {match['word']!r} back"
    return None


def existing(claim: Profile) -> str | None:
    """The head noun of what a claim says is there, in lower case, or None: "room" of "There is ample room for it"."""
    match = EXISTS.search(claim.text)
    if match is None:
        return None
    phrase = HEAD_END.split(match["what"])[0].split()
    denied = any(word.casefold() in NO_THERE for word in phrase)
    head = phrase[-1].strip("\"'“”`*_").casefold() if phrase else ""
    return head if head.isalpha() and not denied else None


def _gone(head: str, text: str) -> bool:
    return re.search(rf"{DEFINITE}{head}\b[^.;:!?]{{0,{LONGEST_BETWEEN}}}?\b{GONE}", text, re.IGNORECASE) is not None


def root_of(word: str) -> str:
    """The root of one word, as `content_sequence` and `root` find it."""
    return next((root(term) for term in content_sequence(word)), word.casefold())
