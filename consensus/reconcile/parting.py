"""What is left of one sentence of which only a piece ends: "Kinesis, provisioned, 8 shards, 7 days" without its shards.

A sentence is a head and what is joined to it by commas, dashes and "and": further values, further things that its
subject does, phrases of place or means. What is not touched stays as it was worded. Nothing is taken out where the
rest would not be a sentence, or where a condition or a reason reaches over the joint: then the sentence is one piece.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from consensus.concepts import roots_in_order
from consensus.profile import profile_of
from wording.grammar import FUTURE_AUX, PAST_AUX, PREPOSITIONS, PRESENT_AUX
from wording.verbs import ALSO_NOUNS, BASES, STRONG_PASTS, base_of_third_person, is_weak_past, word_set

WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
FINITE = PRESENT_AUX | PAST_AUX | FUTURE_AUX
LEADS = PREPOSITIONS | word_set("the a an our my your their its his her this these those no each every any")
"""Words behind which a noun stands, not a verb."""

PERSONS = frozenset({"i", "we", "you", "they"})
PARTICIPLES = word_set("not done gone run set put made given taken written known shown drawn driven chosen")

NEAR = 4  # words beside an "and" that tell whether it joins values
OPENS_PHRASE = PREPOSITIONS | PARTICIPLES
FEWEST_ROOTS = 2  # content words without which a piece says nothing by itself

JOINT = re.compile(r"\s*(?:[,;]\s+(?:(?:and|but|as well as|plus)\s+)?|\s[-–—]\s|\s(?:and|but|as well as)\s+)")
"""Where a sentence may be taken apart."""

LEAD = re.compile(r"^[^,;:]{1,40}:\s+")
"""What a list is of: "Ruled out: EKS, Lambda"."""

REACHES = re.compile(
    r"\b(?:if|unless|when|whenever|once|until|till|after|before|because|since|whether|either|neither|both|between|that"
    r"|so|although|though|provided|as long as|than|instead|rather|from)\b",
    re.IGNORECASE,
)
"""Wording that may hold for both sides of a joint behind it."""

HANGS = re.compile(
    r"^(?:which|who|whose|whom|where|when|because|since|so|as|if|unless|although|though|not|nor|or|each|both"
    r"|respectively|then|too|only|except|instead|rather|while|whereas|i\.e|e\.g|namely|including)\b",
    re.IGNORECASE,
)
"""How a piece begins that says something of the piece before it, or undoes it."""

OPENING = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»"}


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a sentence.

    Attributes:
        joint: What joins it to the piece before; empty for the head.
        text: Its words.
    """

    joint: str
    text: str


def rest_of(sentence: str, touched: Callable[[str], bool]) -> str | None:
    """The sentence without its pieces that something ends; None where it cannot be parted, or nothing is left.

    Args:
        sentence: A sentence that is touched.
        touched: Whether what ends the claim ends words of it.
    """
    pieces = pieces_of(sentence)
    if len(pieces) == 1:
        return None
    head, others = pieces[0], pieces[1:]
    kept = [piece for piece in others if not touched(_sentence([head, piece])) and not touched(piece.text)]
    if others[-1] not in kept and _shared(head, others[-1], touched):
        return None
    rest = _sentence([head, *kept]) if len(kept) < len(others) and not touched(head.text) else None
    if rest is None or touched(rest):
        loose = [piece for piece in others if not touched(piece.text)]
        rest = _without_head(head.text, others, loose)
    return None if rest is None or touched(rest) or not _says(rest) else rest


def _shared(head: Piece, last: Piece, touched: Callable[[str], bool]) -> bool:
    """Whether what is touched of the last of a list may belong to all: "a1, a2 and a3 between 8 and 9"."""
    phrase = next((word for word in WORD.finditer(last.text) if word[0].casefold() in PREPOSITIONS), None)
    if phrase is None or not phrase.start() or not _is_value(last.text):
        return False
    core = Piece(last.joint, last.text[: phrase.start()].strip())
    return not touched(core.text) and not touched(_sentence([head, core]))


def stay_of(sentence: str, touched: Callable[[str], bool]) -> tuple[str, ...]:
    """The pieces of a sentence that nothing touches and that do not hang on a piece that something does.

    A phrase of place, means or manner goes with its head: "at 708 USD a month" with what costs that.
    """
    pieces = pieces_of(sentence)
    own = [piece.text for piece in pieces if not _is_phrase(piece.text) or piece is pieces[0]]
    return tuple(text for text in own if len(pieces) > 1 and _says(text) and not touched(text))


@lru_cache(maxsize=4096)
def pieces_of(sentence: str) -> tuple[Piece, ...]:
    """The head of a sentence and what is joined to it, in order; one piece where nothing may be taken apart."""
    lead = LEAD.match(sentence)
    begin, first = 0, verb_at(sentence)
    found: list[Piece] = []
    joint = ""
    commas = any("," in match[0] or ";" in match[0] for match in JOINT.finditer(sentence))
    for match in JOINT.finditer(sentence, lead.end() if lead else 0):
        left, right = sentence[begin : match.start()], sentence[match.end() :]
        if not left.strip() or not right.strip() or _inside(sentence, match.start()):
            continue
        if REACHES.search(sentence, 0, match.start()) or HANGS.match(right):
            continue
        if first is not None and match.start() < first[0]:
            continue  # before the verb: what the sentence is about, in several words
        if "," not in match[0] and ";" not in match[0] and not _joins(left, right, listed=commas and bool(found)):
            continue
        found.append(Piece(joint, left))
        joint, begin = match[0], match.end()
    return (*found, Piece(joint, sentence[begin:]))


def _joins(left: str, right: str, *, listed: bool) -> bool:
    """Whether a bare "and" joins what may be parted: the last of a list, a further verb, or two values."""
    after = JOINT.split(right)[0]
    if _opens_with_verb(right):
        return True
    after = JOINT.split(right)[0]
    return not _is_phrase(left) and not _is_phrase(after) and (listed or (_tells(left) and _tells(f"and {after}")))


def _is_phrase(text: str) -> bool:
    """Whether a piece begins as a phrase of its own, in which "and" joins two words: "with tea and biscuits"."""
    words = [word.casefold() for word in WORD.findall(text)[:1]]
    return any(word in OPENS_PHRASE or is_weak_past(word) or word.endswith("ing") for word in words)


def _tells(text: str) -> bool:
    """Whether the last words of a text, or all where they are few, hold a figure or a name."""
    words = text.split()
    near = " ".join(words[max(1, len(words) - NEAR) :])
    return any(word[:1].isupper() for word in WORD.findall(near)) or any(mark.hard for mark in profile_of(near).marks)


def _inside(text: str, at: int) -> bool:
    """Whether a place stands in brackets or quotes."""
    closes: list[str] = []
    quoted = dict.fromkeys('`"', False)
    for letter in text[:at]:
        if letter in quoted:
            quoted[letter] = not quoted[letter]
        elif closes and letter == closes[-1]:
            closes.pop()
        elif letter in OPENING:
            closes.append(OPENING[letter])
    return bool(closes) or any(quoted.values())


def verb_at(text: str) -> tuple[int, int] | None:
    """Where the first finite verb of a text begins and ends; None in a list without one."""
    before = ""
    for match in WORD.finditer(text):
        word = match[0].casefold()
        counted = before[:1].isdigit()
        if word in FINITE or (before and before not in LEADS and not counted and _is_verb(word, before)):
            return match.span()
        before = word
    return None


def _is_verb(word: str, before: str) -> bool:
    third = base_of_third_person(word)
    if third is not None:
        return third not in ALSO_NOUNS or not before.endswith("s")
    many = before in PERSONS or (before.endswith("s") and word not in ALSO_NOUNS)
    return word in STRONG_PASTS or (word in BASES and many)


def _opens_with_verb(text: str) -> bool:
    """Whether a piece begins with a finite verb: a further thing that the subject does."""
    words = [word.casefold() for word in WORD.findall(text)[:2]]
    if words[:1] and words[0] in {"never", "always", "also", "then", "only"}:
        words = words[1:]
    return bool(words) and (words[0] in FINITE or base_of_third_person(words[0]) in BASES or words[0] in STRONG_PASTS)


def _without_head(head: str, others: Sequence[Piece], kept: Sequence[Piece]) -> str | None:
    """The rest where the head is touched: its subject with its other verbs, or its verb with its other values."""
    verb = verb_at(head)
    if not kept or verb is None or not head[: verb[0]].strip():
        return None
    if all(_opens_with_verb(piece.text) for piece in others):
        return _sentence([Piece("", f"{head[: verb[0]].strip()} {kept[0].text}"), *kept[1:]])
    if any(_opens_with_verb(piece.text) or not _is_value(piece.text) for piece in others):
        return None
    opening = head[: _governed(head, verb[1])]
    return _sentence([Piece("", f"{opening.strip()} {kept[0].text}"), *kept[1:]])


def _governed(head: str, verb: int) -> int:
    """Where the first value of a head begins, behind its verb: "are done by", "go to", "has"."""
    at = verb
    for word in WORD.finditer(head, verb):
        said = word[0].casefold()
        if said in PREPOSITIONS:
            return word.end()
        if said not in PARTICIPLES and not is_weak_past(said):
            break
        at = word.end()
    return at


def _is_value(text: str) -> bool:
    """Whether a piece is a value or a thing, not a clause or a participle of its own: "7 days", "Redis 7"."""
    words = [word.casefold() for word in WORD.findall(text)]
    return bool(words) and verb_at(text) is None and not _is_phrase(text)


def _sentence(pieces: Sequence[Piece]) -> str:
    """Pieces put together again, as a sentence of their own."""
    text = "".join(f"{piece.joint if place else ''}{piece.text}" for place, piece in enumerate(pieces)).strip(" ,;")
    return text.rstrip(".") + "."


def _says(text: str) -> bool:
    """Whether words say something by themselves."""
    return len(frozenset(roots_in_order(text))) >= FEWEST_ROOTS
