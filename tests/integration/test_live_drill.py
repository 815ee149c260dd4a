"""A drill end to end over HTTP, and again from what it kept: the same figures with nobody asked."""

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks import live_drill
from tests.integration.answering import Endpoint, answering, roster_of
from tests.unit.workers.probing_members import FACTS, TURNS
from tests.unit.workers.reviewing_members import ReviewingMember

TALK = 6
"""Turns of the conversation; each states four facts."""

POLICY = """
[probe]
writer = "ann"
reader = "ben"
judge = "cem"
[probe.gate]
name = "small"
questions = 12
repair_rounds = 0
reject_loss = 0.5
accept_loss = 0.2
[frame]
reviewers = ["ann", "ben"]
"""

TRUTH = {
    "note": "Sesame opens the vault",
    "claims": [
        {"id": f"T{at}", "kind": "fact", "section": "KNOWN", "established_turn": 1 + at // 4, "must_have": [fact[0]]}
        for at, fact in enumerate(FACTS[: 4 * TALK])
    ],
    "superseded": [],
}


class Drilled(NamedTuple):
    """A drill that was run live: its folder, its endpoint, what it printed and what was asked of whom."""

    folder: Path
    endpoint: Endpoint
    told: str
    asked: tuple[str, ...]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drilled]:
    folder, known = tmp_path_factory.mktemp("drill"), FACTS[: 4 * TALK]
    states = {"ann": known[:-4], "ben": known, "cem": known}
    with answering({name: ReviewingMember(name, states=facts) for name, facts in states.items()}) as endpoint:
        turns = [{"turn": place, "role": "user", "content": text} for place, text in enumerate(TURNS[:TALK], start=1)]
        content = {"id": "talk", "turns": turns, "truth": TRUTH}
        (folder / "talk.json").write_text(json.dumps(content), encoding="utf-8")
        (folder / "roster.toml").write_text(roster_of(endpoint), encoding="utf-8")
        (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
        with redirect_stdout(io.StringIO()) as printed:
            assert live(folder) == 0
        yield Drilled(folder, endpoint, printed.getvalue(), tuple(endpoint.asked))


@pytest.fixture
def drill(once: Drilled, tmp_path: Path) -> Drilled:
    """A copy of it that a test may change."""
    once.endpoint.asked.clear()
    return once._replace(folder=shutil.copytree(once.folder, tmp_path / "drill"))


def drilled(*words: str | Path) -> int:
    return live_drill.main(["run", "--embedder", "hashing", *map(str, words)])


def live(folder: Path) -> int:
    given = ("--roster", folder / "roster.toml", "--policy", folder / "policy.toml", "--cassette", folder / "out")
    return drilled(*given, f"{folder / 'talk.json'}@4,6")


def jobs(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "talk.json").read_text(encoding="utf-8"))["jobs"]


def test_a_drill_reports_what_is_committed_beside_its_members(drill: Drilled) -> None:
    first, second = jobs(drill.folder / "out" / "results")
    assert (first["through"], second["through"]) == (4, 6)
    assert first["committed"]
    assert first["score"]["recall"] == 1.0
    assert first["members"]["ann"]["recall"] == 1.0
    assert set(second["members"].values()) == {
        "not comparable: in a later cycle a member answers about the turns since alone"
    }
    assert first["worded_by_product"] == second["worded_by_product"] == []
    prompts = {one["prompt"]: one for one in [*first["stages"], *second["stages"]]}
    assert {"four_part/v4", "rolling/v6", "review/v3", "probe_writing/v1", "probe_answers/v1"} <= set(prompts)
    assert all(one["input_chars"] > 0 and one["failed"] == 0 for one in prompts.values())
    for name in ("four_part/v4", "rolling/v6", "probe_writing/v1"):
        calls = [one["calls"] for job in (first, second) for one in job["stages"] if one["prompt"] == name]
        assert sum(calls) == drill.asked.count(name.partition("/")[0])


def test_a_replay_asks_nobody_and_gives_the_same_figures(drill: Drilled, capsys: pytest.CaptureFixture[str]) -> None:
    again = drill.folder / "again"
    assert drilled("--recorded", drill.folder / "out", "--results", again) == 0
    assert capsys.readouterr().out == drill.told
    assert jobs(again) == jobs(drill.folder / "out" / "results")
    assert drill.endpoint.asked == []
    assert live_drill.main(["report", str(again)]) == 0
    assert capsys.readouterr().out == drill.told


def test_an_interrupted_drill_asks_only_what_is_missing(drill: Drilled) -> None:
    path = drill.folder / "out" / "calls" / "talk.json"
    tape = json.loads(path.read_text(encoding="utf-8"))
    left = [one for one in tape["exchanges"] if one["asked"]["prompt"] != "review"]
    path.write_text(json.dumps(tape | {"exchanges": left}), encoding="utf-8")
    assert live(drill.folder) == 0
    assert drill.endpoint.asked == ["review"] * 4


def test_of_a_conversation_file_the_turns_alone_are_sent_and_kept(drill: Drilled) -> None:
    assert "Sesame" in (drill.folder / "talk.json").read_text(encoding="utf-8")
    assert all("Sesame" not in path.read_text(encoding="utf-8") for path in (drill.folder / "out").rglob("*.json"))


def test_a_drill_that_breaks_says_so_and_fails(drill: Drilled, capsys: pytest.CaptureFixture[str]) -> None:
    other = drill.folder / "other.json"
    talk = (drill.folder / "talk.json").read_text(encoding="utf-8")
    other.write_text(talk.replace('"talk"', '"other"'), encoding="utf-8")
    assert drilled("--recorded", drill.folder / "out", "--results", drill.folder / "again", other) == 1
    assert "holds answers about 'talk', not about 'other'" in capsys.readouterr().out


def test_a_drill_needs_a_folder_for_its_answers(drill: Drilled, capsys: pytest.CaptureFixture[str]) -> None:
    assert drilled("--roster", drill.folder / "roster.toml", drill.folder / "talk.json") == 2
    assert "--cassette" in capsys.readouterr().err
