import pytest

from dissolution.premises import Acceptance, Premise, PremiseStatus
from frame_agent.register import register_of
from tests.factories import a_snapshot
from tests.unit.frame_agent.framed import ASSISTANT, USER, talk


def first(*said: str) -> Premise:
    return register_of(a_snapshot(*said)).premises[0]


@pytest.mark.parametrize("yes", ["Agreed.", "Yes, both.", "Ok, do it.", "Good, adopted.", "Will do."])
def test_a_bare_yes_takes_up_what_was_just_said(yes: str) -> None:
    premise = first("The boiler serves 40 flats.", yes)
    assert premise.status is PremiseStatus.CONFIRMED
    assert premise.accepted[0].how is Acceptance.EXPLICIT_YES


def test_a_yes_with_words_of_its_own_takes_up_what_shares_them() -> None:
    register = register_of(
        a_snapshot(
            "The boiler serves 40 flats. The chimney measures 12 metres.", "Agreed on the chimney and its metres."
        )
    )
    boiler, chimney = register.premises[:2]
    assert boiler.status is PremiseStatus.ASSERTED
    assert chimney.status is PremiseStatus.CONFIRMED


def test_saying_it_again_is_taking_it_up_and_repeating_oneself_is_not() -> None:
    other = first("The boiler serves 40 flats.", "The boiler serves 40 flats then.")
    assert other.status is PremiseStatus.CONFIRMED
    assert other.accepted[0].how is Acceptance.BUILDING_ON_IT
    own = first("The boiler serves 40 flats.", "What a tall house that is.", "The boiler serves 40 flats.")
    assert own.status is PremiseStatus.ASSERTED


def test_a_bare_no_refuses_a_proposal_and_no_plain_statement() -> None:
    assert first("I suggest we replace the boiler.", "No.").status is PremiseStatus.REJECTED
    assert first("The boiler serves 40 flats.", "No.").status is PremiseStatus.ASSERTED
    assert (
        first("The boiler serves 40 flats.", "No, the boiler does not serve 40 flats.").status is PremiseStatus.REJECTED
    )


def test_ruling_out_turns_down_what_it_names_later_on() -> None:
    premise = first("The oil tank stays in the cellar.", "Fine weather today.", "The oil tank is ruled out.")
    assert premise.status is PremiseStatus.REJECTED


def test_asking_about_it_or_guessing_it_challenges_it() -> None:
    asked = first("The boiler serves 40 flats.", "Does the boiler serve 40 flats?")
    assert (asked.challenged, asked.status) == (2, PremiseStatus.ASSERTED)
    guessed = first("The boiler serves 40 flats.", "I guess the boiler serves 40 flats.")
    assert guessed.challenged == 2


def test_a_guess_is_confirmed_only_by_somebody_who_looked() -> None:
    assert first("I guess the boiler serves 40 flats.", "The boiler serves 40 flats.").status is PremiseStatus.HEDGED
    looked = first("I guess the boiler serves 40 flats.", "Confirmed, I counted: the boiler serves 40 flats.")
    assert looked.status is PremiseStatus.CONFIRMED


def test_silence_is_kept_for_offers_and_frames_alone() -> None:
    offer = first("I suggest we replace the boiler.", "The weather in Oslo is dreadful today.")
    assert [one.how for one in offer.accepted] == [Acceptance.SILENCE]
    assert offer.status is PremiseStatus.PROPOSED
    assert first("The boiler serves 40 flats.", "The weather in Oslo is dreadful today.").accepted == ()


def test_a_ruling_turns_down_no_fact_that_only_names_its_subject() -> None:
    fact = first(
        "The oil tank holds nine hundred litres and stands in the north cellar.", "Fine.", "The oil tank is out."
    )
    assert fact.status is not PremiseStatus.REJECTED


def test_a_no_with_one_word_in_common_denies_no_fact_and_a_yes_denies_nothing() -> None:
    fact = first(
        "The boiler serves 40 flats and the old laundry.", "No, the laundry opens on Monday mornings at seven."
    )
    assert fact.status is PremiseStatus.ASSERTED
    agreed = first("Below six flats we call it a house.", "Agreed, below six flats we call it a house and no block.")
    assert agreed.status is PremiseStatus.CONFIRMED


@pytest.mark.parametrize(
    "reply",
    [
        "35 km as the outer edge, I can live with that.",
        "Then 35 km as the outer edge it is.",
        "Fine by me, the outer edge goes to 35 km.",
    ],
)
def test_a_proposal_is_taken_up_by_going_on_from_it(reply: str) -> None:
    register = register_of(
        talk((USER, "Hello, we plan the survey."), (ASSISTANT, "I suggest 35 km as the outer edge."), (USER, reply))
    )
    proposal = next(one for one in register.premises if "35 km as the outer" in one.proposition and one.turn == 2)
    assert proposal.status is PremiseStatus.CONFIRMED


def test_talking_about_an_idea_of_the_users_settles_nothing() -> None:
    register = register_of(
        talk(
            (USER, "We could move the archive to the annex."),
            (ASSISTANT, "The annex is dry and the archive would fit."),
        )
    )
    assert register.premises[0].status is PremiseStatus.PROPOSED


def test_what_is_told_as_offered_and_accepted_is_settled() -> None:
    register = register_of(talk((USER, "I offered the printer to close the account in May. She said yes to that.")))
    assert register.premises[0].status is PremiseStatus.CONFIRMED


def test_putting_it_off_takes_up_nothing() -> None:
    register = register_of(
        talk(
            (ASSISTANT, "I'd suggest a waiver pot of 5,000."), (USER, "The waiver pot, let me sleep on it till Monday.")
        )
    )
    assert register.premises[0].status is PremiseStatus.PROPOSED
