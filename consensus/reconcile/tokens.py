"""The words of a claim where they stand: what each is about, and whether it is a verb there."""

import re
from dataclasses import dataclass
from functools import lru_cache

from consensus.lexical import root
from consensus.reconcile.terms import CONCEPT, PHRASES, SAY_LITTLE, SCALES
from wording.verbs import BASES, STRONG_PASTS, base_of_third_person, word_set
from wording.words import STOPWORDS, stem

WORD = re.compile(r"\d[\d.,:]*(?<![.,:])|[^\W\d]\w*(?:[-'’.]\w+)*")
AUXILIARY = word_set(
    "is are was were be has have had will would shall should must can could may might do does did isn't aren't wasn't "
    "won't it's cannot needs wants gets goes takes runs costs lasts starts begins ends leaves departs arrives"
)
DEFINITE = word_set("the this that these those our my your his her their its")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a claim where it stands.

    Attributes:
        word: In lower case, without a possessive.
        at: Where it begins.
        end: Where it ends.
        name: What it is about: the name of a thing or the root of the word; None for words that say little.
        verb: Whether it is a verb there.
    """

    word: str
    at: int
    end: int
    name: str | None
    verb: bool


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A claim with one word for several where they name one thing; places stay the same."""
    for pattern, word in PHRASES:
        text = pattern.sub(lambda match, word=word: word.ljust(len(match[0])), text)
    return text


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a claim made plain, in order."""
    found: list[Token] = []
    for match in WORD.finditer(text):
        word = match[0].casefold().removesuffix("'s").removesuffix("’s")
        bare = stem(word)
        name = CONCEPT.get(bare)
        tells = word in SCALES or (word not in STOPWORDS and bare not in SAY_LITTLE)
        if name is None and tells and len(word) > 1:
            name = root(bare)
        before = found[-1].word if found else ""
        found.append(Token(word, match.start(), match.end(), name, _is_verb(word, before)))
    return tuple(found)


def _is_verb(word: str, before: str) -> bool:
    """Whether a word is a verb where it stands: behind an auxiliary, "to" or a pronoun, or in the third person."""
    if stem(word) in CONCEPT:
        return False
    if word in STRONG_PASTS and before not in DEFINITE:
        return True
    if before in AUXILIARY or before in {"to", "i", "we", "you", "they", "he", "she", "it", "not", "be"}:
        return word in BASES or word.endswith(("ed", "ing")) or base_of_third_person(word) in BASES
    return (
        base_of_third_person(word) in BASES
        and before not in DEFINITE
        and before not in {"a", "an", "of"}
        and before != ""
    )
