"""Fleets made of another's members."""

import asyncio
from pathlib import Path

import pytest

from dissolution.errors import InvalidRoster
from fleet.recorded import load_recorded
from tests.unit.fleet.parts import a_task
from workers.bootstrap import build_fleet, check_fleet, members_to_pay
from workers.members.drawn_fleets import CopiedMember, DrawnFleet, base_of, drawn_fleet

FOLDER = Path(__file__).parents[4] / "benchmarks" / "data" / "recordings" / "op-flask-sessions"


@pytest.mark.parametrize(
    "drawn",
    [
        DrawnFleet(base="extractive", members=("lead", "textrank")),
        DrawnFleet(base="roster:/a;b/fleet.toml", members=("a",), copies=3),
        DrawnFleet(base="roster:/fleet.toml", members=("a",), summaries=True),
    ],
)
def test_a_description_is_read_back(drawn: DrawnFleet) -> None:
    assert drawn_fleet(drawn.description) == drawn
    assert base_of(drawn.description) == drawn.base


def test_other_descriptions_are_left_alone() -> None:
    assert drawn_fleet("extractive") is None
    assert base_of("recorded:/a") == "recorded:/a"


@pytest.mark.parametrize(
    "wrong", ["some:", "some:a", "some:a;", "some:;extractive", "copies:x,a;f", "copies:2,a,b;f", "summary:;f"]
)
def test_an_incomplete_description_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidRoster, match="some:NAME"):
        drawn_fleet(wrong)


def test_some_members_in_the_order_of_the_fleet() -> None:
    fleet = build_fleet(f"some:writer-c,writer-a;recorded:{FOLDER}", lambda: pytest.fail("needs no embedder"))
    assert [member.card.name for member in fleet] == ["writer-a", "writer-c"]


def test_a_name_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(InvalidRoster, match=r"writer-z.*writer-a, writer-b"):
        DrawnFleet(base="recorded:x", members=("writer-z",)).of(load_recorded(FOLDER))


def test_copies_say_the_same_under_other_names_and_one_family() -> None:
    fleet = build_fleet(f"copies:2,writer-a;recorded:{FOLDER}", lambda: pytest.fail("needs no embedder"))
    assert [member.card.name for member in fleet] == ["writer-a#1", "writer-a#2"]
    assert len({member.card.family for member in fleet}) == 1
    assert all(isinstance(member, CopiedMember) for member in fleet)


def test_rolled_answers_are_those_of_the_cycle() -> None:
    fleet = build_fleet(f"rolled:{FOLDER}", lambda: pytest.fail("needs no embedder"))
    task = a_task(*(["a word"] * 28), name="op-flask-sessions~run-x.ledger-r1")
    reply = asyncio.run(fleet[0].answer(task))
    assert reply.model_reported == "writer-a, recorded through turn 28"
    check_fleet(f"some:writer-a;rolled:{FOLDER}", task.snapshot)


def test_drawing_from_what_costs_nothing_costs_nothing() -> None:
    assert members_to_pay(f"some:writer-a;recorded:{FOLDER}") == ()
