"""Claims against the snapshot: supported, contradicted, absent."""

import pytest

from dissolution.values import NotMeasured
from probe.precision import Borne, check_claim, check_precision
from tests.factories import a_snapshot
from tests.unit.probe.asking import FACTS, working_talk


@pytest.mark.parametrize(
    ("claim", "borne", "turn"),
    [
        ("The staging cluster of the billing team has 14 machines.", Borne.SUPPORTED, 7),
        ("The staging cluster of the billing team has 16 machines.", Borne.CONTRADICTED, 7),
        ("The staging cluster of the billing team does not have 14 machines with 64 GB.", Borne.SUPPORTED, 7),  # values
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


RELEASES = (
    "Release r418 went out at 10:40 and the first spike of errors came at 10:43.",
    "Nobody deploys anything without the yes of Ravi, who is the release manager.",
    "The page cache holds 512 MB and the session store holds 2 GB.",
    "The parallel run of the depots starts on 3 August with six depots.",
    "Correction: the parallel run of the depots now starts on 17 August with six depots.",
    "The rate limit of the search service is 350 requests per minute.",
    "We raised it: the rate limit of the search service is 900 requests per minute now.",
)


@pytest.mark.parametrize(
    ("claim", "borne", "says"),
    [
        ("The first spike of errors came at 10:43.", Borne.SUPPORTED, "says it"),
        ("The first spike of errors came at 11:55.", Borne.CONTRADICTED, "never says"),
        ("Ilse is the release manager whose yes every deploy needs.", Borne.SUPPORTED, "says it"),  # opens the claim
        ("The release manager whose yes every deploy needs is Ilse.", Borne.CONTRADICTED, "never says 'Ilse'"),
        (
            "The parallel run of the depots starts on 3 August.",
            Borne.SUPPORTED,
            "says it",
        ),  # what ended it reviewers say
        ("It is open who watches the search service.", Borne.SUPPORTED, "says it"),
    ],
)
def test_values_are_looked_up_where_their_subject_is_spoken_of(claim: str, borne: Borne, says: str) -> None:
    checked = check_claim(a_snapshot(*RELEASES), claim)
    assert (checked.borne, says in checked.reason) == (borne, True), checked.reason


def test_a_value_of_another_subject_is_misplaced() -> None:
    turns = [
        "The page cache of the portal runs Redis with 512 MB on the host rds-cache-01.",
        "Understood.",
        *[f"Filler number {place} about lunch, trains and the weather of the week." for place in range(20)],
        "Understood.",
        "The nightly invoice export writes 340 files to the archive of the depot.",
    ]
    checked = check_claim(a_snapshot(*turns), "The page cache of the portal runs Redis with 340 files.")
    assert checked.borne is Borne.CONTRADICTED
    assert "says something else in place of '340'" in checked.reason
