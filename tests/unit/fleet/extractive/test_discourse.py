"""What the neighbours of a sentence make of it."""

from dissolution.conversation import Role, Snapshot
from fleet.extractive.discourse import Read, read
from fleet.extractive.sections import Kind
from fleet.extractive.segments import sentences
from tests.factories import a_snapshot, a_turn


def of(*contents: str) -> tuple[Read, ...]:
    return read(sentences(a_snapshot(*contents)))


def kinds(*contents: str) -> list[tuple[str, Kind]]:
    return [(item.sentence.quote, item.kind) for item in of(*contents)]


def test_an_accepted_proposal_is_a_decision_with_its_acceptance() -> None:
    found = of("What now?", "I suggest a canary on web-a3 at noon.", "Yes, do that. Thanks.")
    proposal = next(item for item in found if "canary" in item.sentence.quote)
    assert proposal.kind is Kind.DECISION
    assert proposal.accepted_by is not None
    assert proposal.accepted_by.turn == 3


def test_the_items_of_an_accepted_proposal_are_decided_too() -> None:
    found = dict(
        kinds(
            "Stopping rule?",
            "I would take two limits.\n\n- Fewer than 150 paying salons.\n- Payback over 20 months.",
            "I accept both.",
        )
    )
    assert found["Fewer than 150 paying salons."] is Kind.DECISION
    assert found["Payback over 20 months."] is Kind.DECISION


def test_a_declined_proposal_states_nothing() -> None:
    found = dict(kinds("What now?", "I suggest a canary on web-a3 at noon.", "No, too risky for the billing team."))
    assert found["I suggest a canary on web-a3 at noon."] is Kind.NOTHING


def test_a_proposal_that_nobody_answers_stays_one() -> None:
    found = dict(kinds("What now?", "I suggest a canary on web-a3 at noon.", "The disk of node two is full."))
    assert found["I suggest a canary on web-a3 at noon."] is Kind.PROPOSAL


def test_nobody_accepts_their_own_proposal() -> None:
    turns = (
        a_turn(1, "We could use rubber for the case.", Role.PARTICIPANT, "Designer"),
        a_turn(2, "Yes, very nice rubber it would be.", Role.PARTICIPANT, "Designer"),
    )
    found = read(sentences(Snapshot(conversation="c", turns=turns)))
    assert found[0].kind is Kind.PROPOSAL


def test_a_question_nobody_takes_up_is_open_and_an_answered_one_is_not() -> None:
    asked = "Do gift vouchers count as money here? The stand is booked."
    found = dict(kinds(asked, "A stand costs 14,000 euros.", "Fine with finance."))
    assert found["Do gift vouchers count as money here?"] is Kind.QUESTION
    found = dict(kinds(asked, "Gift vouchers do count as money, says counsel.", "Fine with finance."))
    assert found["Do gift vouchers count as money here?"] is Kind.NOTHING


def test_a_closing_question_is_answered_by_the_next_speaker() -> None:
    found = dict(kinds("Who signs the supplier contract?", "Henrike from operations.", "Good."))
    assert found["Who signs the supplier contract?"] is Kind.NOTHING


def test_a_closing_question_answered_with_no_idea_stays_open() -> None:
    found = dict(kinds("Who signs the supplier contract?", "No idea, nobody decided yet.", "Rain again."))
    assert found["Who signs the supplier contract?"] is Kind.QUESTION


def test_a_one_off_instruction_and_its_answer_state_nothing() -> None:
    found = dict(
        kinds(
            "For this answer only, pretend money is no object. What would you buy first?",
            "I buy the rival company.",
            "Back to the budget of 900.",
        )
    )
    assert found["For this answer only, pretend money is no object."] is Kind.NOTHING
    assert found["What would you buy first?"] is Kind.NOTHING
    assert found["I buy the rival company."] is Kind.NOTHING


def test_a_one_off_instruction_silences_its_own_paragraph_alone() -> None:
    found = dict(
        kinds(
            "Use metric units always.\n\nFor this answer only, two sentences about costs.",
            "The costs fall by 9 percent.",
        )
    )
    assert found["Use metric units always."] is Kind.STANDING


def test_a_hedge_said_afterwards_makes_a_guess() -> None:
    found = of("For Portugal I take a churn of 1.3 percent. There's no data behind that, I know.")
    assert found[0].kind is Kind.GUESS
    assert found[0].hedged_by is not None
    assert found[1].kind is Kind.NOTHING


def test_put_that_under_decided() -> None:
    found = dict(kinds("Support answers on weekdays. Put that under decided."))
    assert found["Support answers on weekdays."] is Kind.DECISION


def test_speech_that_repeats_a_directive_of_a_document_states_nothing() -> None:
    turns = (
        a_turn(1, "Debug mode in production is approved for all nodes.", Role.TOOL),
        a_turn(2, "It says debug mode in production is approved for all nodes.", Role.ASSISTANT),
    )
    found = read(sentences(Snapshot(conversation="c", turns=turns)))
    assert [item.kind for item in found] == [Kind.NOTHING, Kind.NOTHING]


def test_no_sentences() -> None:
    assert read(()) == ()


def test_a_short_question_that_nobody_has_answered_stays_open() -> None:
    read = kinds("Who brings the gazebos? Nobody has answered me yet.", "Noted, the date stands.")
    assert read[:2] == [("Who brings the gazebos?", Kind.QUESTION), ("Nobody has answered me yet.", Kind.NOTHING)]
    assert kinds("Who brings the gazebos?", "Noted, the date stands.")[0][1] is Kind.NOTHING
