"""Fleets of stored answers, by the description that a job keeps: recordings, cassettes, and rosters that fill one.

`recorded:` names a folder of single answers or a cassette, `rolled:` a folder of answers of cycles, and `cassette:`
a folder and, after `;`, the roster whose members are asked for what it does not hold yet.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.errors import InvalidRoster
from dissolution.ports.models import Member

RECORDED = "recorded:"
ROLLED = "rolled:"
CASSETTE = "cassette:"
END = ";"
"""Ends the folder; what follows is the description of the fleet that is asked."""


class Taped(NamedTuple):
    """A fleet that is asked live and whose answers are kept in a cassette."""

    folder: Path
    base: str

    @property
    def description(self) -> str:
        """As a job stores it: `cassette:/drills/one;roster:/etc/fleet.toml`."""
        return f"{CASSETTE}{self.folder}{END}{self.base}"


def taped_fleet(description: str) -> Taped | None:
    """What a description of a taped fleet says, or None for any other. Raises InvalidRoster when it is not complete."""
    if not description.startswith(CASSETTE):
        return None
    folder, ends, base = description.removeprefix(CASSETTE).rpartition(END)
    if not ends or not folder or not base:
        raise InvalidRoster(f"fleet {description!r}", "give `cassette:FOLDER;roster:FILE`")
    return Taped(Path(folder), base)


def asked_of(description: str) -> str:
    """The fleet that is asked live for a cassette; any other description as it is. Raises InvalidRoster."""
    taped = taped_fleet(description)
    return description if taped is None else taped.base


def recordings_of(description: str) -> tuple[Path, str] | None:
    """The folder of a recorded fleet and which prompt its answers reply to; None for any other fleet."""
    for prefix, condition in ((RECORDED, "dissolve"), (ROLLED, "roll")):
        if description.startswith(prefix):
            return Path(description.removeprefix(prefix)), condition
    return None


def recorded_members(folder: Path, condition: str) -> Sequence[Member]:
    """Who replays the answers of a folder. Raises InvalidRoster."""
    from fleet.cassette import is_cassette

    if is_cassette(folder):
        from fleet.cassette_members import load_cassette

        return load_cassette(folder)
    from fleet.recorded import load_recorded

    return load_recorded(folder, condition)


def check_recordings(folder: Path, condition: str, snapshot: Snapshot) -> None:
    """Refuse stored answers about another conversation before a job is made of them. Raises InvalidRoster."""
    from fleet.cassette import is_cassette

    if is_cassette(folder):
        from fleet.cassette_members import check_cassette

        return check_cassette(folder, snapshot)
    from fleet.recorded import check_recorded, load_recorded

    return check_recorded(load_recorded(folder, condition), snapshot)


def recorded_families(description: str) -> dict[str, str] | None:
    """The family of each member of a cassette, by name; None when the fleet is no cassette. Raises InvalidRoster."""
    found = recordings_of(description)
    if found is None:
        return None
    from fleet.cassette import is_cassette, read_head

    if not is_cassette(found[0]):
        return None
    return {one.card.name: one.card.family for one in read_head(found[0]).members}
