"""Round trips: what is written is read back."""

import json
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.replies import render_json_reply, render_reply
from dissolution.answers import FinishReason
from dissolution.claims import Section, StatedClaim
from prompts.parse import parse_reply
from prompts.reply import reply_format, reply_schema

ANY = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(
    lambda text: bool(text.strip())
)
WORDS = st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=2, max_size=8).map(
    lambda words: f"The {' '.join(words)} holds."
)
TURNS = st.lists(st.integers(1, 60), max_size=4).map(tuple)


def claims(
    text: st.SearchStrategy[str], quotes: st.SearchStrategy[tuple[str, ...]]
) -> st.SearchStrategy[list[StatedClaim]]:
    one = st.builds(
        StatedClaim, section=st.sampled_from(Section), text=text, turns=TURNS, quotes=quotes, place=st.none()
    )
    return st.lists(one, max_size=8)


def read_back(text: str) -> list[StatedClaim]:
    return [claim.model_copy(update={"place": None}) for claim in parse_reply(text, FinishReason.STOP).claims]


def by_section(stated: list[StatedClaim]) -> list[StatedClaim]:
    return [claim for section in Section for claim in stated if claim.section is section]


@given(claims(WORDS, st.just(())))
def test_bullets_round_trip(stated: list[StatedClaim]) -> None:
    assert read_back(render_reply(stated)) == by_section(stated)


@given(claims(ANY, st.lists(ANY, max_size=3).map(tuple)))
def test_json_round_trip_is_exact(stated: list[StatedClaim]) -> None:
    assert read_back(render_json_reply(stated)) == by_section(stated)


@given(claims(ANY, st.just(())))
def test_bullets_carry_a_claim_or_refuse_it(stated: list[StatedClaim]) -> None:
    try:
        text = render_reply(stated)
    except ValueError as error:
        assert "render_json_reply" in str(error)  # noqa: PT017 - either outcome is right, a silent change is not
    else:
        assert read_back(text) == by_section(stated)


def test_the_bullet_form() -> None:
    stated = [
        StatedClaim(section=Section.DECIDED, text="B goes.", turns=(7, 22)),
        StatedClaim(section=Section.KNOWN, text="A holds.", turns=(3,)),
        StatedClaim(section=Section.KNOWN, text="C holds."),
    ]
    assert render_reply(stated) == (
        "KNOWN\n- A holds. [turn 3]\n- C holds.\n\nDECIDED\n- B goes. [turns 7, 22]\n\nEDGES\nnone\n\nIDENTITY\nnone"
    )


@pytest.mark.parametrize(
    "claim",
    [
        StatedClaim(section=Section.KNOWN, text="A holds.", quotes=("a",)),
        StatedClaim(section=Section.KNOWN, text="two\nlines"),
        StatedClaim(section=Section.KNOWN, text="**whole**"),
        StatedClaim(section=Section.KNOWN, text="none"),
        StatedClaim(section=Section.KNOWN, text="A holds. [turn 4]"),
    ],
)
def test_what_bullets_cannot_carry_is_refused(claim: StatedClaim) -> None:
    with pytest.raises(ValueError, match="render_json_reply"):
        render_reply([claim])
    assert read_back(render_json_reply([claim])) == [claim]


@given(claims(ANY, st.lists(ANY, max_size=3).map(tuple)))
def test_what_is_written_as_json_is_of_the_schema(stated: list[StatedClaim]) -> None:
    jsonschema.validate(json.loads(render_json_reply(stated)), reply_schema())


def test_what_is_of_the_schema_is_read_without_a_problem() -> None:
    item = {"text": "The deadline is 12 May.", "turns": [3], "quotes": ["12 May"]}
    reply = {"KNOWN": [item], "DECIDED": [], "EDGES": [], "IDENTITY": [item | {"quotes": []}]}
    jsonschema.validate(reply, reply_schema())
    parsed = parse_reply(json.dumps(reply), FinishReason.STOP, through=5)
    assert parsed.problems == ("json",)
    assert [claim.text for claim in parsed.claims] == [item["text"]] * 2


@pytest.mark.parametrize(
    "reply",
    [
        {"KNOWN": [], "DECIDED": [], "EDGES": []},
        {"KNOWN": [], "DECIDED": [], "EDGES": [], "IDENTITY": [], "NOTES": []},
        {"KNOWN": ["text alone"], "DECIDED": [], "EDGES": [], "IDENTITY": []},
        {"KNOWN": [{"text": "x", "turns": ["3"], "quotes": []}], "DECIDED": [], "EDGES": [], "IDENTITY": []},
    ],
)
def test_the_schema_refuses_other_forms(reply: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(reply, reply_schema())


def test_the_schema_keeps_to_what_strict_modes_take() -> None:
    found: list[dict[str, Any]] = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            found.append(cast("dict[str, Any]", value))
            for inner in cast("dict[str, Any]", value).values():
                walk(inner)

    walk(reply_schema())
    objects = [node for node in found if node.get("type") == "object"]
    assert len(objects) == 5  # the reply, and a statement in each of its four sections
    for node in objects:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    sent: Any = reply_format()
    assert (sent["type"], sent["json_schema"]["strict"]) == ("json_schema", True)
    assert sent["json_schema"]["schema"] == reply_schema()
