"""Parts of benchmarks/consensus.py: other ways of grouping, labelled faults, gold decisions, and intervals."""

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from consensus.build import build_consensus
from consensus.calibration import calibration_for
from consensus.cluster import AverageLinkage, Groups, Hdbscan, average_linkage
from consensus.distance import joint_distances
from consensus.evidence import Ground
from consensus.grouping import group_under_guards
from consensus.guards import GUARDS
from consensus.profile import Profile, profile_of
from consensus.vectors import BoolMatrix, FloatArray, Matrix, cosine_matrix, unpack
from consensus.voices import OneVoice
from dissolution.claims import FIRM_SECTIONS, Section, StatedClaim, Statement
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Embedder
from stability.experiments.grouping import GREEDY_COSINE, TFIDF_COSINE, greedy, pairs_of, tfidf

PLAIN_CUT = 0.30  # average linkage on embedding distance alone
HDBSCAN_EPSILON = 0.38  # the same distance at which average linkage stops
NO_SIZE = 100.0  # a boundary may have so many times the longest answer's words: nothing is left out for its size
RESAMPLES = 2000
SEED = 7

Method = Callable[[Sequence[Profile], FloatArray, Matrix, float, Sequence[str]], Groups]


def no_guards(distances: Matrix, cut: float) -> Groups:
    """Average linkage without forbidden pairs."""
    return average_linkage(distances, _nothing(distances), cut)


def methods() -> dict[str, Method]:
    """Ways of grouping by name: ours, ours with one part taken away, and the baselines.

    Each takes profiles, embeddings, joint distances, the calibrated cut and who said each claim.
    """
    found: dict[str, Method] = {
        "ours": lambda p, _r, d, cut, who: group_under_guards(OneVoice(AverageLinkage(cut), who), d, p),
        "without one voice each": lambda p, _r, d, cut, _w: group_under_guards(AverageLinkage(cut), d, p),
        "hdbscan + guards": lambda p, _r, d, _c, _w: group_under_guards(Hdbscan(HDBSCAN_EPSILON), d, p),
        "hdbscan, like ours": lambda p, _r, d, _c, who: group_under_guards(
            OneVoice(Hdbscan(HDBSCAN_EPSILON), who), d, p
        ),
        "no guards": lambda _p, _r, d, cut, who: OneVoice(AverageLinkage(cut), who).group(d, _nothing(d)),
        "hdbscan, cosine": lambda _p, r, _d, _c, _w: Hdbscan(PLAIN_CUT).group(_plain(r), _nothing(_plain(r))),
        "linkage, cosine": lambda _p, r, _d, _c, _w: no_guards(_plain(r), PLAIN_CUT),
        "greedy cosine 0.85": lambda _p, r, _d, _c, _w: greedy(cosine_matrix(r), GREEDY_COSINE),
        "TF-IDF 0.20": lambda p, _r, _d, _c, _w: greedy(tfidf([one.text for one in p]), TFIDF_COSINE),
    }
    for guard in GUARDS:
        rest = tuple(other for other in GUARDS if other is not guard)
        found[f"without {guard.__name__.strip('_')}"] = _less(rest)
    return found


def _less(rest: Sequence[Any]) -> Method:
    return lambda p, _r, d, cut, who: group_under_guards(OneVoice(AverageLinkage(cut), who), d, p, rest)


def _nothing(distances: Matrix) -> BoolMatrix:
    return np.zeros(distances.shape, dtype=np.bool_)


def _plain(rows: FloatArray) -> Matrix:
    distances = np.clip(1 - cosine_matrix(rows), 0.0, 2.0)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0.0)
    return distances


def compare_methods(labels: Mapping[str, Any], embedder: Embedder) -> dict[str, dict[str, float]]:
    """Pair F1, opposed pairs merged, and groups that hold one, of every method on one label file."""
    place = {claim["id"]: row for row, claim in enumerate(labels["claims"])}
    profiles = [profile_of(claim["text"]) for claim in labels["claims"]]
    rows = unpack(embedder.embed([profile.text for profile in profiles]))
    distances = joint_distances(profiles, rows)
    cut = calibration_for(embedder.stamp.model).same_claim
    truth = pairs_of([[place[name] for name in group["claims"]] for group in labels["groups"]])
    opposed = [(place[pair["a"]], place[pair["b"]]) for pair in labels["contradictions"]]
    found: dict[str, dict[str, float]] = {}
    for name, method in methods().items():
        groups = method(profiles, rows, distances, cut, [claim["writer"] for claim in labels["claims"]])
        said = pairs_of(groups)
        home = {row: number for number, group in enumerate(groups) for row in group}
        merged = [home[a] for a, b in opposed if home[a] == home[b]]
        both = len(truth & said)
        found[name] = {
            "precision": both / max(1, len(said)),
            "recall": both / max(1, len(truth)),
            "f1": 2 * both / max(1, len(said) + len(truth)),
            "merged": len(merged),
            "mixed": len(set(merged)),
        }
    return found


def _as_said(text: str) -> str:
    return text


def _loud(text: str) -> str:
    """The same words in another case and with other marks at the end."""
    return f"{text[:1].lower()}{text[1:].rstrip('.')}!"


def _introduced(text: str) -> str:
    """The same said with a word before it that adds nothing."""
    return f"Note: {text}"


@dataclass(frozen=True)
class Copying:
    """One way in which other families come to state a writer's faults.

    Attributes:
        families: How many further families state them.
        each_writer: Whether every writer is copied by a member of its own; else one member of a family copies all.
        whole: Whether all that a faulty writer states is copied, not the faults alone.
        reword: What a copy makes of the words.
    """

    families: int = 1
    each_writer: bool = True
    whole: bool = False
    reword: Callable[[str], str] = _as_said


COPYING: Mapping[str, Copying | None] = {
    "as said": None,
    "copied, a member a writer": Copying(),
    "copied, one member for all": Copying(each_writer=False),
    "copied with the whole answer": Copying(whole=True),
    "copied in other case and marks": Copying(each_writer=False, reword=_loud),
    "copied with a word before": Copying(reword=_introduced),
    "copied into two families": Copying(families=2, each_writer=False),
}
"""The ways of copying by name. However it is done, evidence must outrank the votes."""


def faults(
    labels: Mapping[str, Any],
    snapshot: Snapshot,
    embedder: Embedder,
    copying: Copying | None,
    policy: ConsensusPolicy | None = None,
) -> dict[str, Any]:
    """Labelled faults other than `vague` that stand in KNOWN, DECIDED or IDENTITY.

    Args:
        labels: One label file; its claims are the statements.
        snapshot: The conversation.
        embedder: Meaning as vectors.
        copying: How other families state each fault too; None where only its writer does.
        policy: The default one when None.
    """
    claims = {claim["id"]: claim for claim in labels["claims"]}
    real = [fault for fault in labels["faults"] if fault["kind"] != "vague"]
    said = [(claim["writer"], claim["family"], claim["section"], claim["text"]) for claim in labels["claims"]]
    faulty = [claims[name] for name in dict.fromkeys(fault["claim"] for fault in real)]
    if copying is not None:
        said += _copies(labels["claims"], faulty, copying)
    counts: Counter[str] = Counter()
    statements: list[Statement] = []
    for member, family, section, text in said:
        stated = StatedClaim(section=Section(section), text=text)
        statements.append(Statement(member=member, family=family, ordinal=counts[member], claim=stated))
        counts[member] += 1
    result = build_consensus(statements, snapshot, embedder, policy or ConsensusPolicy(), job="faults", answers={})
    reword = _as_said if copying is None else copying.reword
    firm = [claim.text for claim in result.claims if claim.section in FIRM_SECTIONS]
    standing = [claim for claim in faulty if any(_is_said(claim["text"], reword, text) for text in firm)]
    kinds = {fault["claim"]: fault["kind"] for fault in real}
    return {
        "faults": len(faulty),
        "standing": len(standing),
        "texts": [f"{kinds[claim['id']]}: {claim['text']}" for claim in standing],
    }


def _is_said(fault: str, reword: Callable[[str], str], text: str) -> bool:
    return fault in text or reword(fault) in text


def _copies(
    claims: Sequence[Mapping[str, Any]], faulty: Sequence[Mapping[str, Any]], copying: Copying
) -> list[tuple[str, str, str, str]]:
    """Member, family, section and words of each copy; the families are none of those that are there already."""
    writers = {claim["writer"] for claim in faulty}
    copied = [claim for claim in claims if claim["writer"] in writers] if copying.whole else faulty
    return [
        (f"copy {n} of {claim['writer'] if copying.each_writer else 'all'}", f"copying {n}", claim["section"],
         copying.reword(claim["text"]))
        for n in range(copying.families)
        for claim in copied
    ]  # fmt: skip


def gold_decisions(path: Path, embedder: Embedder) -> dict[str, float]:
    """Share of gold decisions whose best stretch, or one of the best three, lies in their evidence turns.

    Args:
        path: qmsum.jsonl of the public set QMSum with the gold decisions of AMI.
        embedder: Meaning as vectors.
    """
    first, three, total = 0, 0, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        meeting: dict[str, Any] = json.loads(line)
        gold: list[dict[str, Any]] = meeting["gold"].get("decisions") or []
        decisions = [one for one in gold if one["evidence_turns"]]
        if not decisions:
            continue
        ground = Ground(_meeting(meeting))
        texts: list[str] = [one["text"] for one in decisions]
        rows, ground_rows = unpack(embedder.embed(texts)), unpack(embedder.embed(ground.texts()))
        profiles = [profile_of(text) for text in texts]
        scores = ground.scores(profiles, rows, ground_rows, calibration_for(embedder.stamp.model))
        for row, one in enumerate(decisions):
            turns = [ground.stretches[place].turn in one["evidence_turns"] for place in scores.best(row, 3)]
            first, three, total = first + turns[0], three + any(turns), total + 1
    return {"decisions": total, "top": first / max(1, total), "top3": three / max(1, total)}


def _meeting(meeting: Mapping[str, Any]) -> Snapshot:
    turns = tuple(
        Turn(
            number=turn["turn"],
            role=Role.PARTICIPANT,
            speaker=turn["speaker"],
            content=turn["content"],
            recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for turn in meeting["turns"]
    )
    return Snapshot(conversation=meeting["id"], turns=turns)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean over conversations (Efron 1979), with a fixed seed."""
    draw = random.Random(SEED)  # noqa: S311 - resampling, not a secret
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]
