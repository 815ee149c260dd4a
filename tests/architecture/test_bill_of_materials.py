"""The bill of materials is valid CycloneDX, and names all that a deployment installs, and nothing else."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from deploy.locked import IMAGE, PROJECT, REQUIREMENTS, base_image, pins_of, read_pins
from deploy.sbom import InvalidBillError, bill_of_materials, main, validate
from tests.architecture.containers import pinned_versions
from tests.architecture.project import ROOT

HASH = "ab" * 32
BASE = f"python:3.11.17-slim@sha256:{HASH}"
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PINS = read_pins(
    f"numpy==2.4.6 \\\n    --hash=sha256:{HASH}\n    # via\n    #   {PROJECT} (pyproject.toml)\n    #   scipy\n"
    f"scipy==1.17.1 \\\n    --hash=sha256:{HASH}\n    # via {PROJECT} (pyproject.toml)\n"
    f"colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:{HASH}\n    # via scipy\n"
)


@pytest.fixture(scope="module")
def bill(processes: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `make sbom` runs, as a process."""
    file = tmp_path_factory.mktemp("bill") / "new" / "sbom.json"
    subprocess.run([sys.executable, "-m", "deploy.sbom", str(file)], cwd=ROOT, check=True, capture_output=True)
    text = file.read_text(encoding="utf-8")
    validate(text)
    return json.loads(text)


def test_it_names_all_that_the_image_installs_with_version_licence_and_hashes(bill: dict[str, Any]) -> None:
    installed = {name: pin for name, pin in pins_of(REQUIREMENTS).items() if pin.holds(IMAGE)}
    libraries = [one for one in bill["components"] if one["type"] == "library"]
    assert {one["name"]: one["version"] for one in libraries} == {name: one.version for name, one in installed.items()}
    for one in libraries:
        assert one["licenses"], one["name"]
        assert one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}"
        (files,) = one["externalReferences"]
        assert {digest["content"] for digest in files["hashes"]} == set(installed[one["name"]].hashes)


def test_it_names_the_project_and_the_base_image(bill: dict[str, Any]) -> None:
    assert bill["metadata"]["component"]["name"] == PROJECT
    (base,) = [one for one in bill["components"] if one["type"] == "container"]
    assert (base["name"], base["version"]) == ("python", pinned_versions()["python"])
    assert base_image().endswith(base["hashes"][0]["content"])


def test_every_package_is_reached_from_the_project(bill: dict[str, Any]) -> None:
    graph = {one["ref"]: one.get("dependsOn", []) for one in bill["dependencies"]}
    reached, waiting = set[str](), [PROJECT]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += graph[one]
    assert reached == {one["bom-ref"] for one in bill["components"]} | {PROJECT}


def test_it_names_no_index_and_no_path(bill: dict[str, Any]) -> None:
    text = json.dumps([bill["components"], bill["metadata"]["component"]])
    assert "://" not in text
    assert str(ROOT) not in text


def test_markers_and_who_asks_are_kept() -> None:
    made = bill_of_materials(PINS, BASE, "0.1", AT)
    assert {one["name"] for one in made["components"]} == {"numpy", "scipy", "python"}
    graph = {one["ref"]: one.get("dependsOn", []) for one in made["dependencies"]}
    assert graph["pkg:pypi/scipy@1.17.1"] == ["pkg:pypi/numpy@2.4.6"]
    assert {"pkg:pypi/numpy@2.4.6", "pkg:pypi/scipy@1.17.1"} < set(graph[PROJECT])


def test_the_number_of_a_bill_changes_with_what_it_lists() -> None:
    def number(pins: str, image: str = BASE) -> str:
        return str(bill_of_materials(read_pins(pins), image, "0.1", AT)["serialNumber"])

    line = f"numpy==2.4.6 \\\n    --hash=sha256:{HASH}\n"
    assert number(line) == number(line)
    others = {number(line.replace("ab" * 32, "cd" * 32)), number(line, BASE.replace("3.11.17", "3.11.18"))}
    assert len({number(line), *others}) == 3


def test_a_bill_that_breaks_the_schema_is_refused() -> None:
    text = json.dumps(bill_of_materials(PINS, BASE, "0.1", AT))
    validate(text)
    for old, new in (('"library"', '"librarian"'), (HASH, "short"), ('"specVersion": "1.6"', '"specVersion": 1.6')):
        assert old in text
        with pytest.raises(InvalidBillError):
            validate(text.replace(old, new))


def test_a_package_without_a_known_licence_is_no_part_of_a_bill() -> None:
    with pytest.raises(InvalidBillError, match="nobody-has-this"):
        bill_of_materials(read_pins("nobody-has-this==1.0"), BASE, "0.1", AT)


def test_a_wrong_option_says_how_it_is_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--help"]) == 2
    assert main([str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert "usage: python -m deploy.sbom [FILE]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
