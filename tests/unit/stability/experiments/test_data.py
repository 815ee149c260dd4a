"""Where the data lie, and what is said when something is missing or wrong."""

import json
import shutil
from pathlib import Path

import pytest

from dissolution.errors import InputError
from stability.experiments import data
from stability.experiments.data import HERE, DataFolder, Planted, RawAnswer, data_folder

NAME = "op-flask-sessions"


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    (tmp_path / "planted").mkdir()
    (tmp_path / "recordings" / NAME).mkdir(parents=True)
    return DataFolder(tmp_path)


def test_a_source_checkout_has_its_data() -> None:
    found = data_folder(None)
    assert found.path == HERE
    assert {one.domain for one in found.planted()} == {"conceptual", "operational", "strategic"}


def test_a_wheel_has_none_and_says_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(data, "HERE", tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"nowhere.*--data"):
        data_folder(None)


def test_a_file_in_place_of_a_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is not there"):
        data_folder(tmp_path / "file")


def test_a_folder_that_lacks_something_says_what(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"planted' is not there"):
        DataFolder(tmp_path).planted()


def test_an_empty_folder_and_an_unknown_conversation(folder: DataFolder) -> None:
    with pytest.raises(InputError, match="holds no conversation"):
        folder.planted()
    shutil.copy(HERE / "planted" / f"{NAME}.json", folder.path / "planted")
    with pytest.raises(InputError, match=f"'other'.*{NAME}"):
        folder.planted([NAME, "other"])
    assert [one.name for one in folder.planted()] == [NAME]


def test_a_planted_conversation_has_turns_truth_and_questions() -> None:
    one = Planted(HERE / "planted" / f"{NAME}.json")
    assert one.conversation.id == NAME
    assert one.snapshot.through == 59
    assert len(one.questions) == 50
    assert one.truth.claims


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, "\xff"])
def test_what_is_no_conversation_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"bad\.json"):
        assert Planted(path).raw


def test_recordings_are_found_by_prompt(folder: DataFolder) -> None:
    place = folder.path / "recordings" / NAME
    said = {"writer": "w", "family": "f", "answer": "KNOWN: \u00e9t\u00e9"}
    (place / "w.dissolve.json").write_text(json.dumps(said), encoding="utf-8")
    assert folder.has_recorded(NAME, "dissolve")
    assert not folder.has_recorded(NAME, "summarise")
    assert not folder.has_recorded("unknown", "dissolve")
    assert folder.recorded(NAME, "dissolve") == (RawAnswer("w", "f", "KNOWN: \u00e9t\u00e9"),)
    assert folder.recorded(NAME, "roll-1") == ()
    with pytest.raises(InputError, match=r"unknown' is not there"):
        folder.recorded("unknown", "dissolve")


@pytest.mark.parametrize("text", ["{}", "[]", "nonsense"])
def test_a_broken_recording_is_named(folder: DataFolder, text: str) -> None:
    (folder.path / "recordings" / NAME / "w.dissolve.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"recording '.*w\.dissolve\.json'"):
        folder.recorded(NAME, "dissolve")


def test_lines_are_objects(folder: DataFolder) -> None:
    path = folder.path / "some.jsonl"
    path.write_text('{"a": 1}\n\n{"b": 2}\n', encoding="utf-8")
    assert folder.lines("some.jsonl") == [{"a": 1}, {"b": 2}]
    path.write_text("[1]\n", encoding="utf-8")
    with pytest.raises(InputError, match="no object"):
        folder.lines("some.jsonl")
    path.write_text("{\n", encoding="utf-8")
    with pytest.raises(InputError, match="JSONDecodeError"):
        folder.lines("some.jsonl")
