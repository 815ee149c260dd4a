"""The program as the installation starts it: its command line, and a Ctrl-C while that loads."""

import sys
from types import ModuleType

import pytest

from cli.__main__ import main


def test_it_runs_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["dissolve", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, bool(capsys.readouterr().out)) == (0, True)


def test_ctrl_c_while_it_loads_is_one_line_and_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_name: str) -> ModuleType:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as ended:
        main(interrupted)
    assert (ended.value.code, capsys.readouterr().err) == (130, "dissolve: interrupted\n")
