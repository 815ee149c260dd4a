"""`resume` with several jobs, what a name stands for, and what is said of a job that is left running."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.run import run
from cli.run.run import Giving, RunOptions, fleet_of, resume_jobs, the_job
from cli.shared.exits import Exit
from devtools.scripted import Say
from dissolution.errors import InputError, ModelAssetError, NotFound, StepHeld
from dissolution.job import Job
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.terminal import FILE, Terminal
from tests.unit.cli.stored import GOOD, TALK, ended, url_in, waiting
from workers.runtime.inline import run_job
from workers.services import Services


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def running_over(folder: Path, raises: dict[str, Exception], stack: ExitStack) -> Callable[[Services, str], Job]:
    """A runner over scripted members, which a command cannot name; jobs in `raises` break instead."""
    services = stack.enter_context(running(folder, [a_member("a", Say(GOOD)), a_member("b", Say(GOOD))]))

    def runner(_services: Services, job: str) -> Job:
        if job in raises:
            raise raises[job]
        return run_job(services, job)

    return runner


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (StepHeld("j", "fan_out", "host:1", "noon"), (Exit.BUSY, "is held by 'host:1'")),
        (ModelAssetError("m", "weights are missing"), (Exit.UNAVAILABLE, "weights are missing")),
        (RuntimeError("words of the conversation"), (Exit.FAULT, "broke (RuntimeError)")),
    ],
)
def test_one_job_that_cannot_go_on_stops_no_other(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    end: tuple[Exit, str],
) -> None:
    code, said = end
    bad, good = waiting(tmp_path, name="first"), waiting(tmp_path, name="second")
    out = tmp_path / "out"
    with ExitStack() as stack:
        monkeypatch.setattr(run, "run_job", running_over(tmp_path, {bad.id: error}, stack))
        assert resume_jobs(None, Giving(db=url_in(tmp_path), out=out)) is code
    assert [path.name for path in out.iterdir()] == [good.id], "a folder for each job that ended"
    document = json.loads((out / good.id / "boundary.json").read_text(encoding="utf-8"))
    assert (document["job"], document["committed"]) == (good.id, True)
    streams = capsys.readouterr()
    assert said in streams.err
    assert "words of the conversation" not in streams.err
    assert f"dissolve show {good.id} --db {url_in(tmp_path)}" in streams.out


def test_one_job_is_written_to_the_folder_itself_and_a_fault_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    job = waiting(tmp_path)
    giving = Giving(db=url_in(tmp_path), out=tmp_path / "out", as_json=True)
    with ExitStack() as stack:
        monkeypatch.setattr(run, "run_job", running_over(tmp_path, {job.id: RuntimeError("boom")}, stack))
        with pytest.raises(RuntimeError, match="boom"):
            resume_jobs(None, giving)
        assert f"job {job.id} is left running; `dissolve resume {job.id} --db" in capsys.readouterr().err
        monkeypatch.setattr(run, "run_job", running_over(tmp_path, {}, stack))
        assert resume_jobs(job.id[:6], giving) is Exit.OK
    assert (tmp_path / "out" / "boundary.json").exists()
    assert json.loads(capsys.readouterr().out)["job"] == job.id


def test_ctrl_c_is_passed_on_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    job = waiting(tmp_path)

    def interrupt(_services: Services, _job: str) -> Job:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "run_job", interrupt)
    monkeypatch.setenv("DISSOLVE_DB", url_in(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        resume_jobs(None, Giving())
    assert f"dissolve: interrupted; `dissolve resume {job.id}` goes on\n" in capsys.readouterr().err


def test_a_job_that_has_ended_is_printed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = ended(tmp_path, heard=(GOOD,))
    assert resume_jobs(kept.id, Giving(db=url_in(tmp_path))) is Exit.HISTORY_KEPT
    streams = capsys.readouterr()
    assert "has ended: history_kept" in streams.err
    assert streams.out.startswith("History kept, go on using the conversation itself: too few members answered")
    assert resume_jobs(None, Giving(db=url_in(tmp_path))) is Exit.OK
    assert "no unfinished job" in capsys.readouterr().err


def test_several_jobs_are_no_one_document(tmp_path: Path) -> None:
    for name in ("first", "second"):
        waiting(tmp_path, name=name)
    with pytest.raises(InputError, match=r"--json.* 2 "):
        resume_jobs(None, Giving(db=url_in(tmp_path), as_json=True))


def test_a_name_is_an_id_a_beginning_or_a_conversation(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        first = a_job(services, a_conversation(*TALK))
        second = a_job(services, a_conversation(*TALK, "And more."))
    short = first.model_copy(update={"id": second.id[:-1]})
    assert the_job((second, first), "conv-1") == second
    assert the_job((second,), second.id[:4]) == second
    assert the_job((second, short), short.id) == short, "a whole id wins over a longer one that begins with it"
    with pytest.raises(InputError, match="2 job ids"):
        the_job((second, first), "j")
    with pytest.raises(NotFound):
        the_job((), "nothing")


def test_a_fleet_is_described_so_that_it_can_be_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def described(fleet: str, recorded: Path | None = None) -> str:
        options = RunOptions(
            file="talk.json",
            fleet=fleet,
            recorded=recorded,
            through=None,
            policy=None,
            form=None,
            conversation=None,
            timezone=None,
            giving=Giving(),
        )
        return fleet_of(options)

    assert described("extractive") == "extractive"
    assert described("mine.toml") == f"roster:{tmp_path / 'mine.toml'}"
    assert described("extractive", Path("answers")) == f"recorded:{tmp_path / 'answers'}"
    with pytest.raises(InputError, match="only one"):
        described("mine.toml", Path("answers"))


def test_a_missing_key_is_one_line_before_anybody_is_asked_or_anything_stored(tmp_path: Path) -> None:
    roster = tmp_path / "panel.toml"
    member = '[[member]]\nname = "{0}"\nfamily = "{0}"\nmodel = "openai/{0}"\napi_key_env = "LACKING_{0}"\n'
    roster.write_text(member.format("alpha") + member.format("beta"), encoding="utf-8")
    dissolve = Terminal(tmp_path, {"LACKING_beta": "a key"})
    done = dissolve("run", FILE, "--fleet", roster)
    assert (done.returncode, done.stdout) == (Exit.BAD_INPUT, "")
    (line,) = done.stderr.splitlines()
    assert "'alpha' (LACKING_alpha)" in line
    assert "beta" not in line
    assert not (tmp_path / "ledger.sqlite3").exists()
