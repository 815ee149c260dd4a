"""Dissolve a conversation from Python and get the messages that replace its history.

Run it from the project folder: `python examples/in_process.py`. It needs no key and no network: six recorded writers
of four families answer, the database is a file in a temporary folder.
"""

import tempfile
from pathlib import Path

from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.export.messages import boundary_messages
from triggers.submit import Request, submit
from workers.bootstrap import open_services
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job

DATA = Path(__file__).parents[1] / "benchmarks" / "data"
NAME = "co-ecology-model"


def main() -> None:
    """Read, submit, run, render."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(db=f"sqlite:///{folder}/ledger.sqlite3")
        with open_services(settings) as services:
            with services.unit_of_work() as work:
                key = work.installation_key()
                work.commit()
            options = ReadingOptions(max_bytes=10_000_000, max_turn_chars=1_000_000)
            reading = read_file(DATA / "planted" / f"{NAME}.json", options, key=key, clock=services.clock)
            request = Request(
                conversation=reading.conversation, fleet=f"recorded:{DATA / 'recordings' / NAME}", policy=Policy()
            )
            submission = submit(
                request,
                unit_of_work=services.unit_of_work,
                clock=services.clock,
                queue=NoBell(),
                stages=STAGE_NAMES,
            )
            job = run_job(services, submission.job.id)
            with services.unit_of_work() as work:
                boundary = work.boundaries.current(job.conversation)
            if boundary is None:
                print(f"{job.status}: {job.reason}; the history stays in force")
                return
            context = boundary_messages(boundary, reading.conversation, job.policy.render, services.counter)
            print(f"{job.status}: {len(boundary.claims)} claims, {context.tokens} of {context.budget_tokens} tokens")
            print(context.messages[0].content)


if __name__ == "__main__":
    main()
