"""The experiments by the command itself, on the published sentences and on a small data folder."""

import json
import subprocess
import sys
from pathlib import Path

from tests.environments import unmeasured
from tests.polling import LONGEST_S
from tests.unit.stability.experiments.tiny import tiny_data


def dissolve(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli.main", "experiment", *words]
    environment = {**unmeasured(), "DISSOLVE_EMBEDDER": "hashing"}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST_S, env=environment)


def test_the_fifth_on_the_published_sentences(tmp_path: Path) -> None:
    done = dissolve("5", "--out", str(tmp_path / "out"))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert done.stdout.startswith("Experiment 5: The temporal classifier. Verdict: ")
    assert "| forward_open | 0.9" in done.stdout
    written = json.loads((tmp_path / "out" / "experiment-5.json").read_text(encoding="utf-8"))
    assert written["command"] == "dissolve experiment 5"
    assert str(tmp_path) not in (tmp_path / "out" / "experiment-5.html").read_text(encoding="utf-8")


def test_the_second_on_recorded_answers(tmp_path: Path) -> None:
    done = dissolve("2", "--data", str(tiny_data(tmp_path / "data")), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["number"] == 2
