import numpy as np
import pytest

from consensus.embedding.calibration import calibration_for
from consensus.evidence.grounding import Grounding
from consensus.grouping.contained import says_part_of, taken_in
from consensus.grouping.group import Group
from consensus.wording.profile import profile_of
from dissolution.claims import Evidence, Section
from tests.unit.consensus.made import a_statement

CALIBRATION = calibration_for("hashing")
GROUNDED = Grounding((Evidence(turn=1, start=0, end=1, text="x"),), 0.8, (1,), (0,), (0,))


def a_group(text: str, row: int, member: str = "ann", section: Section = Section.KNOWN) -> Group:
    statement = a_statement(text, member, section, ordinal=row)
    return Group((text,), (statement,), row, profile_of(text), section, "families", GROUNDED)


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        ("The report goes to counsel.", "The report of the audit goes to counsel.", True),
        ("The report goes to counsel.", "The report goes to the bank.", False),
        ("The report has 12 pages.", "The report has pages.", False),
        ("The sandbox is 1240.", "Production is 1240 and the sandbox is 1204.", False),
        ("Lambda is replaced.", "Lambda is not replaced by the team.", False),
        ("Lambda is not replaced.", "Lambda is out.", False),
    ],
)
def test_a_part_has_nothing_that_the_whole_has_not(part: str, whole: str, expected: bool) -> None:  # noqa: FBT001
    assert says_part_of(profile_of(part), profile_of(whole)) is expected


def test_what_is_contained_goes_over_with_its_statements_and_families() -> None:
    part = a_group("The report goes to counsel.", 0, "bea")
    whole = a_group("The report of the audit goes to counsel.", 1, "ann")
    (left,) = taken_in([part, whole], np.ones((2, 2)), CALIBRATION)
    assert left.text == whole.text
    assert left.support.families == ("alpha", "beta")
    assert len(left.statements) == 2


def test_what_is_far_or_stands_in_another_section_is_not_taken_in() -> None:
    part, whole = a_group("The report goes to counsel.", 0), a_group("The report of the audit goes to counsel.", 1)
    assert len(taken_in([part, whole], np.eye(2), CALIBRATION)) == 2
    open_one = a_group("The report goes to counsel.", 0, section=Section.EDGES)
    assert len(taken_in([open_one, whole], np.ones((2, 2)), CALIBRATION)) == 2
