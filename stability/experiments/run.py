"""The experiments by number."""

from collections.abc import Callable, Mapping

from dissolution import __version__
from dissolution.errors import InputError
from dissolution.settings import Settings
from stability.experiments.competence import experiment_1
from stability.experiments.frame_accumulation import experiment_4
from stability.experiments.longitudinal import experiment_3
from stability.experiments.prompt_arms import experiment_2
from stability.experiments.report import ExperimentReport
from stability.experiments.temporal_classes import experiment_5
from stability.experiments.workspace import Choice, workspace
from workers.services import Services

WITH_JOBS: Mapping[int, Callable[[Choice, Services], ExperimentReport]] = {
    1: experiment_1,
    2: experiment_2,
    3: experiment_3,
    4: experiment_4,
}
"""Experiments that ask members or embed; the fifth reads wording alone."""


def experiment(number: int, choice: Choice, settings: Settings, command: str) -> ExperimentReport:
    """Run one experiment, 1 to 5.

    Args:
        number: Which.
        choice: The data, the fleet and the conversations.
        settings: The embedder, limits and everything else of this installation but the database.
        command: What repeats it; stands in the report.

    Raises:
        InputError: No such experiment; data that are missing or cannot be read; a fleet that is none.
    """
    if number not in {*WITH_JOBS, 5}:
        raise InputError(f"experiment {number!r}", "choose 1 to 5")
    if number == 5:  # noqa: PLR2004 - its number
        found = experiment_5(choice)
    else:
        with workspace(settings) as services:
            found = WITH_JOBS[number](choice, services)
    return found.model_copy(update={"software": __version__, "command": command})
