"""`dissolve frame`: of a file and of a job, as text, as JSON and as pictures, and a challenge taken up."""

import json
from pathlib import Path

import pytest

from cli.frame.report import NO_CANDIDATE, FrameOptions, document, show_frame
from cli.shared.exits import Exit
from dissolution.errors import InputError, InvalidConversation, NotFound
from dissolution.job import Job
from frame_agent.register.fold import register_of
from tests.factories import a_conversation, a_snapshot
from tests.running import a_job, running
from tests.unit.cli.stored import ended, url_in, waiting
from tests.unit.workers.stages.test_frame_audit import FRAMING, TALK, frame, framings, members
from workers.runtime.inline import run_job

SAID = (
    "I guess the boiler serves 40 flats.",
    "Then the pump of the boiler must serve 40 flats.",
    "The chimney is high.",
)


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    turns = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(SAID)]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"id": "talk", "turns": turns}), encoding="utf-8")
    return path


def test_a_file_shows_its_register_and_that_there_is_no_candidate(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show_frame(FrameOptions(name=str(file))) is Exit.OK
    shown = capsys.readouterr().out
    assert shown.index("Findings") < shown.index("lock-in") < shown.index("Taken for granted")
    assert "a file has no candidate to audit" in shown
    assert "hedged" in shown
    assert not (file.parent / "ledger.sqlite3").exists(), "reading a file writes nothing"


def test_json_holds_the_whole_register_through_the_turn_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show_frame(FrameOptions(name=str(file), through=1, as_json=True)) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["conversation"], told["through"]) == ("talk", 1)
    assert [one["status"] for one in told["premises"]] == ["hedged"]
    assert told["frame"] == NO_CANDIDATE.model_dump(mode="json")


def test_pictures_are_written_where_asked(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, plot = tmp_path / "frame.svg", tmp_path / "plot.svg"
    assert show_frame(FrameOptions(name=str(file), svg=svg, plot=plot)) is Exit.OK
    pictures = [path.read_text(encoding="utf-8") for path in (svg, plot)]
    for picture in pictures:
        assert "<svg" in picture
        assert picture.rstrip().endswith("</svg>")
    assert pictures[0] != pictures[1]
    assert "Taken for granted" in capsys.readouterr().out


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text("", encoding="utf-8")
    with pytest.raises(InvalidConversation):
        show_frame(FrameOptions(name=str(path)))


def test_a_challenge_of_a_file_cannot_be_taken_up(file: Path) -> None:
    with pytest.raises(InputError, match="name the job"):
        show_frame(FrameOptions(name=str(file), adopt="abc"))


def test_a_job_shows_what_its_audit_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = ended(tmp_path)
    assert show_frame(FrameOptions(name=job.id, db=url_in(tmp_path), every=True)) is Exit.OK
    shown = capsys.readouterr().out
    assert "Findings (" in shown
    assert "the policy names no challenger" in shown
    assert "left out" not in shown


def test_a_job_that_waits_has_its_register_read_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = waiting(tmp_path)
    assert show_frame(FrameOptions(name=job.id, db=url_in(tmp_path), as_json=True)) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told["through"] == job.through
    assert told["premises"]
    assert "not_measured" in told["frame"]


def test_a_job_has_its_last_turn(tmp_path: Path) -> None:
    job = waiting(tmp_path)
    with pytest.raises(InputError, match="last turn"):
        show_frame(FrameOptions(name=job.id, db=url_in(tmp_path), through=1))


def test_a_name_that_is_neither_file_nor_job_is_told(tmp_path: Path) -> None:
    waiting(tmp_path)
    with pytest.raises(NotFound):
        show_frame(FrameOptions(name="nothing", db=url_in(tmp_path)))


def challenged(folder: Path) -> Job:
    with running(folder, members(framings(FRAMING))) as services:
        policy = frame(challenger="critic", challenger_calls=1)
        return run_job(services, a_job(services, a_conversation(*TALK), policy).id)


def test_a_challenge_is_taken_up_by_its_id_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, db = challenged(tmp_path), url_in(tmp_path)
    assert show_frame(FrameOptions(name=job.id, db=db)) is Exit.OK
    shown = capsys.readouterr().out
    name = next(line.split(",")[0].strip() for line in shown.splitlines() if ", leverage" in line)
    adopt = FrameOptions(name=job.id, db=db, adopt=name, by="ann", why="worth asking", as_json=True)
    assert show_frame(adopt) is Exit.OK
    event = json.loads(capsys.readouterr().out)
    assert (event["claim"], event["actor"], event["reason"]) == (name, "ann", "worth asking")
    with pytest.raises(InputError, match="already"):
        show_frame(FrameOptions(name=job.id, db=db, adopt=name))


def test_taking_up_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, db = challenged(tmp_path), url_in(tmp_path)
    show_frame(FrameOptions(name=job.id, db=db, as_json=True))
    assert json.loads(capsys.readouterr().out)["frame"]["challenges"][0]["member"] == "critic"
    with pytest.raises(InputError, match="challenges"):
        show_frame(FrameOptions(name=job.id, db=db, adopt="nothing"))


def test_the_document_is_plain_json() -> None:
    told = document(register_of(a_snapshot(*SAID)), NO_CANDIDATE)
    assert json.loads(json.dumps(told)) == told
    assert set(told) == {"conversation", "through", "frame", "lock_in", "premises"}
