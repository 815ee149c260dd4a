"""The name that was probably meant: near ones only, of the same table first, and never a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.nearest import meant, meant_field
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from dissolution.unknown_settings import OTHERS, unknown_variables


def test_a_near_name_is_offered_and_a_far_one_is_not() -> None:
    assert meant("temperatur", ["temperature", "seed"]) == "; did you mean 'temperature'?"
    assert meant("TEMPERATURE", ["temperature"]) == "; did you mean 'temperature'?"
    assert meant("speed", ["temperature"]) == ""
    assert meant("", []) == ""


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (("quorum", "min_memb"), "'min_members'"),
        (("qorum",), "'quorum'"),
        (("min_members",), "'quorum.min_members'"),
        (("render", "min_members"), "'quorum.min_members'"),
        (("nowhere", "zzzz"), ""),
        (("Policy", "quorum", "min_memb"), "'min_members'"),
        ((), ""),
    ],
)
def test_a_field_of_the_same_table_comes_before_one_of_another(path: tuple[str, ...], wanted: str) -> None:
    hint = meant_field(Policy, path)
    assert hint == (f"; did you mean {wanted}?" if wanted else "")


@given(st.lists(st.one_of(st.text(max_size=12), st.integers(0, 9)), max_size=4))
def test_any_path_is_read(path: list[str | int]) -> None:
    hint = meant_field(Policy, path)
    assert hint == "" or hint.startswith("; did you mean ")


def test_variables_that_are_no_settings_are_told_with_the_nearest_and_without_their_values() -> None:
    known = {f"DISSOLVE_{name}".upper(): "x" for name in Settings.model_fields}
    others = {**dict.fromkeys(OTHERS, "x"), "dissolve_db": "x", "DISSOLVE_TEST_POSTGRES": "x", "HOME": "/"}
    assert list(unknown_variables({**known, **others})) == []
    (told,) = unknown_variables({"DISSOLVE_REDIS_ULR": "redis://:secret@host"})
    assert "'DISSOLVE_REDIS_ULR' is no setting and is ignored; did you mean 'DISSOLVE_REDIS_URL'?" in told
    assert "secret" not in told
