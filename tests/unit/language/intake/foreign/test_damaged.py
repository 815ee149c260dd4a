"""Every fixture, damaged in one place, is read or refused: nothing else comes out, whatever stands where."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.errors import InvalidConversation
from language.intake.entries import entries_of
from language.intake.foreign.material import Material
from language.intake.foreign.registry import BY_FORM
from language.intake.options import Form
from language.intake.times import Stamps
from tests.unit.language.intake.foreign.support import FIXTURES
from tests.unit.language.intake.support import read

JSON = sorted(path for path in FIXTURES.iterdir() if path.suffix == ".json")
TEXTS = sorted(path for path in FIXTURES.iterdir() if path.suffix in {".md", ".txt", ".vtt", ".srt"})
ODD: list[Any] = [None, True, 3, -1.5, "", "x", "\u200e", [], {}, [[]], {"type": ["a"]}, [3], ["x"], {"a": {"b": []}}]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - any JSON
    """Where a value can be changed, by keys and indices."""
    if isinstance(value, dict):
        return [path, *(place for key, inner in value.items() for place in places(inner, (*path, key)))]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list):
        return [path, *(place for at, inner in enumerate(value) for place in places(inner, (*path, at)))]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return [path]


def changed(value: Any, path: tuple[Any, ...], put: object) -> Any:  # noqa: ANN401 - any JSON
    """A copy with something else in one place."""
    if not path:
        return put
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], put)
    return copy


def read_or_refused(data: bytes, form: Form) -> None:
    """Reads everything that is there, by force and as it is recognised."""
    for forced in (form, None):
        try:
            found = entries_of(Material(data, "x.json"), forced)
        except InvalidConversation:
            continue
        for entry in found.entries:
            try:
                entry.draft(Stamps("UTC"))
            except InvalidConversation:
                continue
    for one in BY_FORM.values():
        one.recognise(Material(data, "x.json"))


@pytest.mark.parametrize("path", JSON, ids=lambda path: path.name)
@settings(max_examples=50, deadline=None)
@given(draw=st.data())
def test_json_with_one_value_changed(path: Any, draw: st.DataObject) -> None:  # noqa: ANN401 - a Path
    value = json.loads(path.read_bytes())
    place = draw.draw(st.sampled_from(places(value)))
    data = json.dumps(changed(value, place, draw.draw(st.sampled_from(ODD)))).encode()
    read_or_refused(data, Form(path.name.split(".", maxsplit=1)[0]))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
@settings(max_examples=30, deadline=None)
@given(draw=st.data())
def test_texts_with_lines_lost_doubled_or_cut(path: Any, draw: st.DataObject) -> None:  # noqa: ANN401 - a Path
    lines = path.read_text().split("\n")
    picked = draw.draw(st.lists(st.sampled_from(lines), max_size=len(lines)))
    text = "\n".join(picked)[: draw.draw(st.integers(0, 400))]
    read_or_refused(text.encode(), Form(path.name.split(".", maxsplit=1)[0]))


def test_what_is_cut_off_is_refused_with_its_place() -> None:
    for path in JSON:
        with pytest.raises(InvalidConversation, match=r"line \d+, column \d+"):
            read(path.read_bytes()[:-20])
