"""What the loopback provider is told to do."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from devtools.loopback_roster import roster_text
from devtools.loopback_spec import (
    Fixed,
    LogNormal,
    LoopbackAct,
    LoopbackSpec,
    ModelScript,
    Outage,
    Pareto,
    load_loopback_spec,
)
from dissolution.errors import InvalidRoster
from fleet.roster import load_roster

FLEETS = Path(__file__).parents[3] / "benchmarks" / "data" / "fleets"
EXAMPLE = Path(__file__).parents[3] / "fleet" / "examples" / "loopback.toml"


def a_die(seed: int = 1) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a reproducible simulation


def test_the_example_loads() -> None:
    spec = load_loopback_spec(EXAMPLE)
    assert set(spec.models) == {"steady", "moody", "strict"}
    assert spec.models["moody"].steps[0].act is LoopbackAct.RATE_LIMIT
    assert spec.models["strict"].quota is not None


@given(st.floats(0.01, 10), st.floats(0, 2), st.integers(0, 2**32))
def test_latencies_are_bounded_and_repeat_for_one_seed(median_s: float, sigma: float, seed: int) -> None:
    latency = LogNormal(kind="lognormal", median_s=median_s, sigma=sigma, max_s=12)
    draws = [latency.draw(a_die(seed)) for _ in range(2)]
    assert draws[0] == draws[1]
    assert 0 < draws[0] <= 12


def test_the_median_is_the_median_and_the_tail_is_long() -> None:
    latency, die = LogNormal(kind="lognormal", median_s=2, sigma=0.5, max_s=1000), a_die()
    draws = sorted(latency.draw(die) for _ in range(2001))
    assert 1.85 < draws[1000] < 2.15  # the median's standard error is about 0.03 here
    assert draws[1980] > 5.0  # the 99th percentile is 2 * exp(0.5 * 2.33) = 6.4
    assert Fixed(seconds=0.5).draw(die) == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models = {}", "models: "),
        ("[models.x]\nmix = { dance = 1 }", r"models.x.mix.dance"),
        ("[models.x]\nlatency = { kind = 'gamma' }", r"models.x.latency"),
        ("[models.'a b']", "name 'a b' is empty or has spaces"),
        ("[models", "is not TOML"),
        ("[[outages]]\nuntil_s = 5\nmodels = ['y']\n[models.x]", "names 'y', which is no model or family here"),
        ("[[outages]]\nuntil_s = 5\nfrom_s = 6\n[models.x]", "an outage ends after it begins"),
        ("[[outages]]\nuntil_s = 5\nevery_s = 4\n[models.x]", "before it begins again"),
        ("speed = 0\n[models.x]", "speed: "),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRoster, match=message):
        load_loopback_spec(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidRoster, match="No such file"):
        load_loopback_spec(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(InvalidRoster, match="is not UTF-8"):
        load_loopback_spec(tmp_path / "x.toml")


def test_recordings_are_found_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text("[models.x]\nrecording = 'r.json'\n[models.y]\n", encoding="utf-8")
    spec = load_loopback_spec(path)
    assert spec.models["x"].recording == tmp_path / "r.json"
    assert spec.models["y"].recording is None


def test_weights_must_weigh() -> None:
    with pytest.raises(ValidationError):
        ModelScript(mix={LoopbackAct.ANSWER: 0.0})
    with pytest.raises(ValidationError):
        LoopbackSpec(models={})


def test_a_pareto_tail_has_its_median_and_is_heavier_than_a_lognormal_one() -> None:
    latency, die = Pareto(kind="pareto", median_s=2, alpha=1.5, max_s=1000), a_die()
    draws = sorted(latency.draw(die) for _ in range(4001))
    assert 1.85 < draws[2000] < 2.15
    assert draws[0] >= 2 / 2 ** (1 / 1.5)
    assert draws[3960] > 20  # the 99th percentile is 1.26 * 100^(1/1.5) = 27
    assert max(Pareto(kind="pareto", median_s=2, max_s=5).draw(die) for _ in range(500)) == 5


@pytest.mark.parametrize(
    ("since_s", "struck"), [(9.9, False), (10, True), (12.9, True), (13, False), (20, True), (22.9, True), (23, False)]
)
def test_an_outage_strikes_in_its_time_again_and_again(since_s: float, *, struck: bool) -> None:
    outage = Outage(from_s=10, until_s=13, every_s=10, families=("f",), models=("lone",))
    assert outage.strikes("m", "f", since_s) is struck
    assert outage.strikes("lone", "lone", since_s) is struck
    assert not outage.strikes("m", "other", since_s)
    assert Outage(from_s=10, until_s=13).strikes("anybody", "any", since_s) is (struck and since_s < 13)


@pytest.mark.parametrize("file", sorted(FLEETS.glob("*.toml")), ids=lambda file: file.name)
def test_one_file_plays_a_fleet_and_makes_its_roster(file: Path, tmp_path: Path) -> None:
    spec = load_loopback_spec(file, speed=50)
    assert spec.speed == 50
    (place := tmp_path / "roster.toml").write_text(roster_text(spec, "http://127.0.0.1:9"), encoding="utf-8")
    members = load_roster(place).members
    assert {member.name: member.family for member in members} == {name: spec.family_of(name) for name in spec.models}
    assert all(member.price is not None for member in members)
