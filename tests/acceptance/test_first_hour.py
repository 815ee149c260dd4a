"""The benchmark of a stranger's first hour counts what it says, and a run without a key asserts no replaced value."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import first_hour
from benchmarks.hour_run.corrections import FOLDER, asserted_lines, told
from benchmarks.hour_run.service import handshake
from benchmarks.hour_run.stranger import Came, Step, Stranger, tried
from dissolution.claims import Section
from prompts.export.framing import HEADINGS
from tests.architecture.project import ROOT
from tests.terminal import Terminal

FILES = sorted(FOLDER.glob("*.json"))
VALUES = {"replaced": "8089", "right": "8189"}


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_correction_is_as_its_truth_says(file: Path) -> None:
    document = read(file)
    values, turns = document["correction"], [turn["content"] for turn in document["turns"]]
    assert document["id"] == file.stem
    assert 8 <= len(turns) <= 12
    assert [turn["turn"] for turn in document["turns"]] == list(range(1, len(turns) + 1))
    assert values["replaced"] in turns[values["said"] - 1]
    assert values["right"] in turns[values["corrected"] - 1]
    assert not any(values["right"] in turn for turn in turns[: values["corrected"] - 1])
    assert not any(values["replaced"] in turn for turn in turns[values["corrected"] - 1 :])


def test_there_are_ten_of_them() -> None:
    assert len(FILES) == 10


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_run_without_a_key_asserts_no_replaced_value(file: Path, dissolve: Terminal) -> None:
    boundary = dissolve.json("run", file)
    shown = dissolve("show", file.stem, "--as", "messages", "--budget-tokens", "250")
    assert shown.returncode == 0, shown.stderr
    found = told(file.stem, read(file)["correction"], boundary, json.loads(shown.stdout))
    assert found.asserted == 0
    assert found.newest_last is not False
    assert not found.stale_context


def boundary(*claims: str, excerpts: tuple[str, ...] = ()) -> dict[str, Any]:
    sections: dict[str, list[dict[str, str]]] = {section: [] for section in Section}
    sections[Section.DECIDED] = [{"text": text} for text in claims]
    return {"sections": sections, "excerpts": [{"text": text} for text in excerpts]}


def context(*texts: str) -> dict[str, Any]:
    return {"messages": [{"role": "system", "content": text} for text in texts]}


def test_a_claim_and_a_line_of_a_context_that_name_the_replaced_value_alone_are_asserted() -> None:
    lines = f"{HEADINGS[Section.KNOWN]}\n- Staging is on 8089.\n- It moved from 8089 to 8189.\n\n8089 was quoted here."
    found = told("talk", VALUES, boundary("Staging is on 8089.", "Not 8089 but 8189."), context(lines))
    assert found.asserted == 2
    assert list(asserted_lines(lines)) == ["- Staging is on 8089.", "- It moved from 8089 to 8189."]


@pytest.mark.parametrize(
    ("quotes", "newest_last"),
    [
        (("on 8089", "else", "on 8189"), True),
        (("on 8189", "on 8089"), False),
        (("on 8089",), None),
        (("on 8189", "else"), None),
    ],
)
def test_the_order_of_quotations_is_told_where_both_values_are_quoted(
    quotes: tuple[str, ...],
    newest_last: bool | None,  # noqa: FBT001 - a column
) -> None:
    found = told("talk", VALUES, boundary(excerpts=quotes), context("8089"))
    assert found.newest_last is newest_last
    assert found.asserted == 0
    assert found.stale_context
    assert not told("talk", VALUES, boundary(excerpts=quotes), context("8089", "8189")).stale_context


def test_what_a_version_does_not_have_is_missing_and_what_goes_wrong_has_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = (
        Step("there", ("--version",)),
        Step("no such command", ("rum",)),
        Step("no such option", ("show", "--as-a-poem")),
        Step("wrong as it should be", ("run", "nowhere.json"), frozenset({2, 4})),
        Step("a typing error", ("rum",), frozenset({2})),
    )
    monkeypatch.setattr(first_hour, "COMMANDS", steps)
    assert first_hour.main(["--part", "commands", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["came"] for one in document["steps"]] == ["well", "missing", "missing", "well", "well"]
    assert document["missing"] == ["no such command", "no such option"]
    assert document["failed"] == []
    assert document["steps"][0]["lines"] == 1
    monkeypatch.setattr(first_hour, "COMMANDS", (Step("wrong", ("run", "nowhere.json")),))
    assert first_hour.main(["--part", "commands"]) == 1
    assert "nowhere.json" in capsys.readouterr().out


def test_the_steps_name_files_that_are_there() -> None:
    named = [word for step in first_hour.COMMANDS for word in step.words if "/" in word]
    assert named
    assert [word for word in named if not (ROOT / word).exists()] == []


def test_an_agent_shakes_hands_and_lists_tools(tmp_path: Path) -> None:
    outcome = handshake(Stranger(tmp_path, {"DISSOLVE_EMBEDDER": "hashing"}))
    assert outcome.came is Came.WELL, outcome.note
    assert outcome.lines >= 5


def test_a_step_that_raises_is_told_with_its_reason() -> None:
    def breaks() -> str:
        raise RuntimeError("no service")

    outcome = tried("it", "dissolve up", breaks)
    assert (outcome.came, outcome.note, outcome.code) == (Came.FAILED, "RuntimeError: no service", None)
