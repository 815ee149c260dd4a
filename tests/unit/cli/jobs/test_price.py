"""`dissolve fleet price`: the whole path of a job before anybody is asked, and whether policy allows it."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.jobs.price import PriceOptions, price_file
from cli.shared.exits import Exit
from dissolution.errors import InputError, InvalidPolicy
from dissolution.policy.effort import Effort

MEMBER = """
[[member]]
name = "{name}"
family = "{name}"
model = "openai/gpt-4o"
api_key_env = "NO_KEY"
max_output_tokens = 40000
price = {{ input_usd = 2.0, output_usd = 8.0, cached_input_usd = 0.5 }}
"""
PROBE = '[probe]\nwriter = "a"\nreader = "b"\njudge = "c"\n'


def options(folder: Path, policy: str = "", **given: object) -> PriceOptions:
    turns = [{"role": "user", "content": f"We keep node {n} until week {n}. " * 20} for n in range(1, 31)]
    (folder / "talk.json").write_text(json.dumps(turns), encoding="utf-8")
    (folder / "roster.toml").write_text("".join(MEMBER.format(name=name) for name in "abc"), encoding="utf-8")
    (folder / "policy.toml").write_text(policy, encoding="utf-8")
    asked: dict[str, Any] = {
        "through": None,
        "policy": folder / "policy.toml",
        "conversation": None,
        "as_json": True,
    } | given
    return PriceOptions(file=str(folder / "talk.json"), roster=folder / "roster.toml", **asked)


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_a_price_is_of_the_whole_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert price_file(options(tmp_path, PROBE)) is Exit.OK
    document = told(capsys)
    stages = [line["of"] for line in document["by_stage"]]
    assert stages == ["fan_out", "question_bank", "history_arm", "frame_audit", "candidate_arm"]
    assert document["refused"] is None
    assert document["counters"].keys() == {"a", "b", "c"}
    price_file(options(tmp_path, PROBE))
    assert told(capsys) == document, "the same file has the same price"
    assert price_file(options(tmp_path, PROBE, as_json=False)) is Exit.OK
    text = capsys.readouterr().out
    whole = document["whole"]
    sent = f"history sent {whole['histories']:.1f} times, {whole['histories_with_caches']:.1f} with caches"
    assert sent in text
    assert "repairs, where the gate asks for them, at most:" in text


def test_a_job_over_its_cap_would_be_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert price_file(options(tmp_path, f"{PROBE}[budget]\nmax_usd = 0.05\n", as_json=False)) is Exit.HISTORY_KEPT
    assert "0.05 USD, OVER" in capsys.readouterr().out


def test_effort_changes_the_price_and_what_the_policy_says_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices: list[float] = []
    for effort in Effort:
        price_file(options(tmp_path, PROBE, effort=effort))
        prices.append(float(told(capsys)["whole"]["usd"]))
    assert prices[0] < prices[1] < prices[2]
    price_file(
        options(tmp_path, PROBE + '[probe.gate]\nname = "mine"\n[frame]\nreviewers = ["a"]\n', effort=Effort.LOW)
    )
    reviewed = next(line for line in told(capsys)["by_stage"] if line["of"] == "frame_audit")
    assert reviewed["calls"] == 1


def test_a_cycle_is_priced_by_the_turn_that_its_boundary_goes_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    price_file(options(tmp_path))
    first = told(capsys)["by_stage"][0]
    price_file(options(tmp_path, since=25))
    assert told(capsys)["by_stage"][0]["input_tokens"] < first["input_tokens"]
    with pytest.raises(InputError, match="--since 30"):
        price_file(options(tmp_path, since=30))


def test_a_member_that_the_roster_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match=r"probe\.writer"):
        price_file(options(tmp_path, PROBE.replace('"a"', '"z"')))
