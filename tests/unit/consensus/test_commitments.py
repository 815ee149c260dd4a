import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.commitments import commits, is_deferred
from consensus.profile import Profile
from consensus.section_vote import vote
from dissolution.claims import Section
from tests.unit.consensus.made import a_statement

BINDS = (
    "Dana sends the contract to legal by Friday.",
    "We're going to replace the pump next week.",
    "I'll review the draft tomorrow.",
    "The bakery is to open on 1 June.",
    "Marta promised to send the invoices.",
    "Marta has promised the invoices by Monday.",
    "The nurse has agreed to take the night shift.",
    "The release ships on Thursday.",
    "The user plans to visit the site in March.",
    "The launch is set for 12 January.",
    "They have committed to a 99.9 percent uptime.",
    "It has been decided that the hall is painted green.",
    "The vote is going to be held in autumn.",
    "The choir performs on Sunday.",
    "We agreed to meet again on 4 July.",
    "I owe Petra the list by noon.",
    "The supplier undertakes to replace faulty parts.",
    "The cut-over happens on Saturday night.",
    "The invoice goes out on Monday.",
    "Tomorrow the plumber replaces the valve.",
    "He intends to sell the car in May.",
    "She volunteers to write the minutes.",
    "The museum reopens next month.",
    "Someone from the bank calls back tomorrow.",
    "The deadline is Friday.",
    "The grant application must be in by 1 September.",
    "The audit takes place on 3 June 2027.",
    "The hearing is held on 14 May.",
    "We hold the tasting again on 2027-06-03.",
)
TELLS = (
    "The lake freezes in winter.",
    "The index was added in May.",
    "Water boils at 100 degrees.",
    "The team migrated the database on 3 May.",
    "The launch was on 12 January.",
    "The pump has a flow of 3 litres.",
    "The shop sells bread on Sundays.",
    "The errors began on Monday at 08:43.",
    "The library opened in 1987.",
    "The user met the supplier on Friday.",
    "The budget is 6,400 a month.",
    "The backup runs every night.",
    "I might sell the car next month.",
    "It probably rains tomorrow.",
    "The audit took place on 3 June 2024.",
    "The audit begins on 3 June 2027.",
    "The entry for the pump is on 3 June.",
    "Photosynthesis takes place in leaves.",
    "The tournament is held on grass.",
)


@pytest.mark.parametrize("text", BINDS)
def test_what_is_promised_planned_or_fixed_for_a_time_commits(text: str) -> None:
    assert commits(text, Profile(text).modality)


@pytest.mark.parametrize("text", TELLS)
def test_what_is_told_or_guessed_commits_nobody(text: str) -> None:
    assert not commits(text, Profile(text).modality)


def test_an_appointment_is_decided_whatever_the_votes() -> None:
    text = "The audit takes place on 3 June 2027."
    known = [a_statement(text, member, Section.KNOWN) for member in ("ann", "bea", "cid")]
    assert vote(known, Profile(text)).section is Section.DECIDED


def test_a_date_tells_only_beside_a_vote() -> None:
    text = "The audit begins on 3 June 2027."
    assert is_deferred(text)
    assert not commits(text, Profile(text).modality)
    known = [a_statement(text, member, Section.KNOWN) for member in ("ann", "bea", "cid")]
    decided = a_statement(text, "dan", Section.DECIDED)
    assert vote(known, Profile(text)).section is Section.KNOWN
    assert vote([*known, decided], Profile(text)).section is Section.DECIDED


SECTIONS = st.lists(st.sampled_from(list(Section)), min_size=1, max_size=4)


@given(text=st.sampled_from(BINDS), sections=SECTIONS, own=st.sampled_from([None, *Section]))
def test_no_vote_puts_a_forward_commitment_into_known(text: str, sections: list[Section], own: Section | None) -> None:
    members = itertools.cycle(("ann", "bea", "cid", "dan"))
    said = [a_statement(text, member, section) for member, section in zip(members, sections, strict=False)]
    assert vote(said, Profile(text), own).section is not Section.KNOWN
