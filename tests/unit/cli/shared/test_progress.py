"""Progress for a log: one plain line a fact, nothing left drawing."""

import io

from rich.console import Console

from cli.shared.progress import MEANINGS, ConsoleProgress, progress_on
from workers.pipeline import STAGE_NAMES


def test_a_log_gets_plain_lines_in_order() -> None:
    stream = io.StringIO()
    with progress_on(stream, verbose=True) as progress:
        progress.say("job j1: [not markup]")
        progress.stage_started("j1", "fan_out")
        progress.member("j1", "writer-a", "asked")
        progress.stage_ended("j1", "fan_out", "1 of 1 members answered")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "job j1: [not markup]"
    assert lines[1].split() == ["writer-a", "asked"]
    assert lines[2].split()[0] == "fan_out"
    assert lines[2].endswith("1 of 1 members answered")
    assert "\x1b" not in stream.getvalue()


def test_what_members_do_is_told_when_they_fail_or_are_late_and_by_verbose() -> None:
    stream = io.StringIO()
    with progress_on(stream) as progress:
        for state in ("asked", "answered", "answered (gate)", "reads window 2 of 3", "timeout", "answered, late"):
            progress.member("j1", "ann", state)
    assert [line.split(maxsplit=1)[1] for line in stream.getvalue().splitlines()] == ["timeout", "answered, late"]


def test_every_stage_says_what_it_does() -> None:
    assert set(MEANINGS) == set(STAGE_NAMES)


def test_a_terminal_sees_the_running_stage() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100)
    progress = ConsoleProgress(console)
    progress.start()
    progress.stage_started("j1", "consensus")
    progress.stop()
    progress.stage_ended("j1", "consensus", "2 claims")
    assert "mean the same" in stream.getvalue()
    assert "2 claims" in stream.getvalue()


def test_a_terminal_sees_every_stage_that_runs_and_none_that_has_ended() -> None:
    stream = io.StringIO()
    progress = ConsoleProgress(Console(file=stream, force_terminal=True, width=120))
    for stage in ("fan_out", "register", "question_bank"):
        progress.stage_started("j1", stage)
    progress.stage_ended("j1", "register", "3 premises")
    progress.start()
    progress.stop()
    drawn = stream.getvalue().partition("3 premises")[2]
    assert "every member reads" in drawn
    assert "test questions are written" in drawn
    assert "takes for granted" not in drawn


def test_an_end_without_a_start_is_no_error() -> None:
    stream = io.StringIO()
    with progress_on(stream) as progress:
        progress.stage_ended("j1", "gate", "ended by its reason")
    assert "ended by its reason" in stream.getvalue()
