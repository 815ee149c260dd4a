"""Which fleet the command line describes, and a run that is kept and replayed with nothing but its folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.shared.fleet_choice import described_fleet, keep_policy, stored_policy, told_of
from dissolution.errors import InputError
from dissolution.policy.file import load_policy, policy_text
from dissolution.policy.gate import PRESETS
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from tests.integration.answering import Endpoint, answering, roster_of
from tests.terminal import Terminal
from tests.unit.workers.probing_members import FACTS, TURNS
from tests.unit.workers.reviewing_members import ReviewingMember


def test_a_fleet_is_a_roster_stored_answers_or_a_roster_whose_answers_are_stored(tmp_path: Path) -> None:
    roster, folder = tmp_path / "r.toml", tmp_path / "tape"
    assert described_fleet(str(roster), recorded=None, cassette=None) == f"roster:{roster}"
    assert described_fleet("extractive", recorded=folder, cassette=None) == f"recorded:{folder}"
    assert described_fleet(str(roster), recorded=None, cassette=folder) == f"cassette:{folder};roster:{roster}"


@pytest.mark.parametrize(
    ("fleet", "recorded", "cassette", "message"),
    [
        ("r.toml", Path("a"), None, r"--fleet 'r\.toml' with --recorded 'a'"),
        ("extractive", Path("a"), Path("b"), "--cassette 'b' with --recorded 'a'"),
        ("extractive", None, Path("b"), "--cassette 'b' with --fleet 'extractive': give the roster"),
    ],
)
def test_options_that_contradict_each_other_are_named(
    fleet: str, recorded: Path | None, cassette: Path | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        described_fleet(fleet, recorded=recorded, cassette=cassette)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(name="mine", prompt_version=2, probe=ProbePolicy(gate=PRESETS["strict"], writer="a", reader="b")),
        Policy.model_validate({"name": "ünlike", "frame": {"extractor": ["a", "b"]}, "budget": {"max_usd": "0.25"}}),
    ],
)
def test_a_policy_is_written_as_a_file_that_gives_it_back(policy: Policy, tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(policy_text(policy), encoding="utf-8")
    assert load_policy(path) == policy


def test_a_folder_that_is_no_cassette_has_no_policy_to_give(tmp_path: Path) -> None:
    keep_policy(tmp_path, Policy())
    assert (tmp_path / "policy.toml").is_file()
    assert stored_policy(tmp_path) is None
    assert stored_policy(None) is None
    assert told_of(tmp_path) is None


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with answering({name: ReviewingMember(name, states=FACTS[:12]) for name in ("ann", "ben", "cem")}) as serving:
        yield serving


def test_a_run_is_kept_and_replayed_elsewhere_without_its_models(endpoint: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "roster.toml").write_text(roster_of(endpoint), encoding="utf-8")
    (tmp_path / "mine.toml").write_text('[frame]\nreviewers = ["ann", "ben"]\n', encoding="utf-8")
    talk, tape = tmp_path / "talk.txt", tmp_path / "tape"
    talk.write_text("\n\n".join(f"user: {text}" for text in TURNS[:3]), encoding="utf-8")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    live = Terminal(tmp_path / "one").json(
        *("run", talk, "--fleet", tmp_path / "roster.toml", "--policy", tmp_path / "mine.toml", "--cassette", tape)
    )
    asked = len(endpoint.asked)
    assert asked == 5  # three answers, two audits
    replayed = Terminal(tmp_path / "two")("run", talk, "--recorded", tape)
    assert replayed.returncode == 0, replayed.stderr
    assert "nobody is asked: Answers of the members named here, stored as they came." in replayed.stderr
    again = Terminal(tmp_path / "two").json("show")
    assert len(endpoint.asked) == asked
    assert texts(again) == texts(live)
    assert len(texts(live)["KNOWN"]) > 5
    assert load_policy(tape / "policy.toml").frame.reviewers == ("ann", "ben")


def texts(document: dict[str, Any]) -> dict[str, list[str]]:
    """The words of every claim of a printed document, by section."""
    return {section: [claim["text"] for claim in claims] for section, claims in document["sections"].items()}
