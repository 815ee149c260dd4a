"""`dissolve probe`: what is printed, what it ends with, and what is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.probe.evaluate import ProbeOptions, probe_files
from cli.shared.exits import Exit
from dissolution.errors import InputError, InvalidConversation
from tests.unit.probe.asking import FACTS


@pytest.fixture
def history(tmp_path: Path) -> Path:
    turns = [
        {"role": role, "content": text} for fact in FACTS for role, text in (("user", fact), ("assistant", "Noted."))
    ]
    path = tmp_path / "history.json"
    path.write_text(json.dumps({"id": "talk", "turns": turns}), encoding="utf-8")
    return path


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    probes = [
        {
            "id": f"P{n}",
            "question": "How many machines does the staging cluster of the billing team have?",
            "kind": "recall",
            "expected": ["14 machines"],
            "evidence_turns": [7],
        }
        for n in range(40)
    ]
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(probes), encoding="utf-8")
    return path


def context(folder: Path, text: str) -> Path:
    path = folder / "context.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_context_passes(history: Path, bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ProbeOptions(history=history, context=context(tmp_path, "\n".join(FACTS)), bank=bank, questions=True)
    assert probe_files(options) is Exit.OK
    shown = capsys.readouterr().out
    assert shown.startswith("result    passed: ")
    assert "no language model was asked; 27 of 27 answered right" in shown
    assert "40 made, 27 asked of the context, 27 until it was settled" in shown
    assert "of 8 claims looked up, the conversation bears out 100%" in shown
    assert "[P0] How many machines" in shown


def test_a_bad_context_keeps_the_history(
    history: Path, bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = context(tmp_path, "The staging cluster of the billing team has 16 machines.")
    assert probe_files(ProbeOptions(history=history, context=bad, bank=bank, as_json=True)) is Exit.HISTORY_KEPT
    found = json.loads(capsys.readouterr().out)
    assert found["report"]["decision"]["verdict"] == "keep_history"
    assert found["precision"]["contradicted"] == 1.0


def test_without_a_bank_one_is_written(history: Path, tmp_path: Path) -> None:
    given = ["probe", "--history", str(history), "--context", str(context(tmp_path, "Nothing at all.")), "--json"]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == Exit.HISTORY_KEPT
    assert json.loads(done.stdout)["report"]["asked"] > 0


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_context_is_refused(history: Path, tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="holds no text"):
        probe_files(ProbeOptions(history=history, context=context(tmp_path, text)))


def test_missing_files_are_refused(history: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        probe_files(ProbeOptions(history=history, context=tmp_path / "none"))
    with pytest.raises(InvalidConversation, match="does not exist"):
        probe_files(ProbeOptions(history=tmp_path / "none", context=history))
