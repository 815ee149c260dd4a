"""Runs the jobs of a live drill: each conversation on a ledger of its own, cut where its cycles end."""

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.drill_figures import Facts, figures
from dissolution.answers import Call
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation
from dissolution.errors import DissolutionError
from dissolution.findings import Consensus
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from fleet.cassette_members import CassetteMember, TapingMember
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from triggers.submit import Request, submit
from workers.bootstrap import check_fleet, open_services
from workers.members.call_rows import STAGE as FAN_OUT
from workers.members.context_windows import CARRIED, FIRST_PROMPT, NEXT_PROMPT
from workers.members.stage_calls import place_of
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell, Services

FAN_OUT_PROMPTS = frozenset({FIRST_PROMPT, NEXT_PROMPT, *(name for name, _ in CARRIED.values())})

Document = dict[str, object]


@dataclass(frozen=True)
class Drill:
    """What all conversations of a drill have in common."""

    fleet: str  # as a job describes it
    policy: Policy  # settled: its embedder is the one that is used


@dataclass(frozen=True)
class Talk:
    """A conversation file, and the last turns of its cycles; its end alone when there are none."""

    file: Path
    through: tuple[int, ...] = ()


def run_all(
    drill: Drill, talks: Sequence[Talk], at_once: int, done: Callable[[Talk, list[Document]], None]
) -> list[list[Document]]:
    """The jobs of each conversation, in order; `at_once` conversations wait for their members at the same time.

    `done` is told of each when it is over, from its own thread.
    """

    def run(talk: Talk) -> list[Document]:
        documents = run_talk(drill, talk)
        done(talk, documents)
        return documents

    with ThreadPoolExecutor(max_workers=max(1, at_once)) as pool:
        return list(pool.map(run, talks))


def run_talk(drill: Drill, talk: Talk) -> list[Document]:
    """One conversation, cycle after cycle; a cycle that breaks is told and ends it."""
    documents: list[Document] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(db=f"sqlite:///{folder}/ledger.sqlite3", embedder=drill.policy.consensus.embedder)
        with open_services(settings) as services:
            whole = read_turns(talk.file, services)
            ends = talk.through or (len(whole.turns),)
            told: list[Call] = []
            for cycle, end in enumerate(ends, start=1):
                cut = whole.model_copy(update={"turns": whole.turns[:end]})
                try:
                    since = ends[cycle - 2] if cycle > 1 else 0
                    facts = run_cycle(services, cut, drill, told, since)
                except Exception as error:  # noqa: BLE001 - a fault in one conversation must not lose the others
                    why = str(error) if isinstance(error, DissolutionError) else f"{type(error).__name__}: {error}"
                    documents.append({"conversation": whole.id, "through": end, "cycle": cycle, "error": why})
                    return documents
                told += facts.calls
                documents.append({"cycle": cycle, **figures(facts, talk.file, cycle)})
    return documents


def read_turns(file: Path, services: Services) -> Conversation:
    """The turns of a conversation file, and nothing else of it: a planted one holds its truth too."""
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()
    return read_file(file, ReadingOptions(), key=key, clock=SystemClock()).conversation


def run_cycle(services: Services, talk: Conversation, drill: Drill, earlier: Sequence[Call], since: int) -> Facts:
    """One job to its end, and what its figures are made of. Raises what the job raises."""
    check_fleet(drill.fleet, talk.snapshot(None))
    request = Request(conversation=talk, through=None, fleet=drill.fleet, policy=drill.policy)
    submitted = submit(
        request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
    )
    job = run_job(services, submitted.job.id)
    with services.unit_of_work() as work:
        outputs = {step.stage: step.output for step in work.jobs.steps(job.id)}
        heard = outputs["consensus"]
        return Facts(
            job=job,
            talk=talk,
            boundary=work.boundaries.by_job(job.id),
            candidate=Consensus.model_validate_json(heard) if heard else None,
            outputs=outputs,
            answers=work.jobs.answers(job.id),
            calls=tuple(call for stage in STAGE_NAMES for call in work.jobs.calls(job.id, stage)),
            earlier=tuple(earlier),
            chars=chars_asked(services, job, since),
            embedder=services.embedder(),
        )


def chars_asked(services: Services, job: Job, since: int) -> dict[tuple[str, str, int], int]:
    """Characters of each prompt that a taped or replayed member was sent, by member, stage or "", and ordinal.

    The ordinal of a call in the fan-out counts the windows of one answer; any other is made from its prompt.
    """
    found: dict[tuple[str, str, int], int] = {}
    for member in services.fleet(job):
        if not isinstance(member, CassetteMember | TapingMember):
            continue
        name = member.card.name
        found |= {(name, "", place_of(one.prompt)): one.asked.chars for one in member.served}
        windows = sorted(
            {
                (one.asked.through, one.asked.chars)
                for one in member.served
                if one.asked.prompt in FAN_OUT_PROMPTS and since < one.asked.through <= job.through
            }
        )
        found |= {(name, FAN_OUT, place): chars for place, (_, chars) in enumerate(windows)}
    return found
