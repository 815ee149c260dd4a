"""A stranger's first hour: each command a newcomer types, its lines, its seconds, how it ends; and ten corrections.

usage: python benchmarks/first_hour.py [--part commands] [--part service] [--part corrections]
       [--embedder NAME] [--json]

Everything runs on this machine with an empty home, without a key; real answers are replayed. A command that this
version does not have is told as missing, not failed. The corrections are small conversations of
benchmarks/data/corrections in which somebody puts one value right; they are run without a key, and what is told of the
replaced value is counted: a run that nobody has read may assert nothing. Exits with 1 when a step fails or a replaced
value is asserted. --json prints one document in place of the tables.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hour_run.corrections import Told, corrections
from benchmarks.hour_run.service import handshake, service_steps
from benchmarks.hour_run.stranger import Came, Outcome, Step, Stranger

PARTS = ("commands", "service", "corrections")
TALK = "benchmarks/data/fresh/ft-search-latency.json"
NAME = "ft-search-latency"
CASSETTE = "benchmarks/data/drills/third"
USAGE = frozenset({2})
ANY: frozenset[int] = frozenset()

COMMANDS = (
    Step("what is there", ("--help",)),
    Step("try it, nobody is asked", ("run", "examples/launch.json", "--conversation", "launch")),
    Step("which forms are read", ("import", "examples/conversations/openai.json", "--list")),
    Step("run, recorded answers", ("run", TALK, "--recorded", CASSETTE)),
    Step("what is stored", ("list",)),
    Step("read it back", ("show", NAME)),
    Step("the receipt", ("show", NAME, "--receipt")),
    Step("why does this stand", ("explain", "CLAIM")),
    Step("find what was left out", ("recall", NAME, "products_v41")),
    Step("the context to send", ("show", NAME, "--as", "messages", "--budget-tokens", "2600")),
    Step("for people", ("show", NAME, "--as", "markdown")),
    Step("a page with evidence", ("show", NAME, "--as", "html")),
    Step("what it takes for granted", ("frame", NAME)),
    Step("what it would cost", ("fleet", "price", TALK, "--fleet", "fleet/examples/mixed.toml")),
    Step("is anything wrong", ("doctor",), ANY),
    Step("a typing error", ("rum", TALK), USAGE),
    Step("a file that is not there", ("run", "nowhere.json"), frozenset({2, 4})),
    Step("a file that is none", ("run", "pyproject.toml"), USAGE),
    Step("a claim that is not there", ("explain", "c000000000000"), frozenset({2, 4})),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play it, print it; the exit code."""
    given = parsed(arguments)
    parts: Sequence[str] = given.part or PARTS
    outcomes: list[Outcome] = []
    told: list[Told] = []
    with tempfile.TemporaryDirectory(prefix="hour-") as folder:
        settings = {"DISSOLVE_EMBEDDER": given.embedder} if given.embedder else {}
        stranger = Stranger(Path(folder), settings)
        if "commands" in parts:
            outcomes += [stranger.takes(step) for step in COMMANDS]
        if "service" in parts:
            outcomes += [handshake(stranger), *service_steps(stranger)]
        if "corrections" in parts:
            told = corrections(stranger)
    if given.json:
        print(json.dumps(document(outcomes, told), indent=1, ensure_ascii=False))
    else:
        print("\n".join([*steps_table(outcomes), *corrections_table(told)]))
    failed = any(one.came is Came.FAILED for one in outcomes)
    return 1 if failed or any(one.asserted for one in told) else 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="of the hour this part; default: all")
    parser.add_argument("--embedder", help="in place of the default; `hashing` loads no model, but replays nothing")
    parser.add_argument("--json", action="store_true", help="one JSON document in place of the tables")
    return parser.parse_args(arguments)


def document(outcomes: Sequence[Outcome], told: Sequence[Told]) -> dict[str, object]:
    """All figures, for programs."""
    return {
        "steps": [one.document() for one in outcomes],
        "seconds": round(sum(one.seconds for one in outcomes), 1),
        "missing": [one.step for one in outcomes if one.came is Came.MISSING],
        "failed": [one.step for one in outcomes if one.came is Came.FAILED],
        "corrections": [one.document() for one in told],
        "asserted": sum(one.asserted for one in told),
    }


def steps_table(outcomes: Sequence[Outcome]) -> list[str]:
    """The steps as lines of a table."""
    if not outcomes:
        return []
    rows = [f"{'step':<26} {'came':<8} {'lines':>6} {'stderr':>6} {'seconds':>8} {'code':>4}  command"]
    for one in outcomes:
        code, figures = "" if one.code is None else one.code, f"{one.lines:>6} {one.error_lines:>6} {one.seconds:>8.1f}"
        rows.append(f"{one.step:<26} {one.came:<8} {figures} {code:>4}  {one.typed}")
        if one.came is Came.FAILED and one.note:
            rows.append(f"  {one.note}")
    missing = [one.step for one in outcomes if one.came is Came.MISSING]
    failed = [one.step for one in outcomes if one.came is Came.FAILED]
    rows.append(
        f"{len(outcomes)} steps, {sum(one.seconds for one in outcomes):.0f} s; "
        f"missing in this version: {', '.join(missing) or 'none'}; failed: {', '.join(failed) or 'none'}"
    )
    return [*rows, ""]


def corrections_table(told: Sequence[Told]) -> list[str]:
    """The corrections as lines of a table, with their sums."""
    if not told:
        return []
    words = {True: "yes", False: "no", None: "-"}
    rows = [
        f"{'conversation':<28} {'asserted':>8} {'quoted':>7} {'right':>6} {'newest last':>12} {'stale context':>14}"
    ]
    rows += [
        f"{one.conversation:<28} {one.asserted:>8} {words[one.quoted]:>7} {words[one.right_quoted]:>6} "
        f"{words[one.newest_last]:>12} {words[one.stale_context]:>14}"
        for one in told
    ]
    both = [one for one in told if one.newest_last is not None]
    rows.append(
        f"replaced values asserted: {sum(one.asserted for one in told)} of {len(told)} (to be 0); quoted: "
        f"{sum(one.quoted for one in told)}, without the right one: "
        f"{sum(one.quoted and not one.right_quoted for one in told)}; where both are quoted the newest is last: "
        f"{sum(bool(one.newest_last) for one in both)} of {len(both)}; contexts with the replaced value alone: "
        f"{sum(one.stale_context for one in told)}"
    )
    return rows


if __name__ == "__main__":
    sys.exit(main())
