"""Secrets in text become stable placeholders (rule 10).

A placeholder is `[secret:<kind>:<8 hex digits>]`; the digits are the head of HMAC-SHA256(key, secret), so the same
secret gives the same digits wherever it stands, and nobody without the key can test a guess against them.
"""

import hashlib
import hmac
import importlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from language.secrets.assigned import Hit, assigned, cookies, mentioned
from language.secrets.commands import PLACED
from language.secrets.known import KnownSecrets
from language.secrets.patterns import BLOCKS, IN_CONTEXT, LIBRARY, SHAPED, LibraryRule
from language.secrets.rules import Rule

PLACEHOLDER = re.compile(r"\[(?:secret|custom|personal):([a-z0-9_-]{2,40}):[0-9a-f]{8}\]")
"""What stands in place of a secret or of personal data; its group is the kind."""

_DIGITS = 8
_OVERHANG = 8  # how far a secret found by its surroundings may outreach one found by its shape and still be the same
_EDGE = re.compile(r'(?:AccountKey=|[\s=:"])*')  # what some library expressions match before the secret


class Redacted(NamedTuple):
    """A text without its secrets, and (kind, placeholder) per replacement in order of place."""

    text: str
    found: tuple[tuple[str, str], ...]


def replace_secrets(text: str, *, key: bytes, known: KnownSecrets | None = None) -> Redacted:
    """Replace every detected secret in `text` by its placeholder; a text that holds placeholders already is left as is.

    Args:
        text: Any text. Key blocks may span lines; names, schemes, users and hosts around a secret stay.
        key: The installation key, not empty. Another key gives other placeholders.
        known: Secrets of earlier turns of the same conversation: their bare mentions are replaced as well, and what
            is found here is added to it.

    Raises:
        ValueError: The key is empty: placeholders would be open to guessing.
    """
    if not key:
        message = "the key of secret placeholders is empty; give the installation key"
        raise ValueError(message)
    memory = KnownSecrets() if known is None else known
    found: list[tuple[int, tuple[str, str]]] = []
    while True:  # a replacement may uncover a secret that stood against it; each round leaves fewer characters to find
        text, new = _replace_once(text, key, memory)
        if not new:
            break
        found.extend(new)
    if not found:
        return Redacted(text, ())
    kept = tuple((match.group(1), match.group()) for match in PLACEHOLDER.finditer(text))
    made = {placeholder for _, (_, placeholder) in found}
    return Redacted(text, tuple(entry for entry in kept if entry[1] in made))


def secret_spans(text: str, *, mark: str = "") -> list[tuple[int, int]]:
    """Where secrets stand in a text that is no part of a conversation, in order; what touches a `mark` is left.

    Args:
        text: Any text.
        mark: What stands where a secret was taken out before, not to be taken for one.
    """
    taken = bytearray(len(text))
    start = text.find(mark) if mark else -1
    while start >= 0:
        _mark(taken, start, start + len(mark))
        start = text.find(mark, start + len(mark))
    return sorted((hit.start, hit.end) for hit in _free(_hits(text), taken))


def _replace_once(text: str, key: bytes, memory: KnownSecrets) -> tuple[str, list[tuple[int, tuple[str, str]]]]:
    taken = bytearray(len(text))
    for match in PLACEHOLDER.finditer(text):
        _mark(taken, match.start(), match.end())
    edits: list[tuple[int, int, str]] = []
    for hit in _free(_hits(text), taken):
        secret = text[hit.start : hit.end]
        placeholder = f"[secret:{hit.kind}:{hmac.new(key, secret.encode(), hashlib.sha256).hexdigest()[:_DIGITS]}]"
        memory.remember(secret, placeholder, key)
        edits.append((hit.start, hit.end, placeholder))
        _mark(taken, hit.start, hit.end)
    for start, end, placeholder in memory.hits(text, key):
        if not _touches(taken, start, end):
            edits.append((start, end, placeholder))
            _mark(taken, start, end)
    edits.sort()
    parts: list[str] = []
    position = 0
    for start, end, placeholder in edits:
        parts += (text[position:start], placeholder)
        position = end
    parts.append(text[position:])
    return "".join(parts), [(start, (_kind(placeholder), placeholder)) for start, _, placeholder in edits]


def _kind(placeholder: str) -> str:
    return placeholder.split(":")[1]


def _mark(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\x01" * (end - start)


def _touches(taken: bytearray, start: int, end: int) -> bool:
    return taken.find(1, start, end) >= 0


def _free(hits: Iterable[Hit], taken: bytearray) -> list[Hit]:
    """Hits that touch no placeholder, overlaps resolved: the earlier rule wins, far longer ones are joined with it."""
    kept: list[Hit] = []
    busy = bytearray(len(taken))
    for hit in hits:
        if _touches(taken, hit.start, hit.end):
            continue
        if not _touches(busy, hit.start, hit.end):
            kept.append(hit)
        else:
            rivals = [other for other in kept if hit.start < other.end and other.start < hit.end]
            start, end = min(hit.start, *(r.start for r in rivals)), max(hit.end, *(r.end for r in rivals))
            if end - start <= sum(r.end - r.start for r in rivals) + _OVERHANG:
                continue
            kept = [*(other for other in kept if other not in rivals), Hit(start, end, rivals[0].kind)]
        _mark(busy, kept[-1].start, kept[-1].end)
    return kept


def _hits(text: str) -> Iterator[Hit]:
    """All hits, those of the surest rules first."""
    lowered = text.lower()
    for rule in (*BLOCKS, *SHAPED):
        yield from _hits_of(rule, text, lowered)
    for rule, group in _library_rules():
        yield from _library_hits(rule, group, text, lowered)
    for rule in (*IN_CONTEXT, *PLACED):
        yield from _hits_of(rule, text, lowered)
    yield from cookies(text, lowered)
    yield from assigned(text, lowered)
    yield from mentioned(text)


def _hits_of(rule: Rule, text: str, lowered: str) -> Iterator[Hit]:
    if not any(hint in lowered for hint in rule.hints):
        return
    for match in rule.pattern.finditer(text):
        yield from _proven(rule, match, rule.kind)


GROUPS = ("s", "t", "u")
"""The secret in a match: the one of these that took part; the whole match without any."""


def _proven(rule: Rule, match: re.Match[str], kind: str) -> Iterator[Hit]:
    group = next((name for name in GROUPS if match.groupdict().get(name) is not None), 0)
    value = match.group(group)
    if rule.proof is None or rule.proof(value):
        yield Hit(match.start(group), match.end(group), kind)


@cache
def _library_rules() -> tuple[tuple[Rule, bool], ...]:
    """The expressions of detect-secrets as (rule, whether its group 1 is the secret); loaded on first use."""
    return tuple(pair for entry in LIBRARY for pair in _from_plugin(entry))


def _from_plugin(entry: LibraryRule) -> Iterator[tuple[Rule, bool]]:
    plugin = getattr(importlib.import_module(f"detect_secrets.plugins.{entry.module}"), entry.name)
    patterns: tuple[re.Pattern[str], ...] = tuple(plugin.denylist)
    for pattern in patterns:
        yield Rule(entry.kind, pattern, entry.hints, entry.proof), entry.group and pattern.groups > 0


def _library_hits(rule: Rule, group: bool, text: str, lowered: str) -> Iterator[Hit]:  # noqa: FBT001 - of the pair above
    """As published, but only where the match stands alone: inside a longer run of letters and digits it is none."""
    if not any(hint in lowered for hint in rule.hints):
        return
    for match in rule.pattern.finditer(text):
        start, end = match.span(1 if group else 0)
        lead = _EDGE.match(text, start, end)
        start = lead.end() if lead else start
        end = start + len(text[start:end].rstrip(' \t\r\n"'))
        alone = not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum()
        if alone and (rule.proof is None or rule.proof(text[start:end])):
            yield Hit(start, end, rule.kind)
