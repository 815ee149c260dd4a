"""The commands of stability runs, in this process: run, compare, report, list, cancel, and what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.unit.stability.runs import TALK

Dissolve = Callable[..., Result]

ROSTER = """[[member]]
name = "a"
model = "openai/a"
family = "alpha"
price = { input_usd = 1, output_usd = 1 }
"""
PLANTED = {
    "truth": {"claims": [{"id": "K1", "kind": "fact", "established_turn": 1, "must_have": ["9090"]}]},
    "probes": [
        {
            "id": "P1",
            "question": "On which port does the metrics server listen?",
            "kind": "recall",
            "expected": ["9090"],
            "accept": ["9090"],
            "evidence_turns": [1],
        }
    ],
}


def drawn(*_: object, **__: object) -> str:
    return "<svg></svg>"


@pytest.fixture
def dissolve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dissolve:
    monkeypatch.setenv("DISSOLVE_DB", f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    monkeypatch.chdir(tmp_path)
    for module in ("stability_page", "stability_comparison_page"):  # pictures have tests of their own and take seconds
        monkeypatch.setattr(f"reports.{module}.draw_svg", drawn)

    def call(*words: object) -> Result:
        return CliRunner().invoke(app, ["stability", *map(str, words)])

    return call


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    turns = [{"role": turn.role.value, "content": turn.content} for turn in TALK.turns]
    path.write_text(json.dumps({"id": "talk", "turns": turns, **PLANTED}), encoding="utf-8")
    return path


def runs(dissolve: Dissolve) -> list[dict[str, Any]]:
    return json.loads(dissolve("list", "--json").stdout)["runs"]


def test_a_run_is_done_reported_listed_and_over(dissolve: Dissolve, talk: Path, tmp_path: Path) -> None:
    done = dissolve("run", talk, "--at", "3,6", "--arms", "ledger,truncation", "--json", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert [cell["figures"]["competence"] for cell in report["cells"]][:2] == [1.0, 1.0]  # the file's own questions
    truths = [cell["figures"]["truth"] for cell in report["cells"]]
    assert ["not_measured" in truth for truth in truths] == [True, True, False, False]  # excerpts assert nothing
    assert report["run"]["plan"]["questions"][0]["id"] == "P1"
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["stability.html", "stability.json", "stability.md"]
    (run,) = runs(dissolve)
    assert (run["status"], run["plan"]["checkpoints"], run["plan"]["cadence"]) == ("done", [3, 6], "turns")
    assert f"{run['id']}  done  4/4  talk  ledger, truncation" in dissolve("list").stdout
    again = dissolve("resume", run["id"], "--out", tmp_path / "again")
    assert (again.exit_code, f"run {run['id']}: done" in again.stdout) == (0, True)
    told = dissolve("report", run["id"], "--out", tmp_path / "third")
    assert (told.exit_code, "What was not shown:" in told.stdout) == (0, True)
    cancelled = dissolve("cancel", run["id"])
    assert isinstance(cancelled.exception, Exception)


def test_two_policies_are_run_and_compared(dissolve: Dissolve, talk: Path, tmp_path: Path) -> None:
    policies: list[object] = []
    for name, size in (("small", 300), ("large", 3000)):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'name = "{name}"\n[render]\nbudget_tokens = {size}\n', encoding="utf-8")
        policies += ["--policy", path]
    done = dissolve("run", talk, "--every", "3", *policies, "--json", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["differs"] == ["policy.name: small / large", "policy.render.budget_tokens: 300 / 3000"]
    assert told["summary"] == ["No difference is shown."]
    assert "One replicate: differences have no intervals, and none is shown." in told["limits"]
    assert {row["paired"]["pairs"] for row in told["rows"]} == {1, 2}
    first, second = (run["id"] for run in reversed(runs(dissolve)))
    assert (tmp_path / "out" / first / "stability.html").is_file()
    assert (tmp_path / "out" / f"{first}-{second}" / "comparison.html").is_file()
    again = dissolve("compare", first, second, "--out", tmp_path / "later")
    assert (again.exit_code, again.stdout.startswith(f"A: run {first}, done; B: run {second}, done")) == (0, True)
    assert dissolve("compare", first, "run-none").exit_code != 0


def test_cycles_may_run_where_triggers_would_fire(dissolve: Dissolve, talk: Path) -> None:
    done = dissolve("run", talk, "--at", "firings", "--json")
    plan = json.loads(done.stdout)["run"]["plan"]
    assert (plan["cadence"], plan["checkpoints"][-1]) == ("firings", 6)
    assert any("triggers fire" in line for line in json.loads(done.stdout)["limits"])


def test_a_cap_of_nothing_stops_a_run(dissolve: Dissolve, talk: Path) -> None:
    done = dissolve("run", talk, "--every", "6", "--max-usd", "0")
    assert done.exit_code == 3
    assert "stopped" in done.stdout


def test_what_cannot_be_written_is_said_and_the_run_is_stored(dissolve: Dissolve, talk: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    done = dissolve("run", talk, "--every", "6", "--out", tmp_path / "file")
    assert done.exit_code not in {0, 1}
    assert "cannot be written" in done.stderr
    assert [run["status"] for run in runs(dissolve)] == ["done"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "cycles"),
        (["--every", "2", "--at", "2"], "cycles"),
        (["--at", "two"], "give turns from 1 on"),
        (["--at", "4,2"], "rising order"),
        (["--at", "9"], "checkpoint 9"),
        (["--every", "2", "--arms", "ledger,magic"], "'magic'"),
        (["--every", "2", "--arms", "ledger,ledger"], "names one twice"),
        (["--every", "2", "--fleet", "extractive", "--fleet", "b.toml", "--policy", "p", "--policy", "q"], "compare"),
        (["--every", "2", "--fleet", "extractive", "--fleet", "b.toml", "--recorded", "r"], "fleet of their own"),
        (["--every", "2", "--truth", "none.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_value(
    dissolve: Dissolve, talk: Path, words: list[str], told: str
) -> None:
    done = dissolve("run", talk, *words)
    assert done.exit_code != 0
    assert told in f"{done.stderr}{done.exception}"
    assert runs(dissolve) == []
