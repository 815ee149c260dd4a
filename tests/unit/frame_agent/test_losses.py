import pytest

from dissolution.claims import Section
from dissolution.framing import FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent.losses import demotion_of, demotions, is_question, vanished, vanishing_of
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_claim, record_of

TALK = record_of(
    (
        USER,
        "I guess the boiler serves 40 flats, so two pumps suffice. Does the city council own the courtyard gate? Bye.",
    ),
    (ASSISTANT, "The chimney is 12 metres high. Shall I draw the cellar plan? Which of the meters needs a new seal?"),
    (USER, "The chimney is 12 metres high indeed. The tender closes on 4 May, and the permit was granted."),
)


def lost(*texts: str) -> list[str]:
    claims = [a_claim(Section.KNOWN, text, TALK.snapshot, 2, f"c{n}") for n, text in enumerate(texts)]
    return [premise.proposition for premise in vanished(TALK, claims)]


def test_a_guess_that_things_rest_on_and_a_question_nobody_answered_are_missed() -> None:
    missing = lost("The chimney is 12 metres high.")
    assert [one[:10] for one in missing] == ["I guess th", "Does the c"]


def test_what_a_claim_holds_is_not_missed() -> None:
    assert (
        lost("It is assumed that the boiler serves 40 flats.", "Who owns the courtyard gate, the city council?") == []
    )


def test_findings_of_what_vanished_say_what_rests_on_it() -> None:
    guess, question = vanished(TALK, [])
    assert not is_question(guess)
    assert is_question(question)
    finding = vanishing_of(guess)
    assert finding.kind is FindingKind.VANISHING
    assert finding.claim is None
    assert finding.severity is Severity.MEDIUM
    assert "1 open things rest on it" in finding.words
    assert "was never answered" in vanishing_of(question).words


@pytest.mark.parametrize(
    "text", ["I think the chimney is 12 metres high.", "The tender closes on 4 May; this is unverified."]
)
def test_a_doubt_that_is_the_candidates_own_is_a_demotion(text: str) -> None:
    (one,) = demotions(TALK, a_claim(Section.EDGES, text, TALK.snapshot, 3))
    finding = demotion_of(one)
    assert finding.kind is FindingKind.DEMOTION
    assert finding.before in {PremiseStatus.CONFIRMED, PremiseStatus.ASSERTED}


@pytest.mark.parametrize(
    "text",
    [
        "I think the boiler serves 40 flats.",  # a guess in the conversation too
        "The chimney is 12 metres high.",
        "Whether the chimney is 12 metres high is open.",
        "I think the chimney is 13 metres high.",  # not what the conversation is sure of
        "Perhaps the courtyard floods.",
    ],
)
def test_other_doubts_are_no_demotion(text: str) -> None:
    assert demotions(TALK, a_claim(Section.EDGES, text, TALK.snapshot, 3)) == ()


SURE = record_of(
    (USER, "The depot has four gates. The roof may leak, it depends on the wind. I suggest a second lift."),
    (ASSISTANT, "The second lift is ordered. The crane stands in the north yard."),
    (USER, "Somebody put the crane of the north yard forward as a landmark. Forget the ramp, the ramp is out."),
)


@pytest.mark.parametrize(
    ("section", "text", "found"),
    [
        (Section.KNOWN, "Perhaps the depot has four gates.", True),
        (Section.EDGES, "One option is that the depot has four gates.", True),  # an offer still, where it is settled
        (Section.KNOWN, "One option is that the depot has four gates.", False),
        (Section.EDGES, "The roof might leak, it perhaps depends on the wind.", False),  # its own words doubt it
        (Section.KNOWN, "The ramp is presumably out.", True),  # what was ruled out is sure as well
        (Section.EDGES, "Whether the depot perhaps has four gates is open.", False),
    ],
)
def test_where_a_doubt_stands_tells_how_sure_the_source_must_be(section: Section, text: str, *, found: bool) -> None:
    turn = 3 if "ramp" in text else 1
    assert bool(demotions(SURE, a_claim(section, text, SURE.snapshot, turn))) is found


def test_figures_somebody_guessed_are_not_made_sure_by_a_document() -> None:
    record = record_of((USER, "I guess churn is 1.3 percent."), (TOOL, "churn 1.3 percent, margin 78 percent"))
    claim = a_claim(Section.EDGES, "Churn is assumed to be 1.3 percent.", record.snapshot, 2)
    assert demotions(record, claim) == ()
