"""A small conversation, services over a real SQLite file, and plans, for tests of whole runs."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from dissolution.stability import Arm, CycleFigures, StabilityPlan
from dissolution.values import NotMeasured
from stability.arms import replicate_kind
from tests.databases import migrated
from tests.factories import a_conversation
from workers.bootstrap import open_services, settled_policy
from workers.services import Services

TALK = a_conversation(
    "We decided that the metrics server listens on port 9090. Nobody deploys on a Friday.",
    "Understood. I will write the release notes every Thursday.",
    "The staging database holds 40 GB. It is still open who pays for the backups.",
    "Agreed. The staging database is copied every night at 02:00.",
    "We decided to move the dashboard to Grafana. The budget is 1,200 euro a month.",
    "I will send the invoice to the controller. The contract ends on 31 March 2027.",
)


@contextmanager
def serving(folder: Path) -> Generator[Services]:
    """Services with the conversation stored."""
    settings = Settings(db=migrated(folder / "ledger.sqlite3"), embedder="hashing")
    with open_services(settings) as opened:
        with opened.unit_of_work() as work:
            work.conversations.extend(TALK)
            work.commit()
        yield opened


def a_plan(services: Services, *arms: Arm, replicates: int = 1, **rest: object) -> StabilityPlan:
    """Three cycles on the extractive fleet."""
    fleet = str(rest.get("fleet", "extractive"))
    given = {
        "conversation": TALK.id,
        "checkpoints": (2, 4, 6),
        "replicates": replicates,
        "kind": replicate_kind(fleet, replicates),
        "arms": arms or (Arm.LEDGER,),
        "fleet": fleet,
        "policy": settled_policy(Policy(), services.settings, fleet),
        "software": "1",
    }
    return StabilityPlan.model_validate(given | rest)


def timeless(figures: CycleFigures | NotMeasured | None) -> object:
    """Figures without what differs from one time to the next."""
    return figures.model_copy(update={"seconds": 0.0}) if isinstance(figures, CycleFigures) else figures
