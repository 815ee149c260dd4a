from dissolution.claims import Section
from dissolution.conversation import Snapshot
from frame_agent.offering import GIVES_UP, instructs, is_offer
from frame_agent.record import Record, Said
from frame_agent.register import register_of
from tests.factories import a_snapshot
from tests.unit.frame_agent.framed import a_claim


def said(snapshot: Snapshot, words: str) -> Said:
    record = Record(register_of(snapshot), snapshot)
    return next(one for one in record.said if words in one.found.text)


def test_what_the_lists_hear_as_an_offer_and_every_question_is_one() -> None:
    snapshot = a_snapshot("I suggest we paint the hall in March. Could we paint the stairs as well?")
    assert is_offer(said(snapshot, "hall"))
    assert is_offer(said(snapshot, "stairs"))


def test_what_the_user_says_about_working_together_binds_in_identity_only() -> None:
    snapshot = a_snapshot("I'd like to have all amounts in euros.", "I would use dollars for the table.")
    users, assistants = said(snapshot, "euros"), said(snapshot, "dollars")
    rule = a_claim(Section.IDENTITY, "Amounts are in euros.", snapshot)
    decision = a_claim(Section.DECIDED, "Amounts are in euros.", snapshot)
    assert instructs(rule, users)
    assert not instructs(decision, users)
    assert not instructs(rule, assistants)


def test_a_claim_may_say_itself_that_something_is_given_up() -> None:
    assert GIVES_UP.search("The 60 km plan is given up.")
    assert GIVES_UP.search("Kafka is out.")
    assert not GIVES_UP.search("The parcel is out of the house.")
