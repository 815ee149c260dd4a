"""Replies in JSON, beyond what the golden corpus holds."""

import json

import pytest

from prompts.json_form import MAX_DEPTH, JsonState, read_json

EMPTY: dict[str, list[str]] = {"DECIDED": [], "EDGES": [], "IDENTITY": []}


def read(
    value: object, through: int | None = None
) -> tuple[JsonState, list[tuple[str, tuple[int, ...], tuple[str, ...]]], list[str]]:
    reply = read_json(json.dumps(value, ensure_ascii=False), through)
    return reply.state, [(claim.text, claim.turns, claim.quotes) for claim in reply.claims], reply.problems


def test_turns_and_quotes_are_kept_exactly() -> None:
    item = {"text": " A  holds. [turn 9] ", "turns": [22, 7, 7], "quotes": [" a ", "b"]}
    assert read({"KNOWN": [item], **EMPTY}) == (
        JsonState.READ,
        [(" A  holds. [turn 9] ", (22, 7, 7), (" a ", "b"))],
        [],
    )


def test_single_values_aliases_and_unknown_fields() -> None:
    item = {"claim": "A holds.", "turns": "7", "quote": "a", "confidence": 0.9}
    assert read({"KNOWN": [item], **EMPTY}) == (
        JsonState.READ, [("A holds.", (7,), ("a",))], ["unknown_field: confidence"],
    )  # fmt: skip


def test_what_cannot_be_read_in_an_item_is_named() -> None:
    item = {"text": "A holds.", "turns": [None, "x", 2_000_000, 10**12], "quotes": [1, "", None]}
    state, claims, problems = read({"KNOWN": [item], **EMPTY})
    assert (state, claims) == (JsonState.READ, [("A holds.", (), ())])
    assert problems == [
        "turn_unreadable: None", "turn_unreadable: 'x'", "turn_out_of_range: 2000000",
        "turn_out_of_range: a huge number", "quote_unreadable: 1", "quote_unreadable: ''",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"KNOWN": None, **EMPTY}, "schema: KNOWN is no list"),
        ({"KNOWN": 3, **EMPTY}, "schema: KNOWN is no list"),
        ({"KNOWN": [3], **EMPTY}, "schema: an item of KNOWN is neither text nor an object"),
        ({"KNOWN": [{"text": " "}], **EMPTY}, "schema: an item of KNOWN has no text"),
        ({"sections": [1]}, "schema: 'sections' is no object, or stands beside sections"),
        ({"sections": {"KNOWN": []}, "DECIDED": []}, "schema: 'sections' is no object, or stands beside sections"),
        ({"open": ["A?"]}, "schema: no sections among the keys ['open']"),
    ],
)
def test_schema_errors(value: object, problem: str) -> None:
    assert read(value) == (JsonState.INVALID, [], [problem])


def test_text_in_place_of_a_list_and_marks_in_text_items() -> None:
    state, claims, problems = read(
        {"KNOWN": "**A holds.** [turn 3]", "DECIDED": ["None", "Be concise."], "EDGES": ["** **"], "IDENTITY": []}
    )
    assert state is JsonState.READ
    assert claims == [("A holds.", (3,), ())]
    assert problems == ["section_is_text: KNOWN", "prompt_echo", "empty_item: EDGES"]


def test_sections_beside_other_keys() -> None:
    assert read({"version": 2, "sections": {"KNOWN": ["A."], **EMPTY}})[0] is JsonState.READ
    state, claims, problems = read({"KNOWN": ["A."], "Sources": ["x"], "facts_and_decisions": ["B."], **EMPTY})
    assert state is JsonState.READ
    assert [claim[0] for claim in claims] == ["A.", "B."]
    assert problems == [
        "unknown_section: Sources", "merged_section: facts_and_decisions", "repeated_section: KNOWN",
        "repeated_section: DECIDED",
    ]  # fmt: skip


def test_places_are_verbatim_or_none() -> None:
    items = '["A \\"b\\".", "Same.", "Same. [turn 1]", "Same."]'
    text = '```json\n{"KNOWN": ' + items + ', "DECIDED": [], "EDGES": [], "IDENTITY": []}\n```'
    reply = read_json(text, None)
    escaped, *others = reply.claims
    assert escaped.place is None
    assert [text[claim.place.start : claim.place.end] if claim.place else None for claim in others] == ["Same."] * 3
    assert len({claim.place.start for claim in others if claim.place}) == 3


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("no json at all", JsonState.ABSENT),
        ('Use {"replicas": 3} here', JsonState.ABSENT),
        ('Like so:\n{"replicas": 3}\nKNOWN\n- x', JsonState.ABSENT),
        ("{not json}", JsonState.ABSENT),
        ('{"KNOWN": ["A', JsonState.CUT_OFF),
        ('{"KNOWN": ["A"', JsonState.CUT_OFF),
        ('{"KNOWN": [NaN]}', JsonState.INVALID),
        ('{"KNOWN": [1,]}', JsonState.INVALID),
        ('[{"section": "KNOWN", "text": "A."}]', JsonState.ABSENT),
        ('```json\n[{"section": "KNOWN", "text": "A."}]\n```', JsonState.INVALID),
        ('{"KNOWN": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", JsonState.INVALID),
    ],
)
def test_states(text: str, state: JsonState) -> None:
    assert read_json(text, None).state is state
