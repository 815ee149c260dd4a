"""The commands of triggers on a stored conversation, in this process with the embedder that needs no weights."""

import json
from pathlib import Path

import pytest

from cli.ledger.append import AppendOptions, append_file
from cli.shared.exits import Exit
from cli.triggers.calibrate import CalibrateOptions, calibrate_files
from cli.triggers.explain import explain_conversation, where_something_changed
from cli.triggers.watch import (
    WatchOptions,
    catch_up_all,
    fire_now,
    show_state,
    unwatch_conversation,
    watch_conversation,
)
from dissolution.errors import InputError, NotFound
from dissolution.policy.file import load_policy
from dissolution.settings import load_settings
from tests.unit.store.evaluations import an_evaluation
from workers.bootstrap import open_services

SUBJECTS = ("harbour tariff pilots", "kitchen colour of the remote", "polar penguins in winter", "ledger audits")


def said(number: int) -> str:
    return f"In round {number} we look at {SUBJECTS[(number - 1) // 15 % 4]} and what {number} of them would need."


def transcript(first: int, last: int) -> str:
    lines = [{"role": "user", "content": said(number)} for number in range(first, last + 1)]
    return json.dumps(lines)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a conversation of 40 turns named talk."""
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    url = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    (tmp_path / "talk.json").write_text(transcript(1, 40), encoding="utf-8")
    from cli.run.run import Source, read_conversation

    settings = load_settings(db=url)
    with open_services(settings) as services:
        source = Source(file=str(tmp_path / "talk.json"), form=None, conversation=None, timezone=None)
        conversation = read_conversation(source, settings, services).conversation
        with services.unit_of_work() as work:
            work.conversations.extend(conversation.model_copy(update={"id": "talk"}))
            work.commit()
    return url


def watch(db: str, *, live: bool = False, preset: str | None = None, policy: Path | None = None) -> Exit:
    return watch_conversation(
        WatchOptions(
            conversation="talk", policy=policy, preset=preset, fleet="extractive", live=live, lane="batch", db=db
        )
    )


def state(db: str, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    capsys.readouterr()
    show_state("talk", db=db, as_json=True)
    return json.loads(capsys.readouterr().out)


def test_watching_reads_what_is_there_in_shadow_mode(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(db, preset="eager") is Exit.OK
    printed = capsys.readouterr()
    assert "watched with triggers 'eager', shadow mode" in printed.err
    assert "why: dissolve triggers explain talk" in printed.out
    told = state(db, capsys)
    assert told["state"]["through"] == 40
    assert "memory" not in told["state"]
    show_state("talk", db=db, as_json=False)
    assert "40 turns read" in capsys.readouterr().out


def test_a_name_that_is_not_stored_or_not_watched_is_told(db: str) -> None:
    with pytest.raises(NotFound):
        show_state("nobody", db=db, as_json=False)
    with pytest.raises(InputError, match="nothing to end"):
        unwatch_conversation("talk", db=db)
    with pytest.raises(InputError, match="watch it first"):
        fire_now("talk", by="ann", db=db, as_json=False)
    with pytest.raises(InputError, match="never evaluated"):
        explain_conversation("talk", chart=None, every=False, db=db, as_json=False)


def test_state_of_a_conversation_nobody_watches(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_state("talk", db=db, as_json=False) is Exit.OK
    assert capsys.readouterr().out == "not watched\nno turn was evaluated\n"


def test_an_append_is_evaluated(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watch(db)
    capsys.readouterr()
    more = tmp_path / "more.json"
    more.write_text(transcript(41, 44), encoding="utf-8")
    options = AppendOptions(
        file=str(more), form=None, conversation="talk", timezone=None, after=40, db=db, as_json=True
    )
    assert append_file(options) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["added"], [one["turn"] for one in told["evaluations"]]) == (4, [41, 42, 43, 44])


def test_a_person_calls_and_a_job_is_in_flight(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    watch(db, live=True, preset="patient")
    capsys.readouterr()
    assert fire_now("talk", by="ann", db=db, as_json=True) is Exit.OK
    fired = json.loads(capsys.readouterr().out)
    assert (fired["decision"]["action"], fired["decision"]["called"]) == ("fire", ["manual"])
    fire_now("talk", by="bob", db=db, as_json=False)
    assert capsys.readouterr().out.startswith(f"held: job {fired['job']} is in flight")
    show_state("talk", db=db, as_json=False)
    assert f"job {fired['job']} is in flight" in capsys.readouterr().out


def test_a_persons_call_submits_in_shadow_mode_and_says_how_to_go_on(
    db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    watch(db)
    capsys.readouterr()
    secret = "AKIAIOSFODNN7EXAMPLE"
    assert fire_now("talk", why=f"the sprint is over {secret}", by="ann", db=db, as_json=False) is Exit.OK
    shown = capsys.readouterr().out
    assert "by ann: the sprint is over" in shown
    assert secret not in shown
    fired, go_on = shown.splitlines()
    job = fired.removeprefix("fired, job ").split(":")[0]
    assert go_on == f"it waits for a worker; where none runs: dissolve resume {job} --db {db}"
    assert fire_now("talk", by="bob", db=db, as_json=False) is Exit.HISTORY_KEPT
    held, see = capsys.readouterr().out.splitlines()
    assert held.startswith(f"held: job {job} is in flight")
    assert see == f"see it: dissolve show talk --db {db}"


def test_a_call_without_a_fleet_that_can_answer_is_told(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.toml"
    asked = WatchOptions(
        conversation="talk", policy=None, preset=None, fleet=str(roster), live=False, lane="batch", db=db
    )
    roster.write_text('[[members]]\nname = "a"\nmodel = "openai/gpt-4o-mini"\nfamily = "gpt"\n', encoding="utf-8")
    watch_conversation(asked)
    roster.unlink()
    capsys.readouterr()
    assert fire_now("talk", by="ann", db=db, as_json=False) is Exit.HISTORY_KEPT
    assert capsys.readouterr().out.startswith("held: the job could not be submitted: invalid_roster")


def test_what_the_settings_watch_can_be_fired_too(
    db: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISSOLVE_WATCH", "shadow")
    assert fire_now("talk", by="ann", db=db, as_json=True) is Exit.OK
    assert json.loads(capsys.readouterr().out)["job"] is not None


def test_explaining_prints_a_table_and_draws_a_chart(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch(db, preset="eager")
    capsys.readouterr()
    chart = tmp_path / "chart.svg"
    page = tmp_path / "why.html"
    assert explain_conversation("talk", chart=chart, report=page, every=True, db=db, as_json=False) is Exit.OK
    assert chart.read_text(encoding="utf-8").startswith("<?xml")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    table = capsys.readouterr().out
    assert {"turn", "context", "drift", "gap", "bits", "fall", "decision", "why"} <= set(table.split("\n")[0].split())
    explain_conversation("talk", chart=None, every=False, db=db, as_json=False)
    assert "evaluations shown; --all shows every one" in capsys.readouterr().out
    explain_conversation("talk", chart=None, every=False, db=db, as_json=True)
    assert len(json.loads(capsys.readouterr().out)) == 40


def test_what_is_shown_is_where_something_changed() -> None:
    from dissolution.triggering import Signal

    told = [an_evaluation(1), an_evaluation(2), an_evaluation(3, Signal.DRIFT), an_evaluation(4), an_evaluation(5)]
    assert [one.turn for one in where_something_changed(told)] == [1, 3, 4, 5]


def test_catching_up_reads_what_was_left(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watch(db)
    with open_services(load_settings(db=db)) as services, services.unit_of_work() as work:
        talk = work.conversations.get("talk")
        work.conversations.append("talk", (talk.turns[-1].model_copy(update={"number": 41}),))
        work.commit()
    capsys.readouterr()
    assert catch_up_all(10, db=db) is Exit.OK
    assert "talk: 1 decisions, 0 firings" in capsys.readouterr().err
    catch_up_all(10, db=db)
    assert "0 conversations were behind" in capsys.readouterr().err
    assert unwatch_conversation("talk", db=db) is Exit.OK


def calibration(tmp_path: Path, labels: Path | None = None) -> CalibrateOptions:
    return CalibrateOptions(
        files=(str(tmp_path / "talk.json"),),
        labels=labels,
        policy=None,
        rate=2.0,
        out=tmp_path / "fitted.toml",
        form=None,
        timezone=None,
        as_json=True,
    )


def test_calibration_writes_a_policy_that_can_be_used(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text('{"talk": [16, 31]}', encoding="utf-8")
    assert calibrate_files(calibration(tmp_path, labels)) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["conversations"], told["labelled"]) == (1, 1)
    assert load_policy(tmp_path / "fitted.toml").triggers.name == "fitted"
    assert watch(db, policy=tmp_path / "fitted.toml") is Exit.OK


@pytest.mark.parametrize(
    ("text", "what"), [("[1", "are no JSON"), ('{"talk": "x"}', "at talk"), ('{"other": [3]}', "labels for other")]
)
@pytest.mark.usefixtures("db")
def test_labels_that_cannot_be_used_are_refused(tmp_path: Path, text: str, what: str) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=what):
        calibrate_files(calibration(tmp_path, labels))
    with pytest.raises(InputError, match="cannot be read"):
        calibrate_files(calibration(tmp_path, tmp_path / "missing.json"))
