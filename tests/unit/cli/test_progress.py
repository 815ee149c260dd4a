"""Progress for a log: one plain line a fact, nothing left drawing."""

import io

from rich.console import Console

from cli.progress import ConsoleProgress, progress_on


def test_a_log_gets_plain_lines_in_order() -> None:
    stream = io.StringIO()
    with progress_on(stream) as progress:
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


def test_a_terminal_sees_the_running_stage() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100)
    progress = ConsoleProgress(console)
    progress.start()
    progress.stage_started("j1", "consensus")
    progress.stop()
    progress.stage_ended("j1", "consensus", "2 claims")
    assert "grouped by meaning" in stream.getvalue()
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
    assert "every member of the fleet" in drawn
    assert "held-out questions" in drawn
    assert "premises of the conversation" not in drawn


def test_an_end_without_a_start_is_no_error() -> None:
    stream = io.StringIO()
    with progress_on(stream) as progress:
        progress.stage_ended("j1", "gate", "ended by its reason")
    assert "ended by its reason" in stream.getvalue()
