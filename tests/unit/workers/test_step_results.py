"""Stored outputs are read back as what they are."""

from pathlib import Path

import pytest

from dissolution.findings import NotRun
from tests.factories import a_conversation
from tests.running import a_job, running
from workers.step_results import ParseReport, not_run_of, step_output


def test_a_stage_that_did_not_run_is_told_from_one_that_did() -> None:
    assert not_run_of(NotRun(not_run="not built").model_dump_json()) == NotRun(not_run="not built")
    assert not_run_of(ParseReport(usable=2, families=("a",), statements=3).model_dump_json()) is None
    assert not_run_of('{"not_run": "x", "more": 1}') is None


def test_an_output_that_is_not_there_is_a_fault_that_names_its_step(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation("One."))
        with services.unit_of_work() as work, pytest.raises(LookupError, match="'consensus'"):
            step_output(work, job, "consensus")
