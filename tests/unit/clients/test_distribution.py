"""The client is a distribution of its own: httpx and pydantic, nothing of the service's, and typed."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.project import ROOT, roots

FOLDER = ROOT / "clients" / "python"
DECLARED = {"httpx", "pydantic"}

LOADED = """
import json, sys
before = set(sys.modules)
import dissolution_client, dissolution_client.messages, dissolution_client.agents_session
import dissolution_client.langgraph_messages
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""


def project() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def needed(names: set[str]) -> set[str]:
    """These distributions with all that they need, as installed here; what they use if it is there included."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            requirements = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # wanted on other machines only
            continue
        found.add(name)
        waiting += [name_of(one) for one in requirements if "extra ==" not in one or name in names]
    return found


def test_it_declares_httpx_and_pydantic_alone() -> None:
    assert {name_of(one) for one in project()["dependencies"]} == DECLARED
    assert "optional-dependencies" not in project()


@pytest.mark.usefixtures("processes")
def test_importing_it_loads_nothing_but_what_it_declares() -> None:
    """The helpers too: the two frameworks are imported when a helper is used."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, cwd=FOLDER, timeout=60
    )
    loaded = set(json.loads(done.stdout)) - set(sys.stdlib_module_names) - {"dissolution_client"}
    assert loaded & set(roots()) == set()
    providers = metadata.packages_distributions()
    allowed = needed(DECLARED)
    outside = {name: providers[name] for name in loaded if name in providers}
    foreign = {
        name for name, given in outside.items() if not {one.lower().replace("_", "-") for one in given} & allowed
    }
    assert foreign == set()


def test_what_is_shipped_is_typed_and_licensed() -> None:
    assert (FOLDER / "dissolution_client" / "py.typed").is_file()
    assert (FOLDER / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert project()["license-files"] == ["LICENSE"]
    assert project()["readme"] == "README.md"


def test_no_module_of_it_names_a_room_of_the_service() -> None:
    for file in (FOLDER / "dissolution_client").glob("*.py"):
        imported = re.findall(r"^\s*(?:from|import) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(imported) & set(roots()) == set(), file.name


def test_its_changelog_has_its_version() -> None:
    changes = (FOLDER / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {project()['version']}" in changes
    assert Path(FOLDER / "README.md").is_file()
