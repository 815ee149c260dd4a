"""What the loopback provider is told to do."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.errors import InvalidRoster
from fleet.loopback_spec import Act, Fixed, LogNormal, LoopbackSpec, ModelScript, load_loopback_spec

EXAMPLE = Path(__file__).parents[3] / "fleet" / "examples" / "loopback.toml"


def a_die(seed: int = 1) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a reproducible simulation


def test_the_example_loads() -> None:
    spec = load_loopback_spec(EXAMPLE)
    assert set(spec.models) == {"steady", "moody", "strict"}
    assert spec.models["moody"].steps[0].act is Act.RATE_LIMIT
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
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRoster, match=message):
        load_loopback_spec(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidRoster, match=r"cannot be read \(No such file"):
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
        ModelScript(mix={Act.ANSWER: 0.0})
    with pytest.raises(ValidationError):
        LoopbackSpec(models={})
