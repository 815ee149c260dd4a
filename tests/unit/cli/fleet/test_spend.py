"""`dissolve fleet spend`, for a person and as JSON."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from cli.fleet.spend import show_spending
from cli.shared.exits import Exit
from dissolution.clock import SystemClock
from dissolution.errors import InputError
from dissolution.money import DayCaps
from dissolution.settings import Settings
from tests.databases import migrated
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a dollar reserved on the day of the tests, and a quarter today."""
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    monkeypatch.setenv("DISSOLVE_TENANT_DAY_USD", "0.3")
    url = migrated(tmp_path / "ledger.sqlite3")
    with running(tmp_path, [], Settings(db=url, embedder="hashing")) as services:
        for name, amount, at in (("old", "1", INSTANT), ("new", "0.25", SystemClock().now())):
            job = a_job(services, a_conversation("One.", name=name))
            with services.unit_of_work() as work:
                work.money.reserve(job.id, "fan_out", Decimal(amount), DayCaps(), at)
                work.commit()
    return url


def test_today_with_what_the_caps_leave(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_spending(day=None, tenant=None, db=db, as_json=False) is Exit.OK
    shown = capsys.readouterr().out
    assert "(all)" in shown
    assert "0.25" in shown
    assert "0.05" in shown  # left of the tenant's 0.3
    assert "2026-03-01" not in shown
    assert "cap of a tenant a day: 0.3 USD" in shown
    assert "cap of all tenants a day: none" in shown


def test_another_day_every_day_and_one_tenant(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_spending(day="2026-03-01", tenant="default", db=db, as_json=True) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert [(day["tenant"], day["day"], Decimal(day["reserved_usd"])) for day in told["days"]] == [
        ("default", "2026-03-01", 1)
    ]
    assert told["caps"] == {"tenant_day_usd": "0.3", "day_usd": None}
    assert show_spending(day="all", tenant=None, db=db, as_json=True) is Exit.OK
    assert len(json.loads(capsys.readouterr().out)["days"]) == 4


def test_nothing_and_nonsense(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_spending(day="2001-01-01", tenant=None, db=db, as_json=False) is Exit.OK
    assert "nothing was spent" in capsys.readouterr().out
    with pytest.raises(InputError, match="day 'tomorrow' is none"):
        show_spending(day="tomorrow", tenant=None, db=db, as_json=False)
