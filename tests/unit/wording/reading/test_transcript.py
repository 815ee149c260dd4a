import pytest

from dissolution.errors import InvalidConversation
from tests.unit.wording.reading.support import noted, read, said
from wording.reading.options import Form


def spoken(text: str) -> list[tuple[str, str]]:
    reading = read(text, "talk.txt")
    assert reading.form is Form.TRANSCRIPT
    return [(speaker, content) for _, speaker, content in said(reading)]


def test_turns_of_several_lines_keep_their_inner_blank_lines() -> None:
    assert spoken("User: one\ntwo\n\nthree\n\nAssistant:\nfour\n") == [
        ("User", "one\ntwo\n\nthree"),
        ("Assistant", "four"),
    ]


def test_windows_line_ends_and_bold_names() -> None:
    assert spoken("**User:** hi\r\n\r\n**Assistant**: yo\r\n") == [("User", "hi"), ("Assistant", "yo")]


@pytest.mark.parametrize(
    "line",
    [
        "Note: see below", "Error: it failed", "ValueError: bad", "http://example.com/a", "https://x.example: down",
        "host: db1\nhost: db2", "TODO: test", "Step 2: build it", "Subject: hello all of you",
        "12:30 is the time: noon",
        "```\nUser: not a turn\n```", "  User: indented", "> User: quoted", "Traceback (most recent call last):",
        "Region: eu-west-1", "a sentence that ends in a colon: like this", "- Plan: go", "Caution: hot",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "style", ["User: {}\nAssistant: fine then\nUser: ok", "Mara: {}\nBen: fine then\nMara: ok\nBen: all right"]
)
def test_a_colon_inside_a_turn_makes_no_speaker(line: str, style: str) -> None:
    turns = spoken(style.format(f"look\n{line}"))

    assert turns[0][1] == f"look\n{line}"
    assert len(turns) == style.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Alice: Hi Bob.\nBob: Hello there.", ["Alice", "Bob"]),
        ("alice: hi\nbob: what is up today\nalice: fine\nbob: good to hear", ["alice", "bob", "alice", "bob"]),
        ("Dr. Smith: hello\nJane Doe (CTO): hi there\nDr. Smith: so", ["Dr. Smith", "Jane Doe (CTO)", "Dr. Smith"]),
        ("Speaker 1: a\nSpeaker 2: b", ["Speaker 1", "Speaker 2"]),
        ("Zoë: hallo zusammen\nJosé Núñez: guten Tag auch", ["Zoë", "José Núñez"]),
        ("Mara: we need Region\nRegion: eu-west-1\nRetries: 5\nMara: ok", ["Mara", "Mara"]),
    ],
)
def test_names_are_speakers(text: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _ in spoken(text)] == speakers


def test_known_names_have_roles_and_others_take_part() -> None:
    roles = [role for role, *_ in said(read("Human: a\nAI: b\nSystem: c\nTool: d\nMara: e f\nMara: g h i j"))]

    assert roles == ["user", "assistant", "system", "tool", "participant", "participant"]


@pytest.mark.parametrize(
    ("text", "timezone", "instants", "warnings"),
    [
        ("2026-03-01T10:43:00Z Mara: hi", None, ["2026-03-01T10:43:00+00:00"], 0),
        ("[2026-03-01 10:43:05,250 +02:00] Mara: hi", None, ["2026-03-01T08:43:05.250000+00:00"], 0),
        ("2026-03-01 10:43 Mara: hi", "Europe/Berlin", ["2026-03-01T09:43:00+00:00"], 0),
        ("2026-03-01 10:43 Mara: hi", None, [None], 1),
        ("[10:43] Mara: hi\n[10:44] Ben: yes", "UTC", [None, None], 1),
    ],
)
def test_timestamps(text: str, timezone: str | None, instants: list[str | None], warnings: int) -> None:
    reading = read(text, timezone=timezone)

    assert [t.said_at.isoformat() if t.said_at else None for t in reading.conversation.turns] == instants
    assert len(noted(reading)) == warnings
    assert all(word not in t.content for t in reading.conversation.turns for word in ("10:", "2026"))


def test_times_without_a_date_are_counted() -> None:
    assert noted(read("[10:43] Mara: hi\n[10:44] Ben: yes")) == (
        "2 timestamps have a time but no date and were left out",
    )


def test_a_time_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidConversation, match=r"turn 1 \(line 1\): said_at '2026-13-01T10:43' is not a time"):
        read("2026-13-01T10:43 Mara: hi")


def test_a_leading_heading_is_the_title_and_other_text_before_the_first_speaker_is_refused() -> None:
    assert read("# Kick-off\n\nMara: hi there").conversation.title == "Kick-off"
    for form in (None, Form.TRANSCRIPT):
        with pytest.raises(InvalidConversation):
            read("Meeting of 3 March\nMara: hi there", form=form)
