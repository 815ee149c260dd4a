"""Which lines look like headings, and which carry nothing."""

import pytest

from prompts.lines import Markup, lines_of


@pytest.mark.parametrize(
    ("line", "markup", "label", "rest"),
    [
        ("## Known", Markup.HASH, "Known", ""),
        ("### 1. KNOWN ###", Markup.HASH, "1. KNOWN", ""),
        ("## **KNOWN**", Markup.HASH, "**KNOWN**", ""),
        ("# KNOWN: it holds.", Markup.HASH, "KNOWN", "it holds."),
        ("## Pricing: the list", Markup.HASH, "Pricing: the list", ""),
        ("**KNOWN**", Markup.EMPHASIS, "KNOWN", ""),
        ("**KNOWN:** it holds.", Markup.EMPHASIS, "KNOWN:", "it holds."),
        ("**KNOWN** \u2014 it holds.", Markup.EMPHASIS, "KNOWN", "it holds."),
        ("__KNOWN__ (so far):", Markup.EMPHASIS, "KNOWN", ""),
        ("**Pricing**", Markup.EMPHASIS, "Pricing", ""),
        ("1. KNOWN", Markup.PLAIN, "KNOWN", ""),
        ("KNOWN: it holds.", Markup.PLAIN, "KNOWN", "it holds."),
        ("Known: it holds.", Markup.PLAIN, "Known", "it holds."),
        ("OPEN QUESTIONS: it holds?", Markup.PLAIN, "OPEN QUESTIONS", "it holds?"),
        ("Next steps:", Markup.PLAIN, "Next steps", ""),
        ("<h2>KNOWN</h2>", Markup.TAG, "KNOWN", ""),
        ("<known>", Markup.TAG, "known", ""),
    ],
)
def test_headings(line: str, markup: Markup, label: str, rest: str) -> None:
    (found,) = lines_of(line)
    assert found.mark is not None
    assert (found.mark.markup, found.mark.label, line[found.mark.rest :].strip("# ")) == (markup, label, rest)
    assert found.mark.alone == (rest == "")


@pytest.mark.parametrize(
    "line",
    [
        "The lake is known.",
        "Open: whether it holds.",
        "Route B - our own company",
        "**Known** facts are few.",
        "**Deadline:** 15 March",
        "**It ends here.**",
        "## " + "long " * 60,
        "<script>",
        "KNOWN " * 60,
        "\u2026 KNOWN",
        "**" + "x" * 99 + ":** y",
    ],
)
def test_text(line: str) -> None:
    (found,) = lines_of(line)
    assert found.mark is None


@pytest.mark.parametrize(
    "line", ["---", "```json", "~~~", "***", "<ul>", "</div>", "<br/>", "<!-- note -->", "   ", "", ">"]
)
def test_layout_lines_are_blank(line: str) -> None:
    (found,) = lines_of(line)
    assert found.is_blank


def test_bullets_and_offsets() -> None:
    text = "  - one\r\n\t2) two\n<li>three</li>\n> - four"
    lines = lines_of(text)
    assert [text[line.body : line.end] for line in lines] == ["one", "two", "three", "four"]
    assert [line.indent for line in lines] == [2, 4, 0, 2]
    assert all(line.is_bullet for line in lines)
    bulleted = lines_of("- KNOWN: x")[0].mark
    assert bulleted is not None
    assert bulleted.bulleted


def test_any_line_break_ends_a_line() -> None:
    assert len(lines_of("a\nb\rc\u2028d\x85e\r\nf")) == 6
    assert [line.is_blank for line in lines_of("\n\n")] == [True, True, True]
