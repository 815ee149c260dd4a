"""May two claims mean the same? What embeddings do not see: figures, dates, polarity, modality, who does what.

Each guard looks at a pair of profiles and may veto it. A vetoed pair never shares a group. A veto says as well whether
the pair is opposed: whether, if both are about the same thing, they cannot both hold. One module, though long: the
guards are read against each other, and each is short.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from consensus.figures import comparable, one_measure, unrounded
from consensus.lexical import root
from consensus.profile import Figure, Profile
from wording.modality import Modality
from wording.words import STOPWORDS, stem, words


class Guard(StrEnum):
    """What two claims differ in."""

    NUMBER = "number"
    DATE = "date"
    IDENTIFIER = "identifier"
    NEGATION = "negation"
    CHOICE = "choice"
    MODALITY = "modality"
    ROLES = "roles"
    TIMING = "timing"


@dataclass(frozen=True, slots=True)
class Veto:
    """Why two claims may not share a group.

    Attributes:
        guard: What they differ in.
        detail: The difference in words, for a person.
        opposed: Whether they cannot both hold, if they are about the same thing.
    """

    guard: Guard
    detail: str
    opposed: bool


SAME_SUBJECT = 0.6  # share of the smaller claim's subject words found in the other
SUBJECT_WORDS = 2  # fewer shared words than this are no subject, unless a claim has no more
KINDS = {"number": Guard.NUMBER, "date": Guard.DATE, "identifier": Guard.IDENTIFIER}
_MEASURES = (
    "second minute hour day week month year percent per cent dollar dollars euro euros usd eur us mb gb tb kg ha "
    "about around roughly some approximately"
)
MEASURES = frozenset(map(stem, _MEASURES.split()))
"""Words that belong to a figure, not to what it is about."""

PASSIVE = frozenset({"by"})
CAPITAL = re.compile(r"(?<!\w)[A-Z][\w'-]*")
WAITS = re.compile(
    r"\b(?:only|not) (?:once|after|when|until|before)\b|\bonce .{1,80} (?:is|are|has|have)\b"
    r"|\bwaits? (?:for|until)\b|\bon hold\b",
    re.IGNORECASE,
)
AT_ONCE = re.compile(r"\b(?:now|right away|immediately|at once|straight away|already)\b", re.IGNORECASE)
BOTH_WAYS = 0.5  # share of the longer claim's words that a denial and what it denies have in common
OWNED = 0.5  # share of the words said with a figure that must be said with the other one


def vetoes(a: Profile, b: Profile, guards: "Sequence[GuardRule] | None" = None) -> tuple[Veto, ...]:
    """Every reason why `a` and `b` may not share a group; none when they may. Symmetric but for the order of details.

    A difference on one side only is no veto: a claim with a number and one without may mean the same.

    Args:
        a: One claim.
        b: Another.
        guards: The guards asked; all when None. Fewer are for measuring what each is worth.
    """
    if a.text == b.text:
        return ()
    return tuple(veto for guard in (GUARDS if guards is None else guards) for veto in guard(a, b))


def vetoed(a: Profile, b: Profile, guards: "Sequence[GuardRule] | None" = None) -> bool:
    """Whether there is any reason in `vetoes`; the first one found is enough."""
    return a.text != b.text and any(guard(a, b) for guard in (GUARDS if guards is None else guards))


def contradiction(a: Profile, b: Profile) -> Veto | None:
    """The first veto that opposes two claims about the same thing, or None: they can both hold."""
    opposed = next((veto for veto in vetoes(a, b) if veto.opposed), None)
    same = opposed is not None and (same_subject(a, b) or rebound(a, b) is not None)
    return opposed if same else None


def same_subject(a: Profile, b: Profile) -> bool:
    """Whether two claims share enough words, figures left out, to be about the same thing."""
    left, right = _subject(a), _subject(b)
    same = len([mark for mark in a.marks if mark.hard and b.has(mark)])  # figures both give are part of the subject
    fewest = min(len(left), len(right)) + same
    if fewest == 0 or not left & right:
        return False
    shared = len(left & right) + same
    return shared >= min(SUBJECT_WORDS, fewest) and shared / fewest >= SAME_SUBJECT


@lru_cache(maxsize=4096)  # each claim meets many others
def _subject(profile: Profile) -> frozenset[str]:
    """Roots of its words; rates and units are the figures' part."""
    return frozenset(root(term) for term in profile.terms if not term[0].isdigit() and term not in MEASURES)


def _figures(a: Profile, b: Profile) -> list[Veto]:
    """Both have a figure of one kind that the other lacks."""
    left, right = unrounded(a.lacking(b), b), unrounded(b.lacking(a), a)
    found: list[Veto] = []
    for kind, guard in KINDS.items():
        mine = [mark for mark in left if mark.kind == kind]
        theirs = [mark for mark in right if mark.kind == kind]
        if mine and theirs:
            detail = f"{_listed(mine)} against {_listed(theirs)}"
            one_denies = a.negative != b.negative  # "it is 9,200" and "it is not 3,800" both hold
            found.append(Veto(guard, detail, opposed=not one_denies and comparable(a, b, mine, theirs)))
    return found


def rebound(a: Profile, b: Profile) -> str | None:
    """A symbol that both bound, each by another value: "p < 0.01" against "p < 0.001"; or None."""
    return next((slot for slot in sorted(a.slots.keys() & b.slots.keys()) if not a.slots[slot] & b.slots[slot]), None)


def _rebound(a: Profile, b: Profile) -> list[Veto]:
    slot = rebound(a, b)
    return [] if slot is None else [Veto(Guard.NUMBER, f"{slot} has two values", opposed=True)]


def _listed(marks: list[Figure]) -> str:
    return ", ".join(sorted(mark.key.removeprefix("id:") for mark in marks))


def _polarity(a: Profile, b: Profile) -> list[Veto]:
    """Of the same thing, one denies or rejects it, the other does not."""
    if a.negative == b.negative or a.open or b.open or not same_subject(a, b):
        return []
    left, right = _subject(a), _subject(b)
    rejects = a.rejects or b.rejects
    if not rejects and a.lacking(b) and b.lacking(a):
        return []  # "it is 9,200" and "it is not 3,800" both hold
    if not rejects and len(left & right) < BOTH_WAYS * max(len(left), len(right)):
        return []  # a longer claim denies something else of the same subject
    denying, other = (a, b) if a.negative else (b, a)
    if other.denies:
        return []  # each denies something: which of the two is denied where is not told by rules
    guard = Guard.CHOICE if denying.rejects else Guard.NEGATION
    return [Veto(guard, f"only {denying.text!r} denies", opposed=True)]


@lru_cache(maxsize=4096)  # each claim meets many others
def _standing(profile: Profile) -> str:
    """Question, guess or firm: obligation, plan and fact may paraphrase each other, a guess never a fact."""
    if profile.hedged or profile.modality is Modality.GUESS:
        return "guess"  # "whether they share it is unchecked" too: it calls the fact a guess
    return "question" if profile.open else "firm"


def _modality(a: Profile, b: Profile) -> list[Veto]:
    """One is open or guessed, the other firm."""
    left, right = _standing(a), _standing(b)
    if left == right:
        return []
    return [Veto(Guard.MODALITY, f"{left} against {right}", opposed="firm" in {left, right})]


def _roles(a: Profile, b: Profile) -> list[Veto]:
    """The same words with the parties in the other order: "A pays B" against "B pays A"."""
    if a.terms != b.terms:
        return []
    left, right = _parties(a.text), _parties(b.text)
    if len(left) < 2 or set(left) != set(right):  # noqa: PLR2004 - two parties
        return []
    swapped = (left != right) != (_passive(a) != _passive(b))
    return [Veto(Guard.ROLES, f"{' '.join(left)} against {' '.join(right)}", opposed=True)] if swapped else []


def _parties(text: str) -> list[str]:
    """Words with a capital, the first of a sentence too, in order."""
    found = (match[0].removesuffix("'s") for match in CAPITAL.finditer(text))
    return list(dict.fromkeys(word.casefold() for word in found if word.casefold() not in STOPWORDS))


def _passive(profile: Profile) -> bool:
    return not PASSIVE.isdisjoint(words(profile.text))


def _crossed(a: Profile, b: Profile) -> list[Veto]:
    """The same figures given to each other's owners."""
    found = crossed(a, b)
    return [] if found is None else [Veto(Guard.ROLES, f"{found[0]} and {found[1]} have changed places", opposed=True)]


def crossed(a: Profile, b: Profile) -> tuple[str, str] | None:
    """Two figures given to each other's owners: "X is 1204 and Y 1240" against "X is 1240 and Y 1204"; or None."""
    left, right = a.owners, b.owners
    shared = sorted(left.keys() & right.keys())
    for place, one in enumerate(shared):
        for two in shared[place + 1 :]:
            straight = (left[one] & right[one]) | (left[two] & right[two])
            crosses = (left[one] & right[two]) - straight and (left[two] & right[one]) - straight
            if crosses:
                return one, two
    return None


def misplaced(a: Profile, b: Profile) -> bool:
    """Whether `b` gives a figure of `a` to something else, and to its owner another: one-sided `_crossed`.

    "The paper is due on 20 March" against "20 March to register the title, 27 March for the paper".
    """
    for mark in a.marks:
        words = a.bound[mark.key] if mark.hard and mark.kind != "identifier" else frozenset[str]()
        same = [other for other in b.marks if not mark.wants.isdisjoint(other.holds)] if len(words) > 1 else []
        if not same or any(words & b.bound[other.key] for other in same):
            continue
        for other in b.marks:
            rival = other.kind == mark.kind and any(one_measure(other.group, one.group) for one in same)
            if rival and not a.has(other) and owned(words, b.bound[other.key]):
                return True
    return False


def owned(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether enough of the words said with a figure are said with another."""
    return bool(words) and len(words & others) >= OWNED * len(words)


def _misplaced(a: Profile, b: Profile) -> list[Veto]:
    """One gives the other's figure to something else."""
    if misplaced(a, b) or misplaced(b, a):
        return [Veto(Guard.NUMBER, "a figure belongs to something else", opposed=True)]
    return []


def _timing(a: Profile, b: Profile) -> list[Veto]:
    """One waits for something, the other does it at once."""
    for one, two in ((a, b), (b, a)):
        if _is_at_once(two.text) and not _is_at_once(one.text) and _waits(one.text):
            return [Veto(Guard.TIMING, f"{one.text!r} waits", opposed=True)]
    return []


@lru_cache(maxsize=4096)  # each claim meets many others
def _waits(text: str) -> bool:
    return WAITS.search(text) is not None


@lru_cache(maxsize=4096)  # each claim meets many others
def _is_at_once(text: str) -> bool:
    return AT_ONCE.search(text) is not None


GuardRule = Callable[[Profile, Profile], list[Veto]]
GUARDS: tuple[GuardRule, ...] = (
    _figures,
    _polarity,
    _modality,
    _roles,
    _crossed,
    _misplaced,
    _rebound,
    _timing,
)
