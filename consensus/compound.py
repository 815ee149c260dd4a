"""Facts joined inside one sentence, taken apart: who says "X is 1.3.0 and Y is ruled out" says two things.

A part is a stretch of the sentence as it stands, or such a stretch with words carried over from the rest of the
sentence by a rule, and the rule is recorded. Parting must never change what is said, so whatever reaches over a joint
(a condition, a doubt, a "that", a pronoun that points back, "respectively") leaves the sentence whole; so does
everything these rules do not know. They know English; sentences of other languages stay whole but for semicolons.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from wording.grammar import (
    ADVERBS,
    DETERMINERS,
    FUTURE_AUX,
    PAST_AUX,
    PERSONAL,
    PREPOSITIONS,
    PRESENT_AUX,
    RELATIVES,
    SUBORDINATORS,
)
from wording.hedges import is_hedged
from wording.masks import blanked, code_spans, quotation_spans
from wording.verbs import ALSO_NOUNS, BASES, base_of_third_person, word_set


class Carried(StrEnum):
    """What was carried over into a part."""

    NOTHING = "nothing"  # the part stands in the sentence as it is
    SUBJECT = "subject"  # "X uses A and needs B": "X needs B"
    PREDICATE = "predicate"  # "A and B are ruled out": "A is ruled out"


CARRIED_WORDS = {
    Carried.SUBJECT: "its subject is carried over from the beginning of the sentence",
    Carried.PREDICATE: "its predicate is carried over from what the sentence says of several",
}
"""How a claim's reason tells what was carried over."""


@dataclass(frozen=True, slots=True)
class Part:
    """One fact of a sentence.

    Attributes:
        text: Its words.
        start: Where its own stretch begins in the sentence.
        carried: What was carried over; everything else stands there.
    """

    text: str
    start: int
    carried: Carried = Carried.NOTHING


LONGEST = 600  # a longer sentence is a listing or a log, no sentence
SUBJECT_WORDS = 8  # a longer subject is usually no subject, and carried over it would be most of the part
FEWEST_WORDS = 3  # words of a part; "It holds" says nothing by itself

JOINT = re.compile(r";\s+|,?\s+(?:and|but)\s+|,\s+(?=\S)")
WORD = re.compile(r"[^\W_]+(?:[-'’./:_][^\W_]+)*")
BRACKET = re.compile(r"\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]")

FINITE = PRESENT_AUX | PAST_AUX | FUTURE_AUX
"""Words that are a finite verb wherever they stand."""

REACHES = SUBORDINATORS | RELATIVES | frozenset({"if", "only", "for", "so", "than", "such"})
"""Before a joint: what may hold for both sides of it."""

CONDITION = word_set(
    """
    if unless until when whenever once while provided only except without
    """
)
"""After a joint: what may hold for the side before it as well."""

TOGETHER = re.compile(
    r"\b(?:respectively|together|each other|one another|in that order|between|both|either|neither|whether|alike"
    r"|combined|in total|altogether|not only|as well as|vice versa)\b",
    re.IGNORECASE,
)
"""Anywhere: what is said of several things as one."""

POINTS_BACK = word_set(
    """
    it they them he she him his her hers its their theirs this these those that such same other others another
    former latter one ones so then therefore thus hence instead otherwise too there here
    """
)
"""In a part: what cannot be read without the part before it."""

POSSESSIVE = frozenset({"its", "their"})
"""Those of them that may point to the subject that is carried over."""

SAYS = word_set(
    """
    think thinks believe believes suppose supposes guess guesses say says said claim claims hope hopes fear
    fears expect expects assume assumes suggest suggests suspect suspects doubt doubts know knows ask asks
    wonder report reports feel feels mean means imagine
    """
)
"""Verbs that report: what follows may be theirs on both sides of a joint."""

QUANTIFIED = word_set(
    """
    no nobody nothing none neither few little hardly only every each any
    """
)
"""Subjects that mean something else when they are said twice."""

DISTRIBUTES = re.compile(
    r"(?:now |still |all |already |finally |formally )?(?:decided|settled|agreed|open|undecided|unconfirmed|provisional"
    r"|fixed|chosen|approved|accepted|rejected|excluded|ruled out|out of scope|out|off the table|withdrawn|dropped"
    r"|abandoned|closed|done|finished|pending|unknown|unresolved|untested|unverified|confirmed|cancelled|canceled"
    r"|postponed|required|forbidden|allowed|assumed|frozen)\b",
    re.IGNORECASE,
)
"""What holds of each when it is said of several: states of decisions, not what they are to each other."""

OF_SEVERAL = frozenset({"are", "were", "have", "do", "aren't", "weren't", "haven't", "don't"})
"""Verbs that a single subject does not have."""

SEVERAL = re.compile(r"(?P<list>[^;:]+?)\s+(?P<verb>are|were)\s+(?P<rest>.+)", re.DOTALL)
LISTED = re.compile(r",\s+(?:and\s+)?|\s+and\s+")

PLURAL = re.compile(r"(?:[^aious]s|[aeo]es|ies)$")  # "replicas" and "classes", not "status", "axis" or "gas"


def parts(sentence: str) -> tuple[Part, ...]:
    """The facts of one sentence in order, at least one; the sentence itself when there is nothing to part."""
    whole = (Part(sentence, 0),)
    if len(sentence) > LONGEST or sentence.rstrip().endswith(":"):
        return whole
    hidden = _hidden(sentence)
    if TOGETHER.search(hidden) or "?" in hidden or RELATIVES.intersection(_words(hidden)[:1]):
        return whole
    return _of_several(sentence, hidden) or _joined(sentence, hidden) or whole


def _hidden(sentence: str) -> str:
    """The sentence with quotations, code and brackets blanked, so that no joint inside them is seen."""
    spans = (*quotation_spans(sentence), *code_spans(sentence))
    plain = blanked(sentence, spans, "x")
    return BRACKET.sub(lambda match: "x" * len(match[0]), plain)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in WORD.findall(text)]


def _joined(sentence: str, hidden: str) -> tuple[Part, ...]:
    """The clauses of a sentence at the joints that part it without harm; nothing when there is none."""
    begin, lacks, subject = 0, Carried.NOTHING, _subject(sentence, hidden)
    found: list[Part] = []
    for joint in JOINT.finditer(hidden):
        carried = _parted_at(hidden[begin : joint.start()], joint[0].strip(" ,"), hidden[joint.end() :], subject)
        if carried is None:
            continue
        found.append(_part(sentence, begin, joint.start(), lacks, subject))
        begin, lacks = joint.end(), carried
        if carried is Carried.NOTHING:
            subject = _subject(sentence[begin:], hidden[begin:])
    if not found:
        return ()
    found.append(_part(sentence, begin, len(sentence), lacks, subject))
    return tuple(found) if all(len(_words(part.text)) >= FEWEST_WORDS for part in found) else ()


def _part(sentence: str, begin: int, end: int, lacks: Carried, subject: str | None) -> Part:
    own = sentence[begin:end].strip(" ,")
    return Part(own if lacks is Carried.NOTHING else f"{subject} {own}", begin, lacks)


def _parted_at(left: str, joint: str, right: str, subject: str | None) -> Carried | None:
    """What the right side of a joint lacks when the sentence is parted there; None when it must not be.

    Args:
        left: The words since the last joint that parted.
        joint: `;`, `and`, `but`, or nothing for a comma.
        right: All that follows.
        subject: What the left side is about, when it can be carried over.
    """
    before, after = _words(left), _words(right.partition(";")[0])
    verb = _finite(after)
    if verb is None or _finite(before) is None or SUBORDINATORS.issuperset(after[verb + 1 : verb + 2]):
        return None  # no clause, or one whose verb has nothing of its own: "and always was"
    if joint != ";" and (_reaches_over(left, before) or not CONDITION.isdisjoint(after)):
        return None
    reason = next((place for place in range(verb, len(after)) if after[place] in SUBORDINATORS), len(after))
    back = POINTS_BACK.intersection(after[:reason])  # in a reason for this side it points back to this side
    if all(word in ADVERBS for word in after[:verb]):
        plain = joint != ";" and subject is not None and not back - POSSESSIVE
        return Carried.SUBJECT if plain and _finite(before) != len(before) - 1 else None
    if joint == "" or back or not _is_own_subject(after, verb):
        return None
    return Carried.NOTHING if joint == ";" or _agrees(right, after, verb) else None


def _is_own_subject(words: Sequence[str], verb: int) -> bool:
    """Whether the words before a verb are a subject that can be read alone: not too long, and more than a figure."""
    told = [word for word in words[:verb] if word not in DETERMINERS and not word[0].isdigit()]
    opens = words[0] in PREPOSITIONS or not (SUBORDINATORS | RELATIVES).isdisjoint(words[:verb])
    return 0 < verb <= SUBJECT_WORDS and not opens and not PREPOSITIONS.issuperset(told)


def _agrees(right: str, words: Sequence[str], verb: int) -> bool:
    """Whether the subject after an "and" is all of it: "A is withdrawn, B and C are out" is no "C are out"."""
    stretch = right[: next(found.start() for found in islice(WORD.finditer(right), verb, None))]
    if JOINT.search(stretch):
        return False
    head = next((place for place, word in enumerate(words[:verb]) if word in PREPOSITIONS), verb) - 1
    alone = words[head] in PERSONAL or bool(PLURAL.search(words[head]))
    return words[verb] not in OF_SEVERAL or alone


def _reaches_over(left: str, before: Sequence[str]) -> bool:
    """Whether something on the left side of a joint may hold for the right side too."""
    return before[0] in PREPOSITIONS or not (REACHES | SAYS).isdisjoint(before) or is_hedged(left)


def _finite(words: Sequence[str]) -> int | None:
    """The place of the first word that is a finite verb for sure, or None."""
    for place, word in enumerate(words):
        previous = words[place - 1] if place else ""
        if word in FINITE or (previous in PERSONAL and word in BASES):
            return place
        base = base_of_third_person(word)
        if base is not None and base not in ALSO_NOUNS and previous not in DETERMINERS | PREPOSITIONS:
            return place
    return None


def _subject(sentence: str, hidden: str) -> str | None:
    """What a clause is about, as it stands there; None when it cannot be carried over."""
    matches = list(WORD.finditer(hidden))
    words = _words(hidden)
    verb = _finite(words)
    if not verb or verb > SUBJECT_WORDS or words[0] in PREPOSITIONS | SUBORDINATORS | RELATIVES:
        return None
    stretch = sentence[: matches[verb].start()].strip()
    if not (POINTS_BACK | QUANTIFIED | REACHES).isdisjoint(words[:verb]) or "," in stretch:
        return None
    adverbs = [word for word in words[:verb] if word in ADVERBS]
    return None if adverbs or not stretch else stretch


def _of_several(sentence: str, hidden: str) -> tuple[Part, ...]:
    """A part for each of several subjects that share a predicate which holds of each; nothing for other sentences."""
    several = SEVERAL.fullmatch(hidden)
    if several is None or not DISTRIBUTES.match(several["rest"]) or JOINT.search(several["rest"]):
        return ()
    listed = [several.start("list"), *(spot for joint in LISTED.finditer(several["list"]) for spot in joint.span())]
    listed.append(several.end("list"))
    items = [(start, sentence[start:end]) for start, end in zip(listed[::2], listed[1::2], strict=True)]
    if len(items) < 2 or not _are_subjects([text for _, text in items]):  # noqa: PLR2004 - several
        return ()
    rest = sentence[several.start("rest") :]
    singular = {"are": "is", "were": "was"}[several["verb"]]
    return tuple(
        Part(f"{text} {several['verb'] if _is_plural(text) else singular} {rest}", start, Carried.PREDICATE)
        for start, text in items
    )


def _are_subjects(items: Sequence[str]) -> bool:
    """Whether each item is a whole subject: "Porto and Braga", "the price and the date", not "old and new rules"."""
    for item in items:
        words = _words(item)
        if not 0 < len(words) <= SUBJECT_WORDS or not any(char.isalpha() for char in item) or words[0] in PREPOSITIONS:
            return False
        if _finite(words) is not None or not (POINTS_BACK | QUANTIFIED | REACHES).isdisjoint(words):
            return False
        if "," in item or not (PREPOSITIONS - {"of"}).isdisjoint(words):
            return False
    return all(_is_led(item) for item in items)


def _is_led(item: str) -> bool:
    """Whether an item opens like a subject of its own: with an article, a name, a number or code."""
    return not item[0].islower() or _words(item)[0] in DETERMINERS


def _is_plural(item: str) -> bool:
    words = _words(item.partition(" of ")[0])
    return bool(PLURAL.search(words[-1]))
