import pytest

from dissolution.claims import Section
from dissolution.framing import FindingKind
from frame_agent.speakers import misgiven, sourced
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_claim, record_of

TALK = record_of(
    (USER, "The boiler serves 40 flats. Please list the pumps by price. Ravi approved the new chimney yesterday."),
    (ASSISTANT, "The courtyard drain takes 9 litres a second. The oil tank has to be emptied first."),
    (USER, "Marta wants the meters in the cellar. Until Marta signs the permit, nobody touches the roof."),
    (TOOL, "landlord approved the roof garden"),
)


def judged(text: str) -> list[FindingKind | None]:
    claim = a_claim(Section.KNOWN, text, TALK.snapshot)
    findings = [misgiven(TALK, one) for one in sourced(claim)]
    return [finding.kind if finding else None for finding in findings]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The user says that the boiler serves 40 flats.", None),
        ("The assistant says that the boiler serves 40 flats.", FindingKind.ATTRIBUTION),
        ("According to the user, the courtyard drain takes 9 litres a second.", FindingKind.ATTRIBUTION),
        ("According to the assistant, the courtyard drain takes 9 litres a second.", None),
        ("The user asked for a list of the pumps by price.", None),
        ("The user asked for a sauna in the attic.", FindingKind.FABRICATION),
        ("Ravi approved the new chimney.", None),
        ("Ravi approved the courtyard drain.", FindingKind.FABRICATION),
        ("Marta signed off the permit for the roof.", FindingKind.FABRICATION),
        ("Marta wanted the meters in the cellar.", None),
        ("Ravi requested the meters in the cellar.", FindingKind.FABRICATION),
        ("The landlord approved the meters in the cellar.", FindingKind.FABRICATION),
        ("The user asked for 40 flats at the boiler.", FindingKind.FABRICATION),  # he states it and asks for nothing
        ("The user says that the boiler serves 40 flats and Ravi approved the new chimney.", None),  # in two sentences
        ("The user says that the lift squeaks at night.", None),  # nobody says it: the evidence rule's matter
    ],
)
def test_words_given_to_somebody_are_looked_for_in_his_turns(text: str, kind: FindingKind | None) -> None:
    assert judged(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "The boiler serves 40 flats.",
        "Pumps were approved in May.",
        "It is agreed that the roof stays.",
        "Nobody asked for it.",
    ],
)
def test_a_claim_that_names_nobody_is_not_about_who_said_it(text: str) -> None:
    assert judged(text) == []
