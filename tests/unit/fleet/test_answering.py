"""Who can be asked what: a recording what it was asked, a model anything, a method nothing in words."""

from pathlib import Path

import pytest

from devtools.scripted import Say, ScriptedMember
from dissolution.answers import MemberKind
from fleet.answering import answers_the_path, can_answer
from fleet.recorded import FOUR_PARTS, load_recorded
from prompts.catalog import names
from tests.unit.fleet.parts import a_card

RECORDINGS = Path(__file__).parents[3] / "benchmarks" / "data" / "recordings"
ASKED = ("four_part", "rolling", "repair", "probe_answers", "review")


@pytest.mark.parametrize(
    ("kind", "answered"),
    [
        (MemberKind.LANGUAGE_MODEL, ASKED),
        (MemberKind.SCRIPTED, ASKED),
        (MemberKind.RECORDED, ("four_part", "rolling")),
        (MemberKind.EXTRACTIVE, ()),
    ],
)
def test_by_its_kind_where_it_does_not_say(kind: MemberKind, answered: tuple[str, ...]) -> None:
    member = ScriptedMember(a_card("ann", kind=kind), [Say("KNOWN")])
    assert tuple(prompt for prompt in ASKED if can_answer(member, prompt)) == answered


def test_a_single_recording_answers_for_the_four_parts_alone() -> None:
    for member in load_recorded(RECORDINGS / "op-flask-sessions"):
        assert {prompt for prompt in names() if can_answer(member, prompt)} == FOUR_PARTS
        assert not answers_the_path(member)
