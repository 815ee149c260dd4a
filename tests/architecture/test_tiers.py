"""The quick tests are quick because they cannot be otherwise; and every stage has tests that are named after it."""

import multiprocessing
import os
import subprocess
import sys

import pytest

from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from tests.architecture.project import ROOT
from workers.pipeline import STAGE_NAMES


def test_a_quick_test_starts_no_program_but_the_quickest(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow") is None
    spawned = multiprocessing.get_context("spawn").Process(target=print)
    for start in (lambda: subprocess.run([sys.executable, "-c", ""], check=False), os.fork, spawned.start):
        with pytest.raises(RuntimeError, match="`processes`"):
            start()
    told = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)  # noqa: S607 - found by name
    assert told.stdout.startswith("git version")


def test_a_quick_test_loads_no_model() -> None:
    with pytest.raises(RuntimeError, match="`weights`"):
        SentenceTransformerEmbedder().embed(["text"])


def test_a_test_that_asks_for_processes_is_a_slow_one_and_may(processes: None, request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow") is not None
    assert subprocess.run([sys.executable, "-c", ""], check=False).returncode == 0


@pytest.mark.parametrize("place", ["sqlite", "postgresql"])
def test_a_case_on_postgresql_is_a_slow_one(place: str, request: pytest.FixtureRequest) -> None:
    assert (request.node.get_closest_marker("slow") is not None) == (place == "postgresql")


def test_every_stage_has_tests_of_its_own() -> None:
    here = ROOT / "tests" / "unit" / "workers" / "stages"
    assert [stage for stage in STAGE_NAMES if not (here / f"test_{stage}.py").is_file()] == []
