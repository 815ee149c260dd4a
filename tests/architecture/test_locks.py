"""What is locked is what pyproject.toml asks for, in every file, with hashes where a deployment installs from it."""

import importlib.metadata
import re
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from deploy.locked import (
    BUILD_REQUIREMENTS,
    CONSTRAINTS,
    DEPLOYED_EXTRAS,
    IMAGE,
    LIGHT,
    LIGHT_WITHOUT,
    REQUIREMENTS,
    Pin,
    asked_for,
    disagreements,
    missing_hashes,
    pins_of,
    read_pins,
)
from tests.architecture.containers import DOCKERFILE, instructions, pinned_versions
from tests.architecture.project import ROOT, configuration

PYPROJECT = ROOT / "pyproject.toml"
EXTRAS = tuple(configuration()["project"]["optional-dependencies"])
HASH = "ab" * 32
LOCKED = f"""# made by a command
--only-binary :all:

one==1.2 \\
    --hash=sha256:{HASH} \\
    --hash=sha256:{HASH[::-1]}
    # via dissolution-fleet (pyproject.toml)
Two_x==2.0 ; sys_platform == 'win32' \\
    --hash=sha256:{HASH}
    # via
    #   -c constraints.txt
    #   dissolution-fleet (pyproject.toml)
    #   one
three==3.0 \\
    --hash=sha256:{HASH}
    # via one
"""


def test_what_work_on_the_project_installs_is_what_pyproject_asks_for() -> None:
    pins = pins_of(CONSTRAINTS)
    assert disagreements(asked_for(PYPROJECT, EXTRAS), pins) == [], "run `make lock`"
    client = asked_for(ROOT / "clients" / "python" / "pyproject.toml")
    assert [str(one) for one in client if not one.specifier.contains(pins[one.name].version)] == []


def test_what_a_deployment_installs_is_what_pyproject_asks_for() -> None:
    pins = pins_of(REQUIREMENTS)
    assert disagreements(asked_for(PYPROJECT, DEPLOYED_EXTRAS), pins) == [], "run `make lock`"
    assert missing_hashes(pins) == []


def test_what_builds_the_project_is_what_pyproject_asks_for() -> None:
    pins = pins_of(BUILD_REQUIREMENTS)
    assert missing_hashes(pins) == []
    for one in map(Requirement, configuration()["build-system"]["requires"]):
        assert one.specifier.contains(Version(pins[canonicalize_name(one.name)].version)), "run `make lock`"


def test_the_light_install_has_what_pyproject_asks_for_but_what_it_is_to_do_without() -> None:
    pins = pins_of(LIGHT)
    lines = LIGHT_WITHOUT.read_text(encoding="utf-8").splitlines()
    without = {canonicalize_name(line) for line in lines if line and not line.startswith("#")}
    asked = [one for one in asked_for(PYPROJECT) if canonicalize_name(one.name) not in without]
    assert disagreements(asked, pins) == [], "run `make lock`"
    assert without & set(pins) == set()
    tested = pins_of(CONSTRAINTS)
    assert {name: pin.version for name, pin in pins.items()} == {name: tested[name].version for name in pins}


def test_a_deployment_installs_what_was_tested() -> None:
    tested = {name: (pin.version, pin.marker) for name, pin in pins_of(CONSTRAINTS).items()}
    for pins in (pins_of(REQUIREMENTS), pins_of(BUILD_REQUIREMENTS)):
        same = {name: (pin.version, pin.marker) for name, pin in pins.items() if name in tested}
        assert same == {name: tested[name] for name in same}
    assert set(pins_of(REQUIREMENTS)) <= set(tested)


def test_a_lock_names_no_index() -> None:
    index = re.compile(r"https?://\S+|--(?:extra-)?index-url|--find-links|--trusted-host")
    locks = (CONSTRAINTS, REQUIREMENTS, BUILD_REQUIREMENTS, LIGHT)
    assert [(file.name, found) for file in locks for found in index.findall(file.read_text(encoding="utf-8"))] == []


def test_nothing_that_is_installed_asks_for_more_than_is_locked() -> None:
    pins = pins_of(REQUIREMENTS)
    here = {**{key: str(value) for key, value in default_environment().items()}, "extra": ""}
    wrong: list[str] = []
    checked = 0
    for name, pin in pins.items():
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # of another platform, or of another build of torch
        if Version(found.version).public != pin.version or not pin.holds(here):
            continue
        checked += 1
        for one in map(Requirement, found.requires or ()):
            if one.marker is not None and not one.marker.evaluate(here):
                continue
            locked = pins.get(canonicalize_name(one.name))
            if locked is None or not one.specifier.contains(Version(locked.version), prereleases=True):
                wrong.append(f"{name} asks for {one}")
    assert wrong == []
    assert checked > len(pins) / 2, "the environment of the tests is not the locked one; run `make install`"


def test_the_image_is_the_environment_that_is_reasoned_about() -> None:
    assert pinned_versions()["python"].startswith(f"{IMAGE['python_full_version']}-")


def test_pins_are_read_with_markers_hashes_and_who_asks_for_them() -> None:
    pins = read_pins(LOCKED)
    assert pins["two-x"] == Pin(
        "two-x", "2.0", 'sys_platform == "win32"', (HASH,), frozenset({"dissolution-fleet", "one"})
    )
    assert pins["one"].hashes == (HASH, HASH[::-1])
    assert (pins["two-x"].holds(IMAGE), pins["one"].holds(IMAGE)) == (False, True)


@pytest.mark.parametrize("line", ["one>=1.2", "one", "one==1.*", "one==1\none==2"])
def test_what_is_not_one_version_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="run `make lock`"):
        read_pins(line)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["one>=1,<2", "two-x"], []),
        (["one>=1.3", "two-x"], ["one is asked for as >=1.3 and locked to 1.2"]),
        (["one", "two-x", "four"], ["four is asked for and not locked"]),
        (["one"], ["two-x is locked for the project, which does not ask for it"]),
        (["one", "two-x", "three"], ["three is asked for, and locked for others alone"]),
    ],
)
def test_a_disagreement_is_found(asked: list[str], said: list[str]) -> None:
    assert disagreements(map(Requirement, asked), read_pins(LOCKED)) == said


def test_an_entry_without_a_hash_is_found() -> None:
    assert missing_hashes(read_pins(f"{LOCKED}four==1.0\n")) == ["four"]


def test_extras_that_name_the_project_itself_are_followed(tmp_path: Path) -> None:
    (file := tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "p"\ndependencies = ["a"]\n'
        '[project.optional-dependencies]\nx = ["b"]\ny = ["c", "p[x]"]\nz = ["d"]\n',
        encoding="utf-8",
    )
    assert {one.name for one in asked_for(file, ["y"])} == {"a", "b", "c"}


def test_the_image_installs_by_the_script_alone() -> None:
    runs = [one.words for one in instructions(DOCKERFILE.read_text(encoding="utf-8")) if one.name == "RUN"]
    assert [one for one in runs if re.search(r"\bpip\b", one)] == []
    assert sum("deploy/install /opt/dissolve" in one for one in runs) == 2


def a_wheel(folder: Path, name: str) -> str:
    """A package that does nothing, as a wheel in a folder; its SHA-256."""
    file = folder / f"{name}-1.0-py3-none-any.whl"
    files = {
        f"{name}.py": "",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [
        f"{path},sha256={urlsafe_b64encode(sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}"
        for path, text in files.items()
    ]
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in {**files, f"{name}-1.0.dist-info/RECORD": "\n".join(lines)}.items():
            archive.writestr(path, text)
    return sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("locked", "said"),
    [
        ("right==1.0 --hash=sha256:{digest}\n", None),
        ("right==1.0 --hash=sha256:{other}\n", "DO NOT MATCH THE HASHES"),
        ("right==1.0\n", "Hashes are required"),
        ("right==1.0 --hash=sha256:{digest}\nabsent==1.0 --hash=sha256:{other}\n", "absent"),
    ],
)
@pytest.mark.usefixtures("processes")
def test_the_script_installs_only_what_is_locked_with_its_hash(tmp_path: Path, locked: str, said: str | None) -> None:
    (wheels := tmp_path / "wheels").mkdir()
    digest = a_wheel(wheels, "right")
    (deploy := tmp_path / "project" / "deploy").mkdir(parents=True)
    script = deploy / "install"
    script.write_bytes((ROOT / "deploy" / "install").read_bytes())
    script.chmod(0o700)
    (deploy / "requirements.txt").write_text(locked.format(digest=digest, other="0" * 64), encoding="utf-8")
    ended = subprocess.run(
        [str(script), str(tmp_path / "there"), sys.executable],
        env={
            "PATH": "/usr/bin:/bin",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
            "PIP_CONFIG_FILE": "/dev/null",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    installed = any((tmp_path / "there").glob("lib/python3.*/site-packages/right.py"))
    if said is None:
        assert (ended.returncode, installed) == (0, True), ended.stderr
    else:
        assert ended.returncode != 0
        assert said in ended.stderr
        assert not installed


@pytest.mark.usefixtures("processes")
def test_the_script_says_what_it_needs(tmp_path: Path) -> None:
    script = str(ROOT / "deploy" / "install")
    without = subprocess.run([script], capture_output=True, text=True, timeout=30, check=False)
    assert (without.returncode, "usage: deploy/install FOLDER" in without.stderr) == (2, True)
    wrong = subprocess.run(
        [script, str(tmp_path / "there"), "no-such-python"], capture_output=True, text=True, timeout=30, check=False
    )
    assert (wrong.returncode, "no-such-python is no Python 3.11 or 3.12" in wrong.stderr) == (2, True)
    assert not (tmp_path / "there").exists()
