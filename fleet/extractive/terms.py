"""Words of a sentence, and what in it looks like a value or a name: told by form, not by what a language says."""

import re

from language.words import stem, words

# A token with a digit in it (38, 15:20, 2.3.8, r418, web-a3, 5 %, €40), or with a mark inside that code has
# (snake_case, camelCase, /a/path), or in capitals alone (VAT).
VALUE = re.compile(
    r"""
    (?:[€$£]\s?)?\b(?=[\w-]{0,40}\d)\w[\w.,:/-]*(?:\s?%)?
    | \b[A-Za-z]+(?:_[A-Za-z0-9]+)+ | \b[a-z]+[A-Z]\w* | (?<!\w)/[\w./-]{3,}
    | \b[A-Z]{2,}(?:-[A-Z0-9]+)*\b
    """,
    re.VERBOSE,
)

# A capitalised word that does not open the sentence.
NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")

# Scripts written without spaces between words: Thai, Lao, Khmer, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def terms(text: str) -> tuple[str, ...]:
    """The words of `text`, stemmed, in order, repeats kept; pairs of characters where words are not spaced."""
    found: list[str] = []
    for word in words(text):
        if UNSPACED.search(word):
            found.extend(word[start : start + 2] for start in range(len(word) - 1))
        elif len(word) > 1:
            found.append(stem(word))
    return tuple(found)


def values(text: str) -> frozenset[str]:
    """Numbers, times, codes, identifiers and abbreviations of `text`, lower case."""
    return frozenset(match.group().rstrip(" .,:;/-").lower() for match in VALUE.finditer(text))


def names(text: str) -> frozenset[str]:
    """Capitalised names inside `text`, lower case; a sentence's first word is no evidence of one."""
    return frozenset(match.group().lower() for match in NAME.finditer(text))
