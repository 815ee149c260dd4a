"""Chaos: jobs on real workers, while processes die, Redis is wiped, databases fail, clocks jump and models lie.

usage: python -m benchmarks.chaos --jobs 500 --kills 20 --wipes 3 --seed 1

Prints one JSON document. Exits with 1 when a rule is broken: a job that has not ended, two boundaries of one job, a
stored answer that was asked again, spending that the provider did not bill, a quote that does not stand in its turn.
"""

import argparse
import json
import logging
import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from benchmarks.chaos_run.checks import Findings, check
from benchmarks.chaos_run.clock import really
from benchmarks.chaos_run.databases import KINDS
from benchmarks.chaos_run.disasters import JUMP, KILL, OUTAGE, PAUSE, REFUSAL, WIPE, Disasters
from benchmarks.chaos_run.provider import MODELS
from benchmarks.chaos_run.world import enqueue, world

LITELLM_SILENCE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}


def main() -> int:
    """Run it and print what came of it."""
    given = arguments()
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    os.environ.update(LITELLM_SILENCE)
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    with world(folder, kind=given.database, seed=given.seed, processes=given.processes) as made:
        enqueue(made, given.jobs, given.giants)
        counts = wanted(given)
        disasters = Disasters(made, seed=given.seed, counts=counts)
        disasters.run(given.limit)
        events = sum(counts.values()) - counts[WIPE]
        allowed = (events + 1) * 2 * given.processes * len(MODELS)
        ended = datetime.now(UTC)
        found = check(made, in_flight_allowed=allowed, woken=disasters.woken, really=lambda told: really(told, ended))
        took = time.monotonic() - started
        report = {
            "jobs": given.jobs,
            "terminal": found.counts["terminal"],
            "committed": found.counts["committed"],
            "history_kept": found.counts["history_kept"],
            "failed": found.counts["failed"],
            "duplicates": found.counts["duplicates"],
            "lost": found.counts["lost"],
            "reasked": found.counts["reasked"],
            "kills": disasters.done[KILL],
            "wipes": disasters.done[WIPE],
            "redis_restarts": disasters.done["redis_restart"],
            "database_outages": disasters.done[OUTAGE],
            "pauses": disasters.done[PAUSE],
            "write_refusals": disasters.done[REFUSAL],
            "clock_jumps": disasters.done[JUMP],
            "giants": given.giants,
            "duplicate_deliveries": disasters.done["duplicate"],
            **money(found),
            "most_attempts": found.counts["most_attempts"],
            "worker_starts": sum(group.starts for group in made.groups),
            "failures": {
                key.removeprefix("failed_"): count
                for key, count in sorted(found.counts.items())
                if key.startswith("failed_")
            },
            "database": given.database,
            "seed": given.seed,
            "seconds": round(took, 1),
            "logs": str(folder),
            "broken": [*found.broken, *missed(given, disasters)],
        }
    print(json.dumps(report, indent=2))
    return 1 if report["broken"] else 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--kills", type=int, default=20, help="worker groups killed without warning")
    parser.add_argument("--wipes", type=int, default=3, help="times that Redis loses everything")
    parser.add_argument("--outages", type=int, default=2, help="times that the database goes away")
    parser.add_argument("--pauses", type=int, default=2, help="worker groups that stand still beyond their leases")
    parser.add_argument(
        "--refusals", type=int, default=2, help="times that the database takes no write (sqlite: the disk is full)"
    )
    parser.add_argument("--jumps", type=int, default=4, help="times that the clock is set: ahead, right, back, right")
    parser.add_argument("--giants", type=int, default=2, help="jobs about very long conversations, of all jobs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=KINDS, default="postgresql")
    parser.add_argument("--processes", type=int, default=10, help="steps of each io worker at a time")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which what has not ended is lost")
    return parser.parse_args()


def wanted(given: argparse.Namespace) -> dict[str, int]:
    """How many disasters of each kind were asked for."""
    return {
        KILL: given.kills,
        WIPE: given.wipes,
        OUTAGE: given.outages,
        PAUSE: given.pauses,
        REFUSAL: given.refusals,
        JUMP: given.jumps,
    }


def money(found: Findings) -> dict[str, object]:
    """What was asked and what it cost, as the provider and the tables say."""
    return {
        "requests": found.counts["requests"],
        "stored_replies": found.counts["stored_replies"],
        "in_flight_lost": found.counts["in_flight_lost"],
        "answered_too_late": found.counts["given_up"],
        "sent_on_waking": found.counts["sent_on_waking"],
        "provider_usd": shown(found.provider_usd),
        "stored_usd": shown(found.stored_usd),
        "in_flight_usd": shown(found.in_flight_usd),
    }


def shown(amount: Decimal) -> str:
    """USD with six places."""
    return f"{amount:.6f}"


def missed(given: argparse.Namespace, disasters: Disasters) -> list[str]:
    """Disasters that were asked for and did not happen: a run without them proves less than it says."""
    return [
        f"{disasters.done[act]} of {count} disasters of kind {act} happened"
        for act, count in wanted(given).items()
        if disasters.done[act] < count
    ]


if __name__ == "__main__":
    sys.exit(main())
