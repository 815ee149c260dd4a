"""Run the whole path with live members over conversations, keep every answer, and report what came of it.

usage: python benchmarks/live_drill.py run --roster R.toml --policy P.toml --cassette OUT FILE[@N,M,…] …
       python benchmarks/live_drill.py run --recorded OUT [--results FOLDER] [FILE[@N,M,…] …]
       python benchmarks/live_drill.py report FOLDER [--json]

`FILE@20,40` is a conversation with two cycles on one ledger: its first 20 turns, then its first 40. `--through N`,
which may be repeated, gives all files without `@` their cycles. What OUT holds is not asked again, so a drill that was
interrupted goes on when it is started again. A replay asks nobody and needs no files: OUT names those it was run on.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.drill_run import Document, Drill, Talk, run_all
from benchmarks.drill_table import table
from cli.shared.fleet_choice import described_fleet, keep_policy, stored_policy
from dissolution.errors import DissolutionError, InputError
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from fleet.cassette import tell
from workers.bootstrap import settled_policy

PLAN = "drill.json"
RESULTS = "results"


def run(options: argparse.Namespace) -> int:
    recorded, cassette = cast("Path | None", options.recorded), cast("Path | None", options.cassette)
    fleet = described_fleet(options.roster or "extractive", recorded=recorded, cassette=cassette)
    if recorded is None and cassette is None:
        raise InputError("a drill without --cassette", "name the folder that keeps its answers, or --recorded")
    folder = cast("Path", recorded or cassette)
    file = options.policy or stored_policy(folder)
    wanted = load_policy(file) if file is not None else Policy()
    named = "embedder" in wanted.consensus.model_fields_set
    settings = load_settings(embedder=options.embedder or (wanted.consensus.embedder if named else None))
    policy = settled_policy(wanted, settings, fleet)
    talks = [talk_of(word, tuple(options.through)) for word in options.files] or planned(folder)
    if recorded is None:
        keep_policy(folder, policy)
        write(folder / PLAN, {"talks": [{"file": shown(one.file), "through": list(one.through)} for one in talks]})
    results = cast("Path", options.results or folder / RESULTS)

    def done(talk: Talk, jobs: list[Document]) -> None:
        write(results / f"{quote(talk.file.stem, safe=' ')}.json", {"jobs": jobs})
        print(f"{talk.file.stem}: {len(jobs)} jobs done", file=sys.stderr)

    documents = run_all(Drill(fleet=fleet, policy=policy), talks, options.at_once, done)
    if options.about is not None:
        tell(folder, options.about)
    print(table([job for jobs in documents for job in jobs]))
    return 1 if any("error" in job for jobs in documents for job in jobs) else 0


def report(options: argparse.Namespace) -> int:
    folder = cast("Path", options.folder)
    results = folder / RESULTS if (folder / RESULTS).is_dir() else folder
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob("*.json"))]
    jobs = [job for one in found for job in one["jobs"]]
    print(json.dumps({"jobs": jobs}, ensure_ascii=False, indent=1) if options.json else table(jobs))
    return 0


def talk_of(word: str, through: tuple[int, ...]) -> Talk:
    name, at, ends = word.rpartition("@")
    if at and all(part.isdecimal() for part in ends.split(",")):
        return Talk(Path(name), tuple(int(part) for part in ends.split(",")))
    return Talk(Path(word), tuple(sorted(through)))


def planned(folder: Path) -> list[Talk]:
    path = folder / PLAN
    if not path.is_file():
        raise InputError(f"no conversation, and no {str(path)!r}", "name the conversation files")
    content = json.loads(path.read_text(encoding="utf-8"))
    return [Talk(at_home(one["file"]), tuple(one["through"])) for one in content["talks"]]


def shown(file: Path) -> str:
    """A file as a plan names it: from the project's folder where it lies in it."""
    full = file.resolve()
    return full.relative_to(ROOT).as_posix() if full.is_relative_to(ROOT) else str(full)


def at_home(name: str) -> Path:
    return Path(name) if Path(name).is_absolute() else ROOT / name


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def options_of(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("run", help="run jobs, live or from a cassette")
    one.add_argument("files", nargs="*", help="conversation files, each with @ and its last turns")
    one.add_argument("--roster", help="TOML; who is asked")
    one.add_argument("--policy", type=Path, help="TOML; the cassette's own when not given")
    one.add_argument("--cassette", type=Path, help="the folder that keeps every answer")
    one.add_argument("--recorded", type=Path, help="a cassette to replay; nobody is asked")
    one.add_argument("--results", type=Path, help="where the figures go; the cassette's folder when not given")
    one.add_argument("--through", type=int, action="append", default=[], help="a last turn; repeat it for cycles")
    one.add_argument("--about", help="who writes the answers, in a sentence for those who replay them")
    one.add_argument("--at-once", type=int, default=8, help="conversations that run at the same time")
    one.add_argument("--embedder", help="in place of the settings'")
    two = verbs.add_parser("report", help="print the figures of a drill")
    two.add_argument("folder", type=Path)
    two.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    options = options_of(words)
    try:
        return run(options) if options.verb == "run" else report(options)
    except DissolutionError as error:
        print(f"live_drill: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
