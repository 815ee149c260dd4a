"""The project as the architecture tests see it: its roots, its source files, their syntax trees."""

import ast
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@cache
def configuration() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def roots() -> tuple[str, ...]:
    """The root packages that are installed."""
    return tuple(configuration()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


TOOLS = "devtools"
"""The development tools: held to the same rules as the root packages, and not installed."""


@cache
def sources() -> tuple[Path, ...]:
    """Python files of the root packages and of the development tools."""
    return tuple(sorted(file for root in (*roots(), TOOLS) for file in (ROOT / root).rglob("*.py")))


@cache
def tree(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def module_name(file: Path) -> str:
    """The dotted name a source file is imported by."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def shown(file: Path) -> str:
    """The file's path inside the project."""
    return file.relative_to(ROOT).as_posix()


@cache
def tracked() -> tuple[Path, ...]:
    """Files under version control, or all files where there is none (an unpacked archive)."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git is found by name
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0:
        return tuple(ROOT / name for name in listing.stdout.decode().split("\0") if name and (ROOT / name).is_file())
    return tuple(
        file for folder in ("docs", "tests", TOOLS, *roots()) for file in (ROOT / folder).rglob("*") if file.is_file()
    )
