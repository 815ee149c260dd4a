"""A challenge that a person takes up: an act of the ledger, like a pin. Nothing of a critic enters in silence."""

from dissolution.errors import InputError
from dissolution.job import Job
from dissolution.ledger import Act, LedgerEvent, LedgerEventKind
from dissolution.ports.store import UnitOfWork
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import as_edge, challenge_id
from workers.results.frame_summary import frame_summary
from workers.services import Services
from workers.tenants.redaction import without_secrets

NO_REASON = "no reason given"


def adopt_challenge(
    work: UnitOfWork, services: Services, job: Job, name: str, *, actor: str, why: str | None
) -> LedgerEvent:
    """Take a challenge of a job up as an EDGE of its conversation's ledger, as an act of a person.

    Raises InputError (no such challenge, several that begin so, or one that stands already), NotFound (no boundary
    yet), VersionConflict.
    """
    summary = frame_summary(work, job)
    found = summary if isinstance(summary, NotMeasured) else summary.challenges
    challenges = () if isinstance(found, NotMeasured) else found
    fitting = [one for one in challenges if challenge_id(one).startswith(name)]
    if len(fitting) != 1:
        known = ", ".join(challenge_id(one) for one in challenges) or "it has none"
        raise InputError(f"challenge {name!r} of job {job.id!r}", f"name one of its challenges ({known})")
    edge = as_edge(fitting[0])
    reason = without_secrets(work, why or NO_REASON, job.conversation)
    act = Act(kind=LedgerEventKind.ADOPTED, claim=edge.id, actor=actor, reason=reason, adopted=edge)
    version = work.boundaries.version(job.conversation)
    return work.ledger.act(job.conversation, act, version, services.clock.now())
