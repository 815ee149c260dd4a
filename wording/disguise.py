"""Text that hides what it says: encodings, invisible characters, look-alike letters, tags. What is hidden is told.

Whoever plants an instruction hides it from people and filters, and counts on a model to read it all the same. So what
stands in quoted material is also read in every form a model would make of it. Nothing here runs or trusts what it
finds. Linear in the text, and bounded: an encoding is undone twice at most.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
import urllib.parse
from collections.abc import Callable, Iterator

LEAST_LETTERS = 12  # letters of a hidden text; shorter finds are chance
LEAST_WORDS = 3  # words of a hidden text
LETTER_SHARE = 0.75  # of its characters that are letters or spaces; below it is no text of a person
MOST_HIDDEN = 20_000  # characters of one encoded run that are undone; longer ones are files
MOST_FOUND = 50  # hidden texts of one passage that are told
DEEPEST = 2  # encodings inside encodings

# Invisible: zero-width marks, joiners, direction marks, soft hyphens, fillers, variation selectors.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
# Tag characters carry ASCII that no font shows.
TAGS = re.compile("[\U000e0020-\U000e007e]+")
# Zero-width marks as bits: the two commonest pairs.
BITS = re.compile("[\u200b\u200c\u200d\u2060\ufeff]{24,}")

BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{16,}\n?)+={0,2}(?![A-Za-z0-9+/_=-])")
BASE32 = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{24,}={0,6}(?![A-Z2-7=])")
HEX = re.compile(r"(?<![0-9A-Fa-f])(?:0x)?(?:[0-9A-Fa-f]{2}[ :,]?){12,}(?![0-9A-Fa-f])")
BINARY = re.compile(r"(?<![01])(?:[01]{8} ?){8,}(?![01])")
PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}|[A-Za-z0-9.,_~-]){12,}")
ESCAPES = re.compile(r"(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}){6,}")
ENTITIES = re.compile(r"(?:&#x?[0-9A-Fa-f]{2,6};){6,}")
MORSE = re.compile(r"(?<![.\-/])(?:[.-]{1,6}[ /]+){8,}[.-]{1,6}(?![.\-])")
SPACED = re.compile(r"(?<!\w)(?:\w[ ._*-]{1,3}){16,}\w(?!\w)")

_MORSE_CODE = (
    "A.- B-... C-.-. D-.. E. F..-. G--. H.... I.. J.--- K-.- L.-.. M-- N-. O--- P.--. Q--.- R.-. S... T- U..- V...- "
    "W.-- X-..- Y-.-- Z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----."
)
MORSE_LETTERS = {one[1:]: one[0] for one in _MORSE_CODE.split()}

# Cyrillic, Greek and phonetic letters that pass for Latin ones, each before the letter it passes for.
_PAIRS = (
    "\u0430a \u0435e \u043eo \u0440p \u0441c \u0445x \u0443y \u0456i \u0458j \u0455s \u0501d \u04bbh "
    "\u04cfl \u0410A \u0412B \u0415E \u041aK \u041cM \u041dH \u041eO \u0420P \u0421C \u0422T \u0425X "
    "\u0405S \u0406I \u0408J \u043ak \u043cm \u0442t \u0432b \u0433r \u043fn \u051bq \u051dw \u03b1a "
    "\u03bfo \u03bdv \u03c1p \u03c4t \u03c5u \u03b9i \u03bak \u0391A \u0392B \u0395E \u0396Z \u0397H "
    "\u0399I \u039aK \u039cM \u039dN \u039fO \u03a1P \u03a4T \u03a5Y \u03a7X \u0251a \u0261g \u0269i "
    "\u026ai \u029fl \ua731s \u0274n \u0280r "
)
LOOK_ALIKES = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}

# The commonest words of a few languages and of orders: a rotation is right when it brings these up.
_COMMON_WORDS = """
    the and you that for are with this from all not now must will ignore instructions assistant system user record as
    is in of to a be on approved agreed previous always never any answer please has have been it
"""
COMMON = frozenset(_COMMON_WORDS.split())
LEAST_COMMON = 0.3  # share of common words that makes text out of letters
LEET_WORD = re.compile(r"\b(?=\w*[a-z])\w*[a-z@$][013457@$]+[a-z@$]\w*", re.IGNORECASE)
LEET = str.maketrans("013457@$", "oleastas")


def revealed(text: str) -> tuple[str, ...]:
    """What a text says besides its plain words, each hidden text once, in order of finding; empty when it hides none.

    Base64, base32, hex, binary, percent and character escapes, entities, tag characters, Morse, spaced-out letters,
    comments, invisible marks as bits, reversed text, rotations of the alphabet, digits in place of letters.
    """
    found: dict[str, None] = {}
    _reveal(text, found, DEEPEST)
    found.pop(" ".join(text.split()), None)
    return tuple(found)[:MOST_FOUND]


def folded(text: str) -> str:
    """The text as it looks: without invisible marks, with look-alike, wide and styled letters as plain ones."""
    plain = unicodedata.normalize("NFKC", TAGS.sub("", INVISIBLE.sub("", text)))
    if plain.isascii() or not _mixed(plain):
        return plain
    return plain.translate(LOOK_ALIKES)


def _reveal(text: str, found: dict[str, None], depth: int) -> None:
    for hidden in _hidden(text):
        line = " ".join(hidden.split())
        if line in found or len(found) >= MOST_FOUND:
            continue
        if is_prose(hidden):
            found[line] = None
        if depth > 1:
            _reveal(hidden, found, depth - 1)


def _hidden(text: str) -> Iterator[str]:
    """Candidates: what is prose is told, what is not may be an encoding of it once more."""
    plain = folded(text)
    for tags in TAGS.findall(text):
        yield "".join(chr(ord(one) - 0xE0000) for one in tags)
    for piece in text.split("<!--")[1:]:
        comment, closed, _ = piece.partition("-->")
        if closed:
            yield comment
    for pattern, undo in ENCODINGS:
        for match in pattern.finditer(plain):
            decoded = undo(match[0]) if len(match[0]) <= MOST_HIDDEN else None
            if decoded is not None:
                yield decoded
    yield from _whole(plain)
    yield from _zero_width_bits(text)


def _whole(plain: str) -> Iterator[str]:
    """Rotations, reversals and digits for letters, line by line: of lines that are no text as they stand."""
    for line in plain.split("\n"):
        if len(line) > MOST_HIDDEN or sum(letter.isalpha() for letter in line) < LEAST_LETTERS:
            continue
        turned = [codecs.encode(line, "rot13"), line[::-1], _atbash(line)]
        if len(LEET_WORD.findall(line)) >= LEAST_WORDS:
            turned.append(line.translate(LEET))
        yield from (one for one in turned if _common(one) > 2 * _common(line) + 1)


def _atbash(line: str) -> str:
    small, large = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return line.translate(str.maketrans(small + large, small[::-1] + large[::-1]))


def _common(line: str) -> int:
    """How many common words a line has; 0 when they are too few to make it a text."""
    words = re.findall(r"[a-z]+", line.lower())
    found = sum(word in COMMON for word in words if len(word) > 1)
    return found if found >= max(LEAST_WORDS, LEAST_COMMON * len(words)) else 0


def is_prose(text: str) -> bool:
    """Whether decoded characters are words of a person: letters, spaces, and little else."""
    visible = [one for one in text if not one.isspace()]
    letters = sum(one.isalpha() for one in text)
    if letters < LEAST_LETTERS or any(unicodedata.category(one) in {"Cc", "Cn", "Co"} for one in visible):
        return False
    return letters >= LETTER_SHARE * len(visible) and len(text.split()) >= LEAST_WORDS


def _mixed(text: str) -> bool:
    """Whether some word has Latin letters and letters of another script that look like them: no language does."""
    for word in re.findall(r"\w+", text):
        alike = sum(ord(letter) in LOOK_ALIKES for letter in word)
        if alike and (any(letter.isascii() and letter.isalpha() for letter in word)):
            return True
    return False


def _text_of(data: bytes) -> str | None:
    for encoding in ("utf-8", "utf-16-le"):
        try:
            decoded = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in decoded:
            return decoded
    return None


def _base64(text: str) -> str | None:
    packed = "".join(text.split()).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return _text_of(base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


def _base32(text: str) -> str | None:
    packed = text.rstrip("=")
    try:
        return _text_of(base64.b32decode(packed + "=" * (-len(packed) % 8)))
    except (binascii.Error, ValueError):
        return None


def _hex(text: str) -> str | None:
    digits = re.sub(r"0x|[^0-9A-Fa-f]", "", text)
    return _text_of(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _binary(text: str) -> str | None:
    bits = re.sub(r"[^01]", "", text)
    return _text_of(bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits) // 8 * 8, 8)))


def _percent(text: str) -> str | None:
    return urllib.parse.unquote(text) if text.count("%") >= LEAST_WORDS else None


def _escapes(text: str) -> str | None:
    return re.sub(r"\\[ux]([0-9A-Fa-f]{2,4})", lambda match: chr(int(match[1], 16)), text)


def _morse(text: str) -> str | None:
    words = (word.split() for word in re.split(r" */ *| {3,}", text))
    return " ".join("".join(MORSE_LETTERS.get(letter, "?") for letter in word) for word in words)


def _spaced(text: str) -> str | None:
    """One mark between letters and more between words; with one everywhere the letters run together."""
    words = re.split(r"[ ._*-]{2,}", text)
    return " ".join(re.sub(r"[ ._*-]", "", word) for word in words)


def _zero_width_bits(text: str) -> Iterator[str]:
    for match in BITS.finditer(text):
        marks = sorted(set(match[0]))
        for one, zero in ((marks[0], marks[-1]), (marks[-1], marks[0])):
            bits = "".join("1" if mark == one else "0" if mark == zero else "" for mark in match[0])
            decoded = _binary(bits)
            if decoded is not None:
                yield decoded


ENCODINGS: tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...] = (
    (BASE64, _base64),
    (BASE32, _base32),
    (BINARY, _binary),
    (HEX, _hex),
    (PERCENT, _percent),
    (ESCAPES, _escapes),
    (ENTITIES, html.unescape),
    (MORSE, _morse),
    (SPACED, _spaced),
)
"""Encodings that stand inside other text: how to find a run, and how to undo it (None when it is none)."""
