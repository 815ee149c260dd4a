"""Signs that tell what a reply is: refusal, courtesies around the answer, repetition, a broken end, an echo."""

import re
import zlib
from collections.abc import Sequence
from functools import cache

from prompts.catalog import SLOT, load, names, versions
from prompts.headings import fold
from prompts.marks import BULLET, SENTENCE_END
from prompts.phrases import COURTESY, PREAMBLE, REFUSAL

LOOK_CHARS = 1500
"""A refusal says so at its beginning."""

# Words that must be followed by something: English, German, French, Spanish.
_BREAK_LIST = """
    a an the and or but nor so of to in on at by for from with without into onto over under about as than that which who
    whose when where while because since until if unless whether is are was were be been has have had do does did will
    would can could should may might must not no its it's his her their our your my this these those it he she we they
    und oder aber der die das den dem ein eine einen mit von zu auf ist sind wird nicht weil dass
    et ou mais le la les un une de du des est sont que qui dans pour avec ne
    y o pero el los las una en con es son que para por no del
"""
_BREAK_WORDS = frozenset(_BREAK_LIST.split())

REPEATING_RATIO = 0.10
"""A text of 400 characters or more that DEFLATE shrinks below this share says the same thing again and again. Ordinary
prose of that length stays above 0.35; the lowest of the recorded answers is 0.43."""

LEAST_REPEATING = 400
TAIL = 1500
TAIL_RATIO = 0.12
LEAST_UNITS = 6
LEAST_ECHO = 8
"""Characters; shorter pieces of a prompt ("none", "rules") are anybody's words."""


def plain(text: str) -> str:
    """Folded for phrase matching: lower case, no accents, straight apostrophes kept."""
    return fold(text.replace("\u2019", "'").replace("'", "\u0001")).replace("\u0001", "'")


def is_refusal(text: str) -> bool:
    """Whether one of the first sentences declines the task. Look at text outside sections only."""
    opening = plain(text[:LOOK_CHARS])
    return any(REFUSAL.match(sentence.strip(" \"'*_#->")) for sentence in re.split(r"(?<=[.!?:])\s+", opening)[:6])


def is_preamble(text: str) -> bool:
    """Whether text before the answer only announces it."""
    opening = plain(text[: LOOK_CHARS + 1]).strip(" *_#-")
    return len(opening) <= LOOK_CHARS // 3 and (bool(PREAMBLE.match(opening)) or opening.endswith(":"))


def is_courtesy(sentence: str) -> bool:
    """Whether one sentence is an offer or wish after the answer, not part of it."""
    return len(sentence) <= LOOK_CHARS // 4 and bool(COURTESY.match(plain(sentence).strip(" *_-")))


def is_repeating(text: str, units: Sequence[str]) -> bool:
    """Whether a reply says the same words again and again.

    Three signs: the whole text, or its last 1,500 characters, shrink below a small share under DEFLATE (any language,
    with or without spaces); or half or more of at least six statements (`units`) are copies of others.
    """
    body = " ".join(text.split())
    if len(body) >= LEAST_REPEATING and _packed(body) < REPEATING_RATIO:
        return True
    if len(body) >= 2 * TAIL and _packed(body[-TAIL:]) < TAIL_RATIO:
        return True
    distinct = {plain(unit) for unit in units}
    return len(units) >= LEAST_UNITS and 2 * len(distinct) <= len(units)


def _packed(text: str) -> float:
    data = text.encode("utf-8", "replace")
    return len(zlib.compress(data, 6)) / len(data)


def breaks_off(text: str, others: Sequence[str]) -> bool:
    """Whether the last statement stops in the middle.

    It does when it ends with a word or sign that something must follow, when a bracket or quotation is left open, or
    when it has no closing punctuation while most of the other statements (`others`) have.
    """
    last = text.rstrip().rstrip("*_`")
    if not last:
        return False
    if last[-1] in SENTENCE_END:
        return False
    final = re.findall(r"[\w']+", last[-40:].casefold())
    if last[-1] in ",;:(\u2013\u2014-" or (last[-1].isalpha() and final and final[-1] in _BREAK_WORDS):
        return True
    if last.count("(") > last.count(")") or last.count("\u201c") > last.count("\u201d") or last.count('"') % 2:
        return True
    closed = sum(other.rstrip("*_`\"')\u201d ")[-1:] in SENTENCE_END for other in others)
    return last[-1] not in "\"')\u201d\u00bb]}" and bool(others) and 2 * closed > len(others)


@cache
def _own_lines() -> frozenset[str]:
    """The lines and sentences of every released prompt, folded: a reply that consists of them says nothing."""
    lines: set[str] = set()
    for name in names():
        for version in versions(name):
            file = load(name, version)
            for line in SLOT.sub("", f"{file.system or ''}\n{file.user}").splitlines():
                bullet = BULLET.match(line)
                body = line[bullet.end() :] if bullet else line
                pieces = {body, *re.split(r"(?<=[.?!:])\s+", body), *re.split(r":\s+", body)}
                lines.update(folded for piece in pieces if len(folded := _skeleton(piece)) >= LEAST_ECHO)
    return frozenset(lines)


def is_echo(text: str) -> bool:
    """Whether a statement is a line or sentence of the prompt itself."""
    return len(text) <= LOOK_CHARS and _skeleton(text) in _own_lines()


def _skeleton(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text)))
