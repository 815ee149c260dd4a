"""Part of benchmarks/consensus.py: how the grouping comes out on labelled claims and on the raw answers they are from.

Labelled claims (benchmarks/data/labels) stand alone; each names the words of the answer it is from, so that the
grouping of raw sentences can be held against the same labels. Two sentences share a meaning when they hold claims of
one labelled group; a hard negative is merged when its sentences share a group and no meaning, an opposed pair when they
share a group.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import BoolMatrix, Matrix, cosine_matrix, unpack
from consensus.evidence.finding import Ground
from consensus.grouping.cluster import Groups, average_linkage
from consensus.grouping.contained import says_part_of
from consensus.grouping.sentences import points
from consensus.grouping.shared_groups import grouped, kept_apart
from consensus.wording.distance import joint_distances
from consensus.wording.profile import Profile, profile_of
from consensus.wording.typed_floor import SLOTS, Slot
from dissolution.claims import Statement
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.ports.models import Embedder

LABELS = Path(__file__).resolve().parent / "data" / "labels"
NO_CUT = 9.0
Table = Callable[[Sequence[str], Iterable[Sequence[object]]], None]


@dataclass(frozen=True)
class Set:
    """One label file with all that grouping needs, of the claims or of the raw sentences they are from.

    Attributes:
        profiles: The texts.
        members: Who said each.
        families: The family of each.
        distances: Joint distances.
        cosines: Embedding cosines.
        same: Pairs of one meaning.
        opposed: Pairs that cannot both hold.
        near: Hard negatives.
    """

    profiles: Sequence[Profile]
    members: Sequence[str]
    families: Sequence[str]
    distances: Matrix
    cosines: Matrix
    same: BoolMatrix
    opposed: Sequence[tuple[int, int]]
    near: Sequence[tuple[int, int]]


def together(groups: Iterable[Sequence[int]], n: int) -> BoolMatrix:
    """Which of n rows share a group."""
    label = np.full(n, -1, dtype=np.int64)
    for number, group in enumerate(groups):
        label[list(group)] = number
    return (label[:, None] == label[None, :]) & (label[:, None] >= 0)


def atomic(found: Mapping[str, Any], embedder: Embedder) -> Set:
    """The labelled claims themselves."""
    claims, place = found["claims"], {claim["id"]: row for row, claim in enumerate(found["claims"])}
    texts = [claim["text"] for claim in claims]
    profiles, rows = [profile_of(text) for text in texts], unpack(embedder.embed(texts))
    return Set(
        profiles=profiles,
        members=[claim["writer"] for claim in claims],
        families=[claim["family"] for claim in claims],
        distances=joint_distances(profiles, rows),
        cosines=cosine_matrix(rows),
        same=together([[place[one] for one in group["claims"]] for group in found["groups"]], len(claims)),
        opposed=[(place[pair["a"]], place[pair["b"]]) for pair in found["contradictions"]],
        near=[(place[pair["a"]], place[pair["b"]]) for pair in found["near"]],
    )


def raw(found: Mapping[str, Any], statements: Sequence[Statement], embedder: Embedder) -> Set:
    """The sentences of the answers, with what the labels say of the claims they hold."""
    said = [point for statement in statements for point in points(statement)]
    bare = [_bare(point.text) for point in said]
    home: dict[str, int] = {}
    for claim in found["claims"]:
        quote = _bare(claim["quote"])
        own = [
            row for row, point in enumerate(said) if point.statement.member == claim["writer"] and quote in bare[row]
        ]
        if own:
            home[claim["id"]] = own[0]
    same = np.zeros((len(said), len(said)), dtype=np.bool_)
    for group in found["groups"]:
        rows_of = sorted({home[one] for one in group["claims"] if one in home})
        same[np.ix_(rows_of, rows_of)] = True

    def pairs(kind: str) -> list[tuple[int, int]]:
        known = [(home[pair["a"]], home[pair["b"]]) for pair in found[kind] if {pair["a"], pair["b"]} <= home.keys()]
        return [(a, b) for a, b in known if a != b]

    texts = [point.text for point in said]
    profiles, vectors = [profile_of(text) for text in texts], unpack(embedder.embed(texts))
    return Set(
        profiles=profiles,
        members=[point.statement.member for point in said],
        families=[point.statement.family for point in said],
        distances=joint_distances(profiles, vectors),
        cosines=cosine_matrix(vectors),
        same=same,
        opposed=pairs("contradictions"),
        near=[(a, b) for a, b in pairs("near") if not same[a, b]],
    )


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.casefold()).strip()


Method = Callable[[Set, float], Groups]


def ours(one: Set, cut: float, slots: Iterable[Slot] = SLOTS) -> Groups:
    """The product's grouping."""
    return grouped(one.distances, one.profiles, one.members, cut, slots)


def _hdbscan(one: Set, cut: float) -> Groups:
    """HDBSCAN with what makes full agreement one group: a single cluster may be chosen, none is split below the cut.

    Groups that hold a forbidden pair are taken apart by average linkage; each noise point is a group of its own.
    """
    import hdbscan

    apart = kept_apart(one.distances, one.profiles, one.members, NO_CUT)
    library: Any = hdbscan  # the library is untyped
    settings = {"min_cluster_size": 2, "min_samples": 1, "allow_single_cluster": True, "cluster_selection_epsilon": cut}
    labels: list[int] = library.HDBSCAN(metric="precomputed", **settings).fit_predict(one.distances).tolist()
    groups: dict[int, list[int]] = {}
    for row, label in enumerate(labels):
        groups.setdefault(label if label >= 0 else -1 - row, []).append(row)
    parted: list[tuple[int, ...]] = []
    for rows in groups.values():
        inside = np.ix_(rows, rows)
        parts = average_linkage(one.distances[inside], apart[inside], float(np.finfo(np.float64).max))
        parted.extend(tuple(rows[place] for place in part) for part in parts)
    return tuple(sorted(parted))


def _average(one: Set, cut: float) -> Groups:
    return average_linkage(one.distances, kept_apart(one.distances, one.profiles, one.members, NO_CUT), cut)


def _alone(one: Set, cut: float) -> Groups:
    """Linkage by distance alone: no floor, no choice of members."""
    return average_linkage(one.distances, np.zeros_like(one.same), cut)


def measured(sets: Sequence[Set], method: Method, cut: float) -> tuple[object, ...]:
    """Precision and recall of pairs, share of claims of two families known as such, opposed and near pairs merged."""
    both = said = true = known = shared = opposed = near = 0
    for one in sets:
        found = together(method(one, cut), len(one.profiles))
        upper = np.triu_indices(len(one.profiles), 1)
        both, said, true = (
            total + int(pairs[upper].sum())
            for total, pairs in ((both, found & one.same), (said, found), (true, one.same))
        )
        known += _of_two_families(one, found & one.same)
        shared += _of_two_families(one, one.same)
        opposed += sum(bool(found[a, b]) for a, b in one.opposed)
        near += sum(bool(found[a, b]) for a, b in one.near)
    return f"{both / max(1, said):.3f}", f"{both / max(1, true):.3f}", f"{known / max(1, shared):.3f}", opposed, near


def _of_two_families(one: Set, pairs: BoolMatrix) -> int:
    families = np.array(one.families, dtype=object)
    return sum(len(set(families[row].tolist())) > 1 for row in pairs)


def contained(sets: Sequence[Set], least: float) -> str:
    """What taking in what is contained does to labelled pairs."""
    counts = {"one meaning": 0, "opposed": 0, "hard negatives": 0, "other": 0}
    for one in sets:
        near, opposed = ({frozenset(pair) for pair in pairs} for pairs in (one.near, one.opposed))
        for left, right in np.argwhere(one.cosines >= least).tolist():
            if left == right or not says_part_of(one.profiles[left], one.profiles[right]):
                continue
            pair = frozenset((left, right))
            kind = "opposed" if pair in opposed else "hard negatives" if pair in near else "other"
            counts["one meaning" if one.same[left, right] else kind] += 1
    return ", ".join(f"{kind} {count}" for kind, count in counts.items())


SHOWN = frozenset(
    {"ours", "ours without the floor", "average linkage, same floor", "hdbscan, same floor", "ours, cut 0.38"}
)
"""The groupings that docs/consensus.md shows."""


def show(statements: Mapping[str, Sequence[Statement]], embedder: Embedder, table: Table, *, every: bool) -> None:
    """Print how claims group; with `every` also each slot, each cut, raw sentences, and what is taken in."""
    files: list[dict[str, Any]] = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(LABELS.glob("*.json"))
    ]
    calibration = calibration_for(embedder.stamp.model)
    cut = calibration.one_claim
    claims = [atomic(one, embedder) for one in files]
    head = ("grouping", "precision", "recall", "known of two families", "opposed merged", "near merged")
    opposed, near = sum(len(one.opposed) for one in claims), sum(len(one.near) for one in claims)
    print(f"\nLabelled claims, by {embedder.stamp.model}: {opposed} opposed pairs, {near} hard negatives.")
    methods: dict[str, tuple[Method, float]] = {
        "ours": (ours, cut),
        **{
            f"ours without {slot.value}": (lambda one, at, slot=slot: ours(one, at, SLOTS - {slot}), cut)
            for slot in Slot
        },
        "ours without the floor": (lambda one, at: ours(one, at, ()), cut),
        "average linkage, same floor": (_average, cut),
        "hdbscan, same floor": (_hdbscan, cut),
        "linkage by distance alone": (_alone, cut),
        "ours, cut 0.10": (ours, 0.10),
        "ours, cut 0.20": (ours, 0.20),
        "ours, cut 0.30": (ours, 0.30),
        "ours, cut 0.38": (ours, 0.38),
        "0.38 without the floor": (lambda one, at: ours(one, at, ()), 0.38),
    }
    methods = {name: method for name, method in methods.items() if every or name in SHOWN}
    table(head, [(name, *measured(claims, method, at)) for name, (method, at) in methods.items()])
    if not every:
        return
    answers = [raw(one, statements[one["conversation"]], embedder) for one in files]
    opposed, near = sum(len(one.opposed) for one in answers), sum(len(one.near) for one in answers)
    print(f"\nSentences of the raw answers: {opposed} opposed pairs, {near} hard negatives without a shared meaning.")
    rows = ((name, *measured(answers, method, at)) for name, (method, at) in methods.items() if name.startswith("ours"))
    table(head, list(rows))
    print(f"\nTaken in as contained: {contained(claims, calibration.contained_cosine)}.")


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
