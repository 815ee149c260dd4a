import pytest
from pydantic import ValidationError

from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import PRESETS, BudgetSignalPolicy, DriftPolicy, TriggerPolicy


def test_it_is_part_of_every_job_s_policy_and_of_its_digest() -> None:
    assert Policy().triggers == TriggerPolicy()
    assert Policy(triggers=PRESETS["eager"]).digest != Policy().digest


def test_watching_begins_in_shadow_mode() -> None:
    assert {preset.shadow for preset in PRESETS.values()} == {True}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: DriftPolicy(distance=0.3, release=0.3), "release 0.3 is not below distance 0.3; lower it"),
        (
            lambda: BudgetSignalPolicy(soft_share=0.9, hard_share=0.9),
            "soft_share 0.9 is not below hard_share 0.9; lower it",
        ),
        (lambda: DriftPolicy(window_tokens=10), "greater than or equal to 80"),
        (lambda: TriggerPolicy.model_validate({"drfit": {}}), "Extra inputs are not permitted"),
    ],
)
def test_values_that_do_not_fit_are_refused(make: object, words: str) -> None:
    assert callable(make)
    with pytest.raises(ValidationError, match=words):
        make()


def test_drift_may_be_off_whatever_its_release() -> None:
    assert DriftPolicy(distance=None, release=1.5).distance is None
