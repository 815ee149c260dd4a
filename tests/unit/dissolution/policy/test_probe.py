"""The probe's policy: presets by name, and who may write, read and judge."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from dissolution.errors import InvalidPolicy
from dissolution.policy.file import load_policy
from dissolution.policy.gate import PRESETS
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy, check_families

FAMILIES = {"ann": "red", "ben": "blue", "cem": "red", "dan": "green"}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_named_in_a_policy_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'[probe]\ngate = "{name}"\n', encoding="utf-8")
    assert load_policy(path).probe.gate == PRESETS[name]


def test_a_stored_policy_reads_back_with_its_gate() -> None:
    policy = Policy(probe=ProbePolicy(gate=PRESETS["strict"], offline="enforce"))
    assert Policy.model_validate_json(policy.model_dump_json()) == policy


def test_an_unknown_preset_is_refused_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[probe]\ngate = "harsh"\n', encoding="utf-8")
    with pytest.raises(InvalidPolicy, match=r"'probe\.gate'.*'harsh'.*strict, balanced, lenient"):
        load_policy(path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"writer": "ann", "reader": "ann"}, "knows the answers"),
        ({"writer": "ann"}, "without a reader"),
        ({"judge": "ann"}, "without a reader"),
        ({"reader": "ann", "judge": "ann"}, "nobody judges his own answers"),
        ({"reader": "ann", "judge": "cem", "second_judge": "cem"}, "name a third member"),
        ({"reader": "ann", "second_judge": "cem"}, "without a judge"),
        ({"rising_at": 0.9, "overflowing_at": 0.5}, "lower it"),
    ],
)
def test_what_does_not_fit_together_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        ProbePolicy.model_validate(given)


@pytest.mark.parametrize(
    ("policy", "enforced"),
    [
        (ProbePolicy(), False),
        (ProbePolicy(offline="enforce"), True),
        (ProbePolicy(reader="ben"), False),
        (ProbePolicy(reader="ben", judge="ann"), True),
    ],
)
def test_a_verdict_holds_where_somebody_judged_the_answers(policy: ProbePolicy, enforced: bool) -> None:  # noqa: FBT001 - a case
    assert policy.enforced is enforced


def test_members_of_three_families_may_write_read_and_judge() -> None:
    check_families(ProbePolicy(writer="ann", reader="ben", judge="cem"), FAMILIES)
    check_families(ProbePolicy(writer="ann", reader="ben", judge="dan"), FAMILIES)
    check_families(ProbePolicy(), {})


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (ProbePolicy(writer="ann", reader="cem"), r"'probe\.writer', value 'ann'.*another family than 'red'"),
        (ProbePolicy(reader="ann", judge="cem"), r"'probe\.judge', value 'cem'.*another family than 'red'"),
        (
            ProbePolicy(reader="ben", judge="ann", second_judge="cem"),
            r"'probe\.second_judge', value 'cem'.*another family than 'red'",
        ),
        (ProbePolicy(reader="eve"), r"'probe\.reader', value 'eve'.*ann, ben, cem, dan"),
    ],
)
def test_a_family_that_would_test_itself_is_refused(policy: ProbePolicy, words: str) -> None:
    with pytest.raises(InvalidPolicy, match=words):
        check_families(policy, FAMILIES)


def test_a_fleet_without_language_models_has_nobody_to_name() -> None:
    with pytest.raises(InvalidPolicy, match="no language model"):
        check_families(ProbePolicy(reader="ann"), {})


def test_a_policy_stored_with_fields_that_are_gone_is_read() -> None:
    stored = {**ProbePolicy().model_dump(), "most_invented": 0.3, "when_invented": "keep_history"}
    assert ProbePolicy.model_validate(stored) == ProbePolicy()
    with pytest.raises(ValidationError, match="unheard_of"):
        ProbePolicy.model_validate({"unheard_of": 1})
