import hashlib
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.job_policy import UNRECORDED, BudgetPolicy, ConsensusPolicy, Policy, QuorumPolicy, RenderPolicy
from dissolution.values import STORED


def test_default_policy_survives_json_with_its_digest() -> None:
    policy = Policy(budget=BudgetPolicy(max_usd=Decimal("1.50")))
    back = Policy.model_validate_json(policy.model_dump_json())
    assert back == policy
    own = policy.model_dump_json(exclude={"calibration"})
    assert back.digest == policy.digest == hashlib.sha256(own.encode()).hexdigest()


def test_a_policy_keeps_the_calibration_of_its_job_beside_its_own_digest() -> None:
    earlier = Policy(calibration="0" * 64)
    stored = Policy.model_validate(earlier.model_dump(mode="json"), context=STORED)
    assert (stored.calibration, stored.digest) == ("0" * 64, Policy().digest)
    assert stored.made_now() == Policy()
    assert Policy().calibration == CALIBRATION.digest


def test_a_policy_stored_before_calibrations_were_recorded_says_so() -> None:
    older = Policy().model_dump(mode="json", exclude={"calibration"})
    stored = Policy.model_validate(older, context=STORED)
    assert stored.calibration == UNRECORDED
    assert str(stored.calibration) == "not measured: not recorded"
    assert stored.digest == Policy().digest
    assert Policy.model_validate_json(stored.model_dump_json(), context=STORED) == stored


@pytest.mark.parametrize(
    "other",
    [
        Policy(name="other"),
        Policy(quorum=QuorumPolicy(min_members=3)),
        Policy(consensus=ConsensusPolicy(evidence_floor=0.5)),
        Policy(render=RenderPolicy(recent_turns=9)),
    ],
)
def test_any_threshold_changes_the_digest(other: Policy) -> None:
    assert other.digest != Policy().digest


def test_a_policy_stored_without_a_later_field_reads_with_its_default() -> None:
    stored = Policy().model_dump(mode="json")
    del stored["render"]["turns_share"]
    assert Policy.model_validate(stored) == Policy()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"min_members": 2, "min_families": 3}, "min_families 3 exceeds min_members 2; lower it"),
        ({"soft_deadline_s": 10, "hard_deadline_s": 5}, "soft_deadline_s 10 is after hard_deadline_s 5"),
        ({"min_members": 0}, "greater than or equal to 1"),
        ({"soft_deadline_s": 0}, "greater than 0"),
        ({"stragglers": "ask again"}, "'cancel' or 'keep'"),
        ({"min_member": 1}, "Extra inputs"),
    ],
)
def test_quorums_that_cannot_be_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        QuorumPolicy(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"consensus": {"distance_threshold": 2}},
        {"consensus": {"evidence_floor": 1.1}},
        {"budget": {"max_usd": "-1"}},
        {"budget": {"max_input_tokens": 0}},
        {"render": {"budget_tokens": 199}},
        {"render": {"turns_share": float("nan")}},
        {"prompt_version": 0},
        {"name": ""},
    ],
)
def test_thresholds_keep_their_ranges(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Policy.model_validate(fields)
