"""The image and the services: pinned, without root, limited, healthy by proof, and without a secret in sight."""

import re
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.containers import (
    COMPOSE,
    DOCKERFILE,
    compose,
    is_pinned,
    local,
    pinned_versions,
    services,
    wrong_in,
)
from tests.architecture.project import ROOT, configuration

OURS = {"migrate", "relay", "worker-io", "worker-cpu", "worker-giant", "flower", "api", "metrics"}
NAMES = sorted(services())
DIGEST = sha256(b"an image").hexdigest()


def test_the_dockerfile_is_clean() -> None:
    assert wrong_in(DOCKERFILE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("FROM python", "not pinned"),
        ("FROM python:latest", "not pinned"),
        ("FROM python:3", "not pinned"),
        ("FROM python:3.11.17-slim", "not pinned"),
        (f"FROM python@sha256:{DIGEST}", "not pinned"),
        (f"FROM python:3.11.17-slim@sha256:{DIGEST[:-1]}", "not pinned"),
        (f"FROM python:3.11.17-slim@sha256:{'0' * 64}", "not pinned"),
        ("ADD https://example.org/x.tar.gz /x", "DL3020"),
        ("COPY --from=build /a /a", "who owns it"),
        ("CMD dissolve --help", "DL3025"),
        ("ENTRYPOINT dissolve", "DL3025"),
        ("WORKDIR app", "DL3000"),
        ("RUN sudo true", "DL3004"),
        ("RUN apt-get update && apt-get install -y --no-install-recommends gcc", "DL3009"),
        ("RUN apt-get install -y gcc && rm -rf /var/lib/apt/lists/*", "DL3015"),
        ("RUN pip install celery", "DL3013"),
        ("RUN curl -O https://example.org/x", "not checked"),
        ("RUN cat a | sh", "DL4006"),
        ("ENV DISSOLVE_DB_PASSWORD=abc", "keeps a secret"),
        ("USER root", "DL3002"),
        ("HEALTHCHECK CMD true", "exec form"),
    ],
)
def test_the_lint_can_fail(line: str, fault: str) -> None:
    good = f'FROM python:3.11.17-slim@sha256:{DIGEST}\nUSER 1000\nHEALTHCHECK CMD ["true"]\n'
    assert wrong_in(good) == []
    bad = f"{line}\n{good}" if line.startswith("FROM") else f"{good}{line}\n"
    assert any(fault in one for one in wrong_in(bad)), wrong_in(bad)


def test_an_image_without_user_or_health_check_is_found() -> None:
    assert wrong_in(f"FROM python:3.11.17-slim@sha256:{DIGEST}\n") == [
        "DL3002: the last user is root",
        "DL3057: no HEALTHCHECK",
    ]


def test_every_room_is_in_the_image_and_nothing_else() -> None:
    rooms = set(configuration()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert set(re.findall(r"^COPY (\w+)/ \1/$", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)) == rooms
    kept = set(re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    assert kept - {"LICENSE"} == rooms


def test_the_file_has_a_fixed_name_and_the_services_of_the_fleet() -> None:
    assert COMPOSE.parent == ROOT
    assert compose()["name"] == "dissolution-fleet"
    assert set(NAMES) == OURS | {"redis", "postgres"}


def loose_in(name: str, service: Mapping[str, Any]) -> list[str]:
    """Which of the rules for services one breaks."""
    limits, check = service["deploy"]["resources"]["limits"], service["healthcheck"]
    holds = {
        "its processor is limited": float(limits["cpus"]) > 0,
        "its memory is limited": bool(re.fullmatch(r"\d+[MG]", limits["memory"])),
        "its health is asked": check.get("disable") or {"test", "interval", "timeout", "retries"} <= set(check),
        "all but the migration have a health": check.get("disable", False) == (name == "migrate"),
        "its image is pinned or ours": is_pinned(service["image"]) or name in OURS,
        "it has no privileges": not service.get("privileged"),
        "it cannot reach the engine": "/var/run/docker.sock" not in str(service),
        "its log ends somewhere": bool(service["logging"]["options"]["max-size"]),
    }
    if name != "postgres":  # its entrypoint starts as root to own its folder, and lets go of it
        holds |= {
            "it has no capability": service.get("cap_drop") == ["ALL"],
            "it writes nothing": service.get("read_only") is True,
            "it gains no privileges": service.get("security_opt") == ["no-new-privileges:true"],
        }
    return [rule for rule, held in holds.items() if not held]


def test_every_service_is_limited_checked_and_kept_small() -> None:
    loose = {name: loose_in(name, service) for name, service in services().items()}
    assert {name: rules for name, rules in loose.items() if rules} == {}


def test_a_loose_service_would_be_found() -> None:
    service = services()["api"]
    assert loose_in("api", {**service, "privileged": True, "cap_drop": []}) == [
        "it has no privileges",
        "it has no capability",
    ]


def test_every_stage_stands_on_one_base_of_the_line_that_the_project_supports() -> None:
    base = pinned_versions()["python"]
    assert "and" not in base, "stages on two bases would run what was built for another"
    assert base.startswith("3.11.")


def test_the_redis_of_the_containers_is_one_that_deployments_are_supported_with() -> None:
    from workers.checks.doctor import SUPPORTED_REDIS

    major, minor = pinned_versions()["redis"].split(".")[:2]
    assert (int(major), int(minor)) >= SUPPORTED_REDIS


def test_what_a_service_waits_for_exists_and_can_be_healthy() -> None:
    waits = {
        (name, other): how["condition"]
        for name, service in services().items()
        for other, how in service.get("depends_on", {}).items()
    }
    right = {pair: f"service_{'completed_successfully' if pair[1] == 'migrate' else 'healthy'}" for pair in waits}
    assert waits == right
    healthy = {other for (_, other), condition in waits.items() if condition == "service_healthy"}
    assert [name for name in healthy if services()[name]["healthcheck"].get("disable")] == []


def test_no_port_is_open_to_other_machines() -> None:
    ports = {name: service["ports"] for name, service in services().items() if "ports" in service}
    assert ports.keys() == {"flower", "api", "metrics"}
    assert [port for opened in ports.values() for port in opened if not port.startswith("127.0.0.1:")] == []


def test_only_those_who_ask_models_call_back_or_serve_have_a_way_out() -> None:
    assert compose()["networks"]["inside"] == {"internal": True}
    outside = {name for name in NAMES if "outside" in services()[name]["networks"]}
    assert outside == {"worker-io", "worker-giant", "flower", "api", "relay", "metrics"}


def test_secrets_are_files_and_stand_nowhere_else() -> None:
    declared: dict[str, Any] = compose()["secrets"]
    assert all(set(one) == {"file"} for one in declared.values())
    for service in services().values():
        assert set(service.get("secrets", [])) <= set(declared)
        for key, value in service.get("environment", {}).items():
            assert key.endswith("_FILE") or not re.search(r"(?i)password|secret_|api_?key", key), key
            assert not re.search(r"://[^/@]*:[^/@]+@", str(value)), key
    assert all(services()[name]["environment"]["DISSOLVE_ENVIRONMENT"] == "deployment" for name in OURS)
    assert all(services()[name]["environment"]["DISSOLVE_SECRETS"] == "/run/secrets" for name in OURS)


def test_workers_have_more_time_to_stop_than_they_give_their_steps() -> None:
    from dissolution.settings import Settings

    for name in ("worker-io", "worker-cpu", "worker-giant"):
        assert int(services()[name]["stop_grace_period"].rstrip("s")) > Settings().stop_grace_s


@pytest.mark.usefixtures("processes")
def test_the_script_makes_secrets_that_a_deployment_takes_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dissolution.settings import load_settings

    folder = tmp_path / "secrets"
    make = [str(local("deploy/make-secrets")), str(folder)]
    subprocess.run(make, check=True, capture_output=True, timeout=30)
    first = {file.name: file.read_text(encoding="ascii") for file in folder.iterdir()}
    assert set(first) == set(compose()["secrets"])
    assert len(set(first.values())) == len(first)
    assert folder.stat().st_mode & 0o077 == 0
    subprocess.run(make, check=True, capture_output=True, timeout=30)
    assert {file.name: file.read_text(encoding="ascii") for file in folder.iterdir()} == first
    monkeypatch.setenv("DISSOLVE_SECRETS", str(folder))
    settings = load_settings(environment="deployment", redis_url="redis://redis:6379/0")
    assert first["redis_password"] in settings.redis_url.get_secret_value()


def test_what_the_file_mounts_is_there() -> None:
    for service in services().values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert source in compose()["volumes"] or local(source).exists(), source
