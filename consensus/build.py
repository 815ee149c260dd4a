"""From what every member states to one candidate boundary: read `build_consensus` from the top."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from consensus import agreement
from consensus.adjudication import adjudicated, group_with_links, links
from consensus.calibration import Calibration, calibration_for
from consensus.cluster import AverageLinkage
from consensus.concepts import Worth, lead
from consensus.distance import joint_distances
from consensus.draft import Draft, each_once
from consensus.evidence import Ground, Scores
from consensus.points import Point, points
from consensus.profile import Profile, profile_of
from consensus.representative import choose
from consensus.section_vote import vote
from consensus.settle import Shape, settle
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
    ordered = sorted((point for statement in statements for point in points(statement)), key=_canonical)
    said = [point.statement for point in ordered]
    profiles = [profile_of(point.text) for point in ordered]
    members = [statement.member for statement in said]
    grouping = OneVoice(AverageLinkage(cut), members)
    worth = Worth(statements, [turn.content for turn in snapshot.turns])
    first = lead(statements, worth)
    ground = Ground(snapshot)
    rows, ground_rows = _embed(embedder, [profile.text for profile in profiles], ground.texts())
    distances = joint_distances(profiles, rows)
    scores = ground.scores(profiles, rows, ground_rows, calibration)
    adjudication = adjudicated(adjudicator, profiles, distances, cut, most=policy.adjudicated_pairs, members=members)
    same = calibration.same_claim
    linked = links(adjudication)
    groups, distances = group_with_links(grouping, distances, profiles, linked, apart=same)
    drafts = [
        _draft(group, points=ordered, profiles=profiles, distances=distances, scores=scores, policy=policy, lead=first)
        for group in groups
    ]
    shape = Shape(first, worth, _parted(ordered), _most_words(statements, policy))
    claims, dissent = settle(
        drafts, distances, ground, policy, calibration, job=job, shape=shape, opposed=linked.opposed
    )
    return Consensus(
        claims=claims,
        dissent=dissent,
        statements=len(statements),
        groups=len(groups),
        measures=agreement.measure(answers, said, rows, [[said[row] for row in group] for group in groups]),
        embedding=embedder.stamp,
        method=grouping.name,
        adjudication=adjudication,
    )


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
