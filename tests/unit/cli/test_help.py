"""Help: every command in one group, all on one screen, each with an example that can be typed."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import typer
from typer.testing import CliRunner

from cli.main import app
from cli.shared.help_examples import EXAMPLES
from cli.shared.help_groups import GROUPS, MOST_USED, OTHERS, grouped

WIDTH, LINES = 80, 45


def commands() -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its words after `dissolve`."""

    def visit(command: Any, words: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - typer exports no type for it
        children = getattr(command, "commands", {})
        if not children:
            yield words, command
        for name, child in children.items():
            yield from visit(child, f"{words} {name}".strip())

    yield from visit(typer.main.get_command(app), "")


def helped(*words: str) -> str:
    shown = CliRunner().invoke(app, [*words, "--help"], prog_name="dissolve", env={"COLUMNS": str(WIDTH)})
    assert shown.exit_code == 0
    return shown.stdout


def test_every_command_stands_in_one_group() -> None:
    names = {words.split()[0] for words, _ in commands()}
    told = [*MOST_USED, *(name for members in GROUPS.values() for name in members)]
    assert sorted(told) == sorted(names), "name each command once, in cli/shared/help_groups.py"
    assert len(MOST_USED) == 13
    assert OTHERS not in grouped(names)


def test_a_command_without_a_group_is_shown_all_the_same() -> None:
    assert grouped({"run", "pin", "brand-new"}) == {"claims by hand": ("pin",), OTHERS: ("brand-new",)}


def test_the_help_is_one_screen_that_begins_with_what_is_used_most() -> None:
    shown = helped()
    assert len(shown.splitlines()) <= LINES
    assert all(len(line) <= WIDTH for line in shown.splitlines())
    most, others = shown.split("Most used:")[1].split("More commands:")
    assert tuple(re.findall(r"^  (\S+)", most, re.MULTILINE)) == MOST_USED
    assert all(re.search(rf"\b{name}\b", others) for members in GROUPS.values() for name in members)


def test_every_help_has_an_example_whole_on_its_line() -> None:
    told = {words: helped(*words.split()) for words, _ in commands()}
    assert [words for words, text in told.items() if f"\n  Example:\n    {EXAMPLES[words]}\n" not in text] == []


def test_every_example_is_taken_by_its_command() -> None:
    by_name = dict(commands())
    assert sorted(EXAMPLES) == sorted(by_name)
    for words, line in EXAMPLES.items():
        program, *given = shlex.split(line.split(" >")[0])
        assert (program, given[: len(words.split())]) == ("dissolve", words.split())
        by_name[words].make_context(words, given[len(words.split()) :])  # raises for what it does not take
