"""Every cassette that lies in the repository is replayed whole: each question of the path finds its stored answer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks import live_drill
from benchmarks.drill_run import Talk
from fleet.cassette import read_head
from tests.architecture.project import ROOT

CASSETTES = sorted(path.parent for path in (ROOT / "benchmarks" / "data" / "drills").glob("*/cassette.json"))
TALKS = [(folder, talk) for folder in CASSETTES for talk in live_drill.planned(folder)]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize(("folder", "talk"), TALKS, ids=lambda one: getattr(one, "name", None) or one.file.stem)
def test_a_cassette_answers_the_whole_path_and_gives_the_figures_that_are_published(
    folder: Path, talk: Talk, tmp_path: Path
) -> None:
    file = f"{talk.file}@{','.join(map(str, talk.through))}" if talk.through else str(talk.file)
    assert live_drill.main(["run", "--recorded", str(folder), "--results", str(tmp_path), file]) == 0
    name = f"{talk.file.stem}.json"
    jobs = jobs_of(tmp_path / name)
    assert len(jobs) == max(1, len(talk.through))
    for job, published in zip(jobs, jobs_of(folder / "results" / name), strict=True):
        assert job["failed_calls"] == [], "what is asked has changed: tape it anew (docs/drills.md)"
        assert {"fan_out", "question_bank", "history_arm", "frame_audit", "candidate_arm"} <= {
            one["stage"] for one in job["stages"]
        }
        for figure in ("committed", "verdict", "claims", "words", "score", "worded_by_product"):
            assert job[figure] == published[figure], figure


def jobs_of(path: Path) -> list[dict[str, Any]]:
    """The figures of one conversation's jobs."""
    return json.loads(path.read_text(encoding="utf-8"))["jobs"]


def test_the_demo_replays_one_of_them_and_says_whose_answers_they_are() -> None:
    named = re.search(r"^CASSETTE := (\S+)$", MAKEFILE, re.MULTILINE)
    assert named is not None
    assert ROOT / named[1] in CASSETTES
    assert read_head(ROOT / named[1]).about.endswith(".")
