"""A key that the environment lacks is told by member and variable; whoever needs none is let pass."""

from pathlib import Path

import pytest

from dissolution.errors import InvalidRoster
from fleet.cassette import HEAD
from workers.checks.roster_keys import refuse_missing_keys

ROSTER = """
[[member]]
name = "one"
family = "alpha"
model = "openai/a"
api_key_env = "ONE_KEY"

[[member]]
name = "two"
family = "beta"
model = "openai/b"
api_key_env = "TWO_KEY"

[[member]]
name = "own"
family = "gamma"
model = "openai/c"
api_base = "http://127.0.0.1:9/v1"
"""


@pytest.fixture
def roster(tmp_path: Path) -> str:
    path = tmp_path / "panel.toml"
    path.write_text(ROSTER, encoding="utf-8")
    return f"roster:{path}"


def test_each_member_without_its_key_is_named_with_the_variable(roster: str) -> None:
    with pytest.raises(InvalidRoster) as refused:
        refuse_missing_keys(roster, {"ONE_KEY": "", "OTHER": "x"})
    told = str(refused.value)
    assert "'one' (ONE_KEY), member 'two' (TWO_KEY)" in told
    assert "own" not in told
    assert "\n" not in told


def test_a_fleet_whose_keys_are_there_or_not_needed_is_let_pass(roster: str) -> None:
    refuse_missing_keys(roster, {"ONE_KEY": "a", "TWO_KEY": "b"})
    refuse_missing_keys(f"some:two,own;{roster}", {"TWO_KEY": "b"})
    refuse_missing_keys("extractive", {})
    refuse_missing_keys("recorded:/nowhere", {})


def test_a_cassette_that_holds_answers_may_need_nobody(roster: str, tmp_path: Path) -> None:
    taped = f"cassette:{tmp_path / 'tape'};{roster}"
    with pytest.raises(InvalidRoster, match="ONE_KEY"):
        refuse_missing_keys(taped, {})
    (tmp_path / "tape").mkdir()
    (tmp_path / "tape" / HEAD).write_text("{}", encoding="utf-8")
    refuse_missing_keys(taped, {})
