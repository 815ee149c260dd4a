"""Words, content words and a light stemmer."""

import re
from functools import lru_cache

from language.masks import straightened
from language.remembered import remembered

# Word characters, joined by hyphen, dot or apostrophe, or by comma or colon between digits: web-a1, 2.3.8, 61,000.
WORD = re.compile(r"\w+(?:(?:[-.']|(?<=\d)[,:](?=\d))\w+)*")


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(text.split())


# Function words: they carry grammar, not subject. Negations, modals and numbers have their own tools.
STOPWORDS = word_set("""
    a about above after again all also although am an and any are as at be because been before being below between
    both but by can could did do does doing done down during each either else even ever every few for from further
    get gets got had has have having he her here hers herself him himself his how however i if in into is it its
    itself just let like many may me might more most much must my myself neither no none nor not now of off on once
    one only or other our ours ourselves out over own per quite rather really same shall she should since so some
    still such than that the their theirs them themselves then there therefore these they this those though through
    thus to too under until up upon us very was we well were what when where whether which while who whom whose why
    will with within without would yes yet you your yours yourself yourselves i'm i've i'd i'll we're we've we'd
    we'll you're you've you'd you'll they're they've they'd they'll he's she's it's he'd she'd it'd he'll she'll
    it'll that's there's here's what's who's let's that'll there'll don't doesn't didn't isn't aren't wasn't weren't
    won't wouldn't can't cannot couldn't shouldn't mustn't hasn't haven't hadn't ain't
""")

VOWEL = re.compile(r"[aeiouy]")
DOUBLED_END = re.compile(r"([^aeiou])\1$")
SHORTEST_STEMMED = 4
SHORTEST_STEM = 3


def words(text: str) -> tuple[str, ...]:
    """Lower-case word tokens in order; identifiers such as web-a1, r418 and user_id stay whole.

    Curly apostrophes are made straight; underscores of emphasis (`_word_`) are dropped; slashes part words.
    """
    tokens: list[str] = WORD.findall(straightened(text).lower())
    if "_" not in text:
        return tuple(tokens)
    found: list[str] = []
    for token in tokens:
        emphasis = token.startswith("_") and token.endswith("_") and not token.startswith("__")
        bare = token.strip("_")
        if bare:
            found.append(bare if emphasis else token)
    return tuple(found)


@lru_cache(maxsize=16384)  # a conversation says few words often
def stem(word: str) -> str:
    """A light stem: plural, -ed and -ing endings, final e and doubled final consonants are taken off.

    Two forms of one word share a stem ("use", "used", "using" are "us"); the stem itself is for comparing, not showing.
    Words with a digit, an underscore or a letter outside a-z are returned as they are.
    """
    if len(word) < SHORTEST_STEMMED or not (word.isascii() and word.isalpha()):
        return word.removesuffix("e") if word == "use" else word
    stemmed = _without_inflection(_singular(word))
    stemmed = stemmed.removesuffix("e") if len(stemmed) >= SHORTEST_STEM else stemmed
    return DOUBLED_END.sub(r"\1", stemmed)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_inflection(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    if word.endswith("eed"):
        return word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and VOWEL.search(bare) and (len(bare) >= SHORTEST_STEM or bare == "us"):
            return bare
    return word


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry the subject: without stopwords, possessives and lone letters.

    Hyphenated words of letters are parted ("read-only" is "read" and "only"); thousands separators are dropped, so
    that "61,000" and "61000" are the same word. Identifiers stay whole.
    """
    return frozenset(content_sequence(text))


@remembered
def content_sequence(text: str) -> tuple[str, ...]:
    """The stems of `content_words` in the order of the text, repeats included."""
    found: list[str] = []
    for token in words(text):
        found.extend(_stems(token))
    return tuple(found)


@lru_cache(maxsize=4096)  # a conversation says few words often, and new numbers and names without end
def _stems(token: str) -> tuple[str, ...]:
    if token in STOPWORDS:
        return ()
    bare = token.removesuffix("'s")
    if bare[0].isdigit():
        return (bare.replace(",", ""),)
    parts = bare.split("-") if bare.replace("-", "").isalpha() else (bare,)
    return tuple(stem(part) for part in parts if part not in STOPWORDS and len(part) > 1)
