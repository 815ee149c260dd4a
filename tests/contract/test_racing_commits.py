"""Two jobs on one conversation race to commit, on each database: both end committed, one after the other."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from devtools.scripted import Say
from dissolution.claims import ClaimState
from dissolution.job import Job, JobStatus
from dissolution.ledger import LedgerEventKind
from dissolution.settings import Settings
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.workers.members.test_cycles import FIRST, SINCE, TALK, up_to_the_commit
from workers.runtime.inline import run_job


def test_two_jobs_race_and_the_loser_commits_the_next_version(url: str, tmp_path: Path) -> None:
    settings = Settings(db=url, embedder="hashing")
    members = [a_member("a", Say(FIRST), Say(SINCE)), a_member("b", Say(FIRST), Say(SINCE))]
    with running(tmp_path, members, settings) as services:
        run_job(services, a_job(services, a_conversation(*TALK[:2])).id)
        jobs = [a_job(services, a_conversation(*TALK)) for _ in range(2)]
        for job in jobs:
            up_to_the_commit(services, job)
    together = Barrier(2)

    def commit(job: Job) -> Job:
        with running(tmp_path, [], settings) as services:  # nobody is asked again: there is nobody to ask
            together.wait(timeout=60)
            return run_job(services, job.id)

    with ThreadPoolExecutor(2) as threads:
        ended = list(threads.map(commit, jobs))
    assert [job.status for job in ended] == [JobStatus.COMMITTED] * 2
    assert sorted(job.expected_version for job in ended) == [1, 2]
    with running(tmp_path, [], settings) as services, services.unit_of_work() as work:
        events = work.ledger.events("conv-1")
        boundary = work.boundaries.current("conv-1")
        reopened = sum(event.kind == "job_reopened" for job in jobs for event in work.jobs.events(job.id))
    assert [(event.version, event.kind) for event in events] == [(n, LedgerEventKind.COMMITTED) for n in (1, 2, 3)]
    assert reopened == 1
    assert boundary is not None
    assert len({claim.text for claim in boundary.claims}) == len(boundary.claims), "the same claims, not twice"
    nodes = next(claim for claim in boundary.claims if "12 nodes" in claim.text)
    assert (nodes.state, nodes.carried) == (ClaimState.CURRENT, 0)
