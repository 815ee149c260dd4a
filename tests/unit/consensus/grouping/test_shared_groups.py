import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consensus.embedding.calibration import calibration_for
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.embedding.vectors import Matrix, cosine_matrix, unpack
from consensus.evidence.grounding import Grounding
from consensus.grouping.contained import taken_in
from consensus.grouping.group import Group
from consensus.grouping.shared_groups import grouped, kept_apart
from consensus.wording.distance import joint_distances
from consensus.wording.profile import Profile, profile_of
from dissolution.claims import Evidence, Section, Statement
from dissolution.ports.models import Embedder
from tests.unit.consensus.made import a_statement

NOTHING_NEEDED = Grounding((Evidence(turn=1, start=0, end=1, text="x"),), 0.8, (1,), (0,), (0,))
EMBEDDERS = (
    pytest.param(HashingEmbedder(), id="hashing"),
    pytest.param(SentenceTransformerEmbedder(threads=1), id="minilm", marks=pytest.mark.slow),
)
LABELS = sorted((Path(__file__).parents[4] / "benchmarks" / "data" / "labels").glob("*.json"))


def profiles_of(*texts: str) -> list[Profile]:
    return [profile_of(text) for text in texts]


def distances_of(profiles: Sequence[Profile], embedder: Embedder | None = None) -> Matrix:
    embedder = HashingEmbedder() if embedder is None else embedder
    return joint_distances(profiles, unpack(embedder.embed([profile.text for profile in profiles])))


def test_opposites_never_share_a_group_however_near() -> None:
    profiles = profiles_of("The deadline is March 15.", "The deadline is March 30.", "The deadline is on March 15.")
    assert grouped(np.zeros((3, 3)) + 0.1 - np.eye(3) * 0.1, profiles, ["a", "b", "c"], 0.99) == ((0, 2), (1,))


def test_no_two_of_a_group_are_farther_apart_than_the_cut() -> None:
    chain = np.array([[0, 0.1, 0.3], [0.1, 0, 0.1], [0.3, 0.1, 0]])
    assert grouped(chain, profiles_of("One fox.", "One red fox.", "Red fox."), ["a", "b", "c"], 0.2) == ((0, 1), (2,))


def test_one_member_says_nothing_twice_but_the_same_words() -> None:
    profiles = profiles_of("The fox is red.", "The fox is so red.", "The fox is red.")
    near = np.full((3, 3), 0.05)
    near[0, 2] = near[2, 0] = 0
    np.fill_diagonal(near, 0)
    assert grouped(near, profiles, ["a", "a", "a"], 0.2) == ((0, 2), (1,))


def test_a_neighbour_is_not_taken_for_what_a_member_says_as_well() -> None:
    """The second member says both the thing (1) and its neighbour (2); the first member's 0 meets the thing alone."""
    near = np.array([[0, 0.05, 0.1], [0.05, 0, 0.3], [0.1, 0.3, 0]])
    apart = kept_apart(near, profiles_of("x one", "x two", "x three"), ["a", "b", "b"], 0.2)
    assert not apart[0, 1]
    assert apart[0, 2]


def test_no_claims_no_groups() -> None:
    assert grouped(np.zeros((0, 0)), [], [], 0.4) == ()


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_no_labelled_opposed_pair_and_no_hard_negative_shares_a_group(path: Path, embedder: Embedder) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    profiles = profiles_of(*(claim["text"] for claim in found["claims"]))
    cut = calibration_for(embedder.stamp.model).one_claim
    groups = grouped(distances_of(profiles, embedder), profiles, [claim["writer"] for claim in found["claims"]], cut)
    assert any(len(rows) > 1 for rows in groups)
    assert _wrongly_together(found, groups) == []


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("section", [Section.KNOWN, Section.EDGES])
def test_no_labelled_opposed_pair_and_no_hard_negative_is_taken_in(
    path: Path, embedder: Embedder, section: Section
) -> None:
    """Whatever section they stand in: all in one is the hardest, and in EDGES questions meet from farther away."""
    found = json.loads(path.read_text(encoding="utf-8"))
    profiles = profiles_of(*(claim["text"] for claim in found["claims"]))
    rows = unpack(embedder.embed([profile.text for profile in profiles]))
    alone = [
        Group((profile.text,), (_stated(row),), row, profile, section, "made", NOTHING_NEEDED)
        for row, profile in enumerate(profiles)
    ]
    left = taken_in(alone, cosine_matrix(rows), calibration_for(embedder.stamp.model))
    assert len(left) < len(alone)
    assert _wrongly_together(found, [[said.ordinal for said in group.statements] for group in left]) == []


def _stated(row: int) -> Statement:
    return a_statement(f"claim {row}", ordinal=row)


def _wrongly_together(found: Mapping[str, Any], groups: Iterable[Sequence[int]]) -> list[tuple[str, str]]:
    """The opposed pairs and hard negatives of a label file that share a group."""
    group_of = {found["claims"][row]["id"]: number for number, rows in enumerate(groups) for row in rows}
    pairs = [(pair["a"], pair["b"]) for pair in (*found["contradictions"], *found["near"])]
    assert len(pairs) > 100
    return [pair for pair in pairs if group_of[pair[0]] == group_of[pair[1]]]


@pytest.mark.parametrize("seed", range(3))
def test_distances_are_symmetric_within_0_and_1_with_zero_for_equal_texts(seed: int) -> None:
    words = np.random.default_rng(seed).choice(["red", "12", "r418", "fox", "not", "lake"], size=(12, 4))
    profiles = profiles_of(*(" ".join(row) for row in words), "same", "same")
    found = distances_of(profiles)
    assert np.array_equal(found, found.T)
    assert found.min() >= 0
    assert found.max() <= 1
    assert np.array_equal(np.diagonal(found), np.zeros(14))
    assert found[12, 13] == 0
    assert found[0, 12] > 0


def test_shared_figures_bring_claims_nearer_and_other_figures_part_them() -> None:
    base, same, other = profiles_of("The lake has 83 ha.", "Water covers 83 ha.", "Water covers 94 ha.")
    found = distances_of([base, same, other])
    assert found[0, 1] < found[0, 2]
