"""Guards on words: opposites, options that exclude each other, scope, validity in time, and who has a duty."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from consensus.denials import says_no
from consensus.lexical import root
from consensus.profile import Profile
from consensus.veto import COUNTED, TELLING, Guard, Veto, lead_of, lead_words, other_thing, shared_words, subject
from wording.opposites import opposed, opposites_of
from wording.synonyms import canonical
from wording.verbs import base_of_third_person
from wording.words import content_sequence, stem, words

SAME_FRAME = 0.6  # share of the smaller claim's remaining words found in the other, when one word of each differs
LONGEST_FILLER = 2  # words; an option is named in one or two

EXCLUSIVE = re.compile(
    r"\b(?:is|are|was|were|as|becomes?|became|remains?|stays?|equals?|means?|runs?(?: on| with| under)?|uses?|using"
    r"|(?:runs?|lives?|stays?|sits?|is|are|kept|stored|hosted|located|deployed|based|written|built|held)"
    r" (?:in|on|at|with|by)|(?:approved|owned|led|decided|signed|written|managed|run|chosen|reviewed|paid) by"
    r"|belongs? to|comes? from|goes? to|moves? to|points? to|set to|defaults? to|reports? to|called|named|chose"
    r"|chooses?|picks?(?:ed)?|prefers?|caused by|due to|because of|by|taking|measures?|takes?)"
    r"\s+(?:still |now |only |always |the |an? |its |our |their |my |on )*$",
    re.IGNORECASE,
)
"""Words after which one thing is named and no other: what something is, runs, lies in, belongs to or is caused by."""

DUTY = re.compile(
    r"^(?:approves?|owns?|decides?|signs?|leads?|chairs?|writes?|reviews?|pays?|answers? for|manages?|hosts?|holds?"
    r"|owes?|is responsible for|is in charge of|has the last word|heads?|runs?)\b",
    re.IGNORECASE,
)
"""What one party does and no other, when a claim says who."""

NAME_LIKE = re.compile(r"[A-Z]|\d|[a-z][_-][a-z]|/")

WORD = re.compile(r"\w+(?:[.'–-]\w+)*")
NAMED_HEAD = re.compile(r"(?<![.!?]\s)(?<!^)\b(?P<name>[A-Z][\w–-]*)\s+(?P<head>[a-z]{4,})\b")
"""A thing of a kind by its name: "the KL divergence"; what opens a sentence may be any word."""

RUNS = re.compile(
    r"\b(?:runs?|uses?|chose|picks?|caused by|due to|because of|made of|built of|located (?:in|at)|stored (?:in|on)"
    r"|kept (?:in|on)|written in|belongs? to|comes? from|(?:is|are) by)(?: (?:the|an?|its|with|on)){0,2} $",
    re.IGNORECASE,
)
"""Of these words some after which any noun is the one option, be it no name."""

PARTS = re.compile(r"[^\W\d_]{2,}")

# What a statement says of how many of a kind.
ALL = re.compile(r"\b(?:all|every|each|both|always|entire(?:ly)?|whole|without exception)\b", re.IGNORECASE)
NONE = re.compile(r"\b(?:none|nobody|no one|nothing|never|not any|not a single|no)\b", re.IGNORECASE)
SOME = re.compile(
    r"\b(?:not (?:all|every|each|both|always)|only (?:some|a few|part|half|one|\w+ of)|some but not all|sometimes"
    r"|all (?:but|except)|every\w* (?:but|except))\b",
    re.IGNORECASE,
)
NOT_ONLY = re.compile(r"\b(?:not only|not just)\b", re.IGNORECASE)

USED_TO = re.compile(
    r"\b(?:used to(?! \w+ing\b)|no longer|not any ?more|formerly|previously|until (?:last|recently|then)|in the past"
    r"|once (?:was|were|ran|had)|(?:is|are|has been|have been) (?:now )?(?:gone|history|a thing of the past))\b",
    re.IGNORECASE,
)
"""Wording that closes what held before."""

BE_USED_TO = re.compile(
    r"\b(?:is|are|was|were|be|been|get|gets|got|am|being|which|that|'s|'re) used to\b", re.IGNORECASE
)


def opposites(a: Profile, b: Profile) -> list[Veto]:
    """One says a word that excludes a word of the other, and what is left is about one thing."""
    if says_no(a) or says_no(b) or a.open or b.open or a.hedged or b.hedged:
        return []  # a denial turns the opposite round; what is open or guessed is for modality
    mine, theirs = _stems(a), _stems(b)
    if mine.isdisjoint(_excluded(b)):
        return []
    mine, theirs = mine - theirs, theirs - mine
    pairs = [(one, two) for one in sorted(mine) for two in sorted(theirs) if opposed(one, two)]
    pair = next((pair for pair in pairs if _in_one_place(_all_words(a), _all_words(b), pair)), None)
    if pair is None:
        return []
    out = {root(canonical(word)) for word in pair}
    certain = _same_frame(subject(a) - out, subject(b) - out) and not other_thing(a, b)
    return [Veto(Guard.OPPOSITE, f"{pair[0]} against {pair[1]}", opposed=True, certain=True)] if certain else []


@lru_cache(maxsize=8192)
def _stems(profile: Profile) -> frozenset[str]:
    """Stems and roots of all its words, function words too: "before" and "on" have opposites."""
    stems = frozenset(map(stem, words(profile.text))) - COUNTED
    return stems | frozenset(map(root, stems))


@lru_cache(maxsize=8192)
def _excluded(profile: Profile) -> frozenset[str]:
    """Stems and roots that exclude a word of this text."""
    return frozenset[str]().union(*(opposites_of(word) for word in _stems(profile)))


@lru_cache(maxsize=8192)
def _all_words(profile: Profile) -> tuple[str, ...]:
    return tuple(map(stem, words(profile.text)))


def _in_one_place(left: tuple[str, ...], right: tuple[str, ...], pair: tuple[str, str]) -> bool:
    """Whether two words stand in one place, when the rest of both claims is laid side by side."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return any(
        kind == "replace" and _has(left[start:end], pair[0]) and _has(right[other:last], pair[1])
        for kind, start, end, other, last in blocks
    )


def _has(stems: tuple[str, ...], word: str) -> bool:
    return word in stems or any(root(one) == word for one in stems)


def _same_frame(left: frozenset[str], right: frozenset[str]) -> bool:
    fewest = min(len(left), len(right))
    return fewest > 0 and shared_words(left, right) >= SAME_FRAME * max(fewest, 1) and _enough(left, right)


def _enough(left: frozenset[str], right: frozenset[str]) -> bool:
    """A frame of one word is enough only when neither claim has many more."""
    return shared_words(left, right) > 1 or max(len(left), len(right)) <= 2  # noqa: PLR2004 - see above


def options(a: Profile, b: Profile) -> list[Veto]:
    """In one frame each names another thing where only one can stand: "runs allkeys-lru" against "runs noeviction"."""
    mine, theirs = frozenset(_tokens(a)), frozenset(_tokens(b))
    differ = sorted((len(mine - theirs), len(theirs - mine)))
    if differ[0] == 0 or differ[0] > LONGEST_FILLER or mine.isdisjoint(theirs):
        return []
    if a.negative or b.negative or a.open or b.open or (a.lacking(b) and b.lacking(a) and _hard_values(a, b)):
        return []
    found = _replaced(_tokens(a), _tokens(b))
    if found is None:
        return []
    one, two, frame = found
    if frame < 1 or not _only_one(a, b, one, two):
        return []
    return [Veto(Guard.OPTION, f"{' '.join(one)} against {' '.join(two)}", opposed=True, certain=True)]


def _hard_values(a: Profile, b: Profile) -> bool:
    return any(mark.kind != "identifier" for mark in (*a.lacking(b), *b.lacking(a)))


@lru_cache(maxsize=8192)
def _tokens(profile: Profile) -> tuple[str, ...]:
    """Roots of its content words in order; words that tell how it stands are left out."""
    return tuple(root(canonical(term)) for term in content_sequence(profile.text) if root(term) not in TELLING)


def _replaced(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], int] | None:
    """The one run of words that differs, of one or two words each, and how many words are the same around it."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    changes = [
        block
        for block in blocks
        if block[0] == "replace" and not _one_name(left[block[1] : block[2]], right[block[3] : block[4]])
    ]
    extra = sum(block[2] - block[1] + block[4] - block[3] for block in blocks if block[0] in {"insert", "delete"})
    same = sum(block[2] - block[1] for block in blocks if block[0] == "equal")
    if len(changes) != 1 or extra > same:
        return None
    _, start, end, other, last = changes[0]
    one, two = left[start:end], right[other:last]
    if max(len(one), len(two)) > LONGEST_FILLER or set(one) & set(right) or set(two) & set(left):
        return None
    return one, two, same


def _one_name(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two runs of words name one thing: "session redis" and "rds-sess-01"."""
    one, two = (frozenset(part for word in side for part in PARTS.findall(word)) for side in (left, right))
    return min(len(one), len(two)) > 0 and shared_words(one, two) == min(len(one), len(two))


def _only_one(a: Profile, b: Profile, one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether only one of two fillers can stand: both name an option, or both name who has a duty."""
    left, right = _said(a, one), _said(b, two)
    if left is None or right is None:
        return False
    if _has_duty(left) and _has_duty(right):
        return True
    return _is_option(left) and _is_option(right) and not other_thing(a, b)


def _said(profile: Profile, filler: tuple[str, ...]) -> "re.Match[str] | None":
    """Where the filler's first word stands in the text."""
    return next((word for word in WORD.finditer(profile.text) if roots(word[0])[:1] == filler[:1]), None)


def roots(text: str) -> tuple[str, ...]:
    """Roots of the content words of a text, in order, each by the word that stands for its meaning."""
    return tuple(root(canonical(term)) for term in content_sequence(text))


def _has_duty(said: "re.Match[str]") -> bool:
    return NAME_LIKE.search(said[0]) is not None and DUTY.match(said.string[said.end() :].lstrip()) is not None


def _is_option(said: "re.Match[str]") -> bool:
    """Adjectives are told by their opposites, so an option is a name, a compound or the object of a verb of running."""
    before = said.string[: said.start()]
    return EXCLUSIVE.search(before) is not None and bool(NAME_LIKE.search(said[0]) or RUNS.search(before))


def rivals(a: Profile, b: Profile) -> list[Veto]:
    """Of one thing, each says another named one of a kind: "is the KL divergence" against "is Hellinger divergence"."""
    mine, theirs = _named(a), _named(b)
    if mine.keys().isdisjoint(theirs) or a.negative or b.negative or a.open or b.open:
        return []
    if not lead_words(a) & lead_words(b) or other_thing(a, b):
        return []
    for head in sorted(mine.keys() & theirs.keys()):
        one, two = mine[head], theirs[head]
        said = [profile.text.casefold() for profile in (a, b)]
        if not (any(name in said[1] for name in one) or any(name in said[0] for name in two)):
            detail = f"{', '.join(sorted(one))} against {', '.join(sorted(two))}"
            return [Veto(Guard.OPTION, detail, opposed=True, certain=True)]
    return []


@lru_cache(maxsize=8192)
def _named(profile: Profile) -> dict[str, frozenset[str]]:
    """Names by the root of the kind they name, where they stand behind the lead."""
    found: dict[str, set[str]] = {}
    start = len(lead_of(profile))
    for match in NAMED_HEAD.finditer(profile.text):
        if match.start() >= start and base_of_third_person(match["head"]) is None:
            found.setdefault(root(stem(match["head"])), set()).add(match["name"].casefold())
    return {head: frozenset(names) for head, names in found.items()}


def scope(a: Profile, b: Profile) -> list[Veto]:
    """Of one thing, one says all and the other none or not all."""
    left, right = _how_many(a), _how_many(b)
    if left == right or not {left, right} <= {"all", "none", "some"}:
        return []
    if {left, right} == {"all", "none"} and a.negative == b.negative:
        return []
    if not _same_frame(subject(a), subject(b)) or other_thing(a, b):
        return []
    return [Veto(Guard.SCOPE, f"{left} against {right}", opposed=True, certain=True)]


@lru_cache(maxsize=8192)
def _how_many(profile: Profile) -> str:
    text = NOT_ONLY.sub(" ", profile.text)
    if SOME.search(text):
        return "some"
    if ALL.search(text) and not NONE.search(text):
        return "all"
    return "none" if NONE.search(text) else ""


def validity(a: Profile, b: Profile) -> list[Veto]:
    """One says that something held once and no longer, the other that it holds: "we used to ship on Fridays"."""
    left, right = _closed(a), _closed(b)
    if left == right or a.open or b.open:
        return []
    holds = b if left else a
    if holds.negative or not _same_frame(subject(a), subject(b)) or other_thing(a, b):
        return []
    closed = a if left else b
    return [Veto(Guard.TIMING, f"{closed.text!r} tells of the past", opposed=True, certain=True)]


@lru_cache(maxsize=8192)
def _closed(profile: Profile) -> bool:
    return USED_TO.search(BE_USED_TO.sub(" ", profile.text)) is not None
