"""What a cycle reads, however long the conversation: tokens of a member's prompt over 60 cycles.

usage: python benchmarks/rolling_tokens.py [--cycles 60] [--turns 8] [--forget 0.3] [--silent] [--json]

A made-up conversation grows by --turns turns a cycle, each with one fact; every fourth gives an older figure a new
value. Three scripted members state the facts of the turns since, each once, name by id the held claims that they revise
or affirm (none with --silent), and leave out a share of --forget, each its own. The whole path runs on SQLite with the
hashing embedder. Tokens are those of the prompt, by the approximate counter; beside them what the same question over
the whole conversation would take. Also: how many of the facts that somebody stated are held at the end, and how many
values that were replaced.
"""

import argparse
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # not this folder: its consensus.py would pose as the room

from benchmarks.rolling_parts import Fact, ForgetfulMember, facts_of_cycle, grown
from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.boundary import BoundaryState
from dissolution.clock import SystemClock
from dissolution.job import JobStatus
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.settings import Settings
from dissolution.values import Frozen, NotMeasured
from language.tokens import ApproximateTokenCounter
from language.words import content_words
from prompts.render import render
from stability.statistics import theil_sen, theil_sen_interval
from store.sql.unit_of_work import sql_unit_of_work_factory
from triggers.submit import Request, submit
from workers.concurrency.loop_thread import LoopThread
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell, Services, Silent

SHOWN = (1, 2, 3, 5, 10, 20, 30, 40, 50, 60)
words_of = cache(content_words)
"""Recall is counted in every cycle: the same words are asked for again and again."""
SETTLED = 4
"""Cycles at the beginning that say little of a trend: a handful of facts."""
KEY = b"benchmark-key-of-32-bytes-length"


def services_in(folder: Path, members: list[ForgetfulMember], run: LoopThread) -> Services:
    """Services over a SQLite file with these members."""
    settings = Settings(db=f"sqlite:///{folder / 'ledger.sqlite3'}", embedder="hashing")
    return Services(
        settings=settings,
        unit_of_work=sql_unit_of_work_factory(settings.db, busy_timeout_s=30, installation_key=None),
        clock=SystemClock(),
        embedder=HashingEmbedder,
        fleet=lambda _job: tuple(members),
        counter=ApproximateTokenCounter(),
        run_async=run,
        progress=Silent(),
        owner="benchmark",
    )


class Row(Frozen):
    """What one cycle read, and what is held after it."""

    cycle: int
    turns: int
    prompt_tokens: int
    whole_conversation_tokens: int
    claims_held: int
    recall: float  # of facts that somebody stated and that hold still
    processor_s: float  # this process's own time for the job


class Measured(Frozen):
    """All figures."""

    cycles: tuple[Row, ...]
    kept: dict[str, int]
    recall_slope: tuple[float, float, float] | NotMeasured  # per cycle, from cycle 5 on: Theil and Sen's; 95 % interval


def measured(cycles: int, turns: int, forget: float, *, cites: bool = True) -> Measured:
    """Run the cycles and gather the figures."""
    members = [ForgetfulMember(name, turns, forget, cites=cites) for name in ("ash", "beech", "chestnut")]
    counter = ApproximateTokenCounter()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, LoopThread() as run:
        services = services_in(Path(folder), members, run)
        boundary: BoundaryState | None = None
        for cycle in range(1, cycles + 1):
            conversation = grown(cycle, turns, services.clock.now())
            policy = Policy(budget=BudgetPolicy(max_input_tokens=10**9))
            request = Request(conversation=conversation, fleet="scripted", policy=policy)
            began = time.process_time()
            job = submit(
                request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
            ).job
            if run_job(services, job.id).status is not JobStatus.COMMITTED:
                message = f"cycle {cycle} did not commit"
                raise RuntimeError(message)
            spent = time.process_time() - began
            with services.unit_of_work() as work:
                boundary = work.boundaries.current("growing")
            whole = render("four_part", 2, conversation.snapshot(), key=KEY)
            now = kept(boundary, cycle, turns, members)
            rows.append(
                Row(
                    cycle=cycle,
                    turns=len(conversation.turns),
                    prompt_tokens=counter.count(members[0].prompts[-1]),
                    whole_conversation_tokens=counter.count(whole.text),
                    claims_held=len(boundary.claims) if boundary else 0,
                    recall=round(now["facts_held"] / now["facts_stated"], 4),
                    processor_s=round(spent, 2),
                )
            )
            print(f"cycle {cycle}: {rows[-1]}", file=sys.stderr, flush=True)
    return Measured(
        cycles=tuple(rows),
        kept=kept(boundary, cycles, turns, members),
        recall_slope=slope([row.recall for row in rows]),
    )


def slope(recalls: list[float]) -> tuple[float, float, float] | NotMeasured:
    """The slope of recall over cycles with its interval; not measured where the run is too short for one."""
    settled = recalls[SETTLED:]
    estimate, (low, high) = theil_sen(settled), theil_sen_interval(settled)
    if isinstance(estimate, NotMeasured) or isinstance(low, NotMeasured) or isinstance(high, NotMeasured):
        return NotMeasured(not_measured="the run is too short for an interval")
    return estimate, low, high


def kept(boundary: BoundaryState | None, cycles: int, turns: int, members: list[ForgetfulMember]) -> dict[str, int]:
    """How many of the facts that a member stated are held, and how many replaced ones."""
    facts = [fact for cycle in range(1, cycles + 1) for fact in facts_of_cycle(cycle, turns)]
    stated = [fact for fact in facts if any(not member.forgets(fact) for member in members)]
    last: dict[str, Fact] = {fact.subject: fact for fact in facts}
    texts = [claim.text for claim in boundary.claims] if boundary else []

    def says(fact: Fact) -> bool:
        """Whether one claim says it: a figure of one claim and the words of another say nothing together."""
        return any(words_of(fact.text) <= words_of(text) for text in texts)

    def is_held(fact: Fact) -> bool:
        """Whether one claim says it, or, of a decision in two clauses, the claims of its parts between them."""
        about = [words_of(text) for text in texts if fact.service in text]
        parts = fact.decided and words_of(fact.text) <= frozenset[str]().union(*about)
        return parts or says(fact)

    newest = [fact for fact in stated if last[fact.subject] == fact]
    replaced = [
        fact for fact in stated if last[fact.subject].text != fact.text and last[fact.subject] in stated
    ]  # a value that is only said again is not replaced
    told = {
        fact.text
        for fact in replaced
        if sum(not member.forgets(last[fact.subject]) for member in members) > 1  # two say what took its place
    }
    return {
        "facts_stated": len(newest),
        "facts_held": sum(is_held(fact) for fact in newest),
        "commitments_stated": sum(fact.decided for fact in newest),
        "commitments_held": sum(is_held(fact) for fact in newest if fact.decided),
        "values_replaced": len(replaced),
        "replaced_values_held": sum(says(fact) for fact in replaced),
        "of_them_replaced_by_two_members": sum(says(fact) for fact in replaced if fact.text in told),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=60)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--forget", type=float, default=0.3)
    parser.add_argument("--silent", action="store_true", help="members name no held claim")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.cycles, given.turns, given.forget, cites=not given.silent)
    if given.json:
        print(found.model_dump_json(indent=1))
        return
    print("| cycle | turns | prompt tokens | whole conversation | claims held | recall | processor s |")
    print("|---|---|---|---|---|---|---|")
    for row in found.cycles:
        if row.cycle in SHOWN or row.cycle == given.cycles:
            print("| " + " | ".join(str(value) for value in row.model_dump().values()) + " |")
    trend = found.recall_slope
    told = str(trend) if isinstance(trend, NotMeasured) else "{:.5f} ({:.5f} to {:.5f})".format(*trend)
    print(f"recall a cycle, slope with its 95 % interval: {told}")
    for name, value in found.kept.items():
        print(f"{name.replace('_', ' ')}: {value}")


if __name__ == "__main__":
    main()
