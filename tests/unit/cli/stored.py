"""A database on disk with jobs in it, for tests of what commands read and print."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

from devtools.clock import FixedClock
from devtools.scripted import Say
from dissolution.job import Job
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, a_member, running
from tests.unit.workers.reviewing_members import ReviewingMember, Said
from workers.runtime.inline import run_job
from workers.services import Services

TALK = (
    "The invoice service runs on Postgres 15.4 and the deploy window is Tuesday 09:00.",
    "We use Terraform for the rollout. Jenkins is ruled out because nobody maintains it.",
    "Never restart the primary during business hours. Who owns the billing alerts?",
)
GOOD = """KNOWN
- The invoice service runs on Postgres 15.4. [turn 1]

DECIDED
- We use Terraform for the rollout. [turn 2]
- Jenkins is ruled out because nobody maintains it. [turn 2]

EDGES
- Who owns the billing alerts?

IDENTITY
- Never restart the primary during business hours. [turn 3]
"""


_MINUTES = count()


def a_minute_later(services: Services) -> Services:
    """The same services a minute after those of the job before, so that the newest job is known."""
    return replace(services, clock=FixedClock(INSTANT + timedelta(minutes=next(_MINUTES))))


def url_in(folder: Path) -> str:
    """The URL of the database that `ended` and `waiting` fill."""
    return f"sqlite:///{folder / 'ledger.sqlite3'}"


def ended(folder: Path, *contents: str, name: str = "conv-1", heard: Sequence[str] = (GOOD, GOOD)) -> Job:
    """A job that has run to its end over members that say `heard`; one voice is no quorum."""
    members = [a_member(f"m{number}", Say(text)) for number, text in enumerate(heard)]
    with running(folder, members) as frozen:
        services = a_minute_later(frozen)
        return run_job(services, a_job(services, a_conversation(*(contents or TALK), name=name)).id)


def reviewed(folder: Path, claim: str, said: Said, *, heard: str = GOOD) -> Job:
    """A job of TALK that two families review; both answer `heard`, and say `said` of a claim."""
    members = [ReviewingMember(name, {claim: said}, says={"four_part": heard}) for name in ("ann", "ben")]
    with running(folder, members) as frozen:
        services = a_minute_later(frozen)
        return run_job(services, a_job(services, a_conversation(*TALK, name="conv-1")).id)


def waiting(folder: Path, *contents: str, name: str = "conv-1") -> Job:
    """A job that is stored and queued. Its fleet is one that only tests can build."""
    with running(folder, []) as frozen:
        return a_job(a_minute_later(frozen), a_conversation(*(contents or TALK), name=name))
