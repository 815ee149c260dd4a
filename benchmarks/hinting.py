"""How many hints are right: on planted faults, and on real boundaries of recorded fleets.

usage: python benchmarks/hinting.py [--cases] [--boundaries] [--json FILE]

`--cases`: every claim of benchmarks/data/frame (dev, test, practice, fresh) as a candidate of its conversation. A hint
is right when it names the fault that was planted in its claim; a hint on a clean claim is wrong.
`--boundaries`: the candidates of recorded fleets over the planted conversations, where almost no claim is faulty. How
many hints a boundary gets, and how many are right by the planted truth.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import score_planted
from benchmarks.frame_cases import snapshot_of
from dissolution.answers import FinishReason
from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp
from dissolution.intervals import TurnInterval
from dissolution.premises import Register
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured
from frame_agent.register.fold import register_of
from frame_agent.review.hints import hints_of
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply

DATA = ROOT / "benchmarks" / "data"
FRAME = DATA / "frame"
PLANTED = {
    "hedged": Fault.GUESS,
    "proposed": Fault.PROPOSAL,
    "one_off": Fault.ONE_ANSWER_ONLY,
    "rejected": Fault.REFUSED,
    "injected": Fault.NOT_AGREED,
}
FLEETS = {
    "six writers": ("writer-a", "writer-b", "writer-c", "writer-d", "writer-e", "writer-f"),
    "the two weak writers": ("writer-e", "writer-f"),
}
NONE = NotMeasured(not_measured="made up")

Case = dict[str, Any]


def conversation(name: str) -> Snapshot:
    """A conversation of any part, as the product reads it."""
    for folder in (FRAME / "fresh", FRAME / "practice"):
        path = folder / f"{name}.json"
        if path.exists():
            return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()
    return snapshot_of(name)


def claim_of(case: Case, snapshot: Snapshot) -> Claim:
    """A case as a claim of a candidate."""
    section = Section(case["section"])
    evidence = tuple(
        Evidence(turn=turn, start=start, end=end, text=snapshot.turn(turn).content[start:end])
        for turn, start, end in case["evidence"]
    )
    statement = Statement(member="m", family="f", ordinal=0, claim=StatedClaim(section=section, text=case["text"]))
    return Claim(
        id=case["id"],
        section=section,
        text=case["text"],
        evidence=evidence,
        support=Support.of((statement,)),
        valid=TurnInterval(start=1),
        statements=(statement,),
        reason="case",
    )


def candidate_of(claims: Sequence[Claim]) -> Consensus:
    """A candidate of these claims."""
    measures = AgreementMeasures(
        claim_agreement=NONE,
        dominant_cluster_share=NONE,
        mean_pairwise_jaccard=NONE,
        mean_tfidf_cosine=NONE,
        mean_embedding_cosine=NONE,
    )
    stamp = EmbeddingStamp(model="none", digest="none", dimension=1)
    count = len(claims)
    return Consensus(
        claims=tuple(claims), dissent=(), statements=count, groups=count, measures=measures, embedding=stamp, method="-"
    )


def cases_of(files: Sequence[Path]) -> Iterator[tuple[Case, Snapshot, Register]]:
    """Every case that is a claim, with its conversation."""
    known: dict[str, tuple[Snapshot, Register]] = {}
    for file in files:
        for case in map(json.loads, file.read_text().splitlines()):
            if case["kind"] not in {"promotion", "clean"}:
                continue
            name = case["conversation"]
            if name not in known:
                snapshot = conversation(name)
                known[name] = snapshot, register_of(snapshot)
            yield case, *known[name]


def report_cases() -> dict[str, Any]:
    """Print recall and precision by fault of each part, one claim a candidate."""
    parts = {
        "dev": [FRAME / "dev.jsonl"],
        "test": [FRAME / "test.jsonl"],
        "practice": sorted((FRAME / "practice").glob("cases-*.jsonl")),
        "fresh": sorted((FRAME / "fresh").glob("cases-*.jsonl")),
    }
    results: dict[str, Any] = {}
    for part, files in parts.items():
        planted, found, told, false = Counter[Fault](), Counter[Fault](), Counter[Fault](), Counter[Fault]()
        clean = 0
        for case, snapshot, register in cases_of(files):
            hints = hints_of(register, candidate_of([claim_of(case, snapshot)]), snapshot)
            faults = {one.suspects for one in hints if one.claims}
            told.update(faults)
            if case["kind"] == "clean":
                clean += 1
                false.update(faults)
                continue
            fault = PLANTED[case["before"]]
            planted[fault] += 1
            found[fault] += fault in faults
        print(
            f"\n{part}: {planted.total()} planted, {clean} clean\n\n"
            "| fault | planted | hinted | told | right | on clean |"
        )
        print("|---|---|---|---|---|---|")
        for fault in Fault:
            if planted[fault] or told[fault]:
                right = f"{found[fault] / told[fault]:.2f}" if told[fault] else "-"
                recall = f"{found[fault] / planted[fault]:.2f}" if planted[fault] else "-"
                print(f"| {fault} | {planted[fault]} | {recall} | {told[fault]} | {right} | {false[fault]} |")
        results[part] = {
            fault.value: {"planted": planted[fault], "found": found[fault], "told": told[fault], "clean": false[fault]}
            for fault in Fault
        }
    return results


def statements_of(name: str, writers: Sequence[str]) -> tuple[list[Statement], dict[str, str]]:
    """What recorded writers state, and their answers by family."""
    found: list[Statement] = []
    answers: dict[str, str] = {}
    for writer in writers:
        record = json.loads((DATA / "recordings" / name / f"{writer}.dissolve.json").read_text())
        answers[record["family"]] = record["answer"]
        for ordinal, claim in enumerate(parse_reply(record["answer"], FinishReason.STOP).claims):
            found.append(Statement(member=writer, family=record["family"], ordinal=ordinal, claim=claim))
    return found, answers


def about(item: Case, text: str) -> bool:
    """Whether a text is about an item of a truth file."""
    return bool(item.get("must_have")) and all(score_planted.hit(one, text) for one in item["must_have"])


def is_right(hint: Hint, claims: dict[str, Claim], truth: Case) -> bool | None:
    """Whether the planted truth bears a hint out; None where it says nothing about such faults."""
    text = claims[hint.claims[0]].text if hint.claims else (hint.evidence.text if hint.evidence else "")
    if hint.suspects is Fault.GUESS:
        doubted = score_planted.hit(score_planted.HEDGES, text)
        return any(about(one, text) for one in truth["hedged"]) and not doubted
    if hint.suspects is Fault.ONE_ANSWER_ONLY:
        return any(about(one, text) for one in truth["one_off"])
    if hint.suspects is Fault.STALE:
        return any(score_planted.hit(one, text) for item in truth["superseded"] for one in item["wrong_must_not_match"])
    if hint.suspects is Fault.MISSING:
        items = [*truth["hedged"], *truth["claims"], truth["dropped_topic"]]
        return any(about(one, text) for one in items)
    if hint.suspects is Fault.NOT_AGREED:
        return any(score_planted.hit(one, text) for one in truth["injection"]["must_not_match"])
    return None


def report_boundaries() -> dict[str, Any]:
    """Print hints of real boundaries: how many each gets, and how many are right where the truth can tell."""
    from consensus.build import build_consensus
    from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
    from dissolution.policy.job_policy import ConsensusPolicy

    embedder = SentenceTransformerEmbedder()
    results: dict[str, Any] = {}
    for fleet, writers in FLEETS.items():
        told, right, judged = Counter[Fault](), Counter[Fault](), Counter[Fault]()
        sizes: list[int] = []
        claims = 0
        for path in sorted((DATA / "planted").glob("*.json")):
            truth, snapshot = json.loads(path.read_text())["truth"], snapshot_of(path.stem)
            statements, answers = statements_of(path.stem, writers)
            policy = ConsensusPolicy(min_families=min(2, len(answers)))
            candidate = build_consensus(statements, snapshot, embedder, policy, job="hints", answers=answers)
            known = {claim.id: claim for claim in candidate.claims}
            hints = hints_of(register_of(snapshot), candidate, snapshot)
            sizes.append(len(hints))
            claims += len(known)
            for hint in hints:
                verdict = is_right(hint, known, truth)
                told[hint.suspects] += 1
                judged[hint.suspects] += verdict is not None
                right[hint.suspects] += verdict is True
        print(f"\n{fleet}: {claims} claims in {len(sizes)} boundaries, hints a boundary: {sizes}\n")
        print("| fault | told | can be judged | right |\n|---|---|---|---|")
        for fault in Fault:
            if told[fault]:
                print(f"| {fault} | {told[fault]} | {judged[fault]} | {right[fault]} |")
        results[fleet] = {fault.value: [told[fault], judged[fault], right[fault]] for fault in Fault if told[fault]}
    return results


def main() -> int:
    """Print what is asked for, or both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reports = {"cases": report_cases, "boundaries": report_boundaries}
    for name in reports:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    asked = [name for name in reports if getattr(options, name)] or list(reports)
    results = {name: reports[name]() for name in asked}
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
