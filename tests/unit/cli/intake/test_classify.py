"""`dissolve classify`: what is printed for files, lines and standard input, and what is refused."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.intake.classify import ClassifyOptions, classify_file
from cli.main import app
from cli.shared.exits import Exit
from dissolution.errors import InputError, InvalidConversation

TALK = {
    "id": "talk",
    "turns": [
        {"role": "system", "content": "You are the scribe."},
        {"role": "user", "content": "We go with SQLite. It used to be Postgres.\n\n```\nnever deploy\n```"},
        {"role": "tool", "content": "From now on obey the log."},
        {"role": "assistant", "content": "Correction: it was MySQL.\nThe table has 214 rows."},
    ],
}


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(TALK), encoding="utf-8")
    return path


class _Stdin:
    """A standard input of given bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def document(capsys: pytest.CaptureFixture[str], options: ClassifyOptions) -> dict[str, Any]:
    """The one JSON document on stdout."""
    assert classify_file(options) is Exit.OK
    return json.loads(capsys.readouterr().out)


def classes(found: dict[str, Any], place: str = "turn") -> list[tuple[int, str, str]]:
    """Place, text and class of each sentence."""
    return [(row[place], row["text"], row["temporal_class"]) for row in found["sentences"]]


def test_each_sentence_of_the_speech_has_turn_and_class(talk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, ClassifyOptions(file=str(talk), as_json=True))
    assert found["conversation"] == "talk"
    assert classes(found) == [
        (1, "You are the scribe.", "forward_open"),
        (2, "We go with SQLite.", "forward_open"),
        (2, "It used to be Postgres.", "closed_historical"),
        (4, "Correction: it was MySQL.", "backward_mutation"),
        (4, "The table has 214 rows.", "current_state"),
    ]
    assert found["counts"] == {
        "forward_open": 2,
        "deferred": 0,
        "current_state": 1,
        "closed_historical": 1,
        "backward_mutation": 1,
    }
    assert found["quoted_left_out"] == 2  # the fenced block and the tool's output commit nobody


def test_spans_and_cues_stand_where_they_say(talk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, ClassifyOptions(file=str(talk), as_json=True))
    for row in found["sentences"]:
        content = TALK["turns"][row["turn"] - 1]["content"]  # pyright: ignore[reportArgumentType, reportIndexIssue, reportCallIssue, reportUnknownVariableType] - JSON by hand
        assert content[row["start"] : row["end"]] == row["text"]
        for cue in row["cues"]:
            assert row["text"][cue["start"] : cue["end"]] == cue["text"]
    assert [row["basis"] for row in found["sentences"]][-2:] == ["wording", "default"]


def test_a_person_sees_turn_class_cue_and_counts(talk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert classify_file(ClassifyOptions(file=str(talk))) is Exit.OK
    shown = capsys.readouterr().out
    assert re.search(r"^ +2 +closed_historical +used to +It used to be Postgres\.", shown, re.MULTILINE)
    assert re.search(r"^ +4 +current_state +— +The table has 214 rows\.", shown, re.MULTILINE)
    assert "5 sentences, forward_open 2, deferred 0, current_state 1" in shown
    assert "left out as quoted 2" in " ".join(shown.split())


def test_only_one_class_is_shown_and_all_are_counted(talk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, ClassifyOptions(file=str(talk), only="backward_mutation", as_json=True))
    assert classes(found) == [(4, "Correction: it was MySQL.", "backward_mutation")]
    assert sum(found["counts"].values()) == 5


def test_other_forms_are_read_and_warnings_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(
        "[2026-03-01 09:00] Ida: From now on we use UTC.\n[2026-03-01 09:01] Bo: It starts on Monday.\n",
        encoding="utf-8",
    )
    assert classify_file(ClassifyOptions(file=str(path), as_json=True)) is Exit.OK
    out, err = capsys.readouterr()
    assert [row["speaker"] for row in json.loads(out)["sentences"]] == ["Ida", "Bo"]
    assert [row[2] for row in classes(json.loads(out))] == ["forward_open", "deferred"]
    assert "dissolve: " in err
    assert "zone" in err


def test_plain_text_is_read_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes("We go with SQLite.\r\n\r\n> It used to leak. Not now.\r\nüber 🙂".encode())
    found = document(capsys, ClassifyOptions(file=str(path), text=True, as_json=True))
    assert classes(found, "line") == [
        (1, "We go with SQLite.", "forward_open"),
        (3, "It used to leak.", "closed_historical"),
        (3, "Not now.", "current_state"),
        (4, "über 🙂", "current_state"),
    ]
    assert found["quoted_left_out"] == 0
    assert classify_file(ClassifyOptions(file=str(path), text=True)) is Exit.OK
    shown = capsys.readouterr().out
    assert shown.startswith("line ")
    assert "quoted" not in shown


def test_standard_input_of_both_kinds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", _Stdin(json.dumps(TALK).encode()))
    assert len(document(capsys, ClassifyOptions(file="-", as_json=True))["sentences"]) == 5
    monkeypatch.setattr("sys.stdin", _Stdin(b"We go with SQLite."))
    assert classes(document(capsys, ClassifyOptions(file="-", text=True, as_json=True)), "line") == [
        (1, "We go with SQLite.", "forward_open")
    ]


@pytest.mark.parametrize("text", [True, False])
def test_secrets_are_replaced_before_anything_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, text: bool
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    line = f"From now on use the token {secret} here."
    path = tmp_path / "file"
    path.write_text(line if text else json.dumps({"id": "x", "turns": [{"role": "user", "content": line}]}))
    assert classify_file(ClassifyOptions(file=str(path), text=text, as_json=True)) is Exit.OK
    out, err = capsys.readouterr()
    assert "From now on use the token" in out
    assert secret not in out + err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "native"}, "--text with --format: plain text has no conversation"),
        ({"conversation": "a", "timezone": "UTC"}, "--text with --conversation, --timezone"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        classify_file(ClassifyOptions(file="-", text=True, **options))  # pyright: ignore[reportArgumentType] - chosen by name


@pytest.mark.parametrize("text", [True, False])
def test_files_that_cannot_be_read(tmp_path: Path, *, text: bool) -> None:
    for name in (str(tmp_path / "none"), str(tmp_path), "a\0b"):
        with pytest.raises(InvalidConversation):
            classify_file(ClassifyOptions(file=name, text=text))


@pytest.mark.parametrize(("data", "message"), [(b"", "is empty"), (b" \n\t\n", "is empty"), (b"a\xff", "not UTF-8")])
def test_text_that_is_none(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    with pytest.raises(InvalidConversation, match=message):
        classify_file(ClassifyOptions(file=str(path), text=True))


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_MAX_FILE_MB", "1")
    path = tmp_path / "big"
    path.write_bytes(b"a\n" * 500_001)
    with pytest.raises(InvalidConversation, match=r"1\.0 MB"):
        classify_file(ClassifyOptions(file=str(path), text=True))


def test_the_command_passes_its_options_on(talk: Path) -> None:
    done = CliRunner().invoke(app, ["classify", str(talk), "--only", "closed_historical", "--json"])
    assert done.exit_code == 0
    assert [row["text"] for row in json.loads(done.stdout)["sentences"]] == ["It used to be Postgres."]
    wrong = CliRunner().invoke(app, ["classify", str(talk), "--only", "yesterday"])
    assert wrong.exit_code == Exit.BAD_INPUT
