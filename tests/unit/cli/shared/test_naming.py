import getpass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.shared.naming import (
    UNKNOWN_ACTOR,
    actor_of,
    check_conversation,
    check_version,
    instant_of,
    the_claim,
    version_of,
)
from dissolution.errors import InputError, NaiveInstant, NotFound
from tests.running import running
from tests.unit.cli.stored import ended


def test_who_acts_is_named_or_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert actor_of("  Ann Example ") == "Ann Example"
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    assert actor_of(None) == "ann"

    def nobody() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert actor_of(None) == UNKNOWN_ACTOR


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_name_has_one_to_a_hundred_characters(name: str) -> None:
    with pytest.raises(InputError, match="--by"):
        actor_of(name)


def test_instants_have_a_zone() -> None:
    assert instant_of("--known-at", "2026-03-01T09:00:00+01:00") == datetime(2026, 3, 1, 8, tzinfo=UTC)
    with pytest.raises(NaiveInstant):
        instant_of("--known-at", "2026-03-01T09:00:00")
    with pytest.raises(InputError, match="version, or an instant"):
        instant_of("--known-at", "yesterday")


@pytest.mark.parametrize(
    ("text", "version"), [("3", 3), ("v12", 12), ("0", None), ("-1", None), ("3.0", None), ("", None), ("v", None)]
)
def test_versions(text: str, version: int | None) -> None:
    assert version_of(text) == version


def test_what_is_not_stored_is_refused(tmp_path: Path) -> None:
    ended(tmp_path)
    with running(tmp_path, []) as services, services.unit_of_work() as work:
        check_conversation(work, "conv-1")
        with pytest.raises(NotFound, match="no conversation 'conv-2'"):
            check_conversation(work, "conv-2")
        check_version(work.ledger.events("conv-1"), "conv-1", 1)
        with pytest.raises(InputError, match="1 to 1"):
            check_version(work.ledger.events("conv-1"), "conv-1", 2)
        with pytest.raises(InputError, match="no boundary yet"):
            check_version((), "conv-1", 1)
        boundary = work.boundaries.current("conv-1")
        assert boundary is not None
        claim = boundary.claims[0].id
        assert the_claim(work, claim[:9]) == (claim, "conv-1")
