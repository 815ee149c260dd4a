"""Which sentences state something, where it belongs, and when a later one replaces it."""

import pytest

from dissolution.claims import Section
from dissolution.conversation import QuotedKind, QuotedSpan, Role, Snapshot
from dissolution.probing import QuestionKind
from probe.statements import AskableSentence, restated_by, statements, superseded_by
from tests.factories import a_snapshot, a_turn


def only(text: str, role: Role = Role.USER) -> AskableSentence:
    (found,) = statements(Snapshot(conversation="c", turns=(a_turn(1, text, role),)))
    return found


@pytest.mark.parametrize(
    ("text", "section", "kind"),
    [
        ("Never send the list of 350 customers to Lisbon.", Section.IDENTITY, QuestionKind.CONSTRAINT),
        ("The export must end by 05:30 on every weekday.", Section.DECIDED, QuestionKind.CONSTRAINT),
        ("We decided to keep the invoices for 90 days.", Section.DECIDED, QuestionKind.DECISION),
        ("I'll call Ravi Patel about the budget on 12 June.", Section.DECIDED, QuestionKind.COMMITMENT),
        ("The staging cluster of billing has 14 machines.", Section.KNOWN, QuestionKind.RECALL),
        ("The price of the Lisbon depot is still open.", Section.EDGES, QuestionKind.OPEN_QUESTION),
    ],
)
def test_places(text: str, section: Section, kind: QuestionKind) -> None:
    found = only(text)
    assert (found.section, found.kind) == (section, kind)


@pytest.mark.parametrize(
    "text",
    ["The limit is 350.", "Is the limit 350 requests per minute now?", "We used to keep the invoices for 90 days."],
)
def test_what_states_nothing_is_left_out(text: str) -> None:
    assert statements(a_snapshot(text)) == ()


def test_quoted_material_commits_nobody() -> None:
    text = "The staging cluster of billing has 14 machines."
    quoted = (QuotedSpan(start=0, end=len(text), kind=QuotedKind.DOCUMENT),)
    assert statements(Snapshot(conversation="c", turns=(a_turn(1, text, quoted=quoted),))) == ()
    assert statements(Snapshot(conversation="c", turns=(a_turn(1, text, Role.TOOL),))) == ()


def test_a_later_value_replaces_an_earlier_one() -> None:
    old, new, other = statements(
        a_snapshot(
            "The staging cluster of the billing team has 14 machines.",
            "Correction: the staging cluster of the billing team has 16 machines.",
            "The staging cluster of the billing team costs 14 euros.",
        )
    )
    number = next(item for item in old.items if item.text.startswith("14"))
    assert superseded_by(old, number, (new, other)) is new
    assert superseded_by(old, number, (other,)) is None
    assert restated_by(old, number, (old, new)) == ()
    assert restated_by(old, number, (old, old._replace(turn=5))) != ()
