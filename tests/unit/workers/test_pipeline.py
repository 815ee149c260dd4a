"""The pipeline is data: whole, in order, and every stage has its step."""

from hypothesis import given
from hypothesis import strategies as st

from workers.execution.steps import STEPS
from workers.pipeline import STAGE_NAMES, STAGES, Branch, ready


def test_a_stage_comes_after_stages_that_stand_before_it() -> None:
    for place, stage in enumerate(STAGES):
        assert set(stage.after) <= set(STAGE_NAMES[:place])


def test_names_are_unique_and_each_has_its_step() -> None:
    assert len(set(STAGE_NAMES)) == len(STAGES)
    assert set(STEPS) == set(STAGE_NAMES)


def test_the_three_branches_start_together() -> None:
    starting = ready(frozenset())
    assert [stage.name for stage in starting] == ["fan_out", "register", "question_bank"]
    assert {stage.branch for stage in starting} == {Branch.CANDIDATE, Branch.REGISTER, Branch.BANK}


def test_the_join_waits_for_every_branch() -> None:
    done = frozenset({"fan_out", "parse", "consensus", "question_bank", "history_arm"})
    assert [stage.name for stage in ready(done)] == ["register"]
    audited = done | {"register", "frame_audit"}
    assert [stage.name for stage in ready(audited)] == ["candidate_arm"]
    assert [stage.name for stage in ready(audited - {"history_arm"})] == ["history_arm"]


def test_no_candidate_exists_before_the_questions_are_sealed() -> None:
    everything_else = frozenset(STAGE_NAMES) - {"question_bank", "consensus"}
    assert [stage.name for stage in ready(everything_else)] == ["question_bank"]


@given(st.permutations(range(len(STAGES))))
def test_any_order_of_ready_stages_reaches_the_commit(order: list[int]) -> None:
    done: frozenset[str] = frozenset()
    while "commit" not in done:
        open_stages = ready(done)
        assert open_stages, f"stuck after {sorted(done)}"
        chosen = min(open_stages, key=lambda stage: order[STAGE_NAMES.index(stage.name)])
        done |= {chosen.name}
    assert done == frozenset(STAGE_NAMES)
