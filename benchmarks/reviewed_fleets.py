"""Measure what recorded fleets commit when members of other families review, and what such reviewers find.

usage: python benchmarks/reviewed_fleets.py --recorded FOLDER [--only PART]… [--json FILE]
       python benchmarks/reviewed_fleets.py --roster R.toml --cassette OUT [--only PART]… [--about WORDS]

The answers of the recorded writers are old; those of the reviewers come from the cassette, or from the members of a
roster, none of which gives an account (policy `members`). Parts: `whole` and `withheld` are the jobs of
benchmarks/consensus.py, all writers and each one left out; `rolling` are the planted conversations in four cycles, with
the recorded answers of cycles that cite no ids; `cases` are the planted cases of the frozen half and of the two fresh
conversations that nobody has read (benchmarks/frame_reviewers.py), put to the reviewers in the words of the path.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import consensus as fleets
from benchmarks import supersession_rolling as rolling
from benchmarks.frame import DATA, Half, candidate_of, claim_of, talk_of
from benchmarks.frame_reviewers import FAMILIES, HEAD, PARTS, row_of, show_rows
from cli.shared.fleet_choice import described_fleet
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim
from dissolution.conversation import Conversation
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.job import Job
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.policy.probe import ProbePolicy
from dissolution.ports.models import Embedder, Member
from dissolution.reviewing import Reviewer
from dissolution.settings import Settings
from fleet.cassette import tell
from fleet.recorded import load_recorded
from triggers.submit import Request, submit
from workers.bootstrap import build_fleet, open_services
from workers.members.reviewers import reviewed_by_members
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job
from workers.services import Services

RECORDINGS = DATA / "recordings"
PARTS_HERE = ("whole", "withheld", "rolling", "cases")
AT_ONCE = 24


@dataclass(frozen=True)
class Reviewers:
    """Who reviews: the fleet they belong to as a job describes it, and an embedder that all threads share."""

    fleet: str
    embedder: Embedder

    @contextmanager
    def services(self, folder: str, policy_writers: Sequence[Member]) -> Generator[tuple[Services, Policy]]:
        """Services on a store of their own, and the policy by which the writers account and the reviewers review."""
        settings = Settings(db=f"sqlite:///{folder}/ledger.sqlite3", embedder=self.embedder.stamp.model)
        reviewers = build_fleet(self.fleet, lambda: self.embedder)
        names = tuple(one.card.name for one in reviewers)
        wait = QuorumPolicy(soft_deadline_s=3300, hard_deadline_s=3400)
        policy = Policy(
            members=tuple(one.card.name for one in policy_writers),
            quorum=wait,
            frame=FramePolicy(reviewers=names),
            probe=ProbePolicy(on=False),
        )
        with open_services(settings) as opened:
            yield (
                replace(opened, fleet=fleets.given((*policy_writers, *reviewers)), embedder=lambda: self.embedder),
                policy,
            )


class Shared:
    """An embedder for several threads: one at a time, and no text twice."""

    def __init__(self, inner: Embedder) -> None:
        self._inner, self._lock = fleets.Remembering(inner), Lock()

    @property
    def stamp(self) -> Any:  # noqa: ANN401 - the inner embedder's
        """The inner embedder's."""
        return self._inner.stamp

    def embed(self, texts: Any) -> Any:  # noqa: ANN401 - as above
        """Unit rows in the order given."""
        with self._lock:
            return self._inner.embed(texts)


def submitted(services: Services, talk: Conversation, fleet: str, policy: Policy) -> Job:
    """A job that waits."""
    request = Request(conversation=talk, fleet=fleet, policy=policy)
    return submit(
        request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
    ).job


def dissolved(services: Services, talk: Conversation, fleet: str, policy: Policy) -> tuple[Consensus, BoundaryState]:
    """The candidate and what is committed."""
    job = run_job(services, submitted(services, talk, fleet, policy).id)
    with services.unit_of_work() as work:
        found = work.boundaries.by_job(job.id)
        stored = {step.stage: step.output for step in work.jobs.steps(job.id)}["consensus"]
    if found is None or stored is None:
        raise SystemExit(f"{talk.id}: the job committed nothing ({job.status.value})")
    return Consensus.model_validate_json(stored), found


def arm(who: Reviewers, name: str, without: str) -> dict[str, Any]:
    """One fleet over one planted conversation: what is committed beside the best of its writers."""
    arms = [one for one in fleets.arms_of(name, fleets.snapshot_of(name).through) if one.statements]
    chosen = [one for one in arms if one.writer != without]
    truth = fleets.read_json(DATA / "planted" / f"{name}.json")["truth"]
    names = {one.writer for one in chosen}
    writers = [one for one in load_recorded(RECORDINGS / name) if one.card.name in names]
    with tempfile.TemporaryDirectory() as folder, who.services(folder, writers) as (services, policy):
        candidate, boundary = dissolved(services, fleets.conversation_of(name), f"recorded:{RECORDINGS / name}", policy)
    alone = {one.writer: fleets.score(truth, tuple(said.claim for said in one.statements)) for one in chosen}
    best = max(float(one["recall"]) for one in alone.values())
    figures = fleets.score(truth, boundary.claims)
    return {
        "conversation": name,
        "arm": f"less {without}" if without else "all",
        "best": best,
        "reached": float(figures["recall"]) >= best,
        "candidate": fleets.score(truth, candidate.claims),
        "committed": figures,
        "texts": [f"{claim.section.value}: {claim.text}" for claim in boundary.claims],
    }


def cycles(who: Reviewers, name: str) -> list[dict[str, Any]]:
    """Four cycles over one planted conversation, each held against the truth at its last turn."""
    truth = fleets.read_json(DATA / "planted" / f"{name}.json")["truth"]
    whole = fleets.conversation_of(name)
    folder = RECORDINGS / name
    seen: dict[str, bool] = {}
    rows: list[dict[str, Any]] = []
    with (
        tempfile.TemporaryDirectory() as place,
        who.services(place, load_recorded(folder, "roll")) as (services, policy),
    ):
        for through in (*rolling.CHECKPOINTS, len(whole.turns)):
            cut = whole.model_copy(update={"turns": whole.turns[:through]})
            heard, boundary = dissolved(services, cut, f"rolled:{folder}", policy)
            row = rolling.row_of(truth, through, seen, claims=boundary.claims, single=heard.claims, closed=heard.closed)
            rows.append({"conversation": name, **row})
    return rows


class Heard:
    """What one reviewer said about the cases of one part, all of a conversation shown together."""

    def __init__(self, family: str, by_claim: dict[str, Reviewer]) -> None:
        self.family, self._by_claim = family, by_claim

    def on(self, claim: Claim) -> Reviewer:
        """What it says of one claim."""
        return self._by_claim.get(claim.id, Reviewer(member=self.family, family=self.family))


def heard(who: Reviewers, half: Half) -> list[Heard]:
    """What each reviewer says of the cases of these conversations."""

    def of_one(name: str) -> Sequence[Reviewer]:
        cases = [case for case in half.cases if case["conversation"] == name and case["kind"] != "vanishing"]
        snapshot = half.snapshots[name]
        candidate = candidate_of([claim_of(case, snapshot, FAMILIES[:2]) for case in cases])
        with tempfile.TemporaryDirectory() as folder, who.services(folder, ()) as (services, policy):
            job = submitted(services, talk_of(name), who.fleet, policy)
            return reviewed_by_members(services, job, snapshot, candidate, register=half.registers[name]).reviewers

    with ThreadPoolExecutor(len(half.snapshots)) as pool:
        told = list(pool.map(of_one, half.snapshots))
    found: list[Heard] = []
    for place, first in enumerate(told[0]):
        by_claim: dict[str, Reviewer] = {}
        for reviewers in told:
            one = reviewers[place]
            if one.failure is not None or one.unread:
                raise SystemExit(f"reviewer {one.member}: {one.detail or one.failure}")
            for remark in one.remarks:
                for about in remark.about:
                    before = by_claim.get(about.claim, one.model_copy(update={"remarks": ()}))
                    by_claim[about.claim] = before.model_copy(update={"remarks": (*before.remarks, remark)})
        found.append(Heard(first.family, by_claim))
    return found


def cases(who: Reviewers) -> dict[str, Any]:
    """The planted cases, by part: each reviewer about claims of one family, two and all of them about claims of two."""
    results: dict[str, Any] = {}
    for part, files in PARTS.items():
        print(f"\n{part}\n\n{HEAD}")
        half = Half(*files)
        reviewers = heard(who, half)
        one_by_one = [(f"{one.family}, claims of one family", [one], 1) for one in reviewers]
        pairs = [
            (f"{one.family} and {other.family}, claims of two families", [one, other], 2)
            for one, other in combinations(reviewers, 2)
        ]
        arms = [*one_by_one, *pairs, ("all, claims of two families", reviewers, 2)]
        chosen = [case for case in half.cases if case["kind"] != "vanishing"]
        results[part] = {
            label: show_rows(label, [row_of(half, case, some, FAMILIES[:stated]) for case in chosen])
            for label, some, stated in arms
        }
    return results


def measured(who: Reviewers, parts: Sequence[str]) -> dict[str, Any]:
    """All parts that are asked for; fleets of all conversations run at the same time."""
    names = sorted(path.stem for path in (DATA / "planted").glob("*.json"))
    arms: list[tuple[str, str]] = []
    for name in names:
        writers = [one.writer for one in fleets.arms_of(name, fleets.snapshot_of(name).through) if one.statements]
        chosen = [*([""] if "whole" in parts else []), *(writers if "withheld" in parts else [])]
        arms += [(name, without) for without in chosen]
    talks = rolling.conversations() if "rolling" in parts else []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(cycles, who, name) for name in talks]
        compared = [pool.submit(arm, who, name, without) for name, without in arms]
        found: dict[str, Any] = {
            "arms": [one.result() for one in compared],
            "rolling": [row for one in waiting for row in one.result()],
        }
    if "cases" in parts:
        found["cases"] = cases(who)
    return found


def show(found: dict[str, Any]) -> None:
    """Print the figures."""
    for told, chosen in (
        ("All writers", [one for one in found["arms"] if one["arm"] == "all"]),
        ("One withheld", [one for one in found["arms"] if one["arm"] != "all"]),
    ):
        if chosen:
            show_arms(told, chosen)
    if found["rolling"]:
        show_rolling(found["rolling"])


def mean(figures: Sequence[dict[str, Any]], key: str) -> float:
    """The mean of one figure."""
    return sum(float(one[key]) for one in figures) / len(figures)


def show_arms(told: str, chosen: Sequence[dict[str, Any]]) -> None:
    """What these fleets came to, and all that falls short of their best writers."""
    for what in ("candidate", "committed"):
        figures = [one[what] for one in chosen]
        reached = sum(float(one[what]["recall"]) >= one["best"] for one in chosen)
        faults = ", ".join(f"{key} {sum(int(one[key]) for one in figures)}" for key in fleets.FAULTS)
        print(
            f"\n{told}, {what}: recall at least the best writer's in {reached} of {len(chosen)}; mean recall "
            f"{mean(figures, 'recall'):.3f} (best writer {mean(chosen, 'best'):.3f}), {mean(figures, 'words'):.0f} "
            f"words; {faults}."
        )
    for one in chosen:
        figures = one["committed"]
        if not one["reached"] or figures["wrong"]:
            missed = ", ".join(figures["missed"]) or "nothing"
            short = f"recall {figures['recall']:.3f} of {one['best']:.3f}, missed {missed}"
            print(f"- {one['conversation']}, {one['arm']}: {short}; {'; '.join(map(str, figures['wrong']))}")


def show_rolling(rows: Sequence[dict[str, Any]]) -> None:
    """What the cycles came to, and what was lost or still asserted in each."""
    ends = {row["conversation"]: row["through"] for row in rows}  # the last row of each
    last = [row for row in rows if row["through"] == ends[row["conversation"]]]

    def of(key: str, whole: str) -> str:
        return f"{sum(row[key] for row in rows)} of {sum(row[whole] for row in rows)}"

    print(
        f"\nRolling, no ids cited: recall in the last cycle {mean(last, 'recall'):.3f}; true claims lost "
        f"{of('lost', 'held before and true')}, commitments "
        f"{of('commitments lost', 'commitments held before and true')}; superseded values asserted "
        f"{of('still asserted', 'superseded by now')}; words in the last cycle {sum(row['words'] for row in last)}."
    )
    for row in rows:
        if row["items"]:
            print(f"- {row['conversation']}, turn {row['through']}: {'; '.join(row['items'])}")


def main(words: Sequence[str] | None = None) -> int:
    """Ask or replay, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--roster")
    parser.add_argument("--cassette", type=Path)
    parser.add_argument("--recorded", type=Path)
    parser.add_argument("--about")
    parser.add_argument("--only", action="append", choices=PARTS_HERE, default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(words)
    if (options.recorded is None) == (options.cassette is None):
        parser.error("give --recorded, or --roster and --cassette")
    fleet = described_fleet(options.roster or "extractive", recorded=options.recorded, cassette=options.cassette)
    who = Reviewers(fleet, Shared(SentenceTransformerEmbedder(threads=1)))
    found = measured(who, options.only or PARTS_HERE)
    if options.about:
        tell(options.cassette, options.about)
    show(found)
    if options.json is not None:
        options.json.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
