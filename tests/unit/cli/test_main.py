"""The command itself: the docs name every command, and every way to end has its exit code."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from cli import main
from cli.shared.exits import Exit
from cli.shared.output import OutputLost
from dissolution.errors import NotFound

DOCS = Path(__file__).parents[3] / "docs" / "cli.md"


def commands(app: typer.Typer, before: str = "") -> Iterator[str]:
    for command in app.registered_commands:
        callback = command.callback
        assert callback is not None
        yield f"{before}{command.name or callback.__name__}"
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, f"{before}{group.name} ")


def test_every_command_stands_once_in_the_table_and_every_heading_is_of_one() -> None:
    text = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^\|.+\|$", text.partition("\n## Commands\n")[2].split("\n\n- ")[0], re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([a-z -]+)`", row)]
    assert sorted(named) == sorted(commands(main.app))
    headings = re.findall(r"^## `dissolve ((?:[a-z]+(?:-[a-z]+)* ?)+)", text, re.MULTILINE)
    assert [heading for heading in headings if heading.strip() not in named] == []


def test_which_commands_take_no_database_is_said() -> None:
    said = DOCS.read_text(encoding="utf-8").partition("All commands take `--db URL` but these: ")[2].split(". ")[0]
    named = re.findall(r"`([a-z -]+)`", said)
    group = typer.main.get_command(main.app)
    without: list[str] = []
    for name in commands(main.app):
        command = group
        for word in name.split():
            command = command.commands[word]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] - a group; typer exports no type for it
        if not any("--db" in parameter.opts for parameter in command.params):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - as above
            without.append(name)
    assert sorted(named) == sorted(without)


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (SystemExit(3), 3, ""),
        (SystemExit(None), 0, ""),
        (None, 0, ""),
        (NotFound("job", "j1"), 2, "dissolve: no job 'j1': check the id and the database (--db)\n"),
        (KeyboardInterrupt(), 130, "dissolve: interrupted\n"),
        (OSError(28, "No space left on device"), 4, "the disk cannot be written (No space left on device): free"),
        (OSError(30, "Read-only file system", "/x/y"), 4, "'/x/y' cannot be written (Read-only file system): free"),
        (OutputLost(BrokenPipeError(), Exit.HISTORY_KEPT), 3, ""),
        (OutputLost(OSError(28, "No space left on device")), 6, "No space left on device"),
    ],
)
def test_every_way_to_end_has_its_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    raised: BaseException | None,
    code: int,
    said: str,
) -> None:
    def app() -> None:
        if raised is not None:
            raise raised

    monkeypatch.setattr(main, "app", app)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == code
    err = capsys.readouterr().err
    assert (said in err, err.count("\n")) == (True, 1 if said else 0)


@pytest.mark.parametrize("tokens", ["199", "1000001", "many"])
def test_a_budget_outside_its_range_is_refused_at_the_door(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tokens: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["dissolve", "show", "--as", "messages", "--budget-tokens", tokens])
    assert main.outcome() == Exit.BAD_INPUT
    assert "Invalid value for '--budget-tokens'" in capsys.readouterr().err
