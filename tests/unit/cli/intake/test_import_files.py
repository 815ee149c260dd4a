"""`dissolve import`: what is listed, what is stored, and what one broken conversation does to the others."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.shared.exits import Exit
from cli.shared.options import FormName
from dissolution.settings import load_settings
from language.intake.options import Form
from tests.unit.cli.stored import url_in
from tests.unit.language.intake.foreign.support import FIXTURES
from workers.bootstrap import open_services

SESSION = "5d0f8a52-7c1f-4b8e-9d55-0c2f6b6a1e10"
CACHE = "0b7c4c1e-2f10-4c53-9a51-6f3f6a3f0a01"
SECRET = "sk-" + "ant-api03-" + "a1B2" * 8


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


class Ran:
    """What a run of the command gave."""

    def __init__(self, folder: Path, *words: str) -> None:
        done = CliRunner().invoke(app, ["import", *words, "--db", url_in(folder)])
        self.code, self.out, self.err = done.exit_code, done.stdout, f"{done.stderr}{done.exception or ''}"

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)


def stored(folder: Path) -> dict[str, int]:
    """The turns of every stored conversation."""
    with open_services(load_settings(db=url_in(folder)), create=False) as services, services.unit_of_work() as work:
        return {name: len(work.conversations.get(name).turns) for name in work.conversations.ids()}


def talks(folder: Path) -> Path:
    """A folder with one file of each form, and what an export has beside them."""
    place = folder / "talks"
    place.mkdir()
    for name in ("chatgpt.json", "claude_ai.json", "claude_code.jsonl", "codex.jsonl"):
        shutil.copy(FIXTURES / name, place / name)
    (place / "user.json").write_text('{"id": "u", "email": "a@example.org"}')
    return place


def test_the_names_of_forms_are_those_that_are_read() -> None:
    assert set(get_args(FormName)) == {form.value for form in Form}


def test_a_list_tells_all_and_stores_nothing(tmp_path: Path) -> None:
    ran = Ran(tmp_path, str(talks(tmp_path)), "--list", "--json")

    assert ran.code == Exit.OK
    rows = {one["id"]: one for one in ran.document["conversations"]}
    session = rows[SESSION]
    assert (session["form"], session["title"], session["turns"]) == ("claude_code", "Checkout rounding", 17)
    assert (session["first"], session["last"]) == ("2026-03-02T08:02:00+00:00", "2026-03-02T08:25:00+00:00")
    assert (session["source"], session["added"]) == ("talks/claude_code.jsonl", None)
    assert session["reason"] == "rows of type user and assistant with message, uuid and parentUuid"
    assert [one["what"] for one in ran.document["passed_over"]] == [
        "talks/claude_ai.json, conversation '0b7c4c1e-2f10-4c53-9a51-6f3f6a3f0a03'",
        f"talks/claude_code.jsonl, conversation '{SESSION}.a7f3'",
        "talks/user.json",
    ]
    assert not (tmp_path / "ledger.sqlite3").exists()


def test_all_are_stored_with_the_next_command_and_again_adds_nothing(tmp_path: Path) -> None:
    place = talks(tmp_path)
    ran = Ran(tmp_path, str(place))
    assert ran.code == Exit.OK
    assert f"dissolve one: dissolve run {SESSION} --db" in ran.out
    held = stored(tmp_path)
    assert len(held) == 6
    assert held[SESSION] == 17
    again = Ran(tmp_path, str(place), "--json").document["conversations"]
    assert {one["added"] for one in again} == {0}
    assert stored(tmp_path) == held


def test_a_session_that_has_grown_adds_its_new_turns(tmp_path: Path) -> None:
    lines = (FIXTURES / "claude_code.jsonl").read_text().splitlines()
    file = tmp_path / "s.jsonl"
    file.write_text("\n".join(lines[:19]))
    first = Ran(tmp_path, str(file), "--json").document["conversations"][0]
    file.write_text("\n".join(lines))
    second = Ran(tmp_path, str(file), "--json").document["conversations"][0]
    assert (first["added"], second["added"], second["turns"]) == (12, 5, 17)


def test_an_archive_is_read_and_one_conversation_taken_alone(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(FIXTURES / "claude_ai.json", "data/conversations.json")
        archive.writestr("../../up.json", "{}")
    ran = Ran(tmp_path, str(path), "--conversation", CACHE, "--json")
    assert ran.code == Exit.OK
    assert [one["source"] for one in ran.document["conversations"]] == ["export.zip/data/conversations.json"]
    assert stored(tmp_path) == {CACHE: 5}


def test_a_helpers_talk_is_taken_when_it_is_named(tmp_path: Path) -> None:
    ran = Ran(tmp_path, str(FIXTURES / "claude_code.jsonl"), "--conversation", f"{SESSION}.a7f3")
    assert ran.code == Exit.OK
    assert stored(tmp_path) == {f"{SESSION}.a7f3": 2}


def test_files_without_ids_are_named_by_their_path(tmp_path: Path) -> None:
    for team in ("red", "blue"):
        (tmp_path / "t" / team).mkdir(parents=True)
        (tmp_path / "t" / team / "chat.json").write_text(json.dumps([{"role": "user", "content": f"I am {team}."}]))
    assert Ran(tmp_path, str(tmp_path / "t")).code == Exit.OK
    assert stored(tmp_path) == {"red.chat": 1, "blue.chat": 1}


def test_one_broken_conversation_stops_no_other_and_is_told(tmp_path: Path) -> None:
    whole = {"uuid": "good", "chat_messages": [{"sender": "human", "text": "Hello there."}]}
    broken = {"uuid": "bad", "chat_messages": [{"sender": "robot", "text": "x"}]}
    foreign = {**whole, "uuid": "acme\u241fchat"}
    (tmp_path / "c.json").write_text(json.dumps([broken, foreign, whole]))
    ran = Ran(tmp_path, str(tmp_path / "c.json"), str(tmp_path / "none.json"))
    assert ran.code == Exit.BAD_INPUT
    assert "c.json, conversation 'bad': message 1 has the sender 'robot'" in ran.err
    assert "none.json' does not exist" in ran.err
    assert "conversation name 'acme" in ran.err
    assert stored(tmp_path) == {"good": 1}


def test_a_changed_past_is_refused_and_the_stored_one_stays(tmp_path: Path) -> None:
    def write(*texts: str) -> str:
        messages = [{"sender": "human", "text": text} for text in texts]
        (tmp_path / "c.json").write_text(json.dumps({"uuid": "c", "chat_messages": messages}))
        return str(tmp_path / "c.json")

    assert Ran(tmp_path, write("one", "two")).code == Exit.OK
    ran = Ran(tmp_path, write("one", "other", "three"))
    assert ran.code == Exit.BAD_INPUT
    assert "turn 2" in ran.err
    assert stored(tmp_path) == {"c": 2}


def test_secrets_are_replaced_in_what_is_stored_and_in_what_is_listed(tmp_path: Path) -> None:
    message = {"sender": "human", "text": f"the key is {SECRET}"}
    file = tmp_path / "c.json"
    file.write_text(json.dumps({"uuid": "c", "name": f"about {SECRET}", "chat_messages": [message]}))
    for words in (("--list",), ("--list", "--json"), (), ("--json",)):
        ran = Ran(tmp_path, str(file), *words)
        assert ran.code == Exit.OK
        assert SECRET not in ran.out + ran.err
    with open_services(load_settings(db=url_in(tmp_path)), create=False) as services, services.unit_of_work() as work:
        assert SECRET not in work.conversations.get("c").model_dump_json()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--conversation", "none"), "no conversation 'none' is there: see the ids with --list"),
        (("--format", "native"), "no conversation was found"),
        (("--timezone", "Mars/Base"), "time zone 'Mars/Base' is unknown"),
    ],
)
def test_what_was_asked_for_and_is_not_there_is_bad_input(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ran = Ran(tmp_path, str(talks(tmp_path)), *words, "--list")
    assert ran.code != Exit.OK
    assert told in ran.err
