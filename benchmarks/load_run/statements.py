"""How many statements and transactions one job takes, counted where they are sent to the database."""

from collections import Counter
from pathlib import Path

from sqlalchemy import Engine, event

from benchmarks.chaos_run.databases import database
from benchmarks.load_run.crowd import a_job
from benchmarks.load_run.flight import QUORUM
from benchmarks.load_run.provider import ProviderThread
from dissolution.framing import FramePolicy
from dissolution.policy import Policy
from dissolution.settings import Settings
from fleet.loopback_spec import LoopbackSpec
from workers.bootstrap import ROSTER, open_services, settled_policy
from workers.loop_thread import LoopThread
from workers.pipeline import STAGE_NAMES
from workers.steps import run_step

SUBMIT, COMMITS = "submit", "transactions"
WARM = 2
"""Jobs before the one that is counted."""


def statements_section(folder: Path, spec: LoopbackSpec) -> dict[str, object]:
    """Statements of one job by stage, its submission first, and its transactions that were committed.

    Renewals of leases are left out: they are one statement a process, whatever it holds.
    """
    counted: Counter[str] = Counter()
    at = [SUBMIT]

    def sent(*_: object) -> None:
        counted[at[0]] += 1

    def committed(*_: object) -> None:
        counted[COMMITS] += 1

    with ProviderThread(spec) as models, database("postgresql", folder) as place, LoopThread() as loop:
        settings = Settings(db=place.url, embedder="hashing")
        (file := folder / "statements.toml").write_text(models.roster(), encoding="utf-8")
        fleet = f"{ROSTER}{file}"
        with open_services(settings, loop=loop) as services:
            policy = settled_policy(Policy(quorum=QUORUM, frame=FramePolicy(review_families=0)), settings, fleet)
            for case in range(700_000, 700_000 + WARM + 1):
                if case == 700_000 + WARM:
                    event.listen(Engine, "before_cursor_execute", sent)
                    event.listen(Engine, "commit", committed)
                at[0] = SUBMIT
                job = a_job(services.unit_of_work, fleet, policy, case)
                for stage in STAGE_NAMES:
                    at[0] = stage
                    run_step(services, job.id, stage)
            event.remove(Engine, "before_cursor_execute", sent)
            event.remove(Engine, "commit", committed)
    by_stage = {name: counted[name] for name in (SUBMIT, *STAGE_NAMES)}
    return {"all": sum(by_stage.values()), COMMITS: counted[COMMITS], "by_stage": by_stage}
