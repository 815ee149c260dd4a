"""Whether a newer claim takes the place of an older one: same subject, same slot, another value.

The rules are narrow on purpose. Where one thing may be another, both stay and the pair is contested: a fact that is
wrongly closed is lost to the reader, a doubt is told.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from consensus.concepts import roots_in_order
from consensus.guards_names import about_another
from consensus.profile import profile_of
from consensus.reconcile.phrases import WISH, differing
from consensus.reconcile.slots import Value, about, values
from consensus.reconcile.terms import RIVALS, THINGS, Role
from consensus.reconcile.tokens import plain, tokens_of
from wording.words import STOPWORDS

ADDS = re.compile(
    r"\b(?:also|as well|too|additional(?:ly)?|another|in addition|besides|a second|a third|both|and then|on top|plus"
    r"|along with|apart from)\b",
    re.IGNORECASE,
)
"""Wording of a further member of a set: it closes nothing."""

DISPLACES = re.compile(
    r"\b(?:not|instead of|rather than|no longer|replac(?:es|ed|ing)|in place of|from|was|were|never|nor|than"
    r"|over|drop(?:s|ped)?)"
    r"\W+(?:(?:the|an?|at|in|on|by|to|of|for|about|around|old|earlier|previous)\W+){0,2}$",
    re.IGNORECASE,
)
"""Wording right before a value that another takes the place of."""

TAKEN_PLACE = re.compile(
    r"\b(?:not|instead of|rather than|no longer|in place of|replac(?:es|ing))\s+(?:(?:the|an?|at|in|on|by|to|of"
    r"|for|as|like|about)\s+)*"
    r"(?P<what>(?:[^\s,;:.!?()]|[.,:](?=\w))+(?: (?:[^\s,;:.!?()]|[.,:](?=\w))+)?)(?=[\s,;:.!?()]|$)",
    re.IGNORECASE,
)
"""Wording that names what something takes the place of."""

CLEFT = re.compile(
    r"^(?!(?:it|this|that|these|those|here|there|he|she|they|we|you|I|which|who)\b)"
    r"(?P<value>[^\s,;:](?:[^,;:]{0,60}?[^\s,;:])?) (?P<be>is|are|was|were)"
    r" (?P<what>(?:where|when|what|who)\b[^,;:]{3,120}?)(?P<end>[.!]?)$",
    re.IGNORECASE,
)
"""A sentence that names its value first: "Ely is where the trip ends". Its subject is what follows."""

TIMES = frozenset({"clock", "weekday"})
"""Kinds of value that name no thing by themselves: a room 5 is another room, 5 pm is no other thing."""

LEAST_SHARED = 2  # words of the subject that both must have where only words tell
LIKELY = 0.34  # share of the more words of both subjects that both must have
SURE = 0.5  # share of the fewer words of both subjects that both must have
BEFORE = 40  # characters looked at for it
BOUNDS = frozenset({Role.LEAST, Role.MOST, Role.UNTIL})


class Relation(StrEnum):
    """What a newer claim is to an older one as far as their values go."""

    REPLACES = "replaces"  # one slot of one thing, another value
    DOUBTFUL = "doubtful"  # perhaps one slot of one thing
    APART = "apart"  # about different things, or different things of one


@dataclass(frozen=True, slots=True)
class Compared:
    """A relation and why.

    Attributes:
        relation: What the newer claim is to the older one.
        why: The values in words.
        shared: How many words of the subject both have.
    """

    relation: Relation
    why: str = ""
    shared: int = 0


APART = Compared(Relation.APART)


@lru_cache(maxsize=65536)
def compare(older: str, newer: str, *, cue: bool = False) -> Compared:
    """What a newer claim is to an older one by the values they give.

    Args:
        older: The words of the claim that is held.
        newer: The words of the claim that may take its place.
        cue: Whether the turn behind the newer one says that something is put in the place of something.
    """
    older, newer = uncleft(older), uncleft(newer)
    retold = _retold(older, newer)
    if retold is not None:
        return retold
    if older == newer or not (_all(older) & _all(newer)) or _rivals(older, newer):
        return APART
    if about_another(profile_of(older), profile_of(newer), several=not cue):
        return APART
    old, new = values(older), values(newer)
    found = [
        _pair(a, b, newer, cue=cue)
        for a in old
        for b in new
        if a.kind == b.kind and a.key != b.key and not _in_both(a, b, old, new, newer)
    ]
    found.append(_by_phrase(older, newer, cue=cue))
    found.append(_by_words(older, newer))
    order = (Relation.REPLACES, Relation.DOUBTFUL, Relation.APART)
    return min(found, key=lambda one: (order.index(one.relation), -one.shared, one.why), default=APART)


@lru_cache(maxsize=4096)
def uncleft(text: str) -> str:
    """A sentence with its value behind what it is the value of: "Where the trip ends is Ely"; others as they are."""
    match = CLEFT.match(text)
    if match is None:
        return text
    what = match["what"]
    return f"{what[0].upper()}{what[1:]} {match['be']} {match['value']}{match['end']}"


def _retold(older: str, newer: str) -> Compared | None:
    """One sentence told again with another time, where no word tells what it is about: "They eat at 7"; else None."""
    old, new = values(older), values(newer)
    if len(old) != 1 or len(new) != 1 or old[0].kind != new[0].kind or old[0].kind not in TIMES:
        return None
    a, b = old[0], new[0]
    frames = [(text[: one.at].casefold(), text[one.end :].casefold()) for text, one in ((older, a), (newer, b))]
    if a.key == b.key or a.about or b.about or frames[0] != frames[1] or ADDS.search(newer):
        return None
    return Compared(Relation.REPLACES, f"{b.text.strip()!r} for {a.text.strip()!r}", 1)


@lru_cache(maxsize=4096)
def _all(text: str) -> frozenset[str]:
    """Everything a claim is about, verbs too: claims that share none of it are about different things."""
    return frozenset(token.name for token in tokens_of(plain(text)) if token.name)


def _rivals(older: str, newer: str) -> bool:
    """Whether each is about another of things that share a name: lunch and dinner."""
    left, right = _narrow(older), _narrow(newer)
    return bool(left and right) and not left & right


@lru_cache(maxsize=4096)
def _narrow(text: str) -> frozenset[int]:
    words = frozenset(token.word for token in tokens_of(text))
    return frozenset(place for place, group in enumerate(RIVALS) if group & words)


def _by_phrase(older: str, newer: str, *, cue: bool) -> Compared:
    """The relation of two claims that differ in one phrase."""
    phrases = differing(older, newer)
    if phrases is None or ADDS.search(newer):
        return APART
    old, new = phrases
    if _named_apart(old.text, new.text):
        return APART  # "the client of Nutmeg" and "every invoice of Birch": a thing of a thing, each another
    why = f"{new.text!r} for {old.text!r}"
    shared = len(about(older) & about(newer))
    wishes = WISH.search(older) is not None and WISH.search(newer) is not None
    sure = cue or (old.sure and new.sure) or (wishes and (old.sure or new.sure))
    return Compared(Relation.REPLACES if sure else Relation.DOUBTFUL, why, shared)


def _named_apart(old: str, new: str) -> bool:
    """Whether both phrases are of several words and end in a name each: "mobile client of Nutmeg"."""
    return all(" of " in text and text.split(" of ")[-1][:1].isupper() for text in (old, new))


def _by_words(older: str, newer: str) -> Compared:
    """Whether the newer claim says of words of the older one that they are not so, or no longer: "ln n, not √n"."""
    old, new = frozenset(roots_in_order(older)), frozenset(roots_in_order(newer))
    for match in TAKEN_PLACE.finditer(newer):
        words = match["what"].casefold().split()
        here = re.search(rf"(?<!\w){re.escape(match['what'])}(?!\w)", older, re.IGNORECASE)
        if here is None or all(word in STOPWORDS for word in words) or DISPLACES.search(older[: here.start()]):
            continue
        taken = frozenset(roots_in_order(match["what"]))
        shared = (old & new) - taken
        if len(shared) >= LEAST_SHARED and len(shared) >= SURE * (min(len(old), len(new)) - len(taken)):
            return Compared(Relation.REPLACES, f"what is said instead of {match['what']!r}", len(shared))
    return APART


def _in_both(a: Value, b: Value, old: tuple[Value, ...], new: tuple[Value, ...], newer: str) -> bool:
    """Whether one claim gives both values: as a list, not as one that takes the other's place."""
    again = next((value for value in new if value.kind == a.kind and value.key == a.key), None)
    if again is not None:
        return not _displaced(newer, again)
    return any(value.kind == b.kind and value.key == b.key for value in old)


def _displaced(text: str, value: Value) -> bool:
    return DISPLACES.search(text[max(0, value.at - BEFORE) : value.at]) is not None


def _pair(a: Value, b: Value, newer: str, *, cue: bool) -> Compared:
    """The relation of two values of one kind."""
    why = f"{b.text.strip()!r} for {a.text.strip()!r}"
    if ADDS.search(newer) or (a.roles & BOUNDS) != (b.roles & BOUNDS) or _other_role(a, b):
        return APART
    if a.kind.startswith("symbol:"):
        return Compared(Relation.REPLACES, why, 1)
    found = _by_subject(a, b, why, cue=cue)
    if found.relation is Relation.REPLACES and not cue and _end_of_one(a, b):
        return Compared(Relation.DOUBTFUL, why, found.shared)
    return found


def _end_of_one(a: Value, b: Value) -> bool:
    """Whether one time is an end and the other tells no role, as a time by which something begins does."""
    left, right = a.roles - BOUNDS, b.roles - BOUNDS
    return a.kind == "clock" and (not left or not right) and (left | right) == frozenset({Role.END})


def _by_subject(a: Value, b: Value, why: str, *, cue: bool) -> Compared:
    """The relation by what the values are of; a verb that is the other's noun counts as one."""
    mine, theirs = a.about | a.verbs & b.about, b.about | b.verbs & a.about
    shared = len(mine & theirs)
    only_old, only_new = mine - theirs - b.verbs, theirs - mine - a.verbs
    if cue and _one_thing(a, b, mine, theirs):
        return Compared(Relation.REPLACES, why, shared)
    named = a.kind.startswith("identifier")  # names a thing more often than it is a value
    other_thing = (only_old and only_new) or (named and (only_old or only_new))
    if other_thing or shared < max(SURE * min(len(mine), len(theirs)), LIKELY * max(len(mine), len(theirs))):
        return APART
    if not shared:
        return Compared(Relation.DOUBTFUL, why) if cue and not named else APART
    wider = bool(only_old & a.subject or only_new & b.subject)  # one sentence is about more than the other
    if wider or _narrower(a, b, mine & theirs) or (a.verbs - b.verbs and b.verbs - a.verbs):
        return Compared(Relation.REPLACES if cue else Relation.DOUBTFUL, why, shared)
    return Compared(Relation.REPLACES, why, shared)


def _one_thing(a: Value, b: Value, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether both values are of one named thing, and the other words are only ways to say so.

    That "the visitors turn up for dinner at 18:00" and "the kitchen expects them for dinner at 19:00" tell one slot is
    in the thing, the kind of value and its role; it is believed only where the turn puts something in the place of
    something. A name, or a word that narrows a thing down, still tells things apart.
    """
    scaled = a.kind in TIMES or a.kind.startswith("scale:")
    one = bool(mine & THINGS) and mine & THINGS == theirs & THINGS
    return scaled and one and a.roles == b.roles and a.named == b.named


def _other_role(a: Value, b: Value) -> bool:
    left, right = a.roles - BOUNDS, b.roles - BOUNDS
    return bool(left and right) and not left & right


def _narrower(a: Value, b: Value, shared: frozenset[str]) -> bool:
    """Whether one names a narrower thing: "the marketing budget" beside "the budget"."""
    return bool((a.narrowed ^ b.narrowed) - shared)
