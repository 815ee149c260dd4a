"""The terms of a text: its content words, and of joined words the whole and the parts. Pure.

Words are those of `language.words`: lower case, stems of what carries the subject. Beside them a file name, an
identifier, a number or a date is found by the whole of it and by each part: "src/app/main.py", "main.py" and "main";
"user_id" and "user"; "getUserName" and "name"; "2026-03-15" and "2026"; "1,100" as "1100". Scripts without spaces are
cut into pairs of characters.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from language.masks import straightened
from language.words import STOPWORDS, WORD, stem, words

JOINED = re.compile(r"\w[\w.@+:~/\\-]*[/@\\][\w.@+:~/\\-]*\w")
"""Paths, URLs and addresses: what slashes and at-signs hold together."""
HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
PIECE = re.compile(r"[^\W\d_]+|\d+")
THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
VERSION = re.compile(r"v\d[\w.-]*")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]+")
"""Kana, ideographs, Hangul, Thai and Lao."""

LONGEST_KEPT = 64
"""Characters between two spaces whose terms are kept: longer stretches, such as encoded data, seldom come twice."""


def terms(text: str) -> tuple[str, ...]:
    """The terms of a text in its order, repeats included; of a text without content words, its words as they are."""
    found = chain.from_iterable(_kept(part) if len(part) <= LONGEST_KEPT else _of(part) for part in text.split())
    return tuple(found) or words(text)


def _of(part: str) -> tuple[str, ...]:
    """The terms of what stands between two spaces."""
    if part.isascii() and part.isalpha() and (part.islower() or part[1:].islower()):  # most of any text
        return _of_word(part.lower())
    return tuple(_of_joined(straightened(part)))


_kept = lru_cache(maxsize=65536)(_of)  # a conversation says few words often


def _of_joined(part: str) -> Iterator[str]:
    for token in WORD.findall(part.lower()):
        yield from _of_word(token)
    if "/" in part or "@" in part or "\\" in part:
        for match in JOINED.finditer(part):
            yield match[0].lower()
    if CAMEL.search(part):
        for word in WORD.findall(part):
            if CAMEL.search(word):
                yield from (stem(hump.lower()) for hump in HUMP.findall(word) if len(hump) > 1)


def _of_word(token: str) -> tuple[str, ...]:
    """The terms of one lower-case word of `language.words.WORD`: none for one that carries no subject."""
    if "_" in token:
        token = token.strip("_") or token
    bare = token.removesuffix("'s")
    if bare in STOPWORDS or token in STOPWORDS:
        return ()
    if bare.isalpha() and bare.isascii():
        return (stem(bare),) if len(bare) > 1 else ()
    if THOUSANDS.fullmatch(bare):
        return (bare.replace(",", ""),)
    pairs = [run[at : at + 2] for run in UNSPACED.findall(bare) for at in range(max(1, len(run) - 1))]
    version = (bare[1:],) if VERSION.fullmatch(bare) else ()
    return tuple(dict.fromkeys((stem(bare), *version, *pairs, *(() if pairs else _parts(bare)))))


def _parts(bare: str) -> Iterator[str]:
    """What colons, hyphens, dots, underscores and the change from letters to digits part."""
    for part in (*bare.split(":"), *re.split(r"[\W_]+", bare), *PIECE.findall(bare)):
        if part != bare and (len(part) > 1 or part.isdigit()) and part not in STOPWORDS:
            yield stem(part)
