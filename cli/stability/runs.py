"""What `dissolve stability` does: run, watch, go on, report, compare, list, cancel."""

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.run.run import read_conversation, stored_conversation
from cli.shared.exits import Exit
from cli.shared.output import hint, printing, say
from cli.shared.progress import ConsoleProgress, progress_on
from cli.stability.stability_plan import Asked, plans_of, questions_of, source_of
from dissolution.settings import load_settings
from dissolution.stability import Cell, CycleFigures, RunStatus, StabilityRun
from reports.drawing import check_charts
from reports.stability_comparison import Compared, ComparisonReport, compare_runs
from reports.stability_comparison_page import write_comparison
from reports.stability_figures import StabilityReport, report_on
from reports.stability_page import write_report
from stability.measuring import Yardsticks
from stability.run import Runner, cancel_run, spent, start_run, stored_run
from workers.bootstrap import open_services
from workers.services import Services

LOOK_S = 1.0
"""Pause between two looks at a run that workers do."""

STATUS_EXITS = {
    RunStatus.DONE: Exit.OK,
    RunStatus.RUNNING: Exit.OK,
    RunStatus.STOPPED: Exit.HISTORY_KEPT,
    RunStatus.CANCELLED: Exit.HISTORY_KEPT,
}


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How a run is given out."""

    out: Path
    db: str | None
    as_json: bool


def run_stability(asked: Asked) -> Exit:
    """Store a run for each fleet or policy, do all of it, and write the report; of several also how they differ."""
    check_charts()
    settings = load_settings(db=asked.db)
    source = source_of(asked, asked.fleets[0])
    giving = Finish(out=asked.out, db=asked.db, as_json=asked.as_json)
    with progress_on(sys.stderr) as progress, open_services(settings, progress) as services:
        stored = stored_conversation(source, services)
        conversation = stored or read_conversation(source, settings, services).conversation
        plans = plans_of(asked, services, conversation)
        with services.unit_of_work() as work:
            work.conversations.extend(conversation)
            work.commit()
        runs = [start_run(services, plan) for plan in plans]
        for run in runs:
            cells = len(run.plan.arms) * run.plan.replicates * len(run.plan.checkpoints)
            progress.say(f"run {run.id}: {cells} cells over {conversation.id!r}, fleet {run.plan.fleet}")
        ended = [finished(services, run, None, progress, giving) for run in runs]
        progress.stop()
        if len(ended) == 1:
            return give(services, ended[0], out=asked.out, as_json=asked.as_json)
        return give_several(services, ended, giving)


def finished(
    services: Services, run: StabilityRun, yardsticks: Yardsticks | None, progress: ConsoleProgress, giving: Finish
) -> StabilityRun:
    """The run once all of it is done, here or by workers; when it is interrupted, it is said how to go on."""
    watched = run.plan.lane is not None
    try:
        if watched:
            return watch(services, run, progress)
        return Runner(services, run, yardsticks=yardsticks, told=progress.say).go_on()
    except BaseException:
        progress.stop()
        again = hint("stability", "resume", run.id, db=giving.db)
        left = f"run {run.id} goes on with its workers; `{again}` watches it" if watched else ""
        say(left or f"run {run.id} is left; `{again}` goes on")
        raise


def watch(services: Services, run: StabilityRun, progress: ConsoleProgress) -> StabilityRun:
    """Wait until workers have ended a run, and say how far it is."""
    pause = threading.Event()
    seen = -1
    while (run := stored_run(services, run.id)).status is RunStatus.RUNNING:
        with services.unit_of_work() as work:
            cells = work.stability.cells(run.id)
        settled = sum(cell.figures is not None for cell in cells)
        if settled != seen:
            progress.say(f"run {run.id}: {settled} of {len(cells)} cells are measured")
            seen = settled
        pause.wait(LOOK_S)
    return run


def cells_of(services: Services, run: StabilityRun) -> tuple[Cell, ...]:
    """The cells of a run."""
    with services.unit_of_work() as work:
        return work.stability.cells(run.id)


def give_several(services: Services, runs: Sequence[StabilityRun], giving: Finish) -> Exit:
    """Write the report of each run into a folder of its own, and how each differs from the first."""
    sides = [Compared(run, cells_of(services, run), spent(services, run)) for run in runs]
    try:
        for side in sides:
            write_report(report_on(side.run, side.cells, side.usd), giving.out / side.run.id)
    except OSError as error:
        return unwritten(giving.out, error)
    code = give_comparisons([compare_runs(sides[0], other) for other in sides[1:]], giving)
    return max([code, *(STATUS_EXITS[run.status] for run in runs)])


def give_comparisons(reports: Sequence[ComparisonReport], giving: Finish) -> Exit:
    """Write how runs differ, and print it; as JSON one document, a list where there are several comparisons."""
    documents = [report.model_dump_json(indent=1) for report in reports]
    with printing(Exit.OK):
        if giving.as_json:
            sys.stdout.write(documents[0] if len(documents) == 1 else f"[{', '.join(documents)}]")
            sys.stdout.write("\n")
        else:
            sys.stdout.write("".join(map(comparison_in_words, reports)))
    try:
        for report in reports:
            written = write_comparison(report, giving.out / f"{report.left.run.id}-{report.right.run.id}")
            say(f"comparison: {', '.join(str(path) for path in written)}")
    except OSError as error:
        return unwritten(giving.out, error)
    return Exit.OK


def comparison_in_words(report: ComparisonReport) -> str:
    """The summary and what was not shown."""
    sides = (f"{side.name}: run {side.run.id}, {side.run.status.value}" for side in (report.left, report.right))
    lines = [
        "; ".join(sides),
        *(f"  {line}" for line in report.summary),
        "What was not shown:",
        *(f"  {line}" for line in report.limits),
    ]
    return "\n".join(lines) + "\n"


def compare_stability(first: str, second: str, *, out: Path, db: str | None, as_json: bool) -> Exit:
    """Compare two runs that are stored. Raises NotFound, InputError."""
    with open_services(load_settings(db=db), create=False) as services:
        runs = [stored_run(services, name) for name in (first, second)]
        left, right = (Compared(run, cells_of(services, run), spent(services, run)) for run in runs)
    return give_comparisons([compare_runs(left, right)], Finish(out=out, db=db, as_json=as_json))


def unwritten(out: Path, error: OSError) -> Exit:
    """Say that a folder cannot be written."""
    say(f"--out {str(out)!r} cannot be written: {error.strerror or type(error).__name__}; the run is stored")
    return Exit.UNWRITTEN


def give(services: Services, run: StabilityRun, *, out: Path, as_json: bool) -> Exit:
    """Write the report of a run and print its summary, or all of it as JSON."""
    report = report_on(run, cells_of(services, run), spent(services, run))
    code = STATUS_EXITS[run.status]
    with printing(code):
        sys.stdout.write(f"{report.model_dump_json(indent=1)}\n" if as_json else in_words(report))
    try:
        written = write_report(report, out)
    except OSError as error:
        return unwritten(out, error)
    say(f"report: {', '.join(str(path) for path in written)}")
    return code


def in_words(report: StabilityReport) -> str:
    """The summary and what was not shown."""
    head = f"run {report.run.id}: {report.run.status.value}"
    told = "\n".join(f"  {line}" for line in report.summary)
    limits = "\n".join(f"  {line}" for line in report.limits)
    return f"{head}\n{told}\nWhat was not shown:\n{limits}\n"


def resume_stability(name: str, *, bank: Path | None, out: Path, db: str | None, as_json: bool) -> Exit:
    """Go on with a run, or watch one that workers do. Raises NotFound, InputError."""
    settings = load_settings(db=db)
    with progress_on(sys.stderr) as progress, open_services(settings, progress, create=False) as services:
        run = stored_run(services, name)
        if run.status is RunStatus.RUNNING:
            with services.unit_of_work() as work:
                conversation = work.conversations.get(run.plan.conversation)
            yardsticks = None if bank is None else questions_of(bank, conversation)
            run = finished(services, run, yardsticks, progress, Finish(out=out, db=db, as_json=as_json))
        progress.stop()
        return give(services, run, out=out, as_json=as_json)


def report_stability(name: str, *, out: Path, db: str | None, as_json: bool) -> Exit:
    """Write a run's report as far as it has come. Raises NotFound."""
    with open_services(load_settings(db=db), create=False) as services:
        run = stored_run(services, name)
        code = give(services, run, out=out, as_json=as_json)
    return Exit.OK if code is Exit.HISTORY_KEPT else code


def list_stability(*, db: str | None, as_json: bool) -> Exit:
    """Print the stored runs."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        found = [(run, work.stability.cells(run.id)) for run in work.stability.runs()]
    with printing(Exit.OK):
        if as_json:
            listed = ",".join(run.model_dump_json() for run, _ in found)
            sys.stdout.write(f'{{"runs": [{listed}]}}\n')
        for run, cells in () if as_json else found:
            done = sum(isinstance(cell.figures, CycleFigures) for cell in cells)
            arms = ", ".join(arm.value for arm in run.plan.arms)
            sys.stdout.write(f"{run.id}  {run.status.value}  {done}/{len(cells)}  {run.plan.conversation}  {arms}\n")
    return Exit.OK


def cancel_stability(name: str, *, reason: str, db: str | None) -> Exit:
    """End a run. Raises NotFound, IllegalMove."""
    with open_services(load_settings(db=db), create=False) as services:
        run = cancel_run(services, name, reason)
    say(f"run {run.id} is cancelled; what was measured stays, `{hint('stability', 'report', run.id, db=db)}` shows it")
    return Exit.OK
