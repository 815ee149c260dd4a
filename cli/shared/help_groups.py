"""The help of the whole program: the commands used most with what they do, the others by what they are for."""

from typing import Any, Protocol

from typer.core import TyperGroup

MOST_USED = (
    "run",
    "list",
    "append",
    "show",
    "explain",
    "recall",
    "preview",
    "commit",
    "diff",
    "resume",
    "status",
    "up",
    "doctor",
)
GROUPS = {
    "claims by hand": ("pin", "unpin", "confirm", "retract", "dismiss"),
    "versions and jobs": ("log", "rollback", "discard", "enqueue", "cancel", "requeue"),
    "a closer look": ("classify", "frame", "probe", "topics", "policy"),
    "models and prices": ("fleet",),
    "when, and for how long": ("triggers", "stability", "experiment"),
    "agents and programs": ("mcp", "api", "keys"),
    "workers and health": ("worker", "relay", "flower", "health", "metrics", "migrate"),
    "bringing in, taking out": ("import", "erase", "erasures"),
    "your shell": ("completion",),
}
OTHERS = "others"
"""What is in no group stands there, so that nothing is hidden; a test asks for a group."""


class Formatter(Protocol):
    """What writes help: the part of typer's that is used here."""

    def section(self, name: str) -> Any:  # noqa: ANN401 - a block; typer exports no type for it
        """A block below a heading."""
        ...

    def write_dl(self, rows: list[tuple[str, str]]) -> None:
        """Names with what they mean."""
        ...

    def write_text(self, text: str) -> None:
        """A paragraph."""
        ...

    def write_paragraph(self) -> None:
        """An empty line."""
        ...


class GroupedHelp(TyperGroup):
    """The program with its commands in groups; the rest of the help is typer's."""

    def format_commands(self, ctx: Any, formatter: Formatter) -> None:  # noqa: ANN401 - typer exports no type for it
        """The commands used most in a line each, then the names of the others, group by group."""
        names = set(self.list_commands(ctx))
        with formatter.section("Most used"):
            formatter.write_dl([(name, self._told(name)) for name in MOST_USED if name in names])
        with formatter.section("More commands"):
            formatter.write_dl([(group, ", ".join(found)) for group, found in grouped(names).items()])
        formatter.write_paragraph()
        formatter.write_text("dissolve COMMAND --help tells what a command does, with an example.")

    def _told(self, name: str) -> str:
        """The first clause of a command's help."""
        told = (self.commands[name].help or "").strip().splitlines()[0]
        return told.split("; ")[0].split(": ")[0].rstrip(".")


def grouped(names: set[str]) -> dict[str, tuple[str, ...]]:
    """The commands that are not among the most used, by group, in the order of the table."""
    found = {group: tuple(name for name in members if name in names) for group, members in GROUPS.items()}
    left = names.difference(MOST_USED, *GROUPS.values())
    return {group: members for group, members in (found | {OTHERS: tuple(sorted(left))}).items() if members}
