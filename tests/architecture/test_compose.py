"""Compose files against the schema that Compose publishes, and what the example with TLS adds to the fleet."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from fleet.roster import load_roster
from tests.architecture.containers import COMPOSE, is_pinned, local, services
from tests.architecture.project import ROOT

TLS = ROOT / "deploy" / "tls"
FILES = [COMPOSE, TLS / "compose.yml"]


def checked(*files: Path) -> subprocess.CompletedProcess[str]:
    """What the schema says; it comes with the checker and is not fetched."""
    return subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", *map(str, files)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.usefixtures("processes")
def test_every_compose_file_is_one() -> None:
    told = checked(*FILES)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.usefixtures("processes")
def test_a_mistake_is_found(tmp_path: Path) -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    wrong = {"unknown": text.replace("restart:", "restrat:", 1), "kind": text.replace("init: true", "init: [true]", 1)}
    for name, changed in wrong.items():
        assert changed != text
        (file := tmp_path / f"{name}.yml").write_text(changed, encoding="utf-8")
        told = checked(file)
        assert told.returncode == 1, name
        assert "services" in told.stdout, name


def test_the_proxy_is_pinned_small_and_the_only_one_that_others_reach() -> None:
    added = yaml.safe_load((TLS / "compose.yml").read_text(encoding="utf-8"))["services"]
    assert set(added) == {"proxy", "api"}
    proxy = added["proxy"]
    assert is_pinned(proxy["image"])
    assert proxy["read_only"] is True
    assert (proxy["cap_drop"], proxy["cap_add"]) == (["ALL"], ["NET_BIND_SERVICE"])
    assert proxy["ports"] == ["80:80", "443:443"]
    assert proxy["networks"] == ["outside"], "database and Redis are out of its reach"
    assert all(local(volume.split(":")[0]).exists() for volume in proxy["volumes"] if volume.startswith("./"))


def test_the_proxy_passes_on_to_the_service_and_to_nobody_else() -> None:
    file = (TLS / "Caddyfile").read_text(encoding="utf-8")
    assert file.count("reverse_proxy") == 1
    assert (
        yaml.safe_load((TLS / "compose.yml").read_text(encoding="utf-8"))["services"]["proxy"]["environment"]["SERVICE"]
        == f"api:{services()['api']['ports'][0].rsplit(':', 1)[1]}"
    )


def test_the_roster_beside_it_can_be_read_and_its_keys_are_asked_for() -> None:
    members = load_roster(TLS / "roster.toml").members
    assert len({member.family for member in members}) == 3
    asked = (ROOT / "deploy" / "models.env.example").read_text(encoding="utf-8")
    assert [member.api_key_env for member in members if f"\n{member.api_key_env}=" not in asked] == []
