"""A flag that a message or a page names exists: a wrong one sends its reader to "No such option"."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from cli.main import app
from tests.architecture.project import ROOT, shown, sources, tree

FLAG = re.compile(r"(?:^|(?<=[\s(\[`'\"=]))--[a-z][a-z0-9-]*")
# Programs other than `dissolve` that a page may show; their flags are read from their own argparse calls.
SCRIPT = re.compile(r"\b((?:benchmarks|examples)/\w+\.py)|python -m ([a-z_]+(?:\.[a-z_]+)+)")
DISSOLVE = re.compile(r"\bdissolve ((?:(?:fleet|keys|stability|triggers) )?[a-z]+(?:-[a-z]+)*)\b([^`\n|#]*)")
# Programs of others that pages show, with those of their flags that we use; each is known where it is named.
FOREIGN = {
    "docker compose": frozenset({"--build", "--detach", "--file", "--pull", "--rm", "--scale", "--volume"}),
    "pip": frozenset({"--no-compile", "--no-deps", "--upgrade"}),
    "pg_dump": frozenset({"--format", "--file"}),
    "pg_restore": frozenset({"--exit-on-error", "--no-owner", "--dbname"}),
}
DOORS = {"fleet.loopback": "devtools.loopback"}
"""Modules that run another's command line."""
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


@cache
def commands() -> dict[str, frozenset[str]]:
    """The flags of each command, by its name after `dissolve`; the group's own under ""."""
    found: dict[str, frozenset[str]] = {}

    def visit(command: object, name: str) -> None:
        assert isinstance(command, TyperCommand | TyperGroup)
        options = [one for one in command.params if isinstance(one, TyperOption)]
        found[name] = frozenset({"--help", *(flag for one in options for flag in (*one.opts, *one.secondary_opts))})
        if isinstance(command, TyperGroup):
            for child in command.commands.values():
                visit(child, f"{name} {child.name}".strip())

    visit(typer.main.get_command(app), "")
    return found


@cache
def every_flag() -> frozenset[str]:
    return frozenset(flag for flags in commands().values() for flag in flags)


@cache
def flags_of_script(file: Path) -> frozenset[str]:
    """The flags that a program declares with `add_argument`."""
    calls = [node for node in ast.walk(tree(file)) if isinstance(node, ast.Call)]
    declared = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"]
    words = [one.value for call in declared for one in call.args if isinstance(one, ast.Constant)]
    return frozenset(word for word in words if isinstance(word, str) and word.startswith("--"))


def scripts_named(text: str) -> list[Path]:
    named: list[tuple[str, str]] = SCRIPT.findall(text)
    paths = [path or DOORS.get(module, module).replace(".", "/") + ".py" for path, module in named]
    return [ROOT / path for path in paths if (ROOT / path).is_file()]


def known_beside(text: str) -> frozenset[str]:
    """The flags of `dissolve` and of each program that the text names."""
    foreign = (flags for program, flags in FOREIGN.items() if program in text)
    return every_flag().union(*map(flags_of_script, scripts_named(text)), *foreign)


def unknown_in_page(text: str) -> list[str]:
    """Flags that neither `dissolve` nor a program named in the same paragraph has, and flags of another command."""
    wrong: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        known = known_beside(paragraph)
        wrong += [flag for flag in FLAG.findall(paragraph) if flag not in known]
        for command, rest in DISSOLVE.findall(paragraph):
            wrong += [f"{command} {flag}" for flag in FLAG.findall(rest) if flag not in commands().get(command, known)]
    return wrong


def unknown_in_source(module: ast.Module) -> list[str]:
    """Flags in the strings of a module (docstrings aside) that neither `dissolve` nor a program named there has."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    strings = [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]
    return [flag for text in strings for flag in FLAG.findall(text) if flag not in known_beside(text)]


def test_every_flag_of_a_page_exists() -> None:
    wrong = {shown(page): unknown_in_page(page.read_text(encoding="utf-8")) for page in PAGES}
    assert {page: flags for page, flags in wrong.items() if flags} == {}


def test_every_flag_of_a_message_exists() -> None:
    wrong = {shown(file): set(unknown_in_source(tree(file))) - flags_of_script(file) for file in sources()}
    assert {file: flags for file, flags in wrong.items() if flags} == {}


def test_the_check_sees_flags() -> None:
    assert {"--format", "--conversation", "--db", "--help"} <= commands()["run"]
    assert "--deadline" in commands()["fleet check"]
    assert "--version" in commands()[""]
    assert "--port" in flags_of_script(ROOT / "devtools" / "loopback.py")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("force one with `--form`", ["--form"]),
        ("`dissolve explain ID --dissent`", ["explain --dissent"]),
        ("`dissolve show --dissent`, and --json", []),
        ("python -m fleet.loopback spec.toml --port 80", []),
        ("python -m fleet.loopback spec.toml\n\n--speed 2", ["--speed"]),
        ("docker compose up --build, and --turbo", ["--turbo"]),
        ("elsewhere --build", ["--build"]),
        ("python benchmarks/extractive.py --embedder hashing", []),
    ],
)
def test_the_check_can_fail_on_a_page(text: str, wrong: list[str]) -> None:
    assert unknown_in_page(text) == wrong


def test_the_check_can_fail_on_a_message() -> None:
    source = 'def f(x):\n    """--unsaid is no message."""\n    raise E(f"{x}: use (--form) or --format", "--fleet")\n'
    assert unknown_in_source(ast.parse(source)) == ["--form"]
