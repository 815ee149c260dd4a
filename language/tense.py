"""The tense of a sentence, by rule and without a model: that of the first finite verb of its main clause.

Conventions, the same as for the labelled sentences in `benchmarks/data/tense.jsonl`:
- Present perfect ("has been chosen") counts as present: it says what holds now. Past perfect counts as past.
- Modals of the present (can, may, must, should) and conditionals (would, could, might) count as present.
- Imperatives count as present.
- "will", "shall", "'ll" and "is going to" make the future; a plan in the present tense ("starts on Monday") is present.
- A sentence without a finite verb is unclassified: headings, lists, log lines, fragments.
- Among coordinated clauses the first decides; a leading subordinate clause does not.

Method: quotations, code and brackets are set aside; subordinate clauses are skipped; then the first word that must be
a finite verb decides (auxiliaries, strong pasts, a verb after a personal pronoun). Words that may be something else
(-ed forms, third persons that look like plurals, base forms) count only where their neighbours make them verbs. The
accuracy is measured by `benchmarks/tense.py`.
"""

import re
from enum import StrEnum

from language.grammar import (
    ADVERBS,
    ALSO_PREPOSITIONS,
    CONJUNCTIONS,
    DETERMINERS,
    FUTURE_AUX,
    IS_CONTRACTED,
    PAST_AUX,
    PERSONAL,
    PLEASE,
    PREPOSITIONS,
    PRESENT_AUX,
    RELATIVES,
    SUBJECTS,
    SUBORDINATORS,
)
from language.masks import blanked, code_spans, quotation_spans, straightened
from language.verbs import ALSO_NOUNS, BASES, COPULAR, STRONG_PASTS, base_of_third_person, is_weak_past


class Tense(StrEnum):
    """Tense of a sentence's main clause."""

    PRESENT = "present"
    PAST = "past"
    FUTURE = "future"
    UNCLASSIFIED = "unclassified"


MAX_CHARS = 2000
"""Only a sentence's beginning is read; its main verb stands there or nowhere."""

_TOKEN = re.compile(r"\w+(?:(?:[-'./:]|(?<=\d),(?=\d))\w+)*|[,;:\u2013\u2014]")
_BRACKETS = re.compile(r"\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]")
_CLITIC = re.compile(r"^(?P<head>.+?)(?P<tail>n't|'(?:ll|re|ve|m|d|s))$")

_TAILS = {"ll": Tense.FUTURE, "re": Tense.PRESENT, "ve": Tense.PRESENT, "m": Tense.PRESENT, "d": Tense.PRESENT}

_PUNCTUATION = frozenset(",;:\u2013\u2014")


def tense(sentence: str) -> Tense:
    """The tense of the sentence's main clause."""
    clauses = _main_clauses(_tokens(sentence[:MAX_CHARS]))
    for position, clause in enumerate(clauses):
        found = _clause_tense(clause, first=position == 0)
        if found is not None:
            return found
    for clause in clauses:
        if _is_imperative(clause):
            return Tense.PRESENT
    return Tense.UNCLASSIFIED


def _tokens(sentence: str) -> list[str]:
    text = straightened(sentence)
    text = blanked(text, code_spans(text), "x")
    text = blanked(text, quotation_spans(text), "x")
    text = _BRACKETS.sub(" ", text)
    return [token for match in _TOKEN.finditer(text) for token in _split_clitic(match[0])]


def _split_clitic(token: str) -> list[str]:
    lowered = token.lower()
    match = _CLITIC.match(lowered)
    if match is None or match["tail"] == "n't":
        return [token]
    if match["tail"] == "'s":
        # After a noun it is a genitive: "the user's alias". After these it is "is" or "has".
        return [match["head"], "is"] if match["head"] in IS_CONTRACTED else [token]
    return [match["head"], match["tail"].lstrip("'")]


def _main_clauses(tokens: list[str]) -> list[list[str]]:
    """The sentence parted at punctuation, without subordinate and relative clauses unless there is nothing else."""
    clauses: list[list[str]] = [[]]
    for token in tokens:
        if token in _PUNCTUATION:
            clauses.append([])
        else:
            clauses[-1].append(token)
    filled = [clause for clause in clauses if clause]
    main = [
        clause
        for position, clause in enumerate(filled)
        if not _is_subordinate([token.lower() for token in clause], first=position == 0)
    ]
    return main or filled


def _is_subordinate(words: list[str], *, first: bool) -> bool:
    if not first and words[0] in {"which", "who", "whose", "where"}:
        return True
    if words[0] in ALSO_PREPOSITIONS:
        # "After the rollback errors fell" and "until October we will" hold the main clause themselves: a determiner or
        # name follows and a pronoun only later.
        later = [word for word in words[2:] if word in PERSONAL]
        return not (later and words[1] in DETERMINERS)
    return words[0] in SUBORDINATORS


def _clause_tense(tokens: list[str], *, first: bool) -> Tense | None:
    """The tense of one clause's first finite verb outside a relative clause; None without a finite verb."""
    words = [token.lower() for token in tokens]
    if not first and _resumes(words):
        return Tense.PRESENT
    relative = False
    index = 0
    while index < len(words):
        if _opens_relative(words, index):
            relative = True
            index += 1
            continue
        found = _strong(words, index) or _weak(tokens, index, first=first)
        if found is not None and not relative:
            return found
        if found is not None:
            # The verb of a clause inside the subject ("the budget that was approved is …"): the next one decides.
            relative = False
            index += _verb_group(words, index)
        index += 1
    return None


def _resumes(words: list[str]) -> bool:
    """Whether a clause goes on with the verb of a subject before the comma: "H1, dilution, leads"."""
    if base_of_third_person(words[0]) is None:
        return False
    return len(words) == 1 or words[1] in DETERMINERS


def _opens_relative(words: list[str], index: int) -> bool:
    """Whether this word opens a clause inside the subject: a relative word right behind a noun."""
    if words[index] not in RELATIVES or index == 0 or index + 1 == len(words):
        return False
    return words[index - 1] not in PREPOSITIONS | CONJUNCTIONS | SUBORDINATORS | ADVERBS


def _strong(words: list[str], index: int) -> Tense | None:
    """The tense if this word can only be a finite verb here."""
    word = words[index]
    before = words[index - 1] if index else ""
    if word in _TAILS and before in SUBJECTS | {"there", "here"}:
        return _TAILS[word]
    found = _auxiliary(words, index)
    if found is not None:
        return found
    if before in SUBJECTS or (index > 1 and before in ADVERBS and words[index - 2] in SUBJECTS):
        return _after_pronoun(word)
    return None


def _auxiliary(words: list[str], index: int) -> Tense | None:
    """The tense of an auxiliary, a modal or a verb form that is nothing but a past."""
    word = words[index]
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    if word in FUTURE_AUX and before not in DETERMINERS:
        return Tense.FUTURE
    if word in PAST_AUX or word in STRONG_PASTS:
        return None if before in {"to", "by"} else Tense.PAST
    if word == "used" and after == "to" and before not in {"is", "are", "be", "get", "got"}:
        return Tense.PAST
    if word in PRESENT_AUX and before not in {"to", "a", "the"}:
        future = word in {"am", "is", "are"} and words[index + 1 : index + 3] == ["going", "to"]
        return Tense.FUTURE if future else Tense.PRESENT
    return None


def _after_pronoun(word: str) -> Tense | None:
    """The tense of a verb that follows a personal pronoun."""
    if word in BASES or base_of_third_person(word) is not None:
        return Tense.PRESENT
    if is_weak_past(word):
        return Tense.PAST
    return None


def _weak(tokens: list[str], index: int, *, first: bool) -> Tense | None:
    """The tense if this word is a finite verb by its place: behind a noun, and no plainer verb follows."""
    words = [token.lower() for token in tokens]
    if index == 0 or not _may_be_subject(tokens[index - 1], words, index - 1):
        return None
    word = words[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else ""
    if is_weak_past(word):
        return Tense.PAST if first and _is_finite_past(words, index, following.lower()) else None
    base = base_of_third_person(word)
    if base is not None:
        return Tense.PRESENT if not tokens[index][0].isupper() and _is_third_person(words, index, base) else None
    if word in BASES and _agrees(words, index) and not _finite_next(words, index + 1):
        takes = not following or _may_follow_verb(following) or word in COPULAR
        return Tense.PRESENT if takes else None
    return None


def _is_finite_past(words: list[str], index: int, following: str) -> bool:
    """Whether an -ed form is a finite verb and no participle ("40 shared documents", "the errors logged are …")."""
    if words[index - 1].isdigit() and following and following not in DETERMINERS | PREPOSITIONS | ADVERBS:
        return False
    return not _finite_later(words, index + 1)


def _is_third_person(words: list[str], index: int, base: str) -> bool:
    """Whether an -s form is a verb and no plural ("the migration costs are …", "2,700 salon accounts in …")."""
    if _finite_next(words, index + 1):
        return False
    following = words[index + 1] if index + 1 < len(words) else ""
    if base not in ALSO_NOUNS:
        return True
    return bool(following) and (_may_follow_verb(following) and following not in {"in", "of"})


def _may_follow_verb(token: str) -> bool:
    """Whether a word often stands behind a verb, and seldom behind a noun that ends a list entry."""
    word = token.lower()
    known = word in DETERMINERS | PREPOSITIONS | ADVERBS | {"to", "me", "us", "him", "them", "whether", "when"}
    return known or word.endswith("ly") or token[0].isdigit() or token[0].isupper()


def _agrees(words: list[str], index: int) -> bool:
    """Whether the words before a base form can be its plural subject."""
    before = words[index - 1]
    plural = before.endswith("s") and not before.endswith(("ss", "us", "is"))
    return plural or "and" in words[: index - 1]


def _may_be_subject(token: str, words: list[str], index: int) -> bool:
    """Whether the word before may end a subject: a noun or name, perhaps with an adverb behind it."""
    word = words[index]
    if word in ADVERBS or word.endswith("ly"):
        return index > 0 and _may_be_subject(token, words, index - 1)
    if word in DETERMINERS | PREPOSITIONS | CONJUNCTIONS | SUBORDINATORS | {"be", "been", "being", "not"}:
        return False
    return any(char.isalpha() for char in token) or token[0].isdigit()


def _finite_later(words: list[str], start: int) -> bool:
    """Whether a plain finite verb follows in the clause before a conjunction: then the -ed form is a participle."""
    for index in range(start, len(words)):
        if words[index] in CONJUNCTIONS or words[index] in RELATIVES or words[index] in SUBORDINATORS:
            return False
        if words[index] in SUBJECTS:
            return False
        if words[index] in PRESENT_AUX | PAST_AUX | FUTURE_AUX | STRONG_PASTS:
            return True
        if base_of_third_person(words[index]) and index > start and words[index - 1] not in DETERMINERS | PREPOSITIONS:
            following = words[index + 1] if index + 1 < len(words) else ""
            if following in DETERMINERS:
                return True
    return False


def _finite_next(words: list[str], index: int) -> bool:
    """Whether the next word, adverbs aside, is plainly finite."""
    while index < len(words) and words[index] in ADVERBS:
        index += 1
    return index < len(words) and words[index] in PRESENT_AUX | PAST_AUX | FUTURE_AUX | STRONG_PASTS


def _verb_group(words: list[str], index: int) -> int:
    """How many words behind a finite verb still belong to it: "has been approved"."""
    length = 0
    for word in words[index + 1 :]:
        if word in {"be", "been", "being", "have", "not"} or word in ADVERBS or is_weak_past(word):
            length += 1
        else:
            break
    return length


def _is_imperative(tokens: list[str]) -> bool:
    """Whether a clause without a finite verb begins with a base form that has something to act on."""
    words = [token.lower() for token in tokens]
    start = 0
    while start < len(words) - 1 and words[start] in PLEASE:
        start += 1
    if start >= len(words) or words[start] not in BASES:
        return False
    after = words[start + 1] if start + 1 < len(words) else ""
    objects = DETERMINERS | PREPOSITIONS | ADVERBS | SUBJECTS | {"me", "us", "him", "them"}
    return start > 0 or after in objects or after.endswith("ly")
