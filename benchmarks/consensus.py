"""Measure what is committed: boundaries of recorded fleets after all stages against planted truth, and the grouping.

usage: python benchmarks/consensus.py [--embedder all-MiniLM-L6-v2|hashing] [--data DIR] [--json FILE] [--time]
       [--labels] [--no-withheld] [--rows]

Each fleet of recorded writers runs as a job of its own, by the path's own stages and the default policy, up to its
commit; nobody reviews, since recorded writers cannot be asked. What stands in the store is scored beside every single
writer's answer, for all writers and with each one withheld. What it reads is in benchmarks/data, but for the gold
decisions of real meetings: with --data DIR it reads DIR/qmsum.jsonl (QMSum: https://github.com/Yale-LILY/QMSum;
decisions from the AMI corpus). --labels prints the grouping of labelled claims alone (consensus_labels.py). --rows
prints besides what docs/consensus.md leaves out: each slot, each conversation and writer, and what falls short.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import consensus_labels as labels
from benchmarks import consensus_time as timing
from benchmarks import score_planted
from consensus.build import build_consensus
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.embedding.vectors import FloatArray, pack, unpack
from dissolution.answers import FinishReason
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Section, StatedClaim, Statement
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Snapshot
from dissolution.findings import Consensus, EmbeddingStamp, Vectors
from dissolution.job import Job
from dissolution.policy.job_policy import ConsensusPolicy, Policy
from dissolution.ports.models import Embedder, Member
from dissolution.settings import Settings
from fleet.recorded import load_recorded
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply
from triggers.submit import Request, submit
from workers.bootstrap import open_services
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job

DATA = ROOT / "benchmarks" / "data"
FAULTS = ("wrong_asserted", "hedged_promoted", "one_off_standing", "injected")


class Remembering:
    """An embedder that embeds each text once; `seconds` is what the embedding took."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._rows: dict[str, FloatArray] = {}
        self.seconds = 0.0

    @property
    def stamp(self) -> EmbeddingStamp:
        """The inner embedder's."""
        return self._inner.stamp

    def embed(self, texts: "list[str] | tuple[str, ...] | Any") -> Vectors:  # noqa: ANN401 - any sequence
        """Unit rows in the order given."""
        start = time.perf_counter()
        new = sorted(set(texts) - self._rows.keys())
        if new:
            self._rows.update(zip(new, unpack(self._inner.embed(new)), strict=True))
        self.seconds += time.perf_counter() - start
        rows = np.array([self._rows[text] for text in texts], dtype=np.float32)
        return pack(rows.reshape(len(texts), self.stamp.dimension), self.stamp)


@dataclass(frozen=True)
class Arm:
    """One writer's answer to one conversation."""

    writer: str
    family: str
    text: str
    statements: tuple[Statement, ...]


def read_json(path: Path) -> Any:  # noqa: ANN401 - a data file
    return json.loads(path.read_text(encoding="utf-8"))


def conversation_of(name: str) -> Conversation:
    """A planted conversation."""
    return read_file(
        DATA / "planted" / f"{name}.json", ReadingOptions(), key=bytes(32), clock=SystemClock()
    ).conversation


def snapshot_of(conversation: str) -> Snapshot:
    """All of it."""
    return conversation_of(conversation).snapshot()


def arms_of(conversation: str, through: int) -> list[Arm]:
    """The dissolve answers of one conversation, parsed; an unusable answer has no statements."""
    arms: list[Arm] = []
    for path in sorted((DATA / "recordings" / conversation).glob("*.dissolve.json")):
        record = read_json(path)
        parsed = parse_reply(record["answer"], FinishReason.STOP, through=through)
        stated: tuple[StatedClaim, ...] = parsed.claims if parsed.usable else ()
        writer, family = record["writer"], record["family"]
        statements = tuple(
            Statement(member=writer, family=family, ordinal=place, claim=claim) for place, claim in enumerate(stated)
        )
        arms.append(Arm(writer, family, record["answer"], statements))
    return arms


def score(truth: dict[str, Any], claims: "tuple[Claim, ...] | tuple[StatedClaim, ...]") -> dict[str, Any]:
    """The yardstick's figures for these claims as a boundary."""
    yardstick: Any = score_planted  # an untyped script
    figures: dict[str, Any] = yardstick.score(truth, boundary(claims))
    return figures


def boundary(claims: tuple[Claim, ...] | tuple[StatedClaim, ...]) -> dict[str, Any]:
    return {
        "sections": {
            section.value: [{"text": claim.text} for claim in claims if claim.section is section] for section in Section
        }
    }


def run(statements: list[Statement], snapshot: Snapshot, embedder: Embedder, arms: list[Arm]) -> Consensus:
    """The consensus of these statements, under the default policy."""
    answers = {arm.writer: arm.text for arm in arms}
    return build_consensus(statements, snapshot, embedder, ConsensusPolicy(), job="benchmark", answers=answers)


def given(members: tuple[Member, ...]) -> Callable[[Job], tuple[Member, ...]]:
    """The same fleet for every job."""
    return lambda _job: members


def committed(name: str, writers: Sequence[str], embedder: Embedder) -> tuple[Consensus, BoundaryState]:
    """The candidate and what the whole path commits when these writers answer: all stages, no reviewer."""
    folder = DATA / "recordings" / name
    members = tuple(member for member in load_recorded(folder) if member.card.name in writers)
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(db=f"sqlite:///{place}/ledger.sqlite3", embedder=embedder.stamp.model)
        with open_services(settings) as opened:
            services = replace(opened, fleet=given(members), embedder=lambda: embedder)
            request = Request(conversation=conversation_of(name), fleet=f"recorded:{folder}", policy=Policy())
            asked = submit(
                request,
                unit_of_work=services.unit_of_work,
                clock=services.clock,
                queue=NoBell(),
                stages=STAGE_NAMES,
            )
            run_job(services, asked.job.id)
            with services.unit_of_work() as work:
                found = work.boundaries.by_job(asked.job.id)
                stored = {step.stage: step.output for step in work.jobs.steps(asked.job.id)}["consensus"]
    if found is None or stored is None:
        raise SystemExit(f"{name}: the job of {', '.join(writers)} committed nothing")
    return Consensus.model_validate_json(stored), found


@dataclass(frozen=True)
class Outcome:
    """What one fleet committed, beside the best of its writers.

    Attributes:
        arm: Which writers answered, in words.
        candidate: The yardstick's figures of the candidate that the consensus reached.
        figures: Those of what is committed.
        writers: The yardstick's figures of each writer's answer.
        shared: Claims that two families or more state.
        dissent: Dissent by reason.
        lost: What two families or more state and is dissent, with the reason.
    """

    arm: str
    candidate: dict[str, Any]
    figures: dict[str, Any]
    writers: dict[str, dict[str, Any]]
    shared: int
    dissent: Counter[str]
    lost: tuple[str, ...]

    def best(self, key: str) -> float:
        """The best writer's figure."""
        return max(float(one[key] or 0) for one in self.writers.values())

    def reached(self, figures: dict[str, Any]) -> bool:
        """Whether this recalls at least what the best writer does."""
        return float(figures["recall"]) >= self.best("recall")


def outcome(name: str, arms: Sequence[Arm], embedder: Embedder, arm: str) -> Outcome:
    """Run one fleet and score it."""
    truth = read_json(DATA / "planted" / f"{name}.json")["truth"]
    candidate, boundary_state = committed(name, [one.writer for one in arms], embedder)
    lost = [one for one in boundary_state.dissent if len(one.support.families) > 1]
    return Outcome(
        arm=arm,
        candidate=score(truth, candidate.claims),
        figures=score(truth, boundary_state.claims),
        writers={one.writer: score(truth, tuple(said.claim for said in one.statements)) for one in arms},
        shared=sum(len(claim.support.families) > 1 for claim in boundary_state.claims),
        dissent=Counter(one.reason.value for one in boundary_state.dissent),
        lost=tuple(f"{one.reason.value}: {one.text}" for one in lost),
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table, as docs/consensus.md has it."""
    print(f"\n| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def line(name: str, who: str, figures: dict[str, Any], more: str) -> tuple[object, ...]:
    """One line of a table of boundaries."""
    shares = (f"{figures[key] or 0:.3f}" for key in ("recall", "section_recall"))
    return (name, who, *shares, *(figures[key] for key in FAULTS), figures["claims"], figures["words"], more)


HEAD = ("conversation", "arm", "recall", "section recall", "wrong", "hedged as fact", "one-off as rule", "injected",
        "claims", "words", "of two families")  # fmt: skip


def show_whole(results: dict[str, list[Outcome]]) -> None:
    """All writers: what is committed beside every single writer."""
    print("\nCommitted with all writers, beside each single writer's answer:")
    rows: list[Sequence[object]] = []
    for name, found in results.items():
        rows.append(line(name, "candidate", found[0].candidate, "–"))
        rows.append(line(name, "committed", found[0].figures, str(found[0].shared)))
        rows.extend(line(name, writer, figures, "–") for writer, figures in found[0].writers.items())
    table(HEAD, rows)
    dissent = sum((found[0].dissent for found in results.values()), Counter[str]())
    print(f"\nDissent by reason: {', '.join(f'{reason} {count}' for reason, count in sorted(dissent.items()))}.")


def show_withheld(results: dict[str, list[Outcome]]) -> None:
    """Each writer withheld: what is committed beside the best of the rest."""
    print("\nCommitted with one writer withheld (`best`: recall of the best of the rest):")
    head = (*HEAD, "best")
    table(
        head,
        [
            (*line(name, one.arm, one.figures, str(one.shared)), f"{one.best('recall'):.3f}")
            for name, found in results.items()
            for one in found[1:]
        ],
    )


def kinds(results: dict[str, list[Outcome]]) -> dict[str, list[tuple[str, Outcome]]]:
    """Every fleet with its conversation: those of all writers, and those with one withheld where there are any."""
    found = {
        "all writers": [(name, outcomes[0]) for name, outcomes in results.items()],
        "one withheld": [(name, one) for name, outcomes in results.items() for one in outcomes[1:]],
    }
    return {kind: chosen for kind, chosen in found.items() if chosen}


def show_summary(results: dict[str, list[Outcome]]) -> None:
    """What the goals come to, one row a kind of fleet."""
    print("\nWhat recorded fleets commit when nobody reviews:")
    rows: list[Sequence[object]] = []
    for kind, chosen in kinds(results).items():
        fleets = [one for _, one in chosen]
        recall = statistics.fmean(float(one.figures["recall"]) for one in fleets)
        best = statistics.fmean(one.best("recall") for one in fleets)
        reached = sum(one.reached(one.figures) for one in fleets)
        words = statistics.fmean(int(one.figures["words"]) for one in fleets)
        faults = ", ".join(str(sum(int(one.figures[key]) for one in fleets)) for key in FAULTS)
        rows.append((kind, f"{recall:.3f} ({best:.3f})", f"{reached} of {len(fleets)}", f"{words:.0f}", faults))
    wrong = "wrong, hedged as fact, one-off as rule, injected"
    table(("fleets", "recall (best writer)", "at least the best writer", "words", wrong), rows)
    lost = sum(len(one.lost) for chosen in kinds(results).values() for _, one in chosen)
    print(f"\nStated by two families and left out: {lost}.")


def show_short(results: dict[str, list[Outcome]]) -> None:
    """All that falls short of the goals, with the truths that are missed."""
    for kind, chosen in kinds(results).items():
        print(f"\nWhat falls short, {kind}:")
        for name, one in chosen:
            texts = (*one.figures["wrong"], *one.lost)
            if not one.reached(one.figures) or texts:
                missed = ", ".join(one.figures["missed"])
                short = f"recall {one.figures['recall']:.3f} of {one.best('recall'):.3f}, missed {missed}"
                print(f"- {name}, {one.arm}: {short}{''.join(f'; “{text}”' for text in texts)}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="all-MiniLM-L6-v2", choices=("all-MiniLM-L6-v2", "hashing"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--time", action="store_true", help="the time of one job alone")
    parser.add_argument("--labels", action="store_true", help="the grouping of labelled claims alone")
    parser.add_argument("--no-withheld", action="store_true", help="the whole fleets alone")
    parser.add_argument("--rows", action="store_true", help="also each slot, conversation and writer")
    options = parser.parse_args()
    embedder = Remembering(
        HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder(threads=1)
    )
    if options.time:
        timing.show(DATA, snapshot_of, embedder, Remembering(embedder))
        return
    conversations = sorted(path.stem for path in (DATA / "planted").glob("*.json"))
    raw = {name: arms_of(name, snapshot_of(name).through) for name in conversations}
    statements = {name: [said for arm in arms for said in arm.statements] for name, arms in raw.items()}
    labels.show(statements, embedder, table, every=options.rows)
    if options.data:
        print(f"\nGold decisions of real meetings: {labels.gold_decisions(options.data / 'qmsum.jsonl', embedder)}")
    if options.labels:
        return
    results: dict[str, list[Outcome]] = {}
    for name, arms in raw.items():
        usable = [arm for arm in arms if arm.statements]
        results[name] = [outcome(name, usable, embedder, "all")]
        for arm in () if options.no_withheld else usable:
            rest = [other for other in usable if other is not arm]
            results[name].append(outcome(name, rest, embedder, f"less {arm.writer}"))
    show_summary(results)
    if options.rows:
        show_whole(results)
        show_short(results)
        if not options.no_withheld:
            show_withheld(results)
    if options.json:
        told = {name: {one.arm: one.figures for one in found} for name, found in results.items()}
        options.json.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
