"""Previewing, committing and discarding a job that waits, and the history that comes of it, in this process."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.jobs.status import show_status
from cli.ledger.acts import ActOptions, act_on_claim
from cli.ledger.erase import erase_conversation, list_erasures
from cli.ledger.history import diff_versions, log_conversation, roll_back
from cli.ledger.hold import commit_job, discard_job, preview_job
from cli.run.run import Giving
from cli.shared.exits import Exit
from devtools.scripted import Say
from dissolution.errors import InputError, NotFound
from dissolution.job import Job, JobStatus
from dissolution.ledger import LedgerEventKind
from dissolution.policy.job_policy import Policy
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.cli.stored import GOOD, TALK, ended, url_in
from triggers.submit import Request, submit
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell


def held(folder: Path) -> Job:
    """A job that waits before its commit."""
    with running(folder, [a_member("a", Say(GOOD)), a_member("b", Say(GOOD))]) as services:
        request = Request(conversation=a_conversation(*TALK), fleet="scripted", policy=Policy(), hold=True)
        stored = submit(
            request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
        )
        return run_job(services, stored.job.id)


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_a_first_cycle_adds_everything_and_is_committed_as_previewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job, db = held(tmp_path), url_in(tmp_path)
    assert preview_job(job.id, db=db, as_json=True) is Exit.OK
    told = document(capsys)
    assert (told["status"], told["from_version"], told["verdict"]) == ("held", 0, "commit_degraded")
    texts = {entry["claim"]["text"] for entry in told["changes"]["added"]}
    assert "We use Terraform for the rollout." in texts
    assert preview_job("conv-1", db=db, as_json=False) is Exit.OK
    out = capsys.readouterr().out
    assert "nothing is held yet" in out
    assert f"dissolve commit {job.id} --db" in out
    show_status((job.id,), watch=False, db=db, as_json=False)
    screen = capsys.readouterr().out.partition("Held, as asked: nothing is committed yet. Unproven: ")[2]
    assert re.search("^binds +3 ", screen, re.MULTILINE)
    assert "\nasked " in screen, "what its receipt would say is told before there is one"
    assert commit_job(job.id, Giving(db=db, as_json=True)) is Exit.OK
    committed = document(capsys)
    assert {claim["text"] for claims in committed["sections"].values() for claim in claims} == texts
    with pytest.raises(InputError, match="has committed"):
        preview_job(job.id, db=db, as_json=False)


def test_what_is_only_suspected_stands_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (f"KNOWN\n- The cache holds {size} MB. [turn {turn}]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
                     for size, turn in ((512, 1), (1024, 2)))  # fmt: skip
    talk = ("The cache holds 512 MB.", "By now the cache holds 1024 MB.")
    with running(tmp_path, [a_member("a", Say(first)), a_member("b", Say(first))]) as services:
        run_job(services, a_job(services, a_conversation(talk[0])).id)
    with running(tmp_path, [a_member("a", Say(second)), a_member("b", Say(second))]) as services:
        request = Request(conversation=a_conversation(*talk), fleet="scripted", policy=Policy(), hold=True)
        stored = submit(
            request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
        )
        job = run_job(services, stored.job.id)
    assert preview_job(job.id, db=url_in(tmp_path), as_json=True) is Exit.OK
    told = document(capsys)
    assert not told["changes"]["closed"]
    (hint,) = told["hints"]
    assert (hint["suspects"], hint["claims"][0]["text"]) == ("stale", talk[0])
    assert hint["evidence"]["turn"] == 2
    preview_job(job.id, db=url_in(tmp_path), as_json=False)
    out = capsys.readouterr().out
    assert "SUSPECTED (1): suspected, and nothing ends by it; members of two families decide" in out
    assert "holds no longer" in out
    assert "suspicions of a machine" not in out  # each is told once
    assert out.count(hint["evidence"]["text"]) == 1


def test_a_discarded_job_says_who_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, db = held(tmp_path), url_in(tmp_path)
    assert discard_job(job.id, why="too early", by="ann", db=db, as_json=True) is Exit.OK
    assert document(capsys) == {"job": job.id, "status": "cancelled", "reason": "discarded by ann: too early"}
    with pytest.raises(InputError, match="is 'cancelled', not held"):
        discard_job(job.id, why=None, by=None, db=db, as_json=False)


def test_a_job_without_a_consensus_has_no_preview(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation(*TALK))
    with pytest.raises(InputError, match="`dissolve resume`"):
        preview_job(job.id, db=url_in(tmp_path), as_json=False)
    kept = ended(tmp_path, name="conv-2", heard=(GOOD,))
    assert kept.status is JobStatus.HISTORY_KEPT
    with pytest.raises(InputError, match="see its receipt"):
        preview_job(kept.id, db=url_in(tmp_path), as_json=False)


def test_acts_make_versions_that_are_listed_compared_and_rolled_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended(tmp_path)
    db = url_in(tmp_path)
    with running(tmp_path, []) as services, services.unit_of_work() as work:
        boundary = work.boundaries.current("conv-1")
    assert boundary is not None
    claim = boundary.claims[0].id
    for kind, why in ((LedgerEventKind.PINNED, None), (LedgerEventKind.RETRACTED, "over")):
        asked = ActOptions(kind=kind, claim=claim[:9], why=why, by="ann", db=db, as_json=False)
        assert act_on_claim(asked) is Exit.OK
    assert f"{claim} is retracted" in capsys.readouterr().out
    log_conversation("conv-1", db=db, as_json=True)
    versions = document(capsys)["versions"]
    assert [(one["kind"], one["reason"]) for one in versions][1:] == [
        ("pinned", "no reason given"),
        ("retracted", "over"),
    ]
    log_conversation("conv-1", db=db, as_json=False)
    assert "retracted" in capsys.readouterr().out
    diff_versions("conv-1", "1", "2", db=db, as_json=True)
    assert [entry["claim"]["id"] for entry in document(capsys)["changes"]["marked"]] == [claim]
    diff_versions("conv-1", "v1", None, db=db, as_json=False)
    out = capsys.readouterr().out
    assert "version 1 to 3: 1 ended" in out
    assert "retracted: over" in out
    roll_back("conv-1", to="1", why="undo", by=None, db=db, as_json=False)
    assert "version 4 of 'conv-1' stands as version 1 did" in capsys.readouterr().out
    diff_versions("conv-1", "1", "4", db=db, as_json=False)
    assert "no difference" in capsys.readouterr().out
    diff_versions("conv-1", "3", "4", db=db, as_json=True)
    assert [entry["claim"]["id"] for entry in document(capsys)["changes"]["restored"]] == [claim]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("2", "1", "give the earlier version first"),
        ("1", "9", "choose one from 1 to 2"),
        ("one", None, "give a number"),
    ],
)
def test_versions_that_cannot_be_compared(tmp_path: Path, first: str, second: str | None, words: str) -> None:
    ended(tmp_path)
    ended(tmp_path)
    with pytest.raises(InputError, match=words):
        diff_versions("conv-1", first, second, db=url_in(tmp_path), as_json=False)


def test_what_is_not_stored_or_not_meant_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path, []) as services:
        a_job(services, a_conversation(*TALK))
    db = url_in(tmp_path)
    log_conversation("conv-1", db=db, as_json=False)
    assert "has no boundary yet" in capsys.readouterr().out
    with pytest.raises(NotFound):
        log_conversation("conv-9", db=db, as_json=False)
    with pytest.raises(InputError, match="version such as"):
        roll_back("conv-1", to="yesterday", why="x", by=None, db=db, as_json=False)
    with pytest.raises(InputError, match=r"3 turns, 1 jobs.*--yes"):
        erase_conversation("conv-1", why="x", by="ann", sure=False, db=db, as_json=False)
    list_erasures(db=db, as_json=False)
    assert capsys.readouterr().out == "nothing was erased\n"
    erase_conversation("conv-1", why="on [b]request", by="ann", sure=True, db=db, as_json=True)
    told = document(capsys)
    assert (told["turns"], told["jobs"], told["actor"], told["reason"]) == (3, 1, "ann", "on [b]request")
    list_erasures(db=db, as_json=True)
    assert document(capsys) == [told]
    list_erasures(db=db, as_json=False)
    assert "on [b]request" in capsys.readouterr().out
    with pytest.raises(NotFound):
        log_conversation("conv-1", db=db, as_json=False)
