"""The streams: what is said when one breaks, and which exit code that has."""

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from cli.shared.exits import Exit, worst
from cli.shared.output import (
    OutputLost,
    ResultConsole,
    WatcherConsole,
    abandon,
    finish,
    give_up,
    hint,
    printing,
    say,
    speak_utf8,
    visible,
)


class Broken(io.StringIO):
    """A stream whose reader has gone, or whose disk is full."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, _text: str, /) -> int:
        raise self.error

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize("error", [BrokenPipeError(32, "Broken pipe"), OSError(28, "No space left on device")])
@pytest.mark.parametrize("code", [Exit.OK, Exit.HISTORY_KEPT])
def test_lost_output_keeps_the_commands_own_code(monkeypatch: pytest.MonkeyPatch, error: OSError, code: Exit) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(error))
    with pytest.raises(OutputLost) as direct, printing(code):
        sys.stdout.write("{}")
    with pytest.raises(OutputLost) as through_rich, printing(code):
        ResultConsole(file=sys.stdout).print("a table")
    assert (direct.value.code, through_rich.value.code) == (code, code)
    assert type(through_rich.value.error) is type(error)


def test_a_reader_that_has_gone_is_no_fault_and_a_full_disk_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert give_up(OutputLost(BrokenPipeError()), Exit.HISTORY_KEPT) == Exit.HISTORY_KEPT
    assert capsys.readouterr().err == ""
    assert give_up(OutputLost(OSError(28, "No space left on device")), Exit.OK) == Exit.UNWRITTEN
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert finish(Exit.BUSY) == Exit.BUSY
    monkeypatch.setattr(sys, "stdout", Broken(OSError(28, "No space left on device")))
    assert finish(Exit.OK) == Exit.UNWRITTEN


def test_nobody_reads_stderr_and_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (BrokenPipeError(32, "Broken pipe"), OSError(28, "No space left on device")):
        monkeypatch.setattr(sys, "stderr", Broken(error))
        say("a line")
    watcher = WatcherConsole(file=Broken(BrokenPipeError(32, "Broken pipe")))
    watcher.print("a stage")
    assert watcher.quiet


def test_what_is_buffered_for_a_full_disk_goes_nowhere(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w", encoding="utf-8") as stream:
        stream.write("buffered")
        abandon(stream)
    assert (tmp_path / "file").read_text(encoding="utf-8") == ""


def test_streams_speak_utf_8_and_never_fail_on_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", newline=""))
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # not a file: left as it is
    speak_utf8()
    sys.stdout.write("— é \udcff")
    sys.stdout.flush()
    assert raw.getvalue() == "— é ".encode() + rb"\udcff"


def test_a_closed_stream_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    speak_utf8()
    with sys.stdout, sys.stderr as stderr:
        with printing(Exit.OK):
            sys.stdout.write("a result")
        say("a line")
        assert finish(Exit.OK) == Exit.OK
        assert stderr.name == os.devnull


def test_a_hint_can_be_typed_and_repeats_no_password() -> None:
    assert hint("show", "j1", db=None) == "dissolve show j1"
    url = "sqlite:////tmp/my ledger.sqlite3"
    assert shlex.split(hint("show", "j1", "--budget-tokens", 900, db=url)) == [
        "dissolve", "show", "j1", "--budget-tokens", "900", "--db", url,
    ]  # fmt: skip
    shown = hint("show", "j1", db="postgresql://ada:hunter2@db/ledger")
    assert "hunter2" not in shown
    assert "***" in shown


def test_the_worst_of_several_codes_stands_for_all() -> None:
    assert worst() is Exit.OK
    assert worst(Exit.OK, Exit.HISTORY_KEPT, Exit.OK) is Exit.HISTORY_KEPT
    assert worst(Exit.UNWRITTEN, Exit.BUSY, Exit.HISTORY_KEPT) is Exit.BUSY
    assert {worst(code, Exit.OK) for code in Exit} == set(Exit), "every code has its place"


def test_what_was_said_cannot_steer_the_terminal() -> None:
    """A conversation may hold escape sequences: they would colour, clear or rewrite what a person reads."""
    out = io.StringIO()
    console = ResultConsole(file=out, force_terminal=True, color_system="standard", highlight=False, width=80)
    table = Table("claim")
    table.add_row("in a \x1b[2Jtable")
    console.print(Text("a \x1b[31mred\x1b[0m \u202eword\u202c, \x07bell\nnext \tline", style="bold"))
    console.print("plain \x1b]8;;https://example.com\x07link")
    console.print(table)
    shown = out.getvalue()
    assert "\x1b[1m" in shown  # the console's own style
    assert not re.search(r"\x1b\[(?:31m|2J)|\x1b\]|[\u202e\u202c\x07]", shown)
    assert "a [31mred" in shown
    assert "bell" in shown.splitlines()[0]
    assert "in a [2Jtable" in shown


def test_words_of_every_language_stay() -> None:
    text = "naïve “quotes” — 東京 עברית\u00a0and\n\ta tab"
    assert visible(text) == text


def test_a_message_cannot_steer_the_terminal_either(capsys: pytest.CaptureFixture[str]) -> None:
    say("file 'x\x1b[2J' does not exist")
    assert capsys.readouterr().err == "dissolve: file 'x[2J' does not exist\n"
