"""What each arm asks of whom."""

import json
from pathlib import Path

import pytest

from dissolution.conversation import Conversation
from dissolution.policy.job_policy import Policy
from dissolution.stability import Arm, Cell, CellKey, ReplicateKind, StabilityPlan, StabilityRun
from dissolution.values import NotMeasured
from language.tokens import ApproximateTokenCounter
from stability.arms import (
    ALIKE,
    cells_of,
    conversation_id,
    fleet_of,
    is_fixed,
    members_of,
    policy_of,
    recorded_summary,
    replicate_kind,
    request_of,
    truncated,
)
from tests.factories import INSTANT, a_conversation, a_snapshot

NAMES = ("a", "b", "c")


def a_plan(*arms: Arm, fleet: str = "roster:/x.toml", replicates: int = 2, seed: int = 0) -> StabilityPlan:
    return StabilityPlan(
        conversation="conv-1",
        checkpoints=(2, 4),
        replicates=replicates,
        kind=replicate_kind(fleet, replicates),
        arms=arms or (Arm.LEDGER,),
        fleet=fleet,
        policy=Policy(),
        seed=seed,
        software="1",
    )


def a_run(*arms: Arm, fleet: str = "roster:/x.toml") -> StabilityRun:
    return StabilityRun(id="run-abcd", plan=a_plan(*arms, fleet=fleet), created_at=INSTANT)


def a_cell(arm: Arm, cycle: int = 1, members: tuple[str, ...] = ()) -> Cell:
    key = CellKey(arm=arm, replicate=1, cycle=cycle)
    return Cell(run="run-abcd", key=key, through=2 * cycle, members=members)


def talk() -> Conversation:
    return a_conversation("One.", "Two.", "Three.", "Four.")


def test_what_makes_replicates_differ_depends_on_the_fleet() -> None:
    assert replicate_kind("roster:/x.toml", 3) is ReplicateKind.ASKED_AGAIN
    assert replicate_kind("some:a;rolled:/x", 3) is ReplicateKind.MEMBERS_DRAWN
    assert replicate_kind("extractive", 1) is ReplicateKind.NONE
    assert not is_fixed("some:a;roster:/x.toml")


def test_models_that_can_be_asked_again_are_all_asked() -> None:
    assert members_of(a_plan(), Arm.LEDGER, 1, NAMES) == ()


def test_draws_are_the_same_in_every_arm_and_differ_by_replicate_and_seed() -> None:
    plan, other = a_plan(fleet="extractive"), a_plan(fleet="extractive", seed=1)
    names = tuple("abcdefgh")
    drawn = [members_of(plan, Arm.LEDGER, number, names) for number in range(1, 6)]
    assert drawn == [members_of(plan, Arm.REWRITE, number, names) for number in range(1, 6)]
    assert len(set(drawn)) > 1
    assert drawn != [members_of(other, Arm.LEDGER, number, names) for number in range(1, 6)]
    assert all(2 <= len(one) <= len(names) for one in drawn)


def test_one_member_is_another_each_replicate() -> None:
    assert [members_of(a_plan(), Arm.SINGLE, number, NAMES) for number in (1, 2, 4)] == [("a",), ("b",), ("a",)]


def test_every_cell_is_planned_and_copies_of_fixed_answers_are_not_measured() -> None:
    cells = cells_of(a_run(Arm.LEDGER, Arm.SELF_ENSEMBLE, fleet="extractive"), NAMES)
    assert len(cells) == 8
    assert all(cell.figures == ALIKE for cell in cells if cell.key.arm is Arm.SELF_ENSEMBLE)
    assert [cell.through for cell in cells[:2]] == [2, 4]


def test_a_replicate_has_one_ledger_and_a_rewrite_none() -> None:
    run = a_run()
    assert conversation_id(run, a_cell(Arm.LEDGER, 1).key) == conversation_id(run, a_cell(Arm.LEDGER, 2).key)
    assert conversation_id(run, a_cell(Arm.REWRITE, 1).key) != conversation_id(run, a_cell(Arm.REWRITE, 2).key)


def test_fleets_are_drawn_from_the_plans() -> None:
    plan = a_plan()
    assert fleet_of(plan, a_cell(Arm.LEDGER)) == plan.fleet
    assert fleet_of(plan, a_cell(Arm.SINGLE, members=("b",))) == "some:b;roster:/x.toml"
    assert fleet_of(plan, a_cell(Arm.SELF_ENSEMBLE, members=("b",))) == "copies:3,b;roster:/x.toml"


def test_each_arm_goes_without_one_thing() -> None:
    plan = a_plan()
    assert policy_of(plan, a_cell(Arm.LEDGER)) == plan.policy
    assert not policy_of(plan, a_cell(Arm.NO_GATE)).probe.on
    assert not policy_of(plan, a_cell(Arm.NO_AUDIT)).frame.audit
    single = policy_of(plan, a_cell(Arm.SINGLE))
    assert (single.quorum.min_members, single.quorum.min_families, single.consensus.min_families) == (1, 1, 1)


def test_a_job_sees_the_turns_up_to_its_checkpoint_on_a_copy() -> None:
    request = request_of(a_run(), a_cell(Arm.LEDGER), talk(), None, lane=None)
    assert [turn.content for turn in request.conversation.turns] == ["One.", "Two."]
    assert request.conversation.id == "conv-1~run-abcd.ledger-r1"


def test_a_rewrite_has_the_state_and_the_turns_since() -> None:
    request = request_of(a_run(), a_cell(Arm.REWRITE, 2), talk(), "So far: one, two.", lane=None)
    turns = request.conversation.turns
    assert [(turn.number, turn.content) for turn in turns] == [(1, "So far: one, two."), (2, "Three."), (3, "Four.")]


def test_a_rewrite_of_recorded_answers_has_the_turns_that_their_numbers_mean() -> None:
    request = request_of(a_run(fleet="rolled:/x"), a_cell(Arm.REWRITE, 2), talk(), "So far.", lane=None)
    assert len(request.conversation.turns) == 4


def test_a_text_has_no_job() -> None:
    with pytest.raises(ValueError, match="has no jobs"):
        request_of(a_run(fleet="extractive"), a_cell(Arm.SUMMARY), talk(), None, lane=None)


def test_the_last_turns_that_fit_are_kept_and_at_least_one() -> None:
    snapshot = a_snapshot("one two three", "four five six", "seven eight nine")
    counter = ApproximateTokenCounter()
    two = counter.count("four five six") + counter.count("seven eight nine")
    assert truncated(snapshot, two, counter) == "four five six\nseven eight nine"
    assert truncated(snapshot, 0, counter) == "seven eight nine"


def test_a_summary_is_that_of_its_turn_or_none(tmp_path: Path) -> None:
    (tmp_path / "a.summarise.json").write_text(json.dumps({"through": 4, "answer": "In short."}), encoding="utf-8")
    assert recorded_summary(f"rolled:{tmp_path}", "a", 4) == "In short."
    for fleet, member, through in (
        (f"rolled:{tmp_path}", "a", 2),
        (f"recorded:{tmp_path}", "b", 4),
        ("extractive", "a", 4),
    ):
        assert isinstance(recorded_summary(fleet, member, through), NotMeasured)
