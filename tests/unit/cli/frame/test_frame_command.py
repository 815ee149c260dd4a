"""What typer hands to `dissolve frame`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.frame.report import FrameOptions
from cli.main import app
from cli.shared.exits import Exit


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[FrameOptions]:
    given: list[FrameOptions] = []

    def show(options: FrameOptions) -> Exit:
        given.append(options)
        return Exit.OK

    monkeypatch.setattr("cli.frame.report.show_frame", show)
    return given


def test_only_a_name_is_needed(asked: list[FrameOptions]) -> None:
    assert CliRunner().invoke(app, ["frame", "talk.json"]).exit_code == Exit.OK
    assert asked == [FrameOptions(name="talk.json")]


def test_every_flag_arrives_where_it_belongs(asked: list[FrameOptions]) -> None:
    flags = ["--through", "7", "--all", "--svg", "a.svg", "--plot", "b.svg", "--adopt", "ab12"]
    flags += ["--why", "worth it", "--by", "ann", "--db", "sqlite:///x", "--json"]
    assert CliRunner().invoke(app, ["frame", "job-1", *flags]).exit_code == Exit.OK
    assert asked == [
        FrameOptions(
            name="job-1",
            through=7,
            every=True,
            svg=Path("a.svg"),
            plot=Path("b.svg"),
            adopt="ab12",
            why="worth it",
            by="ann",
            db="sqlite:///x",
            as_json=True,
        )
    ]


@pytest.mark.parametrize("arguments", [["frame"], ["frame", "x", "--through", "soon"], ["frame", "x", "--never"]])
def test_what_it_does_not_know_is_refused(arguments: list[str], asked: list[FrameOptions]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == Exit.BAD_INPUT
    assert asked == []
