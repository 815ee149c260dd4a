"""From what every member states to one candidate boundary: read `build_consensus` from the top."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from consensus import agreement
from consensus.adjudication import adjudicated, group_with_links, links
from consensus.calibration import Calibration, calibration_for
from consensus.cluster import AverageLinkage
from consensus.concepts import Worth, lead
from consensus.distance import joint_distances
from consensus.draft import Draft, each_once
from consensus.evidence import Ground, Scores
from consensus.injected import Planted, as_dissent, sift
from consensus.points import Point, points
from consensus.profile import Profile, profile_of
from consensus.representative import choose
from consensus.section_vote import vote
from consensus.settle import Shape, settle
from consensus.spans import spoken_texts
from consensus.vectors import FloatArray, Matrix, unpack
from consensus.voices import OneVoice
from dissolution.claims import Section, Statement
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPolicy
from dissolution.findings import Consensus
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Adjudicator, Embedder

SPOKEN_ONLY = frozenset({Section.DECIDED, Section.IDENTITY})
"""Sections in which pasted and tool text proves nothing: it instructs nobody (rule 8)."""


def build_consensus(
    statements: Sequence[Statement],
    snapshot: Snapshot,
    embedder: Embedder,
    policy: ConsensusPolicy,
    *,
    job: str,
    answers: Mapping[str, str],
    adjudicator: Adjudicator | None = None,
) -> Consensus:
    """The consensus of all statements about one snapshot, with everything that did not enter it.

    The result is the same for any order and any names of the members, but for the names.

    Args:
        statements: Every statement of every usable answer; may be empty.
        snapshot: What they are about.
        embedder: Meaning as vectors.
        policy: The thresholds of this job.
        job: The job's id; claim ids are derived from it.
        answers: Raw text by member, for the measures over whole answers.
        adjudicator: Who is asked about pairs that rules cannot tell; nobody is when None.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
        InvalidPolicy: The policy sets a distance for another embedder.
        ModelAssetError: The embedder's weights are missing.
    """
    calibration = calibration_for(embedder.stamp.model)
    cut = _cut(policy, embedder, calibration)
    ground = Ground(snapshot)
    heard = _hear(statements, ground, embedder, calibration, policy)
    ordered, profiles, rows, scores = heard.points, heard.profiles, heard.rows, heard.scores
    said = [point.statement for point in ordered]
    members = [statement.member for statement in said]
    grouping = OneVoice(AverageLinkage(cut), members)
    worth = Worth(heard.statements, spoken_texts(ground.stretches))  # pasted text changes nothing that people weigh
    first = lead(heard.statements, worth)
    distances = joint_distances(profiles, rows)
    adjudication = adjudicated(adjudicator, profiles, distances, cut, most=policy.adjudicated_pairs, members=members)
    same = calibration.same_claim
    linked = links(adjudication)
    groups, distances = group_with_links(grouping, distances, profiles, linked, apart=same)
    drafts = [
        _draft(group, points=ordered, profiles=profiles, distances=distances, scores=scores, policy=policy, lead=first)
        for group in groups
    ]
    shape = Shape(first, worth, _parted(ordered), _most_words(heard.statements, policy))
    claims, dissent = settle(
        drafts, distances, ground, policy, calibration, job=job, shape=shape, opposed=linked.opposed
    )
    return Consensus(
        claims=claims,
        dissent=(*dissent, *as_dissent(heard.planted, job)),
        statements=len(statements),
        groups=len(groups),
        measures=agreement.measure(answers, said, rows, [[said[row] for row in group] for group in groups]),
        embedding=embedder.stamp,
        method=grouping.name,
        adjudication=adjudication,
    )


@dataclass(frozen=True, slots=True)
class _Heard:
    """What members state, without what comes from quoted material alone.

    Attributes:
        statements: The statements that count.
        points: Their points, in canonical order.
        profiles: The profile of each point.
        rows: (n, dim) float32, the points' unit rows.
        scores: The points against the snapshot.
        planted: The statements that do not count, with where they come from.
    """

    statements: Sequence[Statement]
    points: Sequence[Point]
    profiles: Sequence[Profile]
    rows: FloatArray
    scores: Scores
    planted: Sequence[tuple[Statement, Planted]]


def _hear(
    statements: Sequence[Statement],
    ground: Ground,
    embedder: Embedder,
    calibration: Calibration,
    policy: ConsensusPolicy,
) -> _Heard:
    """Take the statements apart, hold them against the snapshot, and sift out what quoted material alone says."""
    ordered = sorted((point for statement in statements for point in points(statement)), key=_canonical)
    profiles = [profile_of(point.text) for point in ordered]
    rows, ground_rows = _embed(embedder, [profile.text for profile in profiles], ground.texts())
    scores = ground.scores(profiles, rows, ground_rows, calibration)
    planted = sift(ordered, profiles, ground, scores, policy.evidence_floor)
    if planted:
        kept = [row for row, point in enumerate(ordered) if point.statement.key not in planted]
        ordered, profiles, rows = [ordered[row] for row in kept], [profiles[row] for row in kept], rows[kept]
        scores = ground.scores(profiles, rows, ground_rows, calibration)
    counted = [statement for statement in statements if statement.key not in planted]
    return _Heard(counted, ordered, profiles, rows, scores, tuple(planted.values()))


def _cut(policy: ConsensusPolicy, embedder: Embedder, calibration: Calibration) -> float:
    """The distance up to which claims are the same. Raises InvalidPolicy when it was set for another embedder."""
    if policy.distance_threshold is None:
        return calibration.same_claim
    if policy.embedder != embedder.stamp.model:
        raise InvalidPolicy(
            f"consensus.distance_threshold {policy.distance_threshold!r} is for embedder {policy.embedder!r}",
            f"this job embeds with {embedder.stamp.model!r}; leave the threshold out or name that embedder",
        )
    return policy.distance_threshold


def _canonical(point: Point) -> tuple[str, str, tuple[int, ...], tuple[str, ...], str, str, str, str, int]:
    """An order in which the members' names decide only between points that are equal in all else."""
    said, claim = point.statement, point.statement.claim
    content = (point.text, claim.section.value, claim.turns, claim.quotes, point.carried.value, claim.text)
    return (*content, said.family, said.member, said.ordinal)


def _parted(ordered: Sequence[Point]) -> dict[str, list[Point]]:
    """The points of each statement that was taken apart, in order, by statement key."""
    found: dict[str, list[Point]] = {}
    for point in ordered:
        if point.text != point.statement.claim.text:
            found.setdefault(point.statement.key, []).append(point)
    return {key: sorted(parts, key=lambda point: point.start) for key, parts in found.items()}


def _most_words(statements: Sequence[Statement], policy: ConsensusPolicy) -> float:
    """How many words the boundary may have: a ratio of the longest answer, or the floor."""
    words: Counter[str] = Counter()
    for statement in statements:
        words[statement.member] += len(statement.claim.text.split())
    return max(float(policy.size_floor_words), policy.size_ratio * max(words.values(), default=0))


def _embed(embedder: Embedder, claims: list[str], stretches: list[str]) -> tuple[FloatArray, FloatArray]:
    """Unit rows of claims and stretches, in one call: the embedder sorts by length."""
    rows = unpack(embedder.embed([*claims, *stretches]))
    return rows[: len(claims)], rows[len(claims) :]


def _draft(
    group: tuple[int, ...],
    *,
    points: Sequence[Point],
    profiles: Sequence[Profile],
    distances: Matrix,
    scores: Scores,
    policy: ConsensusPolicy,
    lead: str | None,
) -> Draft:
    """One group of points with its representative, section and evidence.

    Args:
        group: Rows of its points.
        points: The point of each row.
        profiles: The profile of each row.
        distances: Joint distances between all rows.
        scores: All rows against the snapshot.
        policy: The evidence floor.
        lead: The member whose words are preferred.
    """
    said = [points[row].statement for row in group]
    floor = policy.evidence_floor
    grounds = [scores.ground(row, points[row].statement.claim, floor=floor, spoken_only=False) for row in group]
    grounded = [ground.score for ground in grounds]
    place = choose(said, [profiles[row] for row in group], grounded, distances[np.ix_(group, group)], lead)
    chosen = group[place]
    voted = vote(said, profiles[chosen], points[chosen].statement.claim.section)
    grounding = grounds[place]
    if voted.section in SPOKEN_ONLY:
        grounding = scores.ground(chosen, points[chosen].statement.claim, floor=floor, spoken_only=True)
    return Draft(
        rows=group,
        texts=tuple(sorted({profiles[row].text for row in group})),
        statements=each_once(said),
        chosen=chosen,
        profile=profiles[chosen],
        section=voted.section,
        reason=voted.reason,
        grounding=grounding,
        carried=points[chosen].carried,
    )
