"""Measure again what docs/figures.md, consensus.md and experiments.md publish, and write it there between markers.

usage: python benchmarks/figures.py [SECTION …] [--data DIR]

Runs the other benchmarks, each in a process of its own, and replaces the text between `<!-- SECTION -->` and
`<!-- /SECTION -->`. Without names it does every section; the section "meetings" needs `--data DIR` (extractive.py says
what it holds) and is left as it is without it. Close other programs first: times and the gateway's ratio suffer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "figures.md"
CONSENSUS_PAGE = ROOT / "docs" / "consensus.md"
EXPERIMENTS_PAGE = ROOT / "docs" / "experiments.md"
INTERVAL = re.compile(r" \(\S+ to \S+\)")
PROVENANCE = re.compile(r" Fleet .*?, seed \d+, version \S+;")
SHARE = "20%"
"""The share of a conversation's words at which the pages show what is selected; extractive.py prints three."""


def measured(script: str, *arguments: str) -> Any:  # noqa: ANN401 - what each script writes
    """What a script writes with `--json`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures.json"
        printed(script, *arguments, "--json", str(file))
        return json.loads(file.read_text(encoding="utf-8"))


def printed(script: str, *arguments: str) -> str:
    """What a script prints. Ends this one with the script's words when it fails."""
    return run(sys.executable, str(ROOT / "benchmarks" / script), *arguments)


def run(*command: str) -> str:
    """What a program of this project prints. Ends this one with its words when it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(  # noqa: S603 - this project's own programs
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command[1:])} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout.strip()


def block(text: str) -> str:
    """Text as it was printed."""
    return f"```\n{text}\n```"


def last_lines(text: str, count: int) -> str:
    """The end of what a script prints, where it sums up."""
    return "\n".join(text.splitlines()[-count:])


def overall(text: str) -> str:
    """The head of the table that tense.py prints for one half, and its row over all classes."""
    return "\n".join(text.splitlines()[1:4])


def steepest(text: str, count: int) -> str:
    """The head of the table of linear_time.py, and its rows with the largest exponents."""
    head, *rows = text.splitlines()
    return "\n".join([head, *sorted(rows, key=lambda row: float(row.split()[-1]), reverse=True)[:count]])


def extractive() -> str:
    """What the no-key fleet selects of planted conversations, each method, the fleet without it, and baselines."""
    return selection(measured("extractive.py")["planted"]["mean"])


def selection(arms: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Shares of evidence kept in one share of the words, as a table."""
    from benchmarks.extractive import table

    return table({arm: {SHARE: shares[SHARE]} for arm, shares in arms.items()})


def experiment(number: int) -> str:
    """What an experiment says in short: the report itself has every table, interval and limit."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "cli.main", "experiment", str(number), "--out", folder)
        told = (Path(folder) / f"experiment-{number}.md").read_text(encoding="utf-8")
    return experiment_words(told)


def experiment_words(told: str) -> str:
    """The Markdown of a report cut to its verdicts and its first table, without that table's caption and intervals.

    Fleet, seed and version go too: all sections are of the default fleet and of this version.
    """
    _title, verdicts, rest = told.split("\n\n", 2)
    hypotheses, _, tables = rest.partition("\n\nMethod and data:")
    title, _caption, rows, *_more = tables.partition("\n\n## ")[2].split("\n\n")
    return "\n\n".join([PROVENANCE.sub("", verdicts), hypotheses, f"**{title}**", INTERVAL.sub("", rows)])


MEETINGS = ("extractive.py", "--embedder", "hashing", "--every", "4", "--offset", "2", "--data")
"""Those that had no part in choosing the methods."""


def meetings(data: Path) -> str:
    """What the no-key fleet selects of meetings."""
    found = measured(*MEETINGS, str(data / "real" / "qmsum.jsonl"))["meetings"]
    return f"{len(found['conversations'])} meetings.\n\n{selection(found['mean'])}"


SECTIONS: Mapping[str, Callable[[], str]] = {
    "extractive": extractive,
    "tokens": lambda: block(last_lines(printed("tokens.py"), 2)),
    "tense": lambda: overall(printed("tense.py", "--split", "test")),
    "linear-time": lambda: block(steepest(printed("linear_time.py"), 3)),
    "gateway": lambda: block(printed("gateway.py")),
    "footprint": lambda: block(printed("footprint.py")),
    "consensus": lambda: printed("consensus.py"),
    **{f"experiment-{number}": partial(experiment, number) for number in range(1, 6)},
}
"""Each section of the pages but "meetings", and what fills it."""

PAGES = {
    "consensus": CONSENSUS_PAGE,
    **{f"experiment-{number}": EXPERIMENTS_PAGE for number in range(1, 6)},
}
"""Where a section stands that is not in docs/figures.md."""


def replaced(page: str, section: str, text: str) -> str:
    """A page with the text between a section's markers replaced. Raises SystemExit when the markers are not there."""
    start, end = f"<!-- {section} -->\n", f"\n<!-- /{section} -->"
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(
            f"{PAGES.get(section, PAGE).name} has no pair of markers {start.strip()!r} … {end.strip()!r}; put it back"
        )
    return f"{before}{start}\n{text}\n{end}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join([*SECTIONS, "meetings"]))
    parser.add_argument("--data", type=Path, help="folder with real/qmsum.jsonl, for the section meetings")
    options = parser.parse_args()
    wanted: list[str] = options.sections or [*SECTIONS, *(["meetings"] if options.data else [])]
    unknown = [name for name in wanted if name not in {*SECTIONS, "meetings"}]
    if unknown or ("meetings" in wanted and options.data is None):
        parser.error(f"no section {unknown}" if unknown else "the section meetings needs --data DIR")
    for name in wanted:
        print(f"== {name}", flush=True)
        text = meetings(options.data) if name == "meetings" else SECTIONS[name]()
        file = PAGES.get(name, PAGE)
        file.write_text(replaced(file.read_text(encoding="utf-8"), name, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
