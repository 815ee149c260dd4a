"""`dissolve fleet scorecard` over jobs that were run, with and without a truth."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Member
from tests.stating import STATING
from tests.unit.stability.runs import TALK, serving
from triggers.submit import Request, submit
from workers.bootstrap import settled_policy
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell


def stating(_job: Job) -> tuple[Member, ...]:
    return STATING


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with one job."""
    with serving(tmp_path_factory.mktemp("scorecard")) as opened:
        services = replace(opened, fleet=stating)
        request = Request(
            conversation=TALK, fleet="extractive", policy=settled_policy(Policy(), services.settings, "extractive")
        )
        job = submit(
            request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
        ).job
        run_job(services, job.id)
        yield services.settings.db


def call(db: str, *words: object) -> Result:
    return CliRunner().invoke(app, ["fleet", "scorecard", "--db", db, *map(str, words)])


def truth(folder: Path, name: str) -> Path:
    claims = [{"id": "K1", "kind": "fact", "established_turn": 1, "must_have": ["9090"]}]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"id": name, "truth": {"claims": claims}}), encoding="utf-8")
    return path


def test_each_member_is_shown_with_what_it_brought(db: str) -> None:
    told = json.loads(call(db, "--json").stdout)
    assert told["jobs"] == told["boundaries"] == 1
    assert len({one["member"] for one in told["members"]}) >= 3
    assert told["true_contributions"]["not_measured"].endswith("--truth names a file that does")
    assert [advice["size"] for advice in told["advice"]] == list(range(1, len(told["members"]) + 1))
    assert all(advice["usd_per_retained"] in {"0", "0.00"} for advice in told["advice"] if advice["retained"])
    shown = call(db)
    assert (
        shown.exit_code,
        "true contributions and faults: nobody has said what is true" in " ".join(shown.stdout.split()),
    ) == (0, True)


def test_with_a_truth_what_each_said_that_is_true_is_counted(db: str, tmp_path: Path) -> None:
    told = json.loads(call(db, "--json", "--truth", truth(tmp_path, TALK.id), "--conversation", TALK.id).stdout)
    scores = {one["member"]: one for one in told["true_contributions"]}
    assert {one["of"] for one in scores.values()} == {1}
    assert sum(one["said"] for one in scores.values()) >= 1
    assert all(one["only"] <= one["said"] for one in scores.values())
    assert "only it" in call(db, "--truth", truth(tmp_path, TALK.id)).stdout


def test_a_truth_of_another_conversation_says_nothing(db: str, tmp_path: Path) -> None:
    told = json.loads(call(db, "--json", "--truth", truth(tmp_path, "another")).stdout)
    assert "not_measured" in told["true_contributions"]


@pytest.mark.parametrize("content", ["{", None])
def test_a_truth_that_cannot_be_read_is_named(db: str, tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    done = call(db, "--truth", path)
    assert done.exit_code != 0
    assert "bad.json" in f"{done.stderr}{done.exception}"
