"""Whether understanding holds over cycles: planted conversations in four, one project's meetings in four, arm by arm.

usage: python benchmarks/stability.py [--replicates 2] [--arms ledger,rewrite,...] [--store DIR] [--json] [--data DIR]

Three planted conversations are dissolved at turns 14, 28, 42 and at their end, with the answers that six recorded
writers gave cycle by cycle: once by all six, then --replicates times by a draw of them. Beside them stands a single
dissolution of the whole conversation, with the answers that the same writers gave to that. The gate's verdict holds
(`probe.offline = "enforce"`), so that the arm without a gate differs. With --data DIR (qmsum.jsonl and recordings/) the
four meetings of one project are four cycles too, under the default policy; no truth of theirs is written down, so that
only the ledger's own measures say something. What is done stays in --store: begun again, it goes on from there.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # not this folder: its stability.py would pose as the room

from benchmarks.embedding_cache import CachedEmbedder
from benchmarks.stability_parts import Cycles, Totals, cycles_of, kept_in_ledger, totals
from dissolution import __version__
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.settings import Settings
from dissolution.stability import Arm, Cell, StabilityPlan, StabilityRun
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from probe.ready_made import read_bank
from stability.arms import replicate_kind
from stability.run import Runner, start_run
from workers.bootstrap import open_services, settled_policy
from workers.members.recordings import RECORDED, ROLLED
from workers.services import Services

DATA = Path(__file__).resolve().parent / "data"
PLANTED = ("co-context-decay", "op-flask-sessions", "st-aws-pipeline")
"""Those with answers recorded cycle by cycle."""
CHECKPOINTS = (14, 28, 42)
ARMS = "ledger,rewrite,single,summary,truncation,no_audit,no_gate"
PREFIX = "qmsum-"
SERIES = f"{PREFIX}TS3010"


def main() -> int:
    """Run what is asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=2)
    parser.add_argument("--arms", default=ARMS)
    parser.add_argument("--store", type=Path, default=Path("out/benchmarks/stability"))
    parser.add_argument("--data", type=Path, help="folder with real/qmsum.jsonl and recordings/: adds the meetings")
    parser.add_argument("--only", choices=("whole", "drawn", "meetings"), help="one part alone")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    arms = tuple(Arm(name) for name in given.arms.split(","))
    with serving(given.store) as services:
        found: dict[str, Any] = {}
        if given.only in {None, "whole"}:
            found["whole"] = planted(services, arms, 1)
        if given.only in {None, "drawn"}:
            found["drawn"] = planted(services, arms, given.replicates)
        if given.data is not None and given.only in {None, "meetings"}:
            found["meetings"] = meetings(services, given.data, given.store)
    if given.json:
        print(json.dumps({name: dump(one) for name, one in found.items()}, indent=1))
    else:
        print("\n\n".join(f"## {name}\n\n{one.table()}" for name, one in found.items()))
    return 0


def dump(found: Cycles | Totals) -> object:
    """As JSON."""
    return found.model_dump(mode="json")


@contextmanager
def serving(store: Path) -> Generator[Services]:
    """Services over a database in a folder, with vectors kept there too."""
    store.mkdir(parents=True, exist_ok=True)
    settings = Settings(db=f"sqlite:///{(store / 'ledger.sqlite3').resolve()}")
    with open_services(settings) as services:
        embedder = CachedEmbedder(services.embedder(), store / "vectors")
        yield replace(services, embedder=lambda: embedder)


def planted(services: Services, arms: Sequence[Arm], replicates: int) -> Totals:
    """All arms over the three conversations, and a single dissolution of each."""
    rolled: list[tuple[StabilityRun, tuple[Cell, ...]]] = []
    single: list[tuple[StabilityRun, tuple[Cell, ...]]] = []
    for name in PLANTED:
        path, recorded = DATA / "planted" / f"{name}.json", DATA / "recordings" / name
        talk = stored(services, path)
        end = len(talk.turns)
        rolled.append(
            done(
                services, talk, f"{ROLLED}{recorded}", (*CHECKPOINTS, end), arms=arms, replicates=replicates, path=path
            )
        )
        single.append(
            done(services, talk, f"{RECORDED}{recorded}", (end,), arms=(Arm.LEDGER,), replicates=replicates, path=path)
        )
    return totals(rolled, single)


def meetings(services: Services, data: Path, store: Path) -> Cycles:
    """Four meetings as one conversation in four cycles, by the six writers."""
    lines = (data / "real" / "qmsum.jsonl").read_text(encoding="utf-8").splitlines()
    series = sorted((one for one in map(json.loads, lines) if one["id"].startswith(SERIES)), key=lambda one: one["id"])
    ends: dict[str, int] = {}
    turns: list[dict[str, object]] = []
    for meeting in series:
        for turn in meeting["turns"]:
            who = turn.get("speaker") or turn["role"]
            turns.append({"turn": len(turns) + 1, "role": who, "speaker": who, "content": turn["content"]})
        ends[meeting["id"].removeprefix(PREFIX)] = len(turns)
    folder = store / SERIES
    folder.mkdir(exist_ok=True)
    for path in sorted((data / "recordings" / SERIES).glob("*.roll-*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        record["conversation"] = SERIES
        record["through"] = ends[record["through"].removeprefix(PREFIX)]  # turns are numbered on over all meetings
        (folder / path.name).write_text(json.dumps(record), encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / f"{SERIES}.json"
        file.write_text(json.dumps({"id": SERIES, "turns": turns}), encoding="utf-8")
        talk = stored(services, file)
    run, cells = done(
        services, talk, f"{ROLLED}{folder.resolve()}", tuple(ends.values()), arms=MEETING_ARMS, replicates=1, path=None
    )
    return cycles_of(run, cells, kept_in_ledger)


HELD_TO = Policy(probe=ProbePolicy(offline="enforce"))
"""For planted conversations. In meetings the retrieval reader finds next to nothing that claims say in other words."""
MEETING_ARMS = (Arm.LEDGER, Arm.REWRITE, Arm.TRUNCATION)


def stored(services: Services, path: Path) -> Conversation:
    """The conversation of a file, stored."""
    talk = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation
    with services.unit_of_work() as work:
        work.conversations.extend(talk)
        work.commit()
        return work.conversations.get(talk.id)


def done(
    services: Services,
    talk: Conversation,
    fleet: str,
    checkpoints: tuple[int, ...],
    *,
    arms: Sequence[Arm],
    replicates: int,
    path: Path | None,
) -> tuple[StabilityRun, tuple[Cell, ...]]:
    """A run of this plan, gone on with where it was begun before, with all of its cells."""
    plan = StabilityPlan(
        conversation=talk.id,
        checkpoints=checkpoints,
        replicates=replicates,
        kind=replicate_kind(fleet, replicates),
        arms=tuple(arms),
        fleet=fleet,
        policy=settled_policy(HELD_TO if path is not None else Policy(), services.settings, fleet),
        truth=None if path is None else str(path),
        questions=() if path is None else read_bank(path, talk.snapshot()).questions,
        software=__version__,
    )
    with services.unit_of_work() as work:
        begun = [run for run in work.stability.runs() if run.plan == plan]
    run = begun[0] if begun else start_run(services, plan)
    run = Runner(services, run, told=lambda line: print(f"{talk.id} {line}", file=sys.stderr, flush=True)).go_on()
    with services.unit_of_work() as work:
        return run, work.stability.cells(run.id)


if __name__ == "__main__":
    sys.exit(main())
