"""Names of things in systems: versions, files, hosts, tickets, commits, addresses, code."""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache

from dissolution.values import Frozen, Span
from language.masks import blanked, code_spans
from language.units import unit_at
from language.words import word_set


class IdentifierKind(StrEnum):
    """What an identifier names."""

    VERSION = "version"
    CODE = "code"
    PATH = "path"
    HOST = "host"
    TICKET = "ticket"
    COMMIT = "commit"
    URL = "url"
    EMAIL = "email"
    NAME_WITH_DIGITS = "name-with-digits"


class Identifier(Frozen):
    """One identifier as written, and in the form in which two spellings of it are equal."""

    text: str
    normalised: str
    kind: IdentifierKind
    span: Span


URL = re.compile(r"(?<![A-Za-z0-9])(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[^\s<>\"'`“”‘’|\\^{}\[\]]+", re.IGNORECASE)
TOKEN = re.compile(r"[\w./:@#~+\-]+")
TRAILING = ".:/-+#~@"
LEADING = ".:@+"

EMAIL = re.compile(r"[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+")
TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d{1,7}|#\d{1,7}")
COMMIT = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}")
VERSION = re.compile(r"[vV]?\d{1,6}(?:\.\d{1,6}){2,4}(?:[-+.]?[A-Za-z][\w.]*)?|[vV]\d{1,4}(?:\.\d{1,6})*(?:-\w+)?")
TWO_PART = re.compile(r"\d{1,4}\.\d{1,6}")
ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/\d{1,2})?")
# A machine name ends in a number: web-a1, rds-cache-01, eu-west-1; a port may follow.
HOST = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[a-z]{0,3}\d{1,4}(?::\d{2,5})?")
DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?P<last>[a-z]{2,12})(?::\d{2,5})?", re.IGNORECASE)
LOCAL = re.compile(r"(?:localhost|[a-z][a-z0-9]*(?:-[a-z0-9]+)*\d):\d{2,5}")
TOP_LEVEL = word_set("""
    com org net io dev app edu gov int eu uk de fr example local internal test cloud ai co info
""")
EXTENSION = re.compile(
    r"\.(?:py|pyi|js|mjs|ts|tsx|jsx|md|rst|json|jsonl|ya?ml|toml|sql|csv|tsv|txt|log|cfg|conf|ini|ipynb|html?"
    r"|css|xml|pdf|docx?|"
    r"xlsx?|pptx?|png|jpe?g|gif|svg|tf|lock|gz|zip|tar|tgz|sh|bash|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|R|r"
    r"|env|proto|parquet|"
    r"pem|key|crt|service|bak|dump|db|sqlite)",
)
PATH = re.compile(r"(?:~|\.{1,2})?/?(?:[\w.@+-]+/)*[\w.@+-]+/?")
SNAKE = re.compile(r"_*[A-Za-z]\w*_\w*|_+[A-Za-z]\w*|__\w+")
CAMEL = re.compile(r"[a-z]+[0-9]*[A-Z]\w*")
FLAG = re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z]")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
# Digits with a unit, an ordinal, a decade, a multiple or a duration are amounts, not names.
AMOUNT = re.compile(
    r"[+-]?\d[\d.,]*(?:[kKMGTB]|bn|mn|x|X|st|nd|rd|th|s|ms|us|µs|ns|h|hr|hrs|d|w|m|min|mins|sec|secs"
    r"|[kKMGTP]i?[bB]|[kKMGT]?bps|B|bits?|bytes?|"
    r"mm|cm|km|nm|µm|um|ft|ha|g|kg|mg|µg|ug|t|l|L|ml|mL|Hz|kHz|MHz|GHz|W|kW|MW|kWh|V|C|F|pp|ppm|am|pm|AM|PM"
    r"|e[+-]?\d+|EUR|USD|GBP|"
    r"vCPUs?|m2|m3|km2)?"
)
DURATION = re.compile(r"(?:\d+(?:d|h|m|s|ms|min))+")
AMOUNT_WORDS = re.compile(r"\d[\d.,]*(?:[a-zA-Z]{1,2})?(?:-[A-Za-z]+)+")  # 24-token, 15-minute, 3B-parameter
DATE_LIKE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:T[\d:.+Z-]*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?\w?|Q[1-4]"
)
# Words after which a number with a point is a version.
VERSION_WORDS = word_set("""
    version versions v release firmware rev revision build python node java php go ruby
""")
LOOK_BEHIND = 30


@lru_cache(maxsize=64)  # the readers of numbers ask for the same text right after each other
def identifiers(text: str) -> tuple[Identifier, ...]:
    """Every identifier in `text`, in order, without overlap; those inside code are found as well.

    `normalised` is lower case, without a version's leading v, a path's or address's last slash, or a call's brackets.
    """
    found: list[Identifier] = []
    spans: list[Span] = []
    for match in URL.finditer(text):
        said = _trimmed_url(match[0])
        spans.append(Span(start=match.start(), end=match.start() + len(said)))
        found.append(_identifier(said, match.start(), IdentifierKind.URL))
    rest = blanked(text, spans)
    inside_code = {
        span.start + 1: span.end - 1 for span in code_spans(text) if not text.startswith(("```", "~~~"), span.start)
    }
    for start, token in _tokens(rest):
        in_code = inside_code.get(start) == start + len(token)
        if token.isalpha() and not in_code:  # most of any text: letters alone can only be code
            kind = IdentifierKind.CODE if _is_code_word(token, rest, start) else None
        else:
            kind = _kind(token, rest, start, in_code=in_code)
        if kind is not None:
            found.append(_identifier(token, start, kind))
    return tuple(sorted(found, key=lambda identifier: identifier.span.start))


def _trimmed_url(said: str) -> str:
    trimmed = said.rstrip(".,;:!?*_")
    while trimmed.endswith(")") and trimmed.count("(") < trimmed.count(")"):
        trimmed = trimmed[:-1].rstrip(".,;:!?*_")
    return trimmed


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    for match in TOKEN.finditer(text):
        if match[0].isalpha():
            if len(match[0]) > 1:
                yield match.start(), match[0]
            continue
        token = match[0].rstrip(TRAILING)
        bare = token.lstrip(LEADING) if not token.startswith(("./", "../")) else token
        start = match.start() + len(token) - len(bare)
        if bare.startswith("_") and bare.endswith("_") and not bare.startswith("__"):
            start, bare = start + 1, bare[1:-1]  # emphasis
        if len(bare) > 1:
            yield start, bare


def _identifier(said: str, start: int, kind: IdentifierKind) -> Identifier:
    normalised = said.casefold()
    if kind is IdentifierKind.VERSION:
        normalised = normalised.removeprefix("v")
    if kind in {IdentifierKind.PATH, IdentifierKind.URL}:
        normalised = normalised.rstrip("/") or "/"
    return Identifier(text=said, normalised=normalised, kind=kind, span=Span(start=start, end=start + len(said)))


def _kind(token: str, text: str, start: int, *, in_code: bool) -> IdentifierKind | None:
    if DATE_LIKE.fullmatch(token) or (AMOUNT.fullmatch(token) and not _is_version(token, text, start)):
        return None
    for kind, test in TESTS:
        if test(token, text, start):
            return kind
    if in_code and any(character.isalpha() for character in token):
        return IdentifierKind.CODE
    return None


def _is_version(token: str, text: str, start: int) -> bool:
    if VERSION.fullmatch(token):
        return True
    end = start + len(token)
    if not TWO_PART.fullmatch(token) or unit_at(text, end) or (text.startswith(" ", end) and unit_at(text, end + 1)):
        return False
    before = text[max(0, start - LOOK_BEHIND) : start].rstrip()
    word = re.search(r"[A-Za-z][\w-]*$", before)
    if word is None or len(before) != min(start, LOOK_BEHIND) - 1:
        return False
    return word[0].lower() in VERSION_WORDS or _is_product(word[0], before[: word.start()])


def _is_product(word: str, before: str) -> bool:
    """A capitalised word inside a sentence, or one with capitals inside, takes a version: "PostgreSQL 16.4"."""
    if any(character.isupper() for character in word[1:]) and not word.isupper():
        return True
    inside = before.rstrip()[-1:]
    return word[0].isupper() and (inside.isalnum() or inside in {",", "("}) and inside != ""


def _is_host(token: str, _text: str, _start: int) -> bool:
    if HOST.fullmatch(token) or LOCAL.fullmatch(token):
        return True
    domain = DOMAIN.fullmatch(token)
    return domain is not None and domain["last"].lower() in TOP_LEVEL


def _is_path(token: str, _text: str, _start: int) -> bool:
    if ":" in token or "@" in token or not PATH.fullmatch(token):
        return False
    if EXTENSION.fullmatch(token, max(0, token.rfind("."))) and token.rfind(".") >= 0:
        return any(character.isalpha() for character in token[: token.rfind(".")])
    if not any(character.isalpha() for character in token):
        return False
    return token.startswith(("/", "~/", "./", "../")) or token.count("/") > 1


def _is_code(token: str, text: str, start: int) -> bool:
    called = text.startswith("()", start + len(token))
    if SNAKE.fullmatch(token) or CAMEL.fullmatch(token) or (FLAG.fullmatch(token) and len(token) > 2):  # noqa: PLR2004
        return True
    return (DOTTED.fullmatch(token) is not None and (called or "_" in token)) or (called and token.isidentifier())


def _is_code_word(token: str, text: str, start: int) -> bool:
    """Whether a token of letters is code: `_is_code` without what needs a digit, dash, dot or underscore."""
    if not token.islower() and CAMEL.fullmatch(token):
        return True
    return text.startswith("()", start + len(token)) and token.isidentifier()


def _has_digits_and_letters(token: str, _text: str, _start: int) -> bool:
    if AMOUNT_WORDS.fullmatch(token) or DURATION.fullmatch(token) or ":" in token or "@" in token:
        return False
    return any(c.isdigit() for c in token) and any(c.isalpha() for c in token)


TESTS: tuple[tuple[IdentifierKind, Callable[[str, str, int], bool]], ...] = (
    (IdentifierKind.EMAIL, lambda token, _t, _s: "@" in token and EMAIL.fullmatch(token) is not None),
    (IdentifierKind.HOST, lambda token, _t, _s: ADDRESS.fullmatch(token) is not None),
    (IdentifierKind.VERSION, _is_version),
    (IdentifierKind.TICKET, lambda token, _t, _s: TICKET.fullmatch(token) is not None),
    (IdentifierKind.COMMIT, lambda token, _t, _s: COMMIT.fullmatch(token) is not None),
    (IdentifierKind.HOST, _is_host),
    (IdentifierKind.PATH, _is_path),
    (IdentifierKind.CODE, _is_code),
    (IdentifierKind.NAME_WITH_DIGITS, _has_digits_and_letters),
)
