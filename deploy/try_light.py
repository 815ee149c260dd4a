"""`make light`: the light install in a new virtual environment, used as a user would, and removed again.

It installs requirements-light.txt and the project, then runs recorded answers, asks the service for its health and an
agent's server for its tools. It prints one JSON document: megabytes, seconds, and what was seen. It needs the package
index; the exit code is 1 when something does not hold. It needs nothing but the interpreter that it is run with.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MOST_MB = 500
WAIT_S = 120.0
DATA = ROOT / "benchmarks" / "data"
TALK = "op-flask-sessions"
TOOLS = ("pip", "setuptools", "pkg_resources")
"""What every virtual environment brings with it, and no part of the install."""

ABSENT = ("torch", "transformers", "sentence_transformers", "hdbscan", "sklearn", "scipy")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "try", "version": "1"}},
}


class Broken(Exception):
    """Something does not hold; the words say what."""


def megabytes(folder: Path) -> float:
    """What the files of a folder take on disk (MB, 10^6 bytes)."""
    return sum(file.lstat().st_blocks * 512 for file in folder.rglob("*")) / 1e6


def done(command: Sequence[str | Path], environment: Mapping[str, str] | None = None, given: str = "") -> str:
    """What a command writes to stdout. Raises Broken when it fails."""
    ended = subprocess.run(  # noqa: S603 - commands of this file
        [str(word) for word in command],
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    if ended.returncode != 0:
        message = f"{' '.join(map(str, command))} ended with code {ended.returncode}: {ended.stderr[-2000:]}"
        raise Broken(message)
    return ended.stdout


def recorded_run(dissolve: Path, environment: Mapping[str, str]) -> str:
    """Run recorded answers; the embedder that the receipt names."""
    words = ["run", DATA / "planted" / f"{TALK}.json", "--recorded", DATA / "recordings" / TALK, "--json"]
    ran: Any = json.loads(done([dissolve, *words], environment))
    if not ran["committed"] or not ran["sections"]["DECIDED"]:
        raise Broken("recorded answers became no claims")
    return str(ran["receipt"]["consensus"]["embedding"]["model"])


def health(dissolve: Path, environment: Mapping[str, str]) -> str:
    """What the service says of its health."""
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    command = [str(dissolve), "api", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as served:  # noqa: S603 - as above
        try:
            until = time.monotonic() + WAIT_S
            while time.monotonic() < until and served.poll() is None:
                with (
                    suppress(OSError),
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=WAIT_S) as reply,
                ):
                    return str(json.load(reply)["status"])
                time.sleep(0.2)
        finally:
            served.terminate()
    raise Broken("the service never answered")


def agent(dissolve: Path, environment: Mapping[str, str]) -> str:
    """The name that the server for agents gives, over stdin and stdout."""
    told = done([dissolve, "mcp"], environment, json.dumps(INITIALIZE) + "\n")
    return str(json.loads(told.splitlines()[0])["result"]["serverInfo"]["name"])


def tried(folder: Path) -> dict[str, Any]:
    """Install into a folder, use it, and measure."""
    began = time.monotonic()
    done([sys.executable, "-m", "venv", folder / "venv"])
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    done([*pip, "--no-deps", "--requirement", ROOT / "requirements-light.txt", ROOT])
    installed_s = time.monotonic() - began
    (packages,) = (one for one in (folder / "venv").rglob("site-packages") if one.is_dir())
    present = [name for name in ABSENT if (packages / name).exists()]
    if present:
        message = f"it brought {', '.join(present)}"
        raise Broken(message)
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("DISSOLVE_", "PYTHON"))}
    environment = {**ours, "HOME": str(folder), "DISSOLVE_DB": f"sqlite:///{folder / 'ledger.sqlite3'}"}
    dissolve = programs / "dissolve"
    seen = {
        "embedder": recorded_run(dissolve, environment),
        "health": health(dissolve, environment),
        "agent": agent(dissolve, environment),
    }
    if seen["embedder"] != "hashing":
        message = f"the receipt names the embedder {seen['embedder']!r}"
        raise Broken(message)
    size = megabytes(packages) - sum(megabytes(packages / name) for name in TOOLS if (packages / name).is_dir())
    if size > MOST_MB:
        message = f"{size:.0f} MB after use, more than {MOST_MB}"
        raise Broken(message)
    return {
        **seen,
        "megabytes": round(size),
        "installed_s": round(installed_s, 1),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> int:
    """Print what was seen; 1 when something does not hold."""
    with tempfile.TemporaryDirectory(prefix="light-") as folder:
        try:
            found = tried(Path(folder))
        except Broken as broken:
            sys.stderr.write(f"light install: {broken}\n")
            return 1
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
