"""What is locked, read back: constraints.txt for work on the project, deploy/requirements.txt for deployments.

`make lock` writes both from pyproject.toml; nothing here is fetched.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
REQUIREMENTS = ROOT / "deploy" / "requirements.txt"
BUILD_REQUIREMENTS = ROOT / "deploy" / "build-requirements.txt"
LIGHT = ROOT / "requirements-light.txt"
LIGHT_WITHOUT = ROOT / "deploy" / "light-without.txt"
PROJECT = "dissolution-fleet"
DEPLOYED_EXTRAS = ("postgres",)
"""The extras that a deployment has; `make lock` names the same."""

IMAGE = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "python_full_version": "3.11.17",
    "python_version": "3.11",
    "sys_platform": "linux",
    "extra": "",
}
"""The environment of the image, as markers ask for it."""


@dataclass(frozen=True)
class Pin:
    """One package at one version.

    Attributes:
        name: Canonical: lower case, words parted by one hyphen.
        version: As the index names it.
        marker: Where it is installed, as text; empty for everywhere.
        hashes: SHA-256 of every file that may be installed, lower-case hexadecimal; none in constraints.txt.
        asked_by: Canonical names of what asks for it; the project itself by the name of its distribution.
    """

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    asked_by: frozenset[str]

    def holds(self, environment: Mapping[str, str]) -> bool:
        """Whether it is installed in an environment, given as markers ask for it."""
        marker = Requirement(f"{self.name}; {self.marker}").marker if self.marker else None
        return marker is None or marker.evaluate(dict(environment))


def read_pins(text: str) -> Mapping[str, Pin]:
    """The pins of a locked file by name. Raises ValueError for a line that is no exact version."""
    found: dict[str, Pin] = {}
    entry: list[str] = []
    for line in text.splitlines():
        if entry and not line.startswith((" ", "\t")):
            add_pin(entry, found)
            entry = []
        if line.strip() and not line.startswith(("#", "--")):
            entry.append(line.strip())
    if entry:
        add_pin(entry, found)
    return found


def add_pin(entry: Sequence[str], found: dict[str, Pin]) -> None:
    """Read one entry, its first line `name==version ; marker`, hashes and comments below it."""
    first, *below = entry
    requirement = Requirement(first.removesuffix("\\").strip())
    (exact,) = list(requirement.specifier) or [None]
    if exact is None or exact.operator != "==" or exact.version.endswith("*"):
        message = f"{first!r} is not locked to one version; run `make lock`"
        raise ValueError(message)
    name = canonicalize_name(requirement.name)
    if name in found:
        message = f"{name!r} is locked twice; run `make lock`"
        raise ValueError(message)
    comments = [line.removeprefix("#").removeprefix(" via").strip() for line in below if line.startswith("#")]
    found[name] = Pin(
        name=name,
        version=exact.version,
        marker=str(requirement.marker or ""),
        hashes=tuple(match[1] for line in below if (match := re.match(r"--hash=sha256:([0-9a-f]{64})\b", line))),
        asked_by=frozenset(canonicalize_name(one.split(" ")[0]) for one in comments if one and one[0] != "-"),
    )


def pins_of(file: Path) -> Mapping[str, Pin]:
    """The pins of a locked file."""
    return read_pins(file.read_text(encoding="utf-8"))


def asked_for(file: Path, extras: Iterable[str] = ()) -> tuple[Requirement, ...]:
    """What a pyproject.toml asks for with some of its extras; extras that name the project itself are followed."""
    project: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    own = canonicalize_name(project["name"])
    optional: Mapping[str, Sequence[str]] = project.get("optional-dependencies", {})
    asked = [Requirement(one) for one in project["dependencies"]]
    waiting, done = list(extras), set[str]()
    while waiting:
        extra = waiting.pop()
        if extra in done:
            continue
        done.add(extra)
        for one in map(Requirement, optional[extra]):
            if canonicalize_name(one.name) == own:
                waiting += one.extras
            else:
                asked.append(one)
    return tuple(asked)


def disagreements(asked: Iterable[Requirement], pins: Mapping[str, Pin]) -> list[str]:
    """Where what is asked for and what is locked differ: not locked, locked outside the range, or asked for no more."""
    wrong: list[str] = []
    names: set[str] = set()
    for one in asked:
        name = canonicalize_name(one.name)
        names.add(name)
        if name not in pins:
            wrong.append(f"{name} is asked for and not locked")
        elif not one.specifier.contains(Version(pins[name].version), prereleases=True):
            wrong.append(f"{name} is asked for as {one.specifier} and locked to {pins[name].version}")
        elif PROJECT not in pins[name].asked_by:
            wrong.append(f"{name} is asked for, and locked for others alone")
    left = sorted(name for name, pin in pins.items() if PROJECT in pin.asked_by and name not in names)
    return wrong + [f"{name} is locked for the project, which does not ask for it" for name in left]


def missing_hashes(pins: Mapping[str, Pin]) -> list[str]:
    """The packages that are locked without a hash."""
    return sorted(name for name, pin in pins.items() if not pin.hashes)


def base_image() -> str:
    """The image that the Dockerfile's last stage stands on, with tag and digest."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    return re.findall(r"^FROM (\S+)", text, re.MULTILINE)[-1]


def project_version() -> str:
    """The version of pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
