"""Secrets that a conversation has shown, kept as what recognises them again: the secret itself is nowhere.

Of a secret three things are kept, all but its length under a key that is made from the installation's:

- its length in characters
- its head: 3 hex digits of HMAC-SHA256 over its first 6 characters
- its digest: 32 hex digits of HMAC-SHA256 over the whole

A later text is searched at each place where a word or a sign begins. The head of 6 characters there is compared first,
so that one hash a place is enough as a rule; where it fits, the stretches of the lengths that go with it are hashed and
compared. The time is linear in the text. Ways in which the same secret is written elsewhere (percent-encoded, escaped
in JSON or XML) are kept as well.
"""

import hashlib
import hmac
import html
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import quote, unquote

from dissolution.conversation import KnownSecret
from language.secrets.proofs import is_memorable

MOST = 2_000
"""Remembered in one conversation, at most; later ones are still replaced by their form."""

MOST_LENGTHS = 16
"""Lengths that go with one head, at most: so many hashes a place of the text may cost."""

MOST_CHARS = 1_000
"""Longer secrets (key blocks) are not remembered: their form is found wherever they stand."""

_HEAD_CHARS = 6
_HEAD_DIGITS = 3
_DIGEST_DIGITS = 32
_PLACE = re.compile(r"(?<![^\W_])\S")
_ENDS = re.compile(r"[&;,<>|\"'`]")


class KnownSecrets:
    """What is remembered of a conversation's secrets while it is read.

    What a turn becomes depends on the turns before it and never on later ones: a grown file keeps its past.
    """

    def __init__(self, stored: Iterable[KnownSecret] = ()) -> None:
        """Start from what was remembered of turns before, if there were any."""
        self.turn = 1
        """The turn that is read now: what is met is remembered as met there."""
        self._entries: list[KnownSecret] = []
        self._by_head: dict[str, dict[int, dict[str, str]]] = {}
        self._new: list[KnownSecret] = []
        for entry in stored:
            self._take(entry)

    def __repr__(self) -> str:
        return f"KnownSecrets({len(self._entries)})"

    @property
    def new(self) -> tuple[KnownSecret, ...]:
        """What was remembered since the start."""
        return tuple(self._new)

    def remember(self, secret: str, placeholder: str, key: bytes) -> None:
        """Keep a secret that cannot be an ordinary word, in each way in which it may be written."""
        own = _own_key(key)
        for form in _forms(secret):
            if len(self._entries) >= MOST:
                return
            if len(form) > MOST_CHARS:
                continue
            entry = KnownSecret(
                turn=self.turn,
                placeholder=placeholder,
                length=len(form),
                head=_head(own, form),
                digest=_digest(own, form),
            )
            lengths = self._by_head.get(entry.head, {})
            if entry.digest in lengths.get(entry.length, {}):
                continue
            if entry.length in lengths or len(lengths) < MOST_LENGTHS:
                self._take(entry)
                self._new.append(entry)

    def _take(self, entry: KnownSecret) -> None:
        self._entries.append(entry)
        self._by_head.setdefault(entry.head, {}).setdefault(entry.length, {})[entry.digest] = entry.placeholder

    def hits(self, text: str, key: bytes) -> Iterator[tuple[int, int, str]]:
        """(start, end, placeholder) of every mention in `text` that stands alone, the longest at a place."""
        if not self._entries:
            return
        own = _own_key(key)
        heads: dict[str, str] = {}
        for match in _PLACE.finditer(text):
            start = match.start()
            first = text[start : start + _HEAD_CHARS]
            if first not in heads:
                heads[first] = _head(own, first)
            lengths = self._by_head.get(heads[first])
            if lengths is None:
                continue
            for length in sorted(lengths, reverse=True):
                end = start + length
                if end > len(text) or text[end : end + 1].isalnum():
                    continue
                placeholder = lengths[length].get(_digest(own, text[start:end]))
                if placeholder is not None:
                    yield start, end, placeholder
                    break


def _own_key(key: bytes) -> bytes:
    return hmac.digest(key, b"known secrets of a conversation", hashlib.sha256)


def _head(own: bytes, text: str) -> str:
    return hmac.digest(own, b"head\0" + _encoded(text[:_HEAD_CHARS]), hashlib.sha256).hex()[:_HEAD_DIGITS]


def _digest(own: bytes, text: str) -> str:
    return hmac.digest(own, b"whole\0" + _encoded(text), hashlib.sha256).hex()[:_DIGEST_DIGITS]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _forms(secret: str) -> Iterator[str]:
    """The secret, also up to its first sign, if that is no word; with an escaping around it taken off, or put on."""
    plain = dict.fromkeys([secret, unquote(secret), html.unescape(secret)])
    with suppress(ValueError):
        unescaped = json.loads(f'"{secret}"')
        plain[unescaped if isinstance(unescaped, str) else secret] = None
    plain[_ENDS.split(secret, maxsplit=1)[0]] = None
    kept = [one for one in plain if is_memorable(one)]
    escaped = (form for one in kept for form in (quote(one, safe=""), html.escape(one), json.dumps(one)[1:-1]))
    yield from dict.fromkeys([*kept, *escaped])
