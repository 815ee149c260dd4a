"""Lines under a heading become statements."""

from prompts.sections import layout_of
from prompts.statements import Body, body_of


def body(text: str) -> Body:
    (block,) = layout_of(f"KNOWN\n{text}").blocks
    return body_of(f"KNOWN\n{text}", block, 60)


def texts(text: str) -> list[str]:
    return [item.text for item in body(text).items]


def test_prose_is_one_statement_a_sentence() -> None:
    assert texts("It holds. It is green.\n\nIt is deep.") == ["It holds.", "It is green.", "It is deep."]


def test_references_in_prose_belong_to_the_sentence_before() -> None:
    items = body("It holds. [turn 1] It is green. [turns 2, 99]").items
    assert [(item.text, item.reference.turns) for item in items] == [("It holds.", (1,)), ("It is green.", (2,))]
    assert items[1].reference.problems == ("turn_out_of_range: 99",)


def test_bullets_go_on_where_a_sentence_does() -> None:
    assert texts("- It is\n  wide.\n- It is deep\nand cold.\n- It ends.\nProse follows.") == [
        "It is wide.", "It is deep and cold.", "It ends.", "Prose follows.",
    ]  # fmt: skip
    assert texts("- One\n\n  and more\n\nProse.") == ["One and more", "Prose."]
    assert texts("- No stop\nLet me know if you need more.") == ["No stop", "Let me know if you need more."]


def test_wrapped_statements_have_no_place() -> None:
    one, two = body("- It is\n  wide.\n- It is deep.").items
    assert one.place is None
    assert two.place is not None


def test_prose_wrapped_at_a_margin_is_one_sentence() -> None:
    (item,) = body("The lake has an area of 83 hectares and a mean depth\nof 4.2 m in July.").items
    assert item.text == "The lake has an area of 83 hectares and a mean depth of 4.2 m in July."
    assert item.place is None


def test_lead_ins_are_no_statements() -> None:
    found = body("The runtime:\n- It is Fargate.\n- Also:\n  - Spot.\n- Note:\n- Last.")
    assert [item.text for item in found.items] == ["It is Fargate.", "Spot.", "Note:", "Last."]
    assert found.problems == ["lead_in", "lead_in"]


def test_none_beside_statements_is_named() -> None:
    assert body("none").says_none
    assert body("- none\n- It holds.").problems == ["none_beside_statements"]


def test_marks_without_words_are_nothing() -> None:
    assert texts("<li></li>\n- \n- ...\n- **\u2026**\n\u2014") == []
