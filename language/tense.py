"""The tense of a sentence, by rule and without a model: that of the first finite verb of its main clause.

Conventions, the same as for the labelled sentences in `benchmarks/data/tense.jsonl`:
- Present perfect ("has been chosen") counts as present: it says what holds now. Past perfect counts as past.
- Modals of the present (can, may, must, should), conditionals (would, could, might) and imperatives count as present.
- "will", "shall", "'ll" and "is going to" make the future; a plan in the present tense ("starts on Monday") is present.
- A sentence without a finite verb is unclassified: headings, lists, log lines, fragments.

Verbs are known by closed classes (auxiliaries, irregular pasts), by their endings and by what stands beside them; there
is no list of verbs. The accuracy is measured by `benchmarks/tense.py`.
"""

import re
from enum import StrEnum

from language.masks import blanked, code_spans, quotation_spans, straightened
from language.words import word_set


class Tense(StrEnum):
    """Tense of a sentence's main clause."""

    PRESENT = "present"
    PAST = "past"
    FUTURE = "future"
    UNCLASSIFIED = "unclassified"


MAX_CHARS = 2000
"""Only a sentence's beginning is read; its main verb stands there or nowhere."""


AUXILIARIES = {
    Tense.PRESENT: word_set("""
        am is are isn't aren't ain't has have hasn't haven't do does don't doesn't can can't cannot may must mustn't
        should shouldn't ought would wouldn't could couldn't might mightn't needn't re ve m
    """),
    Tense.PAST: word_set("was were wasn't weren't did didn't had hadn't"),
    Tense.FUTURE: word_set("will won't shall shan't ll"),
}
OF_AUXILIARY = {word: tense for tense, words in AUXILIARIES.items() for word in words}

# Irregular pasts that are nothing else.
STRONG_PASTS = word_set("""
    arose ate awoke began bit blew broke chose came did drew drank drove fell flew forbade forgot froze gave went grew
    hid knew overtook rang rewrote rode rose ran sang sank saw shook shrank spoke stole swam swore threw took tore
    undertook underwent withdrew woke wore wrote became overcame
""")
# Irregular pasts that are also participles ("the notes kept on disk"), as is everything in -ed.
WEAK_PASTS = word_set("""
    bent bound bought brought built burnt caught clung crept dealt dug fed felt fled fought found held heard kept laid
    learnt led left lent lost made meant met misled paid rebuilt said sat sent shone shot slept slid sold sought spent
    spun stood struck stuck swept swung taught thought told understood upheld won wound
""")
# The commonest verbs, which are known without a look at what stands beside them.
COMMON = word_set("""
    appear ask begin believe bring call carry cause change come cost count cover depend differ do exist fail fall feel
    find follow get give go grow happen have hold include keep know lack lead leave lie lose make matter mean measure
    move need occur pay prove reach read remain require rise run say see seem sell serve set settle show sit stand stay
    suggest take tell think try use want wait work write
""")
NO_PAST = word_set("embed exceed feed hundred indeed need proceed speed succeed seed shed bed red biased")

# What can be a subject by itself, what stands before a noun, what joins clauses or opens one that is not the main one.
SUBJECTS = word_set("""
    i you we they he she it this that there here who what which nobody everybody somebody anybody everyone someone
    nothing everything something one
""")
DETERMINERS = word_set("""
    a an the my your his her its our their this that these those each every any some no all both either neither what
    which whose another such two three four five six seven eight nine ten first second
""")
PRONOUNS = word_set("i you we they he she it this that there who nobody everybody everyone somebody someone")
PREPOSITIONS = word_set("""
    about above across after against along among around as at before behind below beside between beyond by despite down
    during except for from in inside into like near of off on onto out over per since through throughout till to toward
    under until up upon via with within without than
""")
CONJUNCTIONS = word_set("and but or nor so yet")
SUBORDINATORS = word_set("""
    when whenever if because since after before while although though once until unless whereas as wherever provided
    given which who whose where
""")
RELATIVES = word_set("that which who whom whose where when why what how whether")
ADVERBS = word_set("""
    also already always then now still just never ever not only again even often however both all so too
""")
NO_VERB = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | SUBORDINATORS | RELATIVES | ADVERBS | SUBJECTS
CLOSES_GROUP = (
    DETERMINERS | PREPOSITIONS | CONJUNCTIONS | word_set("be been being is are was were has have had get got")
)
OBJECTS = DETERMINERS | PREPOSITIONS | ADVERBS | word_set("me us him them whether when that")

_TOKEN = re.compile(r"\w+(?:(?:[-'./:]|(?<=\d),(?=\d))\w+)*|[,;:\u2013\u2014]")
_BRACKETS = re.compile(r"\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]")
_CLITIC = re.compile(r"^(?P<head>.+?)'(?P<tail>ll|re|ve|m|d|s)$")
_PUNCTUATION = frozenset(",;:\u2013\u2014")


def tense(sentence: str) -> Tense:
    """The tense of the sentence's main clause."""
    clauses = _clauses(sentence[:MAX_CHARS])
    main = [clause for clause in clauses if clause[0].lower() not in SUBORDINATORS] or clauses
    found = (one for clause in main if (one := _of_clause(clause)) is not None)
    told = next(found, None)
    if told is not None:
        return told
    return Tense.PRESENT if any(map(_is_imperative, main)) else Tense.UNCLASSIFIED


def _clauses(sentence: str) -> list[list[str]]:
    """The words between punctuation marks, without code, quotations and brackets."""
    text = straightened(sentence)
    text = blanked(text, code_spans(text), "x")
    text = _BRACKETS.sub(" ", blanked(text, quotation_spans(text), "x"))
    clauses: list[list[str]] = [[]]
    for match in _TOKEN.finditer(text):
        if match[0] in _PUNCTUATION:
            clauses.append([])
        else:
            clauses[-1] += _without_clitic(match[0])
    return [clause for clause in clauses if clause]


def _without_clitic(token: str) -> list[str]:
    """A contraction as two words; behind a noun "'s" is a genitive."""
    found = _CLITIC.match(token)
    if found is None or (found["tail"] == "s" and found["head"].lower() not in SUBJECTS):
        return [token]
    return [found["head"], {"s": "is", "d": "would"}.get(found["tail"], found["tail"])]


def _of_clause(tokens: list[str]) -> Tense | None:
    """The tense of a clause's first finite verb that no relative word stands before; None without one."""
    words = [token.lower() for token in tokens]
    relative = False
    for index, word in enumerate(words):
        if word in RELATIVES and index and words[index - 1] not in PREPOSITIONS | CONJUNCTIONS | ADVERBS:
            relative = index + 1 < len(words)
            continue
        found = _of_word(tokens, words, index)
        if found is not None and not relative:
            return found
        relative = relative and found is None
    return None


def _of_word(tokens: list[str], words: list[str], index: int) -> Tense | None:
    """The tense of a word that is a finite verb where it stands."""
    word = words[index]
    before = words[index - 1] if index else ""
    if word in OF_AUXILIARY and before not in {"to", "a", "the"}:
        is_going = word in {"am", "is", "are", "re", "m"} and words[index + 1 : index + 3] == ["going", "to"]
        return Tense.FUTURE if is_going else OF_AUXILIARY[word]
    if word in STRONG_PASTS or (word == "used" and words[index + 1 : index + 2] == ["to"]):
        return Tense.PAST if before not in {"to", "by", "be", "is", "are", "get", "got"} else None
    if index == 0 or word in NO_VERB:
        return None
    place = index - 1
    while place > 0 and (words[place] in ADVERBS or words[place].endswith("ly")):
        place -= 1
    before = words[place]
    closes = before in CLOSES_GROUP or before[0].isdigit() or before in COMMON
    return None if closes else _behind(before, tokens[index], words[index + 1 :])


def _behind(before: str, token: str, rest: list[str]) -> Tense | None:
    """The tense of a word that only its ending and its neighbours can make a finite verb."""
    word = token.lower()
    if word in WEAK_PASTS or (word.endswith("ed") and word not in NO_PAST):
        return None if _is_finite_later(rest) else Tense.PAST
    if before in PRONOUNS:
        return Tense.PRESENT if word.isalpha() and not word.endswith("ing") else None
    if word in COMMON:
        return Tense.PRESENT if before.endswith("s") else None
    is_third_person = word.endswith("s") and not word.endswith(("ss", "us", "'s")) and word.isalpha()
    known = word.removesuffix("s") in COMMON or word.removesuffix("es") in COMMON
    return Tense.PRESENT if is_third_person and token.islower() and (known or _takes(rest)) else None


def _takes(rest: list[str]) -> bool:
    """Whether what follows is what stands behind a verb more often than behind a noun."""
    return bool(rest) and (rest[0] in OBJECTS - {"of", "in", "and"} or rest[0].endswith("ly") or rest[0][0].isdigit())


def _is_finite_later(rest: list[str]) -> bool:
    """Whether a plain finite verb follows before the clause goes on with another: then a past form is a participle."""
    for word in rest:
        if word in CONJUNCTIONS or word in RELATIVES or word in SUBORDINATORS or word in SUBJECTS:
            return False
        if word in OF_AUXILIARY or word in STRONG_PASTS:
            return True
    return False


def _is_imperative(tokens: list[str]) -> bool:
    """Whether a clause begins with a word that has something to act on behind it."""
    words = [token.lower() for token in tokens]
    while len(words) > 1 and (words[0] in ADVERBS | CONJUNCTIONS or words[0] in {"please", "first"}):
        words = words[1:]
    plain = words[0].isalpha() and words[0] not in NO_VERB and not words[0].endswith(("s", "ed", "ing", "ly"))
    return plain and len(words) > 1 and (words[1] in DETERMINERS | {"me", "us", "it", "them"})
