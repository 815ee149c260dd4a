"""Claims against the snapshot: supported, contradicted, absent."""

import pytest

from dissolution.values import NotMeasured
from probe.precision import Borne, check_precision
from tests.unit.probe.asking import FACTS, working_talk


@pytest.mark.parametrize(
    ("claim", "borne", "turn"),
    [
        ("The staging cluster of the billing team has 14 machines.", Borne.SUPPORTED, 7),
        ("The staging cluster of the billing team has 16 machines.", Borne.CONTRADICTED, 7),
        ("The staging cluster of the billing team does not have 14 machines with 64 GB.", Borne.CONTRADICTED, 7),
        ("Norvik is bought by a dentist from Perth.", Borne.ABSENT, None),
        ("It is so.", Borne.ABSENT, None),
    ],
)
def test_one_claim(claim: str, borne: Borne, turn: int | None) -> None:
    (checked,) = check_precision(working_talk(), [claim]).checked
    assert checked.borne is borne
    assert turn is None or checked.turn == turn


def test_shares_add_up_and_the_sample_is_bounded() -> None:
    found = check_precision(working_talk(), [*FACTS, *FACTS, "Perth has dentists with 12 horses."], sample=5)
    assert len(found.checked) == 5
    shares = (found.supported, found.contradicted, found.absent)
    assert sum(share for share in shares if not isinstance(share, NotMeasured)) == pytest.approx(1)


def test_the_history_supports_itself() -> None:
    assert check_precision(working_talk(), FACTS).supported == 1


def test_nothing_claimed_is_nothing_measured() -> None:
    assert isinstance(check_precision(working_talk(), ["", "  "]).supported, NotMeasured)
