"""The registry: every fixture is of one form alone, and whatever JSON comes, it is read or refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.errors import InvalidConversation
from language.intake.foreign.form import ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.registry import FOREIGN, recognised
from language.intake.options import Form
from language.intake.times import Stamps
from tests.unit.language.intake.foreign.support import FIXTURES, material
from tests.unit.language.intake.support import native, read, turn

NAMES = sorted(path.name for path in FIXTURES.iterdir() if path.is_file())


def test_every_form_is_either_ours_or_in_the_registry_once() -> None:
    named = [one.form for one in FOREIGN]
    assert len(set(named)) == len(named)
    assert Form.NATIVE not in named


def test_a_fixture_is_of_the_form_in_its_name_and_of_no_other() -> None:
    given = {name: material(name) for name in NAMES}
    forms = {
        name: [one.form.value for one in FOREIGN if one.recognise(data) is not None] for name, data in given.items()
    }
    assert forms == {name: [name.split(".", maxsplit=1)[0]] for name in NAMES}


@pytest.mark.parametrize("one", FOREIGN, ids=lambda one: one.form)
def test_every_form_has_a_fixture_and_says_what_a_wrong_file_needs(one: ForeignForm) -> None:
    assert any(name.split(".", maxsplit=1)[0] == one.form for name in NAMES)
    assert one.title
    assert one.converter
    assert len(one.marks) != 1  # a form of plain text has no keys


@pytest.mark.parametrize(
    "data",
    [native(turn(), id="c"), [turn("a"), turn("b", "assistant")], {"system": "s", "messages": [turn()]}],
    ids=["native", "openai", "anthropic"],
)
def test_our_own_forms_are_no_foreign_one(data: Any) -> None:  # noqa: ANN401 - any JSON
    assert recognised(Material(json.dumps(data).encode(), "talk.json")) is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04rest", "file 'talk.json' is a zip archive: `dissolve import` reads archives and folders"),
        (b"SQLite format 3\x00" + b"\x00" * 80, "is a SQLite database"),
        (b"%PDF-1.7\n%\xe2", "is a PDF"),
        (b"<!DOCTYPE html><p>User: hi", "is a web page: export the data as JSON"),
        (b'{"uuid": "1", "name": "n", "created_at": "2026-01-01"}', "nearest is claude_ai (claude.ai export): it has"),
    ],
)
def test_a_refusal_names_what_the_file_is_most_like_and_what_helps(data: bytes, message: str) -> None:
    with pytest.raises(InvalidConversation) as refused:
        read(data)
    assert message in str(refused.value)


MARKS = sorted(
    {mark for one in FOREIGN for mark in one.marks} | {"id", "parent", "message", "type", "text", "content", "role"}
)
VALUES = ["user", "assistant", "human", "text", "tool_use", "message", "response_item", "a", "b"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MARKS), inner, max_size=5),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.lists(json_values, min_size=1, max_size=4), st.booleans())
def test_any_json_is_read_or_refused_by_every_form(values: list[Any], lines: bool) -> None:  # noqa: FBT001 - drawn
    text = "\n".join(json.dumps(one) for one in values) if lines else json.dumps(values)
    given = Material(text.encode(), "x.json")
    for one in FOREIGN:
        one.recognise(given)
        try:
            entries = one.read(given)
        except InvalidConversation:
            continue
        for entry in entries:
            try:
                entry.draft(Stamps(None))
            except InvalidConversation:
                continue
