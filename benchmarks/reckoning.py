"""What a fleet of many conversations an hour takes: calls, tokens, processes, rows, messages and money.

usage: python benchmarks/reckoning.py [--recorded benchmarks/data/drills/third] [--talks 3] [--json]
           [--rate 1000] [--job-seconds 180] [--in-flight 200] [--io-call-processor-s 0.033]
           [--other-processor-s 0.13] [--busy 0.7]
           [--models openai/gpt-4.1-mini …] [--least-cached 1024]

Replays jobs of a drill's cassette through the path, as workers would run them, and counts for each job: calls, tokens
of prompts (approximate counter) and those that a provider's cache may serve, tokens of answers, rows by table, bytes of
the database (SQLite), rings (one message to Celery each), processor time by stage. Then reckons a fleet from these
means. What cannot be measured by a replay is an input with a flag: see docs/scale.md.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # not this folder: its consensus.py would pose as the room
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from benchmarks.reckoning_run.fleet import Inputs, fleet, prices
from benchmarks.reckoning_run.replay import Means, replayed
from benchmarks.reckoning_run.told import told

DRILL = Path(__file__).parent / "data" / "drills" / "third"
MODELS = ("openai/gpt-4.1-mini", "anthropic/claude-haiku-4-5", "gemini/gemini-2.5-flash")


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorded", type=Path, default=DRILL, help="a drill's cassette")
    parser.add_argument("--talks", type=int, default=3, help="conversations of it, with all their cycles")
    parser.add_argument("--least-cached", type=int, default=1024, help="tokens of the shortest beginning a cache keeps")
    parser.add_argument("--rate", type=float, default=1000.0, help="jobs an hour")
    parser.add_argument("--job-seconds", type=float, default=180.0, help="from its submission to its end")
    parser.add_argument("--in-flight", type=int, default=200, help="jobs that one io process holds")
    parser.add_argument("--io-call-processor-s", type=float, default=0.033, help="processor time of one live call (s)")
    parser.add_argument(
        "--other-processor-s", type=float, default=0.13, help="of database, Redis, relay and submission, a job (s)"
    )
    parser.add_argument("--busy", type=float, default=0.7, help="share of a core that is planned for")
    parser.add_argument("--models", nargs="+", default=MODELS, help="of LiteLLM's price map")
    parser.add_argument("--means", type=Path, help="means of an earlier run (its --json), in place of a replay")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> None:
    """Measure, reckon, print."""
    given = options()
    if given.means is not None:
        means = Means.model_validate(json.loads(given.means.read_text(encoding="utf-8"))["means"])
    else:
        with tempfile.TemporaryDirectory() as folder:
            means = replayed(given.recorded, given.talks, given.least_cached, Path(folder))
    inputs = Inputs(
        jobs_an_hour=given.rate,
        job_s=given.job_seconds,
        in_flight=given.in_flight,
        io_call_processor_s=given.io_call_processor_s,
        other_processor_s=given.other_processor_s,
        busy=given.busy,
    )
    found = fleet(means, inputs, prices(given.models))
    if given.json:
        whole = {"means": means.model_dump(), "inputs": inputs.model_dump(), "fleet": found.model_dump(mode="json")}
        print(json.dumps(whole, indent=1))
    else:
        print(told(means, inputs, found))


if __name__ == "__main__":
    main()
