"""A ledger as naive as can be, for comparing: every version keeps a whole copy of every fact.

It shares no code with the store: facts are plain dictionaries, and each question is answered by going through them all.
"""

from copy import deepcopy
from typing import Any

OPEN = "open"
Fact = dict[str, Any]


class NaiveLedger:
    """All versions, oldest first; a version has "at", "cycle", "through", "facts" and "kind"."""

    def __init__(self) -> None:
        self.versions: list[dict[str, Any]] = []

    def begin(self, kind: str, at: float, base: int | None = None) -> dict[str, Any]:
        """A new version that starts as a copy of the newest, or of version `base`."""
        source = self.versions[-1 if base is None else base - 1] if self.versions else None
        empty: dict[str, Any] = {"facts": {}, "cycle": 0, "through": 0}
        started = deepcopy(source) if source else empty
        started["kind"] = kind
        started["at"] = max([at, *(one["at"] for one in self.versions)])
        self.versions.append(started)
        return started

    def commit(self, at: float, through: int, said: dict[str, Fact], closed: dict[str, Fact]) -> None:
        """`said` are facts said in this cycle, new or not; `closed` tells how facts end."""
        now = self.begin("committed", at)
        now["cycle"] += 1
        now["through"] = through
        for name, fact in said.items():
            before = now["facts"].get(name, {"families": set(), "marks": set()})
            now["facts"][name] = {
                **fact,
                "families": before["families"] | fact["families"],
                "marks": set(before["marks"]),
                "state": OPEN,
                "said_in": now["cycle"],
                "affirmed": through,
            }
        for name, ending in closed.items():
            now["facts"][name].update(ending)

    def carried(self, version: dict[str, Any], fact: Fact) -> int:
        return version["cycle"] - fact["said_in"] if fact["state"] == OPEN else 0

    def boundary(self, version: int) -> dict[str, int]:
        """The open facts of a version, with how many cycles each was carried."""
        found = self.versions[version - 1]
        return {name: self.carried(found, fact) for name, fact in found["facts"].items() if fact["state"] == OPEN}

    def recorded(self, version: int | None, at: float | None) -> dict[str, Any] | None:
        if version is not None:
            return self.versions[version - 1]
        known = [one for one in self.versions if at is None or one["at"] <= at]
        return known[-1] if known else None

    def held(self, turn: int | None, second: float | None, version: int | None, at: float | None) -> set[str]:
        """The names of the facts that held at a turn and a second, as known at a version or at a second."""
        found = self.recorded(version, at)
        return {name for name, fact in found["facts"].items() if _holds(fact, turn, second)} if found else set()


def _holds(fact: Fact, turn: int | None, second: float | None) -> bool:
    open_now = fact["state"] == OPEN
    in_turns = open_now if turn is None else fact["from"] <= turn and (fact["to"] is None or turn < fact["to"])
    if second is None or fact["since"] is None or (not open_now and fact["until"] is None):
        return in_turns
    in_time = fact["since"] <= second and (fact["until"] is None or second < fact["until"])
    return in_time if turn is None else in_turns and in_time
