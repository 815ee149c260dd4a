"""Guard on names: the same said of another person, place, service or product is another claim.

Claims of one frame ("X keeps its rows for 92 days") are near neighbours whatever stands for X. A name against another
in the same place parts them; a name that one of them leaves out, or gives in another form, does not.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from consensus.guards_words import DUTY
from consensus.profile import Profile
from consensus.veto import FINITE, Guard, Veto, shared_words
from wording.grammar import DETERMINERS
from wording.names import names
from wording.verbs import BASES, base_of_third_person
from wording.words import STOPWORDS

TOKEN = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
BARE_SUBJECT = re.compile(
    r"(?:[A-Z][\w-]*s|is|was|has|had|will|would|can|could|must|may|should|does|did)$|(?=[a-z])\w+(?<![su])s$"
)
"""A verb in the third person or an auxiliary: a lone capitalised word before it, with no article, is a name or a mass
noun ("Olive keeps", "Dogwood will")."""

LONGEST_BLOCK = 4  # words of one place that differ; more are another frame
SAME_FRAME = 0.5  # share of the shorter claim's words that stand in both, in order
FRAME_WORDS = 2  # content words that both have around the place
SHORTEST_FORM = 4  # letters that two forms of one name share at the start


@dataclass(frozen=True, slots=True)
class _Place:
    """One place of a common frame in which each names something else.

    Attributes:
        mine: The names that only the first has there.
        theirs: The names that only the second has there.
        before: The words of the first up to the place, case folded.
        after: The words of the first from behind the place.
    """

    mine: frozenset[str]
    theirs: frozenset[str]
    before: tuple[str, ...]
    after: tuple[str, ...]


def renamed(a: Profile, b: Profile) -> list[Veto]:
    """In one frame each names another where the other has its name: "Olive keeps its rows" against "Iris keeps …"."""
    return [
        Veto(Guard.NAME, f"{' '.join(sorted(place.mine))} against {' '.join(sorted(place.theirs))}", opposed=False)
        for place in _places(a.text, b.text)[:1]
    ]


def about_another(a: Profile, b: Profile, *, several: bool = True) -> bool:
    """Whether two claims of one frame are about things of different names, so that neither can end the other.

    A name may be the value that changes ("approved by Ann", then "approved by Ben"). It is the thing itself where it
    stands before the verb (but for who has a duty) or behind "of", and where another name or a figure differs as well.

    Args:
        a: One claim.
        b: Another.
        several: Whether a second difference tells them apart too; not where the words say that one replaces the other.
    """
    places = _places(a.text, b.text)
    if not places:
        return False
    figures = [[mark for mark in one.lacking(other) if mark.kind != "identifier"] for one, other in ((a, b), (b, a))]
    place, *others = places
    if several and (others or min(len(place.mine), len(place.theirs)) > 1 or all(figures)):
        return True
    if place.before and place.before[-1] == "of":
        return True
    return not _has_verb(place.before) and not (place.after and DUTY.match(" ".join(place.after)))


@lru_cache(maxsize=32768)
def _places(one: str, two: str) -> tuple[_Place, ...]:
    if not _may(one, two):
        return ()
    left, right = _tokens(one), _tokens(two)
    low, lower = tuple(map(str.casefold, left)), tuple(map(str.casefold, right))
    blocks = SequenceMatcher(None, low, lower, autojunk=False).get_opcodes()
    frame = [word for tag, start, end, _, _ in blocks if tag == "equal" for word in low[start:end]]
    if len(frame) < SAME_FRAME * min(len(low), len(lower)) or _content(frame) < FRAME_WORDS:
        return ()
    found: list[_Place] = []
    for tag, start, end, other, last in blocks:
        if tag != "replace" or max(end - start, last - other) > LONGEST_BLOCK:
            continue
        mine = frozenset(low[start:end]) & _named(one) - set(lower)
        theirs = frozenset(lower[other:last]) & _named(two) - set(low)
        if mine and theirs and not any(_one_name(my, their) for my in mine for their in theirs):
            found.append(_Place(mine, theirs, low[:start], low[end:]))
    return tuple(found)


def _has_verb(before: tuple[str, ...]) -> bool:
    """Whether a verb stands there; a base form is one only after a plural: "backups of the wiki go", not "a call"."""
    for at, word in enumerate(before):
        if word in FINITE or base_of_third_person(word) is not None:
            return True
        plural = any(earlier.endswith("s") for earlier in before[:at])
        if plural and word in BASES and before[at - 1] not in DETERMINERS:
            return True
    return False


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(TOKEN.findall(text))


def _may(one: str, two: str) -> bool:
    return bool(_named(one)) and bool(_named(two)) and _named(one) != _named(two)


@lru_cache(maxsize=8192)
def _named(text: str) -> frozenset[str]:
    """Single words of the names of a text, case folded; a bare subject at its start counts as a name."""
    found = {part.casefold() for name in names(text) for part in TOKEN.findall(name)}
    tokens = _tokens(text)
    if len(tokens) > 1 and tokens[0][0].isupper() and BARE_SUBJECT.match(tokens[1]):
        found.add(tokens[0].casefold())
    units = {word.casefold() for number, word in pairwise(tokens) if number[-1].isdigit()}  # "500 GB" names nothing
    return frozenset(found - STOPWORDS - units)


def _one_name(one: str, two: str) -> bool:
    """Whether two words may be forms of one name: a short form, a shared beginning, an acronym."""
    if one[:SHORTEST_FORM] == two[:SHORTEST_FORM] and min(len(one), len(two)) >= SHORTEST_FORM:
        return True
    if shared_words(frozenset({one}), frozenset({two})):
        return True
    short, long = sorted((one, two), key=len)
    return len(short) < SHORTEST_FORM and short[0] == long[0]


def _content(frame: list[str]) -> int:
    return len({word for word in frame if word not in STOPWORDS})
