"""What a file that is refused is most like, and what makes it readable."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from language.intake.foreign.material import Material
from language.intake.foreign.registry import FOREIGN
from language.intake.json_values import as_list, as_object
from language.intake.options import Form

MOST_VALUES = 2_000
"""So many values of a file are looked at."""
DEEPEST = 6
"""Levels of objects and lists that are looked into."""
FEWEST_MARKS = 2
"""Keys that a file must share with a form to be near it."""
SHOWN_KEYS = 4

_OWN_MARKS = {
    Form.NATIVE: frozenset({"turns", "role", "content", "speaker"}),
    Form.OPENAI: frozenset({"messages", "role", "content", "tool_calls"}),
}
_OWN_CONVERTER = "write it as the example there"

_CONTAINERS = (
    (re.compile(rb"PK\x03\x04"), "a zip archive", "`dissolve import` reads archives and folders"),
    (re.compile(rb"SQLite format 3\x00"), "a SQLite database", "export its messages as JSON and give that file"),
    (re.compile(rb"\x1f\x8b"), "a gzip archive", "unpack it first"),
    (re.compile(rb"%PDF-"), "a PDF", "copy its text into a transcript ('Name: text')"),
    (re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE), "a web page", "export the data as JSON"),
)


class Nearest(NamedTuple):
    """What a file is most like: `words` says it in a refusal, `advice` what to do."""

    words: str
    advice: str


def container(data: bytes) -> Nearest | None:
    """What holds the file that is meant (an archive, a database, a page); None for anything else."""
    head = data[:400].removeprefix(b"\xef\xbb\xbf")
    found = next((one for one in _CONTAINERS if one[0].match(head)), None)
    return None if found is None else Nearest(f"is {found[1]}", found[2])


def nearest(material: Material) -> Nearest | None:
    """The form that a file of JSON shares most keys with; None when it shares too few with each."""
    keys = set(_keys(list(material.objects)))
    forms = [(one.form, one.title, one.marks, one.converter) for one in FOREIGN if one.marks]
    forms += [(form, f"form {form}", marks, _OWN_CONVERTER) for form, marks in _OWN_MARKS.items()]
    scored = [(len(marks & keys) / len(marks), form, title, marks, advice) for form, title, marks, advice in forms]
    scored = [one for one in scored if len(one[3] & keys) >= FEWEST_MARKS]
    if not scored:
        return None
    _, form, title, marks, advice = max(scored, key=lambda one: one[0])
    has, lacks = _some(marks & keys), _some(marks - keys)
    told = f"it has {has}" + (f" but not {lacks}" if lacks else ", but not in their places")
    return Nearest(f"nearest is {form} ({title}): {told}", advice)


def _some(keys: frozenset[str]) -> str:
    return ", ".join(repr(key) for key in sorted(keys)[:SHOWN_KEYS])


def _keys(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON is any value
    """Keys of objects, nearest the root first, within bounds."""
    level, seen = [value], 0
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            seen += 1
            if seen > MOST_VALUES:
                return
            fields = as_object(one)
            if fields is not None:
                yield from fields
                below += fields.values()
            below += (as_list(one) or [])[:MOST_VALUES]
        level = below
