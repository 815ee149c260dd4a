"""Paragraphs that are no speech of whoever's turn they stand in, by their form: pasted with no mark and no lead-in.

A paragraph counts as passed on when the rest of its turn is in another script or language, when it is written to
whatever machine reads it instead of to the other side of the talk, or when it plays the headings of a boundary. A turn
that consists of nothing else is its writer's own word: people do change their language, and do tell an assistant to
forget what it was told. Works on whole lines and is linear in the text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from dissolution.conversation import QuotedKind

FEWEST_LETTERS = 8  # letters of a script that make a line of it
LATIN = "LATIN"

_FUNCTION_WORDS = {
    "en": "the of and to is that it you for are with this have not we be was they will from what which should do i my",
    "de": "der die das und ist nicht ein eine zu mit auf für dass wir sie ich den dem von im auch wird nur noch ab bei",
    "fr": "le la les des est et une que qui dans pour pas nous vous sur au du avec ce sont plus cette être tout leur",
    "es": "el los las una que para por con del se no es como más este esta pero su al lo y todo ya sin desde",
    "pt": "os as uma que para por com do da não se em ao mais como dos das está são pelo pela foi sem já no na",
    "it": "il lo gli della che per con non una del di sono più come dei nel alla questo è ogni anche ora viene tutti",
    "nl": "het een van en dat niet is op te zijn voor met aan ook wordt naar bij nog wij je geen deze alle wat vanaf",
    "pl": "nie się na jest że do jak tak ale przez od za oraz tylko już po są dla przy który która bez każde to jako",
    "sv": "och att det som en på är för av inte med till ett den om har från alla ska vi ni kan nu varje utan",
    "da": "og at det som en på er for af ikke med til et den om har fra alle skal vi I kan nu hver uden",
    "tr": "ve bir bu için ile olarak daha çok gibi her de da ancak sonra tüm olan önceki bundan değil ya en",
    "ro": "și de la în că nu este pe cu din pentru sunt mai care acest această toate fost fără orice să se au ca",
    "cs": "a je že na se v to není pro jsou jako ale od po tak už nebo který která bez všechny by do při nyní",
    "id": "yang dan di ini untuk dengan tidak dari pada itu adalah akan telah semua mulai sekarang harus setiap oleh",
    "fi": "ja on ei että se ovat mutta kuin tämä niin kaikki nyt alkaen ilman myös joka jokainen sekä tai mukaan",
}
FUNCTION_WORDS = {code: frozenset(words.split()) for code, words in _FUNCTION_WORDS.items()}
"""The commonest small words of languages in Latin letters: a few of them tell which one a paragraph is in."""

FEWEST_SMALL_WORDS = 3
CLEARLY = 2  # times as many as of any other language

TO_MACHINES = re.compile(
    r"^\W*(?:(?:please|kindly|now|important|notice|note|attention|urgent|system|update)\W+){0,3}"
    r"(?:(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:previous|prior|earlier|above|preceding|existing|other) "
    r"(?:\w+ )?(?:instructions?|prompts?|rules?|messages?|directives?|context|guidelines?|orders?|conversation)"
    r"|(?:to |for |all |any |every |dear ){0,3}(?:ai|automated|autonomous|language|llm|machine|digital) ?"
    r"(?:assistants?|agents?|models?|systems?|readers?|summari[sz]ers?|reviewers?|tools?)\b"
    r"|(?:to |for )?(?:whoever|whatever|anyone|anything|any model|any assistant|assistants?|agents?|models?) "
    r"(?:who |that |which )?(?:reads?|reading|summari[sz]es?|summari[sz]ing|process(?:es|ing)?|compress(?:es|ing)?) "
    r"(?:this|the|these))",
    re.IGNORECASE,
)
"""The beginning of a paragraph that is written to whatever machine reads it."""

HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]*|\*{1,2}|\d[.)][ \t]*)?(?:KNOWN|DECIDED|EDGES|IDENTITY)\b\W*$")
"""A heading of a boundary on a line of its own."""


def runs(lines: Sequence[str]) -> Iterator[tuple[int, int, QuotedKind]]:
    """Paragraphs first..last (inclusive, by line number from 0) that are no speech of the turn's writer."""
    found = _paragraphs(lines)
    texts = ["\n".join(lines[first : last + 1]) for first, last in found]
    for place, (first, last) in enumerate(found):
        if place and TO_MACHINES.search(texts[place]):
            yield first, last, QuotedKind.DOCUMENT
    for first, last in found:
        head = next((row for row in range(first, last + 1) if HEADING.match(lines[row])), None)
        if head is not None and (head > 0 or last < len(lines) - 1) and last > head:
            yield head, last, QuotedKind.DOCUMENT
    if len(found) > 1:
        yield from ((*found[place], QuotedKind.DOCUMENT) for place in _in_another(texts))


def _paragraphs(lines: Sequence[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def _in_another(texts: Sequence[str]) -> Iterator[int]:
    """The paragraphs in another script or language than the first one that shows one: it is what the writer uses."""
    scripts = [_script(text) for text in texts]
    own = next((script for script in scripts if script is not None), None)
    yield from (place for place, script in enumerate(scripts) if script not in {None, own})
    languages = [_language(text) if script == LATIN else None for text, script in zip(texts, scripts, strict=True)]
    mine = next((language for language in languages if language is not None), None)
    if own == LATIN:
        yield from (place for place, language in enumerate(languages) if language not in {None, mine})


def _script(text: str) -> str | None:
    """The script of most letters; None when they are too few."""
    letters: Counter[str] = Counter()
    for letter in text:
        if letter.isalpha():
            letters[LATIN if letter.isascii() else unicodedata.name(letter, LATIN).split(" ")[0].split("-")[0]] += 1
    return letters.most_common(1)[0][0] if letters.total() >= FEWEST_LETTERS else None


def _language(text: str) -> str | None:
    """The language whose small words a text clearly has most of, or None."""
    said = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    counts = sorted(
        ((len(words & said.keys()), code) for code, words in FUNCTION_WORDS.items()), key=lambda one: (-one[0], one[1])
    )
    (most, code), (next_most, _) = counts[0], counts[1]
    return code if most >= FEWEST_SMALL_WORDS and most >= CLEARLY * next_most else None
