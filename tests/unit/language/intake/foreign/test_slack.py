"""Slack: files of a channel, whole exports."""

import json
from pathlib import Path
from typing import Any

import pytest

from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft
from language.intake.foreign.material import Material
from language.intake.foreign.slack_export import FORM
from language.intake.foreign.slack_text import NOBODY, People, plain
from language.intake.options import Form
from language.intake.times import Stamps
from tests.unit.language.intake.foreign.support import FIXTURES, fixture, quoted, refusal
from tests.unit.language.intake.support import noted, read, said

EXPORT = FIXTURES / "slack_export"


def export(folder: Path = EXPORT, under: str = "") -> dict[str, Material]:
    """The files of an export by their path."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {under + path.relative_to(folder).as_posix(): Material(path.read_bytes(), path.name) for path in paths}


def drafts(files: dict[str, Material]) -> dict[str | None, Draft]:
    """Each conversation of an export by its id, read."""
    assert FORM.read_files is not None
    return {entry.id: entry.draft(Stamps(None)) for entry in FORM.read_files(files)}


def posted(at: int, text: Any = "hi", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - wrong types too
    """A message at a second of one hour."""
    return {"type": "message", "user": "U1", "text": text, "ts": f"17723600{at:02}.000100", **more}


def test_a_day_of_a_channel() -> None:
    reading = read(fixture("slack.day.json"))

    assert reading.form is Form.SLACK
    assert said(reading) == [
        ("participant", "Mara", "We ship on Thursday, see build 7 (https://ci.example/7) & #ops"),
        ("tool", "CI", "Build 7 failed\n2 tests\nBranch: main"),
        ("participant", "Ben Ode", "[reply to turn 1, Mara]\n\n@Mara then Friday.\n\n[file: plan.pdf]"),
    ]
    first = reading.conversation.turn(1).said_at
    assert first is not None
    assert first.isoformat() == "2026-03-01T10:43:00+00:00"
    assert quoted(reading, 2) == [("tool_output", "Build 7 failed\n2 tests\nBranch: main")]
    assert quoted(reading, 3) == [("quote", "[reply to turn 1, Mara]"), ("document", "[file: plan.pdf]")]
    assert noted(reading)[1] == "left out of the channel: notices of Slack: 1, reactions: 1"


@pytest.mark.parametrize("under", ["", "acme/"])
def test_an_export_is_a_conversation_a_channel_with_names_from_its_users(under: str) -> None:
    files = export(under=under)
    assert FORM.recognise_files is not None
    assert FORM.recognise_files(files) == "users.json, channels.json, dms.json and a file a day"

    found = drafts(files)
    assert list(found) == ["D77", "release"]
    release = found["release"]
    assert [(turn.role.value, turn.speaker, turn.parts[-1].text) for turn in release.turns] == [
        ("participant", "Mara (mara)", "Who writes the changelog, @Mara (mara2)?"),
        ("tool", "Deploy", "Deployed 1.4"),
        ("participant", "Mara (mara2)", "I do."),
        ("participant", "Ben Ode", "Good."),
        ("participant", "Ben Ode", "Poll: 3 for Friday"),
    ]
    assert [turn.parts[0].text for turn in release.turns[2:4]] == ["[reply to turn 1, Mara (mara)]", "Good."]
    assert release.turns[4].parts[0].kind is not None
    assert release.warnings == ("1 messages of the unknown subtype 'poll_closed' are kept as quoted material",)
    assert FORM.read_files is not None
    assert [entry.title for entry in FORM.read_files(files)] == ["Mara (mara), Ben Ode", "#release"]


def test_one_broken_day_refuses_its_channel_alone() -> None:
    files = export()
    files["release/2026-03-02.json"] = Material(b'[{"ts": ', "2026-03-02.json")
    assert FORM.read_files is not None
    lunch, release = FORM.read_files(files)
    assert len(lunch.draft(Stamps(None)).turns) == 1
    with pytest.raises(InvalidConversation, match=r"'2026-03-02.json'"):
        release.draft(Stamps(None))
    files["users.json"] = Material(b"{}", "users.json")
    with pytest.raises(InvalidConversation, match=r"users\.json"):
        FORM.read_files(files)


def test_the_folder_of_one_channel_is_read_and_ids_without_names_are_told() -> None:
    files = export(EXPORT / "release")
    assert FORM.recognise_files is not None
    assert FORM.recognise_files(files) == "files named after days, of messages with ts"
    draft = drafts(files)[None]
    assert draft.turns[0].speaker == "U1"
    assert draft.warnings[-1].startswith("people under their ids, such as 'U1': 4; import the whole export")


def test_a_folder_of_other_files_is_no_export() -> None:
    assert FORM.recognise_files is not None
    assert FORM.recognise_files({"users.json": Material(b"[]", "users.json")}) is None
    assert FORM.recognise_files({"2026-03-01.json": Material(b"[1]", "2026-03-01.json")}) is None


def test_messages_run_by_time_and_a_repeated_one_is_read_once() -> None:
    again = posted(1, "first", subtype="thread_broadcast", thread_ts="1772360001.000100")
    reading = read({"ok": True, "messages": [posted(3, "third"), posted(1, "first"), posted(2, "second"), again]})
    assert [content for _, _, content in said(reading)] == ["first", "second", "third"]
    assert "left out of the channel: messages that stand twice: 1" in noted(reading)


def test_a_growing_channel_changes_no_turn_that_stood() -> None:
    thread = {"thread_ts": "1772360001.000100"}
    older = [posted(1), posted(2, "<@U2>?"), posted(3, "yes", **thread)]
    newer = [
        posted(4, "no", **thread),
        posted(5, "here", user="U2", user_profile={"real_name": "Ben"}),
        posted(6, "<@U2>"),
    ]
    before, after = read(older).conversation.turns, read([*newer, *older]).conversation.turns
    assert [turn.digest for turn in after[:3]] == [turn.digest for turn in before]
    assert [turn.content for turn in after[2:]] == ["[reply to turn 1, U1]\n\nyes", "no", "here", "@Ben"]


def test_a_reply_to_what_is_not_here_and_messages_without_words() -> None:
    shared = {"attachments": [{"author_name": "Ida", "text": "do &lt;it&gt;"}, {"fallback": "a link"}]}
    blocks = [
        {"type": "rich_text", "elements": [{"type": "section", "elements": [{"type": "text", "text": "from blocks"}]}]}
    ]
    reading = read([
        posted(1, "yes", thread_ts="1772350000.000100"), posted(2, "", **shared), posted(3, ""),
        posted(4, "", blocks=blocks), posted(5, None, files=[{}]),
    ])  # fmt: skip
    assert [content for _, _, content in said(reading)] == [
        "[reply to a message that is not here]\n\nyes", "Ida\ndo <it>\n\na link", "from blocks", "[file]",
    ]  # fmt: skip
    assert quoted(reading, 2) == [("document", "Ida\ndo <it>"), ("document", "a link")]
    assert "left out of the channel: empty messages: 1" in noted(reading)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("<@U1> and <@U7> and <@U8|kay>", "@Mara and @U7 and @kay"),
        ("<#C1> <#C2|ops> <#C3>", "#release #ops #C3"),
        ("<!here> <!subteam^S1|@ops> <!date^1^{date}|Feb 18> <!channel>", "@here @ops Feb 18 @channel"),
        (
            "<https://a.example> <https://a.example|a.example> <mailto:a@b.example|a@b.example>",
            "https://a.example https://a.example a@b.example",
        ),
        ("a &lt;b&gt; &amp;lt; <c>", "a <b> &lt; <c>"),
    ],
)
def test_marks_of_slack_become_what_its_reader_sees(written: str, read_as: str) -> None:
    assert plain(written, People({"U1": "Mara"}, frozenset(), {"C1": "release"})) == read_as


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([posted(1), 3], "message 2 is 3: Slack gives each its time"),
        ([posted(1), posted(2, ts="yesterday")], "message 2 has the ts 'yesterday'"),
        ([posted(1, ["a"])], "message 1 has the text a list"),
        ([posted(1, subtype="channel_join")], "has no turns"),
    ],
)
def test_what_is_broken_is_named(data: Any, message: str) -> None:  # noqa: ANN401 - any JSON
    assert message in refusal(data)


def test_a_forced_form_says_what_is_missing() -> None:
    assert "has no list of messages" in refusal({"a": 1}, form=Form.SLACK)
    assert "has no list of messages" in refusal(json.dumps("x"), form=Form.SLACK)


def test_blocks_of_thousands_of_values_end() -> None:
    blocks: Any = [{"text": str(number)} for number in range(5000)]
    assert len(read([posted(1, "", blocks=blocks)]).conversation.turn(1).content.split("\n")) < 500
    assert plain("<" * 50_000, NOBODY) == "<" * 50_000
