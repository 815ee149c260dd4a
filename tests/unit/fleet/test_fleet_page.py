"""docs/fleet.md names everything there is, and nothing that is not."""

import re
from pathlib import Path

from devtools.loopback_spec import LoopbackAct
from dissolution.answers import FailureClass, MemberKind
from fleet.roster import RosterMember, RosterPrice

PAGE = (Path(__file__).parents[3] / "docs" / "fleet.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> set[str]:
    """The names in code marks in the first column of the table under a heading."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_every_roster_field_and_no_other_is_explained() -> None:
    assert first_cells("The roster") == set(RosterMember.model_fields)
    assert all(f"`{field}`" in PAGE for field in RosterPrice.model_fields)


def test_every_failure_class_and_no_other_is_explained() -> None:
    assert first_cells("When a member fails") == {failure.value for failure in FailureClass}


def test_every_act_and_no_other_is_explained() -> None:
    assert first_cells("The loopback provider") == {act.value for act in LoopbackAct}


def test_every_kind_of_member_is_explained() -> None:
    assert all(f"| `{kind.value}` |" in PAGE for kind in MemberKind)
