"""Nothing is promoted silently (rule 8): a guess does not become a fact, nor an exception a rule."""

import re
from collections.abc import Sequence

from consensus.lexical import root
from consensus.profile import Figure, Profile, profile_of
from dissolution.claims import FIRM_SECTIONS, Section
from wording.modality import Modality

ONCE = re.compile(
    r"\b(?:just|only) (?:for )?(?:this|that|the) (?:once|time|one|single|next|particular)\b"
    r"|\b(?:just|only) (?:for )?(?:this|that|the) \w+ (?:answer|reply|message|one)\b"
    r"|\b(?:just|only) (?:this|that) (?:once|time)\b"
    r"|\bfor (?:this|that|the next|your next) (?:one |single |next )?"
    r"(?:answer|reply|message|note|text|question|mail|letter|summary|paragraph)\b"
    r"|\b(?:just|only) for (?:this|that|the one|one) \w+"
    r"|\bone[- ]off\b|\bthis (?:one )?time only\b|\bas an exception\b|\b(?:this|next) (?:answer|reply|message) only\b",
    re.IGNORECASE,
)
"""Wording of an instruction for one answer."""

PART = re.compile(r"[;,:]\s+|\s+but\s+")
POINTS = re.compile(r"(?:that|this|it|which|these|those)\b(?:'s)? ?(?:is|are|was|were)?", re.IGNORECASE)
"""How a part begins that speaks of the part before it: "but that's pub talk"."""

FEWEST_TERMS = 2  # a part with fewer words of its own ("I guess") speaks of the part beside it

MOST_WORDS = 0.6  # share of the most words any stretch has from which another states the claim too
CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|only|would|can|may|means?|more|less|fewer|over|under|in case)\b",
    re.IGNORECASE,
)
"""Wording that keeps a condition, or a bound, in a claim."""

ALLOWS = re.compile(r"\bmay (?!be\b|have\b|well\b)", re.IGNORECASE)
"""Permission, and no guess: "nothing may change until 8 January"."""

HEARSAY = re.compile(
    r"\b(?:I|we)(?:'ve| have)? (?:only )?(?:heard|overheard|hear|gather|read somewhere|was told|were told)\b"
    r"|\b(?:pub talk|gossip|hearsay|grapevine|rumou?r(?:s|ed)?|word of mouth|small talk|they say|people say|so they say"
    r"|story goes|legend has it)\b",
    re.IGNORECASE,
)
"""Wording that passes on what others are said to say."""

AT_ONCE = re.compile(r"\b(?:now|right away|immediately|at once|straight away|already)\b", re.IGNORECASE)
WAITS = re.compile(
    r"\b(?:hold(?:s|ing)?|keep(?:s|ing)?|leav(?:e|es|ing)|park(?:s|ed|ing)?|postpones?)\b[^.;]{1,60}\buntil\b"
    r"|\b(?:only|not) (?:once|after|when|until|before)\b|\bwait(?:s|ing)? (?:for|until|with)\b|\bon hold\b",
    re.IGNORECASE,
)
"""Wording of what is done at once, and of what waits for something."""

BINDING = frozenset({Section.IDENTITY, Section.DECIDED})


def promoted(claim: Profile, section: Section, ground: Sequence[tuple[int, Profile]]) -> str | None:
    """Why the claim says more than the stretches it rests on, or None.

    Args:
        claim: The claim.
        section: Where it would stand.
        ground: The stretches it rests on, each with its turn; one that states it firmly is enough.
    """
    if section not in FIRM_SECTIONS or not ground:
        return None
    stating = _stating(claim, ground)
    if not _weighs(claim) and all(_doubts(stretch, claim) for _, stretch in stating):
        return "the conversation only supposes or asks it"
    conditional = all(stretch.modality is Modality.CONDITIONAL for _, stretch in stating)
    if section is Section.KNOWN and conditional and not CONDITION.search(claim.text):
        return "the conversation says it on a condition"
    if AT_ONCE.search(claim.text) and stating and all(_only_waits(stretch) for _, stretch in stating):
        return "the conversation says that it waits"
    once = {turn for turn, stretch in stating if ONCE.search(stretch.text)}
    if section in BINDING and once and not ONCE.search(claim.text) and {turn for turn, _ in stating} <= once:
        return "the conversation asks for it once, not as a rule"
    return None


def _only_waits(stretch: Profile) -> bool:
    return WAITS.search(stretch.text) is not None and AT_ONCE.search(stretch.text) is None


def only_supposed(claim: Profile, heard: Sequence[Profile]) -> bool:
    """Whether the conversation never vouches for one of the claim's figures, though the claim does.

    Args:
        claim: The claim.
        heard: All stretches of the conversation that hold one of its figures.
    """
    if _weighs(claim):
        return False
    for mark in claim.marks:
        if not mark.hard or mark.kind == "identifier":
            continue
        words = claim.bound[mark.key]
        said = [stretch for stretch in heard if stretch.has(mark) and words & frozenset(map(root, stretch.terms))]
        if said and all(_doubts_figure(one, mark) for one in said):
            return True
    return False


def _doubts_figure(stretch: Profile, mark: Figure) -> bool:
    """Whether the part of a stretch that has a figure, or one that speaks of the part before it, is no firm word."""
    parts = [profile_of(part) for part in PART.split(ALLOWS.sub("can ", stretch.text))]
    holds = [place for place, part in enumerate(parts) if part.has(mark)]
    about = [parts[place] for place in holds]
    about += [parts[place + 1] for place in holds if place + 1 < len(parts) and POINTS.match(parts[place + 1].text)]
    return any(_weighs(part) for part in about or [stretch])


def _weighs(part: Profile) -> bool:
    """Whether it guesses, asks or passes on hearsay."""
    return part.hedged or part.open or HEARSAY.search(part.text) is not None


def _stating(claim: Profile, ground: Sequence[tuple[int, Profile]]) -> list[tuple[int, Profile]]:
    """The stretches that share most words with the claim; the rest only lends a figure or a name."""
    words = frozenset(term for term in claim.terms if term.isalpha())
    most = max(len(words & stretch.terms) for _, stretch in ground)
    return [(turn, stretch) for turn, stretch in ground if len(words & stretch.terms) >= MOST_WORDS * most]


def _doubts(stretch: Profile, claim: Profile) -> bool:
    """Whether a stretch supposes or asks what the claim says, and not something beside it."""
    if not _weighs(stretch):
        return False
    parts = [profile_of(part) for part in PART.split(stretch.text)]
    about = [part for part in parts if part.terms & claim.terms or len(part.terms) < FEWEST_TERMS]
    return not about or any(_weighs(part) for part in about)
