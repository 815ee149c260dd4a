"""Files of --out: each whole, none of another job."""

from dataclasses import replace
from pathlib import Path

import pytest

from cli.run.results import FILES, document, gather, markdown, messages_json, rendering, write_out, write_whole
from dissolution.claims import Section
from dissolution.job import JobStatus
from dissolution.receipt.job_receipt import ConsensusReport
from dissolution.reviewing import Fault
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.cli.stored import GOOD, TALK, ended, reviewed


def test_a_folder_holds_files_of_one_job_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    committed, kept = ended(tmp_path), ended(tmp_path, *TALK, "And more.", heard=(GOOD,))
    with running(tmp_path, []) as services:
        write_out(gather(services, committed), out, budget_tokens=None, db=None)
        assert {path.name for path in out.iterdir()} == set(FILES)
        write_out(gather(services, kept), out, budget_tokens=None, db=None)
    assert {path.name for path in out.iterdir()} == set(FILES) - {"messages.json"}, "nothing replaces the history"
    for path in out.iterdir():
        text = path.read_text(encoding="utf-8")
        assert (text.endswith("\n"), text.endswith("\n\n")) == (True, False)


def test_a_job_that_keeps_the_history_is_shown_as_reviewed_and_not_as_first_heard(tmp_path: Path) -> None:
    guess = "The invoice service runs on Postgres 15.4."
    heard = f"KNOWN\n- {guess} [turn 1]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"
    job = reviewed(tmp_path, guess, (Fault.GUESS, 1, "on Postgres 15.4"), heard=heard)
    with running(tmp_path, []) as services:
        result = gather(services, job)
    assert result.job.status is JobStatus.HISTORY_KEPT, "nothing firm is left"
    assert [(claim.section, claim.text) for claim in result.boundary.claims] == [(Section.EDGES, guess)]
    sections = document(result)["sections"]
    assert (len(sections["KNOWN"]), len(sections["EDGES"])) == (0, 1)
    text = markdown(result)
    assert text.index("EDGES") < text.index(guess)
    assert result.receipt is not None
    assert isinstance(result.receipt.consensus, ConsensusReport)
    assert (result.receipt.consensus.kept[Section.KNOWN], result.receipt.consensus.kept[Section.EDGES]) == (0, 1)


def test_a_budget_for_the_rendering_leaves_the_policy_as_it_is(tmp_path: Path) -> None:
    job = ended(tmp_path)
    assert rendering(job, None) == job.policy.render
    assert rendering(job, 777).budget_tokens == 777
    assert rendering(job, 777).recent_turns == job.policy.render.recent_turns
    with running(tmp_path, []) as services:
        assert '"budget_tokens": 777' in messages_json(gather(services, job), 777)


def test_what_messages_leave_out_is_said_with_how_to_find_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = "\n".join(f"- The window is Tuesday at 09:00 for node {n} of the cluster. [turn 1]" for n in range(40))
    job = ended(tmp_path)
    with running(tmp_path, []) as services:
        result = gather(services, job)
        messages_json(result)
        told = capsys.readouterr().err
        assert told == "dissolve: this conversation is shorter than its boundary would be: send the history\n"
        first = result.boundary.claims[0]
        many = tuple(
            first.model_copy(update={"id": f"c{n}", "section": Section.KNOWN, "text": text})
            for n, text in enumerate(known.splitlines())
        )
        crowded = replace(result, boundary=result.boundary.model_copy(update={"claims": many}))
        messages_json(crowded, 300, db="sqlite:///x.db")
    err = capsys.readouterr().err
    assert "of KNOWN)" in err
    assert "dissolve recall conv-1 --db sqlite:///x.db" in err


def test_a_job_is_read_again_as_it_may_have_ended(tmp_path: Path) -> None:
    job = ended(tmp_path)
    earlier = job.model_copy(update={"status": JobStatus.RUNNING})
    with running(tmp_path, []) as services:
        result = gather(services, earlier)
        queued = gather(services, a_job(services, a_conversation("A new talk.", name="other")))
    assert (result.job.status, result.undecided) == (JobStatus.COMMITTED, None)
    assert str(queued.undecided) == "not measured: the job has not ended"
    assert (queued.boundary.claims, queued.receipt) == ((), None)


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "boundary.md").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "boundary.md", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["boundary.md"]
    write_whole(tmp_path / "odd.json", '"\udc80 é"')
    assert (tmp_path / "odd.json").read_text(encoding="utf-8") == '"\\udc80 é"'
