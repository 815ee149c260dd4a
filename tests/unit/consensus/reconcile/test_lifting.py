"""Turns that end something by name."""

import pytest

from consensus.reconcile.lifting import lifts_of
from consensus.reconcile.timing import timed
from dissolution.claims import Claim, Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, whole


def ended_by(said: str, *texts: str, section: Section = Section.DECIDED) -> list[list[str]]:
    """For each ending that `said` holds the claims it fits."""
    snapshot = a_snapshot(*texts, said)
    claims: list[Claim] = [
        timed(a_claim(text, snapshot, place, section, name=text[:40]), snapshot)
        for place, text in enumerate(texts, start=1)
    ]
    names = {claim.id: claim.text for claim in claims}
    spoken = [whole(snapshot, len(texts) + 1)]
    return [[names[name] for name in lift.claims] for lift in lifts_of(claims, spoken)]


FREEZE = "The deploy freeze holds."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FREEZE, "We drop the freeze."),
        (FREEZE, "The deploy freeze is lifted."),
        (FREEZE, "Please cancel the deploy freeze, we are done."),
        ("The Thursday standup is at nine.", "The Thursday standup is cancelled."),
        ("We will ship the export page.", "The export page is shipped."),
        ("The tenant must deliver the keys.", "The keys have been delivered."),
        ("We have to submit the ethics form.", "The ethics form was submitted yesterday."),
        ("The fasting rule binds the patient.", "The fasting rule no longer applies; the fasting rule is off."),
    ],
)
def test_a_name_ends_the_commitment_it_fits(text: str, said: str) -> None:
    assert ended_by(said, text) == [[text]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FREEZE, "Do not drop the freeze."),
        (FREEZE, "We could drop the freeze."),
        (FREEZE, "Should we drop the freeze?"),
        (FREEZE, "If the tests pass, we drop the freeze."),
        (FREEZE, "We will neither move nor drop the freeze."),
        (FREEZE, "We drop the dashboard."),
        ("Every release is shipped by two people.", "The release is shipped."),
        ("No column of the billing table is renamed before October, as was promised.", "Remove the table."),
    ],
)
def test_what_keeps_asks_supposes_or_names_something_else_ends_nothing(text: str, said: str) -> None:
    assert ended_by(said, text) == []


def test_a_name_that_fits_several_is_told_for_all() -> None:
    other = "The freeze of the lab samples holds."
    assert ended_by("We drop the freeze.", FREEZE, other) == [sorted([FREEZE, other])]


def test_facts_are_not_lifted() -> None:
    assert ended_by("The deploy freeze is lifted.", FREEZE, section=Section.KNOWN) == []


def test_a_claim_that_rests_on_the_turn_itself_is_not_ended_by_it() -> None:
    snapshot = a_snapshot("Drop the deploy freeze.")
    same = timed(a_claim(FREEZE, snapshot, 1, Section.DECIDED), snapshot)
    assert lifts_of([same], [whole(snapshot, 1)]) == ()


DROPPED = "We decided to drop the mobile client of Nutmeg; Emil tells the customers."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DROPPED, DROPPED),
        (DROPPED, "Once more: we decided to drop the mobile client of Nutmeg; Emil tells the customers."),
        (DROPPED, "As agreed, drop the mobile client of Nutmeg."),
        ("We rule out the weekly export.", "So cancel the weekly export."),
        ("The weekly export is cancelled for good.", "Please scrap the weekly export."),
        ("The weekly export is retired by June.", "Then remove the weekly export."),
    ],
)
def test_who_says_once_more_that_a_thing_goes_ends_no_commitment_that_says_so(text: str, said: str) -> None:
    assert ended_by(said, text) == []


def test_a_pause_for_something_ends_with_what_it_is_for_and_not_with_itself() -> None:
    text = "We stop deploys during the freeze."
    assert ended_by("We lift the freeze.", text) == [[text]]
