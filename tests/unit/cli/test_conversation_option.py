"""`--conversation` exists, and does what errors advise, wherever a conversation file is read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.frame.report import FrameOptions, show_frame
from cli.jobs.enqueue import EnqueueOptions, enqueue_files
from cli.ledger.append import AppendOptions, append_file
from cli.main import app
from cli.probe.evaluate import ProbeOptions, probe_files
from cli.shared.exits import Exit
from cli.stability.stability_plan import Asked, source_of
from cli.triggers.calibrate import CalibrateOptions, calibrate_files
from dissolution.errors import InputError, InvalidConversation
from dissolution.job import Lane
from dissolution.settings import load_settings
from workers.bootstrap import open_services

WORDS = ("We use Postgres for invoices.", "The deadline is March 15, and Jonas owns it.", "Never deploy on Fridays.")


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two conversations in one file."""
    made = tmp_path / "talks.jsonl"
    talks = [
        {"id": name, "turns": [{"role": "user", "content": f"{words} In {name} too."} for words in WORDS * 4]}
        for name in ("a", "b")
    ]
    made.write_text("".join(json.dumps(talk) + "\n" for talk in talks), encoding="utf-8")
    return made


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'ledger.sqlite3'}"


def enqueue(file: Path, db: str, name: str | None, more: tuple[str, ...] = ()) -> EnqueueOptions:
    return EnqueueOptions(
        files=(str(file), *more),
        fleet="extractive",
        recorded=None,
        policy=None,
        lane=Lane.BATCH,
        form=None,
        conversation=name,
        timezone=None,
        db=db,
        as_json=True,
    )


def calibrate(file: Path, folder: Path, name: str | None, more: tuple[str, ...] = ()) -> CalibrateOptions:
    return CalibrateOptions(
        files=(str(file), *more),
        labels=None,
        policy=None,
        rate=2.0,
        out=folder / "triggers.toml",
        form=None,
        conversation=name,
        timezone=None,
        as_json=True,
    )


@pytest.mark.parametrize(
    "command",
    ["run", "enqueue", "classify", "frame", "probe", "fleet price", "triggers calibrate", "stability run"],
)
def test_every_command_that_reads_a_file_has_it(command: str) -> None:
    shown = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="dissolve").stdout
    assert "--conversation" in shown


def test_enqueue_takes_one_of_several(file: Path, db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert enqueue_files(enqueue(file, db, None)) is Exit.BAD_INPUT
    assert "pick one with --conversation ID" in capsys.readouterr().err
    assert enqueue_files(enqueue(file, db, "b")) is Exit.OK
    assert json.loads(capsys.readouterr().out)["jobs"][0]["conversation"] == "b"


def test_a_changed_past_can_be_stored_under_another_id(tmp_path: Path, db: str) -> None:
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": "One."}]), encoding="utf-8")
    enqueue_files(enqueue(talk, db, None))
    talk.write_text(json.dumps([{"role": "user", "content": "Two."}]), encoding="utf-8")
    assert enqueue_files(enqueue(talk, db, None)) is Exit.BAD_INPUT
    assert enqueue_files(enqueue(talk, db, "talk-2")) is Exit.OK
    options = AppendOptions(
        file=str(talk), form=None, conversation="talk", timezone=None, after=None, db=db, as_json=False
    )
    with pytest.raises(InputError, match=r"turn 1.*--after N") as refused:
        append_file(options)
    assert "--conversation" not in str(refused.value)


def test_frame_and_probe_take_one_of_several(
    file: Path, tmp_path: Path, db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    context = tmp_path / "context.txt"
    context.write_text("\n".join(WORDS), encoding="utf-8")
    asked: tuple[Callable[[str | None], Exit], ...] = (
        lambda name: show_frame(FrameOptions(name=str(file), conversation=name, db=db, as_json=True)),
        lambda name: probe_files(ProbeOptions(history=file, context=context, conversation=name, as_json=True)),
    )
    for call in asked:
        with pytest.raises(InvalidConversation, match="--conversation ID"):
            call(None)
        call("b")
    assert '"conversation": "b"' in capsys.readouterr().out
    with pytest.raises(InputError, match=r"'b'.*'nobody'"):
        show_frame(FrameOptions(name="nobody", conversation="b", db=db))


def test_calibrating_takes_one_of_several(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidConversation, match="--conversation ID"):
        calibrate_files(calibrate(file, tmp_path, None))
    assert calibrate_files(calibrate(file, tmp_path, "b")) is Exit.OK
    assert json.loads(capsys.readouterr().out)["conversations"] == 1


def test_one_name_for_several_files_is_refused_before_anything_is_stored(file: Path, tmp_path: Path, db: str) -> None:
    for call in (
        lambda: enqueue_files(enqueue(file, db, "b", ("other.json",))),
        lambda: calibrate_files(calibrate(file, tmp_path, "b", ("other.json",))),
    ):
        with pytest.raises(InputError, match=r"'b'.*2 files"):
            call()
    assert not (tmp_path / "ledger.sqlite3").exists()


def test_a_stability_run_takes_one_of_several(file: Path, db: str) -> None:
    from cli.run.run import read_conversation

    asked = Asked(
        conversation=str(file),
        chosen="b",
        every=1,
        at=None,
        replicates=1,
        arms="ledger",
        fleets=("extractive",),
        recorded=None,
        policies=(),
        truth=None,
        bank=None,
        seed=0,
        max_usd=None,
        workers=False,
        out=file.parent,
        db=db,
        as_json=True,
    )
    settings = load_settings(db=db)
    with open_services(settings) as services:
        assert read_conversation(source_of(asked, "extractive"), settings, services).conversation.id == "b"
