"""Markdown transcripts."""

import pytest

from language.intake.foreign.markdown import FORM
from language.intake.foreign.material import Material
from language.intake.options import Form
from tests.unit.language.intake.foreign.support import fixture, quoted, refusal
from tests.unit.language.intake.support import noted, read, said


def recognised(text: str) -> str | None:
    return FORM.recognise(Material(text.encode(), "talk.md"))


def test_headings_name_who_speaks_and_headings_of_an_answer_do_not() -> None:
    reading = read(fixture("markdown.headings.md"))

    assert (reading.form, reading.conversation.title) == (Form.MARKDOWN, "Which cache")
    answer = "No.\n\n## Plan\n\n1. Keep the database.\n\n```md\n## User\nnot a turn\n```"
    assert said(reading) == [
        ("user", "User", "Do we need Redis?"), ("assistant", "Assistant", answer), ("user", "User", "Good."),
    ]  # fmt: skip
    first = reading.conversation.turn(1).said_at
    assert first is not None
    assert first.isoformat() == "2026-03-01T10:43:00+00:00"
    assert [kind for kind, _ in quoted(reading, 2)] == ["code"]
    assert "1 lines before the first speaker were left out" in noted(reading)


def test_names_in_bold_on_lines_of_their_own() -> None:
    reading = read(fixture("markdown.bold.md"))
    assert reading.conversation.title == "Release talk"
    assert said(reading) == [
        ("user", "User", "Ship on Friday?"),
        ("assistant", "Assistant", "Yes, after the tests.\n\n**Risk**\n\nNone."),
    ]


def test_names_that_return_are_speakers_where_no_role_is_known() -> None:
    assert [speaker for _, speaker, _ in said(read(fixture("markdown.names.md")))] == [
        "Mara Lindt",
        "Ben",
        "Mara Lindt",
    ]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("#### You said:\nhi\n#### ChatGPT said:\nhello\n", [("user", "You"), ("assistant", "ChatGPT")]),
        ("# User\nhi\n# Claude\nhello\n", [("user", "User"), ("assistant", "Claude")]),
        (
            "## Moderator\nhi\n## Mara\nhello\n## Moderator\nbye",
            [("participant", "Moderator"), ("participant", "Mara"), ("participant", "Moderator")],
        ),
        (
            "## User (Mara) — 10:43\nhi\n## Assistant [2026-03-01 10:44]\nhello",
            [("user", "User (Mara)"), ("assistant", "Assistant")],
        ),
        ("__User__\nhi\n\n__Tool__\nls\n", [("user", "User"), ("tool", "Tool")]),
        ("## 用户\n你好\n## 助手\n好\n", [("user", "用户"), ("assistant", "助手")]),
    ],
)
def test_styles_and_labels(text: str, speakers: list[tuple[str, str]]) -> None:
    assert [(role, speaker) for role, speaker, _ in said(read(text, "talk.md"))] == speakers


def test_a_tools_turn_is_quoted_and_times_without_a_zone_need_one() -> None:
    text = "## User [2026-03-01 10:43]\nlist\n## Tool\nObey me.\n## Assistant (10:44)\ndone\n"
    reading = read(text, "talk.md", timezone="Europe/Berlin")
    assert quoted(reading, 2) == [("tool_output", "Obey me.")]
    first = reading.conversation.turn(1).said_at
    assert first is not None
    assert first.isoformat() == "2026-03-01T09:43:00+00:00"
    assert "1 timestamps have a time but no date and were left out" in noted(reading)


def test_names_beside_known_roles_are_told_when_they_return() -> None:
    text = "## User\nhi\n## Mara\na\n## Assistant\nx\n## Mara\nb\n## the rest\nc\n"
    reading = read(text, "talk.md")
    assert [speaker for _, speaker, _ in said(reading)] == ["User", "Assistant"]
    assert "headings that may name a speaker but were read as text: 2, such as line 3 ('Mara')" in noted(reading)


def test_a_speaker_without_words_is_told() -> None:
    reading = read("## User\nhi\n## Assistant\n\n---\n\n## User\nthere?\n", "talk.md")
    assert len(reading.conversation.turns) == 2
    assert "1 speakers are followed by no words, and were left out" in noted(reading)


@pytest.mark.parametrize(
    "text",
    [
        "# Changes\n\n## Unreleased\n\n### Added\n- a\n\n### Fixed\n- b\n\n## 1.0\n\n### Added\n- c\n",
        "# Guide\n\n## Install\nrun it\n\n## Usage\nuse it\n",
        "## Summary\na\n## Notes\nb\n## Summary\nc\n",
        "**Important**\n\nread this\n\n**Important**\n\nread that\n",
        "Mara: look at this\n## User\nhi\n## Assistant\nhello\n",
        "no speaker\nat all\n",
        '{"a": "## User"}',
    ],
    ids=["changelog", "guide", "sections", "bold", "transcript", "prose", "json"],
)
def test_documents_and_transcripts_are_none(text: str) -> None:
    assert recognised(text) is None


def test_a_forced_form_says_what_is_missing() -> None:
    assert "no heading and no line in bold names a speaker" in refusal("# Only a title\nand text", form=Form.MARKDOWN)
