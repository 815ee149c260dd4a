"""Stages that are not built yet say so."""

from pathlib import Path

import pytest

from dissolution.findings import NotRun
from tests.factories import a_conversation
from tests.running import a_job, running
from workers.deciding import NOT_BUILT, not_run


@pytest.mark.parametrize("stage", sorted(NOT_BUILT))
def test_a_stage_that_is_not_built_says_so(stage: str, tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        result = not_run(stage)(services, a_job(services, a_conversation("One.")))
    assert result.output == NotRun(not_run=NOT_BUILT[stage])
    assert result.effect is None
