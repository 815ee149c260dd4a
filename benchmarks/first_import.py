"""How long `dissolve run` imports before it works, and whether anything heavy comes along; prints one JSON document.

Processor seconds of whole processes, the least of some: what else the machine does counts for little then. Nothing is
asked, and no model is loaded. `python benchmarks/first_import.py [TIMES]`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TIMES = 5
GOAL_S = 0.6
HEAVY = ("torch", "transformers", "sentence_transformers", "hdbscan", "sklearn", "scipy", "matplotlib", "litellm")
WHAT = {
    "python": "pass",
    "dissolve --help": "import cli.main",
    "dissolve run": "import cli.main, cli.run.run",
    "dissolve run, its database": "import cli.main, cli.run.run, store.sql.unit_of_work",
    "dissolve api": "import api.app",
}
MEASURE = """
import json, sys, time
{what}
print(json.dumps([time.process_time(), len(sys.modules), [one for one in {heavy!r} if one in sys.modules]]))
"""


def measured(what: str, times: int) -> dict[str, Any]:
    """The least of several processes that import something, after one that only writes bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    program = [sys.executable, "-c", MEASURE.format(what=what, heavy=HEAVY)]
    found = [
        json.loads(
            subprocess.run(  # noqa: S603 - this interpreter, words of this file
                program, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=300
            ).stdout
        )
        for _ in range(times + 1)
    ][1:]
    seconds, modules, heavy = min(found)
    return {"processor_s": round(seconds, 3), "modules": modules, "heavy": heavy}


def main(words: list[str]) -> int:
    """Print the figures."""
    times = int(words[0]) if words else TIMES
    found = {name: measured(what, times) for name, what in WHAT.items()}
    met = found["dissolve run"]["processor_s"] < GOAL_S
    print(json.dumps({"times": times, "goal_s": GOAL_S, "met": met, "found": found}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
