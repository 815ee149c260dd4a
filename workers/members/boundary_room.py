"""How much room a job's boundary has: asked of members, given to the consensus, kept to after the review."""

from collections.abc import Sequence

from dissolution.answers import Answer
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import TokenCounter
from dissolution.room import Room, kept_words, room_of
from workers.services import Services
from workers.step_results import FanOutReport, step_output


def room_about(policy: Policy, snapshot: Snapshot, counter: TokenCounter, *, since: int = 0) -> Room:
    """The room of what is said of the turns after `since` (0 for all) up to the snapshot's last."""
    return room_of(policy.size, sum(counter.count(turn.content) for turn in snapshot.turns[since:]))


def room_read(services: Services, job: Job, snapshot: Snapshot) -> Room:
    """The room of the turns that the members of a fan-out that is done have read."""
    with services.unit_of_work() as work:
        since = FanOutReport.model_validate_json(step_output(work, job, "fan_out")).since
    return room_about(job.policy, snapshot, services.counter, since=since)


def words_kept(services: Services, job: Job, snapshot: Snapshot, answers: Sequence[Answer]) -> int:
    """Words that new claims may take when nobody will merge them any more; `answers` are those that count."""
    longest = max((sum(len(one.text.split()) for one in each.parsed.claims) for each in answers), default=0)
    return kept_words(job.policy.size, room_read(services, job, snapshot), longest)
