"""The work of each stage, loaded when the stage first runs: most of a command's start would else be spent on it.

A program that forks, or ends steps by a time limit, loads all of it first (`load_stages`): an exception that comes
while a module is imported may be swallowed by handlers in there, and what is loaded before a fork is shared.
"""

from collections.abc import Callable, Mapping

from dissolution.job import Job
from workers.services import Services
from workers.step_results import StepResult

StepFunction = Callable[[Services, Job], StepResult]


def _fan_out() -> StepFunction:
    from workers.stages.fan_out import ask_fleet

    return ask_fleet


def _parse() -> StepFunction:
    from workers.stages.parse import parse_answers

    return parse_answers


def _consensus() -> StepFunction:
    from workers.stages.consensus import reach_consensus

    return reach_consensus


def _register() -> StepFunction:
    from workers.stages.register import build_register

    return build_register


def _question_bank() -> StepFunction:
    from workers.stages.question_bank import write_bank

    return write_bank


def _history_arm() -> StepFunction:
    from workers.stages.history_arm import ask_history

    return ask_history


def _frame_audit() -> StepFunction:
    from workers.stages.frame_audit import audit_frame

    return audit_frame


def _candidate_arm() -> StepFunction:
    from workers.stages.candidate_arm import ask_candidate

    return ask_candidate


def _gate() -> StepFunction:
    from workers.stages.gate import decide

    return decide


def _repair() -> StepFunction:
    from workers.stages.repair import repair

    return repair


def _commit() -> StepFunction:
    from workers.stages.commit import commit_boundary

    return commit_boundary


LOADERS: Mapping[str, Callable[[], StepFunction]] = {
    "fan_out": _fan_out,
    "parse": _parse,
    "consensus": _consensus,
    "register": _register,
    "question_bank": _question_bank,
    "history_arm": _history_arm,
    "frame_audit": _frame_audit,
    "candidate_arm": _candidate_arm,
    "gate": _gate,
    "repair": _repair,
    "commit": _commit,
}
"""What loads the work of each stage of `workers.pipeline`."""


def loaded_on_first_run(load: Callable[[], StepFunction]) -> StepFunction:
    """A step that loads its work when it runs."""

    def step(services: Services, job: Job) -> StepResult:
        return load()(services, job)

    return step


def load_stages() -> None:
    """Load the work of every stage now."""
    for load in LOADERS.values():
        load()
