"""Where a candidate is weak, in plain words."""

from dissolution.claims import Section
from dissolution.probing import ItemKind, QuestionKind, Third
from probe.diagnosis import diagnose
from probe.drafts import ASKED_AS, SAID_WITH
from tests.unit.probe.asking import a_question, an_item


def test_weak_groups_are_named_worst_first() -> None:
    decided = {"kind": QuestionKind.DECISION, "section": Section.DECIDED}
    items = [
        *(an_item(a_question(f"d{n}", text="Which database?", **decided), candidate=False) for n in range(3)),
        *(an_item(a_question(f"r{n}", third=Third.LAST)) for n in range(4)),
    ]
    found = diagnose(items)
    assert found.words[0] == "decisions from the first third are missing: 3 of 3 that the history answers"
    assert found.words[1] == "things decided are missing: 3 of 3 that the history answers"
    assert {group.group: (group.questions, group.lost) for group in found.by_section} == {
        "DECIDED": (3, 3),
        "KNOWN": (4, 0),
    }
    assert {group.group for group in found.by_third} == {"first", "last"}
    assert found.by_topic[0].group == "database"


def test_one_lost_question_names_nothing() -> None:
    found = diagnose([an_item(a_question(), candidate=False)])
    assert found.words == ("no group of questions is weak",)


def test_the_phrase_that_asks_for_a_value_is_no_topic() -> None:
    masked = {"item": ItemKind.NAME, "reference": "Redis"}
    text = f"{ASKED_AS[ItemKind.NAME]}{SAID_WITH}sessions, store, {{}}? ____"
    found = diagnose([an_item(a_question(word, text=text.format(word), **masked)) for word in ("one", "two", "six")])
    assert {group.group for group in found.by_topic} == {"sessions", "store"}


def test_the_unanswerable_has_no_age() -> None:
    unanswerable = [an_item(a_question(f"u{n}", kind=QuestionKind.NOT_ANSWERABLE), candidate=False) for n in range(2)]
    found = diagnose(unanswerable)
    assert found.by_third == ()
    assert any("never said" in line for line in found.words)


def test_nothing_asked() -> None:
    found = diagnose([])
    assert found.by_section == found.by_kind == found.by_topic == ()
