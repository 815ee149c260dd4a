"""Which conversations are to be looked at, and what becomes of a look that fails."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, cast

import pytest

from devtools.clock import FixedClock
from dissolution.errors import StoreUnavailable
from tests.running import running
from tests.unit.workers.triggers.test_evaluation import EVERY_FIVE, NAME, watch
from workers.services import Services
from workers.triggers.due_evaluations import WATCH_S, DueEvaluations, evaluate


@pytest.fixture
def services(tmp_path: Path) -> Generator[Services]:
    with running(tmp_path, []) as made:
        yield made


def test_who_asks_is_told_of_a_conversation_until_it_is_taken(services: Services) -> None:
    watch(services, EVERY_FIVE, 2)
    due = DueEvaluations(services.unit_of_work, services.clock, again_s=15)
    assert due.now() == (NAME,)
    assert due.now() == ()
    cast("FixedClock", services.clock).advance(WATCH_S)
    assert due.now() == (NAME,)
    due.taken(NAME)
    cast("FixedClock", services.clock).advance(WATCH_S)
    assert due.now() == ()
    cast("FixedClock", services.clock).advance(15)
    assert due.now() == (NAME,)


def test_who_evaluates_is_told_whether_it_could_be_done(services: Services, caplog: pytest.LogCaptureFixture) -> None:
    def away(_fleet: str) -> NoReturn:
        raise StoreUnavailable("the database", "try again")

    watch(services, EVERY_FIVE, 2)
    assert not evaluate(replace(services, surprise=away), NAME)
    assert f"triggers of {NAME!r}: " in caplog.text
    assert "try again" in caplog.text
    assert evaluate(services, NAME)
