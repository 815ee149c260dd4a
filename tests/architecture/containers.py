"""docker-compose.yml and the Dockerfile as data: read once, for the tests that hold them to rules and run them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from tests.architecture.project import ROOT

COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = ROOT / "Dockerfile"


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile, continued lines joined."""

    name: str
    words: str


def compose() -> Mapping[str, Any]:
    """The whole file, anchors and merges resolved."""
    return cast("Mapping[str, Any]", yaml.safe_load(COMPOSE.read_text(encoding="utf-8")))


def services() -> Mapping[str, Mapping[str, Any]]:
    """Every service by name."""
    return cast("Mapping[str, Mapping[str, Any]]", compose()["services"])


def instructions(text: str) -> list[Instruction]:
    """The instructions of a Dockerfile in order; comments left out."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*(?:#|$)", line)]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    found: list[Instruction] = []
    for line in joined.splitlines():
        name, _, words = line.strip().partition(" ")
        found.append(Instruction(name.upper(), re.sub(r"\s+", " ", words).strip()))
    return found


def stages(found: list[Instruction]) -> list[list[Instruction]]:
    """The instructions of each stage, its FROM first."""
    result: list[list[Instruction]] = []
    for one in found:
        if one.name == "FROM":
            result.append([])
        result[-1].append(one)
    return result


def wrong_in(text: str) -> list[str]:
    """What is wrong with a Dockerfile, by the rules of hadolint that matter; the codes are its own."""
    found = instructions(text)
    parts = stages(found)
    wrong = [fault for one in found for fault in faults_of(one, names_of_stages(found))]
    last = parts[-1]
    users = [one.words for one in last if one.name == "USER"]
    if not users or re.match(r"(?:root|0)(?::|$)", users[-1]):
        wrong.append("DL3002: the last user is root")
    if not any(one.name == "HEALTHCHECK" for one in last):
        wrong.append("DL3057: no HEALTHCHECK")
    wrong += ["DL4003: more than one CMD" for part in parts if sum(one.name == "CMD" for one in part) > 1]
    return wrong


def names_of_stages(found: list[Instruction]) -> set[str]:
    """What FROM … AS calls them."""
    return {match[1] for one in found if one.name == "FROM" and (match := re.search(r"(?i) as (\S+)$", one.words))}


def faults_of(one: Instruction, known: set[str]) -> list[str]:
    """What is wrong with one instruction."""
    wrong: list[str] = []
    if one.name == "FROM":
        image = one.words.split()[0]
        if image not in known and not is_pinned(image):
            wrong.append(f"DL3006/DL3007: {image} is not pinned to an exact version and its digest")
    if one.name == "ADD":
        wrong.append(f"DL3020: ADD {one.words}: use COPY; what is fetched has no checksum")
    if one.name == "COPY" and "--from=" in one.words and "--chown=" not in one.words:
        wrong.append(f"COPY {one.words}: who owns it is not said")
    if one.name in {"CMD", "ENTRYPOINT"} and not one.words.startswith("["):
        wrong.append(f"DL3025: {one.name} is not in exec form; a shell would keep SIGTERM to itself")
    if one.name == "HEALTHCHECK" and " CMD [" not in f" {one.words}":
        wrong.append("HEALTHCHECK is not in exec form")
    if one.name == "WORKDIR" and not one.words.startswith("/"):
        wrong.append(f"DL3000: WORKDIR {one.words} is relative")
    if one.name == "RUN":
        wrong += faults_of_run(one.words)
    if one.name in {"ENV", "ARG"} and re.search(r"(?i)(?:password|secret|token|api_?key)\w*=\S", one.words):
        wrong.append(f"{one.name} keeps a secret in the image")
    return wrong


def faults_of_run(words: str) -> list[str]:
    """What is wrong with one RUN."""
    rules = (
        (r"\bsudo\b", r"$^", "DL3004: sudo"),
        (r"apt-get install", r"rm -rf /var/lib/apt/lists", "DL3009: apt lists are kept"),
        (r"apt-get install", r"--no-install-recommends", "DL3015: recommended packages are installed"),
        (r"apt-get install", r"-y\b|--yes", "DL3014: apt-get waits for an answer"),
        (r"apt-get (?:dist-)?upgrade", r"$^", "DL3005: the base is changed under its tag"),
        (r"pip install", r"--constraint|--require-hashes", "DL3013: versions are not pinned"),
        (r"(?:curl|wget)\b", r"sha256sum", "what is fetched is not checked"),
        (r"\|", r"pipefail", "DL4006: a failure before the pipe is not seen"),
    )
    return [
        f"{fault}: {words[:60]}"
        for cause, cure, fault in rules
        if re.search(cause, words) and not re.search(cure, words)
    ]


def is_pinned(image: str) -> bool:
    """Whether an image is named by a tag of an exact version, for people, and by its digest, which nobody can move."""
    name, _, digest = image.partition("@sha256:")
    tag = name.rpartition("/")[2].partition(":")[2]
    return (
        re.match(r"v?\d+\.\d+(?:\.\d+)?(?:-|$)", tag) is not None
        and re.fullmatch(r"[0-9a-f]{64}", digest) is not None
        and len(set(digest)) > 8  # a placeholder has few kinds of digits
    )


def pinned_versions() -> Mapping[str, str]:
    """The version of each image that is not built here, by its name: of services, and of the Dockerfile's base."""
    images = [service["image"] for service in services().values()]
    images += [
        one.words.split()[0] for one in instructions(DOCKERFILE.read_text(encoding="utf-8")) if one.name == "FROM"
    ]
    found: dict[str, str] = {}
    for image in images:
        name, _, tag = image.partition("@")[0].partition(":")
        if found.setdefault(name, tag) != tag:
            found[name] = f"{found[name]} and {tag}"
    return found


def local(path: str) -> Path:
    """A path of the file's, from the root of the repository."""
    return ROOT / path
