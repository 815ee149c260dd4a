"""How many of the test questions a boundary answers, beside the full text it stands for."""

from typing import NamedTuple

from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from workers.probe.summary import items_of


class Answered(NamedTuple):
    """The questions that were put to the newest candidate.

    Attributes:
        asked: How many, those included that were left unanswered.
        right: Answered right from the candidate.
        history_right: Answered right from the full text.
    """

    asked: int
    right: int
    history_right: int


def answered_of(work: UnitOfWork, job: Job, unanswered: int = 0) -> Answered | None:
    """The questions of a job's newest candidate; None when none was put to it.

    Args:
        work: Where its stages' outputs stand.
        job: The job.
        unanswered: Questions that its reader left out, as its receipt tells.
    """
    rounds = items_of(work, job)
    if not rounds or not rounds[-1]:
        return None
    items = rounds[-1]
    return Answered(
        asked=len(items) + unanswered,
        right=sum(item.candidate_score.right for item in items),
        history_right=sum(item.history_score.right for item in items),
    )
