"""Presets of effort: what they change of a policy, and what the policy says itself."""

from dissolution.framing import FramePolicy
from dissolution.policy.effort import Effort
from dissolution.policy.gate import STRICT
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.policy.probe import ProbePolicy
from workers.estimates.effort import HIGH_QUESTIONS, LOW_QUESTIONS, fewest, with_effort

FAMILIES = {"a1": "a", "a2": "a", "b1": "b", "c1": "c", "b2": "b"}


def test_low_asks_as_few_as_the_quorum_needs() -> None:
    made = with_effort(Policy(effort=Effort.LOW), FAMILIES)
    assert made.members == ("a1", "b1")
    assert made.frame.review_families == 2
    assert made.probe.gate.questions == LOW_QUESTIONS
    assert made.effort is Effort.LOW
    assert fewest(QuorumPolicy(min_members=4, min_families=2), FAMILIES) == ("a1", "a2", "b1", "c1")
    assert fewest(QuorumPolicy(min_members=3, min_families=3), FAMILIES) == ("a1", "b1", "c1")
    assert fewest(QuorumPolicy(), {}) == ()


def test_high_asks_all_of_them_and_every_family_reviews() -> None:
    made = with_effort(Policy(effort=Effort.HIGH), FAMILIES)
    assert made.members == ()
    assert made.frame.review_families >= len(set(FAMILIES.values()))
    assert made.probe.gate.questions == HIGH_QUESTIONS


def test_standard_is_the_policy_as_it_is() -> None:
    policy = Policy(probe=ProbePolicy(gate=STRICT))
    assert with_effort(policy, FAMILIES) is policy


def test_what_the_policy_says_itself_wins_field_by_field() -> None:
    policy = Policy(
        effort=Effort.LOW,
        members=("a1", "c1", "b2"),
        frame=FramePolicy(reviewers=("c1",)),
        probe=ProbePolicy(gate=STRICT, writer="a1", reader="b1", judge="c1"),
    )
    assert with_effort(policy, FAMILIES) == policy
    half = with_effort(Policy(effort=Effort.HIGH, frame=FramePolicy(review_families=1)), FAMILIES)
    assert (half.frame.review_families, half.probe.gate.questions) == (1, HIGH_QUESTIONS)


def test_what_came_of_it_is_kept_as_it_is_and_read_again() -> None:
    made = with_effort(Policy(effort=Effort.LOW), FAMILIES)
    assert with_effort(made, {"z": "z", "y": "y"}) == made
    stored = Policy.model_validate_json(made.model_dump_json())
    assert with_effort(stored, {"z": "z", "y": "y"}) == made
