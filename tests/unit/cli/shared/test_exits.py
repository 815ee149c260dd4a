"""Exit codes: every error and every ending has one, and the docs list them all."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.run.job_endings import STATUS_EXITS
from cli.shared.exits import Exit, exit_for
from dissolution.errors import (
    BudgetExceeded,
    ChangedPast,
    DissolutionError,
    LeaseLost,
    MemberTimeout,
    ModelAssetError,
    NotFound,
    StepHeld,
    StoreUnavailable,
)
from dissolution.job import ENDED, JobStatus

DOCS = Path(__file__).parents[4] / "docs" / "cli.md"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("job", "j1"), Exit.BAD_INPUT),
        (ChangedPast("talk", 3), Exit.BAD_INPUT),
        (StoreUnavailable("sqlite:///x", "cannot be opened"), Exit.UNAVAILABLE),
        (ModelAssetError("m", "weights are missing"), Exit.UNAVAILABLE),
        (StepHeld("j1", "fan_out", "host:1", "noon"), Exit.BUSY),
        (LeaseLost("j1", "fan_out", 2), Exit.BUSY),
        (BudgetExceeded("cost in USD", "2", "1"), Exit.HISTORY_KEPT),
        (MemberTimeout("a", "slow"), Exit.FAULT),
    ],
)
def test_an_error_has_its_exit_code(error: DissolutionError, code: Exit) -> None:
    assert exit_for(error) is code


def test_every_way_a_job_ends_or_waits_has_an_exit_code() -> None:
    assert set(STATUS_EXITS) == ENDED | {JobStatus.HELD}


def documented() -> Iterator[int]:
    for match in re.finditer(r"^\| (\d+) \| ", DOCS.read_text(encoding="utf-8"), re.MULTILINE):
        yield int(match[1])


def test_the_docs_list_every_exit_code() -> None:
    assert list(documented()) == [code.value for code in Exit]
