"""What recognisers find in a text becomes placeholders of the same form as those of secrets."""

import hashlib
import hmac
from collections.abc import Sequence

from dissolution.recognising import Recogniser
from language.secrets.replacing import PLACEHOLDER, Redacted

_DIGITS = 8


def replace_recognised(text: str, recognisers: Sequence[Recogniser], *, key: bytes) -> Redacted:
    """Replace what recognisers find, the first one first; of overlapping finds the longer, then the earlier, is taken.

    What stands in a placeholder stays. A placeholder is `[<mark>:<kind>:<8 hex digits>]`; the digits are the head of
    HMAC-SHA256(key, what stood there), so equal things keep equal placeholders.
    """
    found: list[tuple[str, str]] = []
    for recogniser in recognisers:
        text, new = _replace_once(text, recogniser, key)
        found += new
    return Redacted(text, tuple(found))


def _replace_once(text: str, recogniser: Recogniser, key: bytes) -> tuple[str, list[tuple[str, str]]]:
    taken = [match.span() for match in PLACEHOLDER.finditer(text)]
    chosen: list[tuple[int, int, str]] = []
    for one in sorted(recogniser.find(text), key=lambda one: (one.start - one.end, one.start)):
        if one.end <= len(text) and not any(one.start < end and start < one.end for start, end in taken):
            taken.append((one.start, one.end))
            chosen.append((one.start, one.end, one.kind))
    parts, made, position = list[str](), list[tuple[str, str]](), 0
    for start, end, kind in sorted(chosen):
        digits = hmac.new(key, text[start:end].encode(), hashlib.sha256).hexdigest()[:_DIGITS]
        placeholder = f"[{recogniser.mark}:{kind}:{digits}]"
        parts += (text[position:start], placeholder)
        made.append((kind, placeholder))
        position = end
    parts.append(text[position:])
    return "".join(parts), made
