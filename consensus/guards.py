"""May two claims mean the same? What embeddings do not see: figures, dates, polarity, modality, who does what.

Each guard looks at a pair of profiles and may veto it. A vetoed pair never shares a group. A veto says as well whether
the pair is opposed: whether, if both are about the same thing, they cannot both hold. One module, though long: the
guards are read against each other, and each is short.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from consensus.comparisons import exchanged, turned
from consensus.denials import denied_elsewhere, rejected_whole, says_no
from consensus.figures import comparable, unrounded
from consensus.guards_names import about_another, renamed
from consensus.guards_values import (
    calls_wrong,
    changed,
    none_of,
    owned_twice,
    taken_back,
    told_of_before,
    unlimited,
)
from consensus.guards_words import opposites, options, rivals, scope, validity
from consensus.places import crossed, misplaced, owned, rebound
from consensus.profile import Figure, Profile
from consensus.veto import MEASURES, Guard, GuardRule, Veto, head_of, other_thing, same_subject, shared_words, subject
from wording.modality import Modality
from wording.words import STOPWORDS, words

__all__ = [
    "GUARDS", "MEASURES", "Guard", "GuardRule", "Veto", "contradiction", "crossed", "misplaced", "owned", "rebound",
    "same_subject", "vetoed", "vetoes",
]  # fmt: skip

KINDS = {"number": Guard.NUMBER, "date": Guard.DATE, "identifier": Guard.IDENTIFIER}
PASSIVE = frozenset({"by"})
CAPITAL = re.compile(r"(?<!\w)[A-Z][\w'-]*")
WAITS = re.compile(
    r"\b(?:only|not) (?:once|after|when|until|before)\b|\bonce .{1,80} (?:is|are|has|have)\b"
    r"|\bwaits? (?:for|until)\b|\bon hold\b",
    re.IGNORECASE,
)
AT_ONCE = re.compile(r"\b(?:now|right away|immediately|at once|straight away|already)\b", re.IGNORECASE)
RULES = frozenset({Modality.OBLIGATION, Modality.CONDITIONAL, Modality.PROHIBITION})
"""Modalities that assert no fact, so that they answer no question."""

ALTERNATIVES = re.compile(r"\b(?:who|whose|whom|what|which|how|where|when|why|or)\b(?! not\b)", re.IGNORECASE)
INQUIRY = re.compile(
    r"\b(?:about|check(?:s|ing)?|ask(?:s|ed|ing)?|test(?:s|ing)?|investigat\w+|verif(?:y|ies|ying)|clarif(?:y|ies|ying)"
    r"|finds? out|finding out|looks? into|looking into|see(?:s|ing)?|presum(?:es|ing)|assum(?:es|ing)|suppos(?:es|ing)"
    r"|depends on) (?:that|if|who|how|which|what)\b|\bwhether\b|\bneeds? (?:a look|checking|clarifying|an answer)\b",
    re.IGNORECASE,
)
"""Wording that asks in the form of a statement."""

NEED_NOT = re.compile(
    r"\b(?:need not|needn't|(?:do|does) not (?:have|need) to|(?:do|does)n't (?:have|need) to|not (?:required|mandatory)"
    r"|optional|voluntary|free to)\b",
    re.IGNORECASE,
)
BOTH_SAY = 2  # words or figures an open claim and a firm one must share to be about one fact
BOTH_WAYS = 0.5  # share of the longer claim's words that a denial and what it denies have in common


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
    opposing = [veto for veto in vetoes(a, b) if veto.opposed]
    if opposing and about_another(a, b):
        return None
    if opposing and (same_subject(a, b) or rebound(a, b) is not None or _one_value(a, b)):
        return opposing[0]
    return next((veto for veto in opposing if veto.certain), None)


def _one_value(a: Profile, b: Profile) -> bool:
    """Whether each gives one value in one unit of what is called the same: "the budget is 9,000 USD a month"."""
    values = [[mark for mark in one.marks if mark.hard and mark.kind == "number"] for one in (a, b)]
    if len(values[0]) != 1 or len(values[1]) != 1 or not (values[0][0].group and values[1][0].group):
        return False
    return head_of(a) is not None and head_of(a) == head_of(b)


def _figures(a: Profile, b: Profile) -> list[Veto]:
    """Both have a figure of one kind that the other lacks."""
    left, right = unrounded(a.lacking(b), b), unrounded(b.lacking(a), a)
    found: list[Veto] = []
    for kind, guard in KINDS.items():
        mine = [mark for mark in left if mark.kind == kind]
        theirs = [mark for mark in right if mark.kind == kind]
        if mine and theirs:
            detail = f"{_listed(mine)} against {_listed(theirs)}"
            may = comparable(a, b, mine, theirs) and not other_thing(a, b)
            told_off = calls_wrong(a) or calls_wrong(b) or told_of_before(a) != told_of_before(b)
            may = may and not told_off  # a value taken back, or one of another time, opposes none
            one_denies = a.negative != b.negative  # "it is 9,200" and "it is not 3,800" both hold
            found.append(Veto(guard, detail, opposed=not one_denies and may))
    return found


def _rebound(a: Profile, b: Profile) -> list[Veto]:
    slot = rebound(a, b)
    return [] if slot is None else [Veto(Guard.NUMBER, f"{slot} has two values", opposed=True)]


def _listed(marks: list[Figure]) -> str:
    return ", ".join(sorted(mark.key.removeprefix("id:") for mark in marks))


def _polarity(a: Profile, b: Profile) -> list[Veto]:
    """Of the same thing, one denies or rejects it, the other does not."""
    if a.negative == b.negative or a.open or b.open:
        return []
    whole = rejected_whole(a, b) or rejected_whole(b, a)
    if not (whole or same_subject(a, b)):
        return []
    if _standing(a) == _standing(b) == "guess" and not (says_no(a) or says_no(b)):
        return []  # "unverified" denies that it is known, as "a guess" does
    if not (a.rejects or b.rejects) and _may_both_hold(a, b):
        return []
    denying, other = (a, b) if a.negative else (b, a)
    if other.denies:
        return []  # each denies something: which of the two is denied where is not told by rules
    guard = Guard.CHOICE if denying.rejects else Guard.NEGATION
    return [Veto(guard, f"only {denying.text!r} denies", opposed=not denied_elsewhere(denying, other), certain=whole)]


def _may_both_hold(a: Profile, b: Profile) -> bool:
    """Whether a denial leaves the other claim alone: it is of another value, or of something else of the subject."""
    if a.lacking(b) and b.lacking(a):
        return True  # "it is 9,200" and "it is not 3,800"
    left, right = subject(a), subject(b)
    return shared_words(left, right) < BOTH_WAYS * max(len(left), len(right))


@lru_cache(maxsize=4096)  # each claim meets many others
def _standing(profile: Profile) -> str:
    """Question, guess or firm: obligation, plan and fact may paraphrase each other, a guess never a fact."""
    if profile.hedged or profile.modality is Modality.GUESS:
        return "guess"  # "whether they share it is unchecked" too: it calls the fact a guess
    return "question" if profile.open else "firm"


def _modality(a: Profile, b: Profile) -> list[Veto]:
    """One is open or guessed, the other firm; or one permits what the other demands."""
    left, right = _standing(a), _standing(b)
    if left == right:
        return _duties(a, b)
    firm, other = (a, b) if left == "firm" else (b, a)
    opposed = "firm" in {left, right} and _answers(firm, other)
    return [Veto(Guard.MODALITY, f"{left} against {right}", opposed=opposed)]


def _answers(firm: Profile, other: Profile) -> bool:
    """Whether a firm claim asserts what the other leaves open: a rule and "nobody knows" do not."""
    asked = subject(other)
    figures = sum(mark.kind != "identifier" and other.has(mark) for mark in firm.marks)
    least = min(BOTH_SAY, len(asked)) if other.open else BOTH_SAY
    if shared_words(asked, subject(firm)) + figures < least or firm.modality in RULES or INQUIRY.search(firm.text):
        return False
    if other.open and ALTERNATIVES.search(other.text):  # "which" and "this or that" are answered by all their words
        return not firm.negative and shared_words(asked, subject(firm)) == len(asked)
    return True


def _duties(a: Profile, b: Profile) -> list[Veto]:
    """What one must do the other may do or need not do: they differ, and "need not" denies "must"."""
    kinds = {a.modality, b.modality}
    if kinds != {Modality.OBLIGATION, Modality.PERMISSION} or not same_subject(a, b):
        return []
    free = a if a.modality is Modality.PERMISSION else b
    return [Veto(Guard.MODALITY, f"only {free.text!r} leaves it free", opposed=NEED_NOT.search(free.text) is not None)]


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


def _misplaced(a: Profile, b: Profile) -> list[Veto]:
    """One gives the other's figure to something else."""
    short = [len(subject(one)) == 1 for one in (a, b)]  # "the sandbox is 1240" has but one word
    if misplaced(a, b, 2 - short[0]) or misplaced(b, a, 2 - short[1]):
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


GUARDS: tuple[GuardRule, ...] = (
    _figures,
    _polarity,
    _modality,
    _roles,
    _crossed,
    _misplaced,
    _rebound,
    _timing,
    changed,
    taken_back,
    unlimited,
    none_of,
    owned_twice,
    opposites,
    options,
    rivals,
    scope,
    validity,
    turned,
    exchanged,
    renamed,
)
