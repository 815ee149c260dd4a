"""From what every member states to one candidate boundary: read `build_consensus` from the top."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from consensus.admission.admitted import Admission, Nearness, Out
from consensus.admission.hints import opposed_values
from consensus.admission.quoted_material import Asked, Planted, as_dissent, planted, sift
from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import FloatArray, cosine_matrix, unpack
from consensus.evidence.finding import Ground, Scores
from consensus.grouping.cluster import CompleteLinkage
from consensus.grouping.contained import taken_in
from consensus.grouping.group import Group, each_once
from consensus.grouping.rejoined import rejoined
from consensus.grouping.representative import choose
from consensus.grouping.section_vote import vote
from consensus.grouping.sentences import Point, points, whole
from consensus.grouping.shared_groups import grouped
from consensus.measures import agreement
from consensus.wording.distance import joint_distances
from consensus.wording.profile import Profile, profile_of
from dissolution.claims import BINDING_SECTIONS, Statement
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPolicy
from dissolution.findings import Consensus
from dissolution.policy.calibration import EmbedderCalibration
from dissolution.policy.job_policy import ConsensusPolicy, SizePolicy
from dissolution.ports.models import Embedder
from dissolution.room import Room, kept_words


def build_consensus(
    statements: Sequence[Statement],
    snapshot: Snapshot,
    embedder: Embedder,
    policy: ConsensusPolicy,
    *,
    job: str,
    answers: Mapping[str, str],
    naming: Collection[str] = (),
    showing: Collection[str] = (),
    most_words: float | None = None,
    to_be_reviewed: bool = False,
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
        naming: Members that were asked for the turns of each statement: beside quoted material what they put into a
            binding section without a turn is not heard.
        showing: Those of them that were asked for the spoken words of what binds beside quoted material: what they put
            into a binding section of such a turn without its words is not heard.
        most_words: Words the boundary may have; what enough families state may exceed it. None: as many as are kept
            where nobody reviews, by the default `SizePolicy`.
        to_be_reviewed: Whether members will review it: then all that binds stands until they have, on any evidence.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
        InvalidPolicy: The policy sets a distance for another embedder.
        ModelAssetError: The embedder's weights are missing.
    """
    calibration = calibration_for(embedder.stamp.model)
    cut = _cut(policy, embedder, calibration)
    ground = Ground(snapshot)
    asked = Asked(frozenset(naming), frozenset(showing))
    heard = _hear(statements, ground, embedder, calibration, cut, asked=asked)
    said = [point.statement for point in heard.points]
    distances = joint_distances(heard.profiles, heard.rows)
    rows_of = grouped(distances, heard.profiles, _members(heard), cut)
    groups = [_group(rows, heard, policy, to_be_reviewed=to_be_reviewed) for rows in rows_of]
    groups, kept_out = _binding_only_if_spoken(groups, ground, heard, asked)
    groups = taken_in(groups, cosine_matrix(heard.rows), calibration)
    most = _kept_by_default(statements) if most_words is None else most_words
    near = Nearness(distances, said, heard.profiles, calibration.same_claim, calibration.same_topic)
    standing = Admission(policy, near, most, to_be_reviewed=to_be_reviewed)
    standing.out.extend(kept_out)
    standing.settle(groups)
    settled, standing.stand = standing.stand, rejoined(standing.stand)
    return Consensus(
        claims=standing.claims(job, snapshot.through),
        dissent=(*standing.dissent(job), *as_dissent(heard.planted, job)),
        statements=len(statements),
        groups=len(rows_of),
        measures=agreement.measure(answers, said, heard.rows, [[said[row] for row in rows] for rows in rows_of]),
        embedding=embedder.stamp,
        method=CompleteLinkage(cut).name,
        hints=opposed_values(settled, near, lambda pair: standing.ids(pair, job)),
    )


@dataclass(frozen=True, slots=True)
class _Heard:
    """What members state, without what is kept from binding.

    Attributes:
        points: Sentences and whole statements, in canonical order.
        profiles: The profile of each.
        rows: (n, dim) float32, their unit rows.
        scores: All of them against the snapshot.
        planted: The sentences that do not count, with where they come from.
    """

    points: Sequence[Point]
    profiles: Sequence[Profile]
    rows: FloatArray
    scores: Scores
    planted: Mapping[Point, Planted]


def _hear(
    statements: Sequence[Statement],
    ground: Ground,
    embedder: Embedder,
    calibration: EmbedderCalibration,
    cut: float,
    *,
    asked: Asked,
) -> _Heard:
    """Read the statements, hold them against the snapshot, take out what only quotes say.

    A statement of several sentences is parted only where another member says one of them: torn from the others a
    sentence loses its context, and whole it meets nobody who says a part of it.
    """
    sentences = sorted((point for statement in statements for point in points(statement)), key=_canonical)
    texts = sorted({text for point in sentences for text in (point.text, point.statement.claim.text)})
    named = {turn for statement in statements for turn in statement.claim.turns}
    looked_for = ground.texts([profile_of(text) for text in texts], named)
    rows = unpack(embedder.embed([*texts, *looked_for]))  # in one call: the embedder sorts by length
    row_of, ground_rows = {text: row for row, text in enumerate(texts)}, rows[len(texts) :]

    def scored(said: Sequence[Point], out: Mapping[Point, Planted]) -> _Heard:
        profiles, own = [profile_of(point.text) for point in said], rows[[row_of[point.text] for point in said]]
        return _Heard(said, profiles, own, ground.scores(profiles, own, ground_rows, calibration), out)

    out = sift(sentences, ground, scored(sentences, {}).scores, asked)
    heard = scored([point for point in sentences if point not in out], out)
    met = {point.statement.key for point in out}
    for group in grouped(joint_distances(heard.profiles, heard.rows), heard.profiles, _members(heard), cut):
        met.update(heard.points[row].statement.key for row in group if len(group) > 1)
    said = {point if point.statement.key in met else whole(point.statement) for point in heard.points}
    return scored(sorted(said, key=_canonical), out)


def _members(heard: _Heard) -> list[str]:
    return [point.statement.member for point in heard.points]


def _cut(policy: ConsensusPolicy, embedder: Embedder, calibration: EmbedderCalibration) -> float:
    """The distance up to which claims are the same. Raises InvalidPolicy when it was set for another embedder."""
    if policy.distance_threshold is None:
        return calibration.one_claim
    if policy.embedder != embedder.stamp.model:
        raise InvalidPolicy(
            f"consensus.distance_threshold {policy.distance_threshold!r} is for embedder {policy.embedder!r}",
            f"this job embeds with {embedder.stamp.model!r}; leave the threshold out or name that embedder",
        )
    return policy.distance_threshold


def _kept_by_default(statements: Sequence[Statement]) -> int:
    words: Counter[str] = Counter()
    for statement in statements:
        words[statement.member] += len(statement.claim.text.split())
    size = SizePolicy()
    return kept_words(size, Room(tokens=size.most_tokens), max(words.values(), default=0))


def _canonical(point: Point) -> tuple[str, str, tuple[int, ...], tuple[str, ...], str, str, str, int]:
    """An order in which the members' names decide only between points that are equal in all else."""
    said, claim = point.statement, point.statement.claim
    content = (point.text, claim.section.value, claim.turns, claim.quotes, claim.text)
    return (*content, said.family, said.member, said.ordinal)


def _group(rows: tuple[int, ...], heard: _Heard, policy: ConsensusPolicy, *, to_be_reviewed: bool) -> Group:
    """The sentences of these rows with the one that speaks for them, their section and evidence."""
    said = [heard.points[row].statement for row in rows]
    profiles = [heard.profiles[row] for row in rows]
    floor = policy.evidence_floor
    waits = to_be_reviewed and any(statement.claim.section in BINDING_SECTIONS for statement in said)
    agreed = waits or len({statement.family for statement in said}) >= policy.min_families
    grounds = [heard.scores.ground(row, said, floor=floor, agreed=agreed) for row in rows]
    # Beside a wording that reaches the floor, one with a figure from nowhere does not speak.
    place = choose(said, profiles, [ground.score if ground.score >= floor else 0.0 for ground in grounds])
    voted = vote(said, said[place].claim.section)
    return Group(
        texts=tuple(sorted({profile.text for profile in profiles})),
        statements=each_once(said),
        chosen=rows[place],
        profile=profiles[place],
        section=voted.section,
        reason=voted.reason,
        grounding=grounds[place],
    )


def _binding_only_if_spoken(
    groups: Sequence[Group], ground: Ground, heard: _Heard, asked: Asked
) -> tuple[list[Group], list[Out]]:
    """The groups, without those voted into a binding section that stand in quoted material alone."""
    kept: list[Group] = []
    out: list[Out] = []
    for group in groups:
        where = None
        if group.section in BINDING_SECTIONS:
            where = planted(ground, heard.scores, group.chosen, group.statements, asked)
        if where is None:
            kept.append(group)
        else:
            out.append(Out(group, where.reason, where.why))
    return kept, out
