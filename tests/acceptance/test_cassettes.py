"""Every cassette that lies in the repository is replayed whole: each question of the path finds its stored answer."""

import json
import re
from pathlib import Path

import pytest

from benchmarks import live_drill
from fleet.cassette import read_head
from tests.architecture.project import ROOT

CASSETTES = sorted(path.parent for path in (ROOT / "benchmarks" / "data" / "cassettes").glob("*/cassette.json"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", CASSETTES, ids=lambda path: path.name)
def test_a_cassette_answers_the_whole_path(folder: Path, tmp_path: Path) -> None:
    assert live_drill.main(["run", "--recorded", str(folder), "--results", str(tmp_path)]) == 0
    jobs = [job for path in tmp_path.glob("*.json") for job in json.loads(path.read_text(encoding="utf-8"))["jobs"]]
    assert jobs
    for job in jobs:
        assert job["failed_calls"] == [], "what is asked has changed: tape it anew (docs/drills.md)"
        assert job["committed"]
        stages = {one["stage"] for one in job["stages"]}
        assert {"fan_out", "question_bank", "history_arm", "frame_audit", "candidate_arm"} <= stages


def test_the_demo_replays_one_of_them_and_says_whose_answers_they_are() -> None:
    named = re.search(r"^CASSETTE := (\S+)$", MAKEFILE, re.MULTILINE)
    assert named is not None
    assert ROOT / named[1] in CASSETTES
    assert read_head(ROOT / named[1]).about.endswith(".")
