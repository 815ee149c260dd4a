"""What a claim gives a value to: its values, each with its kind, role and what it is said of.

A slot is what a value is of: the time of the table, the dose of the drug. Two claims are about one slot when they give
values of one kind, in one role, to one thing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from consensus.profile import Figure, profile_of
from consensus.reconcile.terms import (
    KINDS_OF_PLACE,
    LEADING_ROLES,
    PLACES,
    ROLES,
    SCALES,
    THINGS,
    Role,
)
from consensus.reconcile.tokens import AUXILIARY, DEFINITE, Token, plain, tokens_of
from wording.verbs import word_set
from wording.words import STOPWORDS

CLAUSE = re.compile(r"[;.!?](?=\s|$)|:\s|,\s|\s(?:but|while|whereas)\s")
SENTENCE = re.compile(r"[.!?;](?=\s|$)")
BACK_TO_NOUN = word_set("of is are was were be for at to = : with by from on in than under over about around")
NOT_COUNTED = word_set("a an the and or of for in on at to by from is are was were per with until than")
LONGEST_SYMBOL = 3  # letters; "R = 64" gives a symbol its value
SYMBOL = re.compile(r"(?<!\w)(?P<name>[^\W\d]\w*) ?[=:] ?$")
FOR_PEOPLE = re.compile(r"\bfor\s+(?:\w+\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a claim gives.

    Attributes:
        kind: What it can be held against: a unit, a counted thing, a part of a date, a scale, an identifier's shape.
        key: Equal for equal values.
        text: As said.
        at: Where it begins.
        end: Where it ends.
        roles: What it is of the thing it is said of; empty when its words tell no role.
        about: What its clause is about, without the value: names of things and roots of words.
        verbs: Roots of verbs in its clause that say more than that something is.
        narrowed: Words that narrow a thing down by standing right before it: "marketing" of "marketing budget".
        subject: What its sentence is about before its verb.
        named: Words that stand right before a named thing and tell which one: "staff" of "staff dinner".
    """

    kind: str
    key: str
    text: str
    at: int
    end: int
    roles: frozenset[Role]
    about: frozenset[str]
    verbs: frozenset[str]
    narrowed: frozenset[str]
    subject: frozenset[str]
    named: frozenset[str]


@lru_cache(maxsize=4096)
def values(text: str) -> tuple[Value, ...]:
    """All values that a claim gives, in order."""
    words = plain(text)
    tokens = tokens_of(words)
    found = [*_figures(words, tokens), *_on_scales(words, tokens)]
    return tuple(_value(words, tokens, found, one) for one in sorted(found, key=lambda one: one[2]))


@lru_cache(maxsize=4096)
def about(text: str) -> frozenset[str]:
    """What a whole claim is about: names of things and roots of its words, values left out."""
    words = plain(text)
    tokens = tokens_of(words)
    spans = [(one[2], one[3]) for one in (*_figures(words, tokens), *_on_scales(words, tokens))]
    return frozenset(token.name for token in tokens if token.name and not token.verb and not _inside(token, spans))


_Raw = tuple[str, str, int, int]


def _figures(text: str, tokens: Sequence[Token]) -> list[_Raw]:
    found = [(mark, _kind_of(mark, text, tokens)) for mark in profile_of(text).mentions]
    return [
        (kind, mark.key, *_extent(mark, text))
        for mark, kind in found
        if _tells(mark, kind) and not (mark.kind == "identifier" and _opens_clause(mark, text, tokens))
    ]


def _opens_clause(mark: Figure, text: str, tokens: Sequence[Token]) -> bool:
    """Whether an identifier stands before the verb of its clause: it names what is spoken of."""
    start, stop = _clause(text, mark.at, mark.end)
    verb = next((t.at for t in tokens if start <= t.at < stop and (t.word in AUXILIARY or t.verb)), start)
    return mark.at < verb


def _tells(mark: Figure, kind: str) -> bool:
    """Whether a figure is a value: "one" and "two" are mostly said in passing, but for what they count as a thing."""
    return mark.hard or mark.kind == "date" or kind.removeprefix("count:") in THINGS


def _extent(mark: Figure, text: str) -> tuple[int, int]:
    return mark.at, min(mark.end, len(text))


def _kind_of(mark: Figure, text: str, tokens: Sequence[Token]) -> str:
    if mark.kind == "date":
        return mark.group
    if mark.kind == "identifier":
        return f"identifier:{mark.group}"
    symbol = SYMBOL.search(text[: mark.at])
    if symbol and len(symbol["name"]) <= LONGEST_SYMBOL:
        return f"symbol:{symbol['name']}"
    return mark.group or f"count:{_counted(mark, text, tokens)}"


def _counted(mark: Figure, text: str, tokens: Sequence[Token]) -> str:
    """What a bare number counts: the noun after it, "people" in "a table for 5", else the noun it is said of."""
    symbol = SYMBOL.search(text[: mark.at])
    if symbol:
        return symbol["name"].casefold()
    after = next((token for token in tokens if token.at >= mark.end), None)
    if after is not None and text[mark.end : after.at] in {" ", "-"} and _may_count(after):
        return after.name or after.word
    before = [token for token in tokens if token.end <= mark.at]
    if FOR_PEOPLE.search(text[: mark.at]):
        return "people"
    for token in reversed(before):
        if token.word not in BACK_TO_NOUN:
            return token.name or ("people" if token.word in {"seat", "fit"} else "")
    return ""


def _may_count(token: Token) -> bool:
    return token.word not in STOPWORDS and token.word not in AUXILIARY and token.word not in NOT_COUNTED


def _on_scales(text: str, tokens: Sequence[Token]) -> list[_Raw]:
    """Words of a scale, but for those that narrow a definite subject: "the north office"."""
    verb = next((token.at for token in tokens if token.word in AUXILIARY or token.verb), len(text))
    found: list[_Raw] = []
    place = 0
    while place < len(tokens):
        last = _run(text, tokens, place)
        if last is None:
            place += 1
            continue
        before = tokens[place - 1].word if place else ""
        follows = tokens[last + 1].name if last + 1 < len(tokens) else None
        narrows = tokens[place].at < verb and before in DEFINITE and follows is not None
        if not narrows and not _in_name(tokens, text, place, last):
            key = " ".join(token.word for token in tokens[place : last + 1])
            scales = sorted(SCALES[tokens[last].word])
            found.extend((f"scale:{scale}", key, tokens[place].at, tokens[last].end) for scale in scales)
        place = last + 1
    return found


def _in_name(tokens: Sequence[Token], text: str, place: int, last: int) -> bool:
    """Whether words of a scale are part of a name: "North Street", "Backstreet Bistro"."""
    if tokens[last].word in PLACES and last + 1 < len(tokens):
        after = tokens[last + 1]
        beside = text[tokens[last].end : after.at] == " "
        if beside and not after.verb and (len(after.word) == 1 or _is_open(after)):
            return True
    before = tokens[place - 1] if place else None
    beside = before is not None and text[before.end : tokens[place].at] == " "
    return tokens[place].word in KINDS_OF_PLACE and before is not None and beside and _is_open(before)


def _is_open(token: Token) -> bool:
    return token.name is not None and token.name not in THINGS and not token.verb


def _run(text: str, tokens: Sequence[Token], place: int) -> int | None:
    """The last of the words of scales that stand side by side from here on, "eastern european"; None without one."""
    last = None
    for at in range(place, len(tokens)):
        if tokens[at].word not in SCALES or (last is not None and text[tokens[at - 1].end : tokens[at].at] != " "):
            break
        last = at
    return last


def _inside(token: Token, spans: list[tuple[int, int]]) -> bool:
    return any(start < token.end and token.at < end for start, end in spans)


def _value(text: str, tokens: Sequence[Token], every: list[_Raw], one: _Raw) -> Value:
    kind, key, at, end = one
    spans = [(raw[2], raw[3]) for raw in every if raw[2:] == one[2:] or not raw[0].startswith("identifier")]
    start, stop = _clause(text, at, end)
    near = [t for t in tokens if start <= t.at < stop and not _inside(t, spans)]
    counted = kind.removeprefix("count:")
    if not any(t.name and not t.verb and t.name != counted for t in near):
        near = [*_subject(text, tokens, spans, at), *near]
    return Value(
        kind=kind,
        key=key,
        text=text[at:end],
        at=at,
        end=end,
        roles=roles_at(text, start, stop, at),
        about=frozenset(t.name for t in near if t.name and not t.verb and t.name != counted),
        verbs=frozenset(t.name for t in near if t.name and t.verb),
        narrowed=_narrowed(near),
        subject=frozenset(t.name for t in _subject(text, tokens, spans, at) if t.name),
        named=_narrowed(near, heads=THINGS),
    )


def _subject(text: str, tokens: Sequence[Token], spans: list[tuple[int, int]], at: int) -> list[Token]:
    """The words before the verb of the sentence that a clause without a thing of its own belongs to."""
    begin = max((match.end() for match in SENTENCE.finditer(text, 0, at)), default=0)
    sentence = [t for t in tokens if begin <= t.at < at]
    verb = next((t.at for t in sentence if t.word in AUXILIARY or t.verb), at)
    return [t for t in sentence if t.at < verb and not _inside(t, spans)]


def _clause(text: str, at: int, end: int) -> tuple[int, int]:
    start = max((match.end() for match in CLAUSE.finditer(text, 0, at)), default=0)
    after = CLAUSE.search(text, end)
    return start, after.start() if after else len(text)


def roles_at(text: str, start: int, stop: int, at: int) -> frozenset[Role]:
    """The role of what stands at `at`: by the word right before it, else by those of its clause [start, stop)."""
    leading = frozenset(role for role, pattern in LEADING_ROLES if pattern.search(text[start:at]))
    clause = text[start:stop]
    return leading or frozenset(role for role, pattern in ROLES if pattern.search(clause))


def _narrowed(tokens: Sequence[Token], heads: frozenset[str] | None = None) -> frozenset[str]:
    return frozenset(
        one.name
        for one, two in pairwise(tokens)
        if (heads is None or two.name in heads)
        and one.name
        and two.name
        and one.name != two.name
        and not one.verb
        and two.at - one.end == 1
    )
