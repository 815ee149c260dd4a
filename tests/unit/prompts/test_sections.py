"""Choosing the headings of a reply."""

from dissolution.claims import Section
from prompts.sections import excerpt, layout_of, shown

K, D, E, I = Section  # noqa: E741 - the four sections by their first letters


def sections(text: str) -> list[tuple[Section, ...]]:
    return [block.sections for block in layout_of(text).blocks]


def test_the_style_that_names_most_sections_wins() -> None:
    text = "**KNOWN**\na\n## Decided\nb\n**DECIDED**\nc\n**EDGES**\nd"
    assert sections(text) == [(K,), (D,), (E,)]
    assert layout_of(text).problems == ["subheading: Decided"]


def test_another_style_fills_gaps_only_by_a_section_own_name() -> None:
    assert sections("## KNOWN\na\n## DECIDED\nb\nEDGES:\nc\nRole\nd") == [(K,), (D,), (E,)]


def test_renamed_sections_need_company() -> None:
    assert sections("Open\na") == []
    assert sections("Open\na\nFacts\nb") == [(E,), (K,)]
    assert sections("KNOWN\na") == [(K,)]


def test_bullets_are_headings_only_when_nothing_else_is() -> None:
    assert sections("- KNOWN\n- DECIDED") == [(K,), (D,)]
    assert sections("KNOWN\n- DECIDED: x\nEDGES\ny") == [(K,), (E,)]


def test_stray_headings() -> None:
    layout = layout_of("## KNOWN\na\n### Size\nb\n## Sources\nc\n## DECIDED\nd")
    assert [block.sections for block in layout.blocks] == [(K,), (), (D,)]
    assert layout.problems == ["subheading: Size", "unknown_section: Sources"]
    layout = layout_of("**KNOWN**\na\n**Size**\nb\n**DECIDED**\nc\n**Epilogue**\nd")
    assert [block.sections for block in layout.blocks] == [(K,), (D,), ()]
    assert layout.problems == ["subheading: Size", "unknown_section: Epilogue"]
    layout = layout_of("KNOWN\na\nDECIDED\nb\n# Appendix\nc")
    assert [block.sections for block in layout.blocks] == [(K,), (D,), ()]


def test_keywords_do_not_name_a_section_twice() -> None:
    text = "## KNOWN\na\n## Decision log\nb\n## DECIDED\nc"
    layout = layout_of(text)
    assert [block.sections for block in layout.blocks] == [(K,), (), (D,)]
    assert layout.problems == ["unknown_section: Decision log"]
    assert sections("## What is known so far\na\n## What is still open\nb") == [(K,), (E,)]


def test_labels_are_shown_short_and_on_one_line() -> None:
    assert shown("**2. Open\tquestions:**") == "Open questions"
    assert excerpt("x" * 200) == "x" * 59 + "\u2026"
