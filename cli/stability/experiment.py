"""What `dissolve experiment` does."""

import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from cli.shared.exits import Exit
from cli.shared.output import printing, say
from cli.shared.progress import progress_on
from dissolution.errors import InputError
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from reports.drawing import check_charts
from reports.experiment_page import table_lines, write_experiment
from stability.experiments.data import data_folder
from stability.experiments.report import ExperimentReport, number
from stability.experiments.run import experiment
from stability.experiments.workspace import RECORDINGS, Choice


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was given on the command line."""

    number: int
    fleet: str
    data: Path | None
    conversations: str | None
    replicates: int
    seed: int
    policy: Path | None
    out: Path | None
    as_json: bool


def run_experiment(asked: Asked) -> Exit:
    """Run one experiment, print what it says, and write its report where one was asked for.

    Raises InputError for a folder, fleet or conversation that is not there, InvalidPolicy, InvalidRoster.
    """
    if asked.replicates > 1 and asked.number != 3:  # noqa: PLR2004 - the experiment with cycles
        raise InputError(f"--replicates {asked.replicates} with experiment {asked.number}", "only experiment 3 has any")
    if asked.out is not None:
        check_charts()
    began = time.process_time()
    with progress_on(sys.stderr) as progress:
        choice = Choice(
            data=data_folder(asked.data),
            fleet=asked.fleet,
            conversations=names_of(asked.conversations),
            replicates=asked.replicates,
            seed=asked.seed,
            told=progress.say,
            policy=load_policy(asked.policy) if asked.policy else Policy(),
        )
        found = experiment(asked.number, choice, load_settings(), command_of(asked))
    return give(found.model_copy(update={"seconds": time.process_time() - began}), asked)


def names_of(given: str | None) -> tuple[str, ...]:
    """The conversations that `--conversations` names. Raises InputError for an empty or repeated name."""
    if given is None:
        return ()
    names = tuple(name.strip() for name in given.split(","))
    if not all(names) or len(set(names)) != len(names):
        raise InputError(f"--conversations {given!r}", "give each name once, with commas between")
    return names


def command_of(asked: Asked) -> str:
    """The command that repeats this."""
    words = ["dissolve", "experiment", str(asked.number)]
    if asked.fleet != RECORDINGS:
        words += ["--fleet", Path(asked.fleet).name]
    if asked.conversations is not None:
        words += ["--conversations", asked.conversations]
    if asked.replicates > 1:
        words += ["--replicates", str(asked.replicates)]
    if asked.seed:
        words += ["--seed", str(asked.seed)]
    if asked.policy is not None:
        words += ["--policy", asked.policy.name]
    return shlex.join(words)


def give(report: ExperimentReport, asked: Asked) -> Exit:
    """Print the report, and write it into a folder."""
    with printing(Exit.OK):
        sys.stdout.write(f"{report.model_dump_json(indent=1)}\n" if asked.as_json else in_words(report))
    if asked.out is None:
        return Exit.OK
    try:
        written = write_experiment(report, asked.out)
    except OSError as error:
        say(f"--out {str(asked.out)!r} cannot be written: {error.strerror or type(error).__name__}")
        return Exit.UNWRITTEN
    say(f"report: {', '.join(str(path) for path in written)}")
    return Exit.OK


def in_words(report: ExperimentReport) -> str:
    """Hypotheses with their verdicts, every table, and the limits."""
    lines = [f"Experiment {report.number}: {report.title}. Verdict: {report.conclusion.value}", ""]
    for one in report.hypotheses:
        lines += [f"{one.conclusion.value}: {one.text}", f"  {one.reason}"]
    for table in report.tables:
        lines += ["", table.title, *table_lines(table)]
    lines += ["", "Limits:", *(f"  {line}" for line in report.limits)]
    lines.append(f"{number(report.seconds)} s of the processor")
    return "\n".join(lines) + "\n"
