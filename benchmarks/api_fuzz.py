"""Fuzz the HTTP API: every operation of its OpenAPI document, and chains of them, with thousands of made-up requests.

usage: python benchmarks/api_fuzz.py [--cases 60] [--seed 1] [--phases examples,coverage,fuzzing,stateful]
       [--chains 0] [--creations 0] [--port 8711]

Starts the service on a database of its own in a temporary folder, with a key and the hashing embedder, and asks
Schemathesis to find any answer with a 5xx status, with a status, media type or body that the document does not
describe, or any malformed request that was accepted. Most requests that are meant to be right are given ids that exist
and bodies that are accepted (benchmarks/fuzz_run), so that what comes after the reading of a body is met, too. Every
seed makes other requests. Prints how many were sent, with which answers, how many made something, and what was found.
Exits with 1 when something was found, and when fewer than `--creations` were made.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path[0] = str(Path(__file__).parent.parent)  # a script's own folder hides rooms of the same name

from benchmarks.fuzz_run.bodies import RECEIVER
from dissolution.service import KeyScope
from dissolution.settings import Settings
from workers.bootstrap import open_services
from workers.runtime.embedded import EmbeddedBell, EmbeddedRunner
from workers.tenants.api_keys import new_key

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "ignored_auth",
    "unsupported_method",
    "use_after_free",
)
"""All of Schemathesis but two. `positive_data_acceptance`: whether a name is free, a turn empty or a fleet known is no
matter of a schema. `ensure_resource_availability`: a new conversation has no boundary, and erasing one takes its jobs
along; the hooks ask for what was made where its answer says it is."""

ALL = ("--mode", "all")

CREATING = (
    "--mode", "positive", "--phases", "examples,fuzzing,stateful", "--exclude-method", "DELETE", "--include-path-regex",
    "^/v1/(conversations(/{conversation}(/turns|/acts|/boundary(/rollback)?)?)?|dissolutions(/{dissolution})?)$",
)  # fmt: skip
"""The operations that make something out of what is made, and those that read it: as chains of what is accepted."""

HOOKS = Path(__file__).parent / "fuzz_run" / "hooks.py"

COUNTS, SEED = "API_FUZZ_COUNTS", "API_FUZZ_SEED"
"""What the hooks call the file for their counts, and their seed, in the environment."""

START_S = 60.0


class Running(NamedTuple):
    """A service that runs."""

    url: str
    key: str  # of an admin
    stop: threading.Event  # ends the running of jobs
    process: int  # its id


@contextmanager
def service(port: int) -> Generator[Running]:
    """The service on a port of this machine; jobs are run beside it, with no broker, until `stop` is set."""
    with tempfile.TemporaryDirectory(prefix="api-fuzz-") as folder:
        environment = {
            **os.environ,
            "HOME": folder,
            "DISSOLVE_DB": f"sqlite:///{folder}/ledger.sqlite3",
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_API_PORT": str(port),
            "DISSOLVE_API_MODE": "service",
            "DISSOLVE_API_REQUESTS_PER_MINUTE": "10000000",
            "DISSOLVE_WEBHOOK_PRIVATE_ADDRESSES": "true",  # the service itself is the one receiver that can be reached
        }
        settings = Settings(db=environment["DISSOLVE_DB"], embedder="hashing")
        key = a_key(settings)
        stop = threading.Event()
        runner = threading.Thread(target=EmbeddedRunner(settings, EmbeddedBell()).run, args=(stop,), daemon=True)
        runner.start()
        log = (Path(folder) / "service.log").open("w", encoding="utf-8")
        process = subprocess.Popen([sys.executable, "-m", "api"], env=environment, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(f"{url}/ready", process)
            yield Running(url, key, stop, process.pid)
        finally:
            stop.set()
            process.terminate()
            process.wait(30)
            log.close()
            runner.join(30)
            faults = Counter(
                line.split("ERROR", 1)[1].split(":", 1)[1].strip()
                for line in (Path(folder) / "service.log").read_text(encoding="utf-8").splitlines()
                if " ERROR " in line and ":" in line.split("ERROR", 1)[1]
            )
            print(f"errors in the service's log: {dict(faults) or 'none'}")


def a_key(settings: Settings) -> str:
    """A key that may do everything for its tenant."""
    with open_services(settings) as services, services.unit_of_work() as work:
        made, key = new_key("fuzz", "fuzz", [KeyScope.ADMIN], services.clock.now())
        work.service.keys.add(made)
        work.commit()
    return key


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the service is ready. Raises RuntimeError when it ends or takes too long."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own service
                return
        except OSError:
            time.sleep(0.2)
    message = "the service did not start"
    raise RuntimeError(message)


def fill(url: str, key: str) -> None:
    """Store a conversation and dissolve it, so that made-up requests can meet what is there."""
    turns = [
        {"role": "user", "content": "We use Postgres. The deadline is March 15."},
        {"role": "assistant", "content": "Noted."},
    ]
    for path, body in (
        ("/v1/conversations", {"name": "talk", "turns": turns}),
        ("/v1/dissolutions", {"conversation": "talk"}),
    ):
        request = urllib.request.Request(  # noqa: S310 - our own service
            f"{url}{path}",
            json.dumps(body).encode(),
            {"content-type": "application/json", "authorization": f"Bearer {key}"},
        )
        with urllib.request.urlopen(request):  # noqa: S310 - as above
            pass


def fuzz(running: Running, seed: int, counts: Path, options: Sequence[str]) -> int:
    """One run of Schemathesis; its exit code. `counts` gets a line of what was sent and answered."""
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", f"{running.url}/openapi.json",
        "--checks", ",".join(CHECKS), "--header", f"Authorization: Bearer {running.key}",
        "--suppress-health-check", "all", "--continue-on-failure", "--no-color",
        "--request-timeout", "30", "--seed", str(seed), *options,
    ]  # fmt: skip
    environment = {
        **os.environ,
        COUNTS: str(counts),
        SEED: str(seed),
        "SCHEMATHESIS_HOOKS": str(HOOKS),
        RECEIVER: running.url,
    }
    return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - of this environment


def summed(told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts of all runs together."""
    statuses: Counter[str] = Counter()
    created: Counter[str] = Counter()
    followed: Counter[str] = Counter()
    for one in told:
        followed.update(one["followed"])
        statuses.update(one["statuses"])
        created.update(one["created"])
    return {
        "requests": statuses.total(),
        "creations": created.total(),
        "faults": sum(count for status, count in statuses.items() if status.startswith("5")),
        "statuses": dict(sorted(statuses.items())),
        "created": dict(sorted(created.items())),
        "followed": dict(sorted(followed.items())),
        "lost": [place for one in told for place in one["lost"]],
        "sent_sha256": [one["sent_sha256"] for one in told],
    }


def main() -> int:
    """Fuzz and print figures; the exit code is 0 when nothing was found and enough was made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=60, help="made-up requests for each operation and phase")
    parser.add_argument("--phases", default="examples,coverage,fuzzing,stateful", help="of Schemathesis")
    parser.add_argument("--seed", type=int, default=1, help="of what is made up")
    parser.add_argument("--chains", type=int, default=0, help="requests and chains that make something, each operation")
    parser.add_argument("--creations", type=int, default=0, help="that have to be answered with 201 or 202, at least")
    parser.add_argument("--port", type=int, default=8711)
    options = parser.parse_args()
    started = time.monotonic()
    counts = Path(tempfile.mkdtemp(prefix="api-fuzz-counts-")) / "counts.json"
    with service(options.port) as running:
        url, key = running.url, running.key
        fill(url, key)
        codes = [
            fuzz(
                running, options.seed, counts, [*ALL, "--phases", options.phases, "--max-examples", str(options.cases)]
            )
        ]
        if options.chains:
            codes.append(fuzz(running, options.seed, counts, [*CREATING, "--max-examples", str(options.chains)]))
    told = [json.loads(line) for line in counts.read_text(encoding="utf-8").splitlines()]
    report = summed(told)
    print(json.dumps({"seed": options.seed, **report}, indent=2))
    code = max(codes)
    print(f"{time.monotonic() - started:.0f} s; exit code {code}")
    return 1 if code or report["faults"] or report["lost"] or report["creations"] < options.creations else 0


if __name__ == "__main__":
    sys.exit(main())
