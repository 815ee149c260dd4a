"""Where a history speaks of something: in a sentence, beside it, in its turn and in the next one."""

import pytest

from benchmarks.giants import conversation_of
from dissolution.conversation import Role, Snapshot
from dissolution.probing import ItemKind
from probe.evidence import NEIGHBOUR, NEXT_TURN, SAME_TURN, HistoryIndex, evidence_of, stems_of
from probe.items import Item, items, restores
from tests.factories import a_snapshot, a_turn

TALK = (
    "The canary starts at 07:30. It rains. It pours. It stops. The depot is shut.",
    "Twelve lorries wait. The archive keeps 35 days.",
    "Nothing else is said here.",
)


def test_a_word_counts_less_the_farther_it_stands() -> None:
    evidence = evidence_of(a_snapshot(*TALK))
    weight = evidence.weight("canary")
    shares = [pytest.approx(share / weight) for share in evidence.around(("canary",))]
    assert shares == [1, NEIGHBOUR, NEIGHBOUR, SAME_TURN, SAME_TURN, NEXT_TURN, NEXT_TURN, 0]
    assert list(evidence.inside(("canary",))) == [weight, 0, 0, 0, 0, 0, 0, 0]


def test_words_never_said_weigh_nothing() -> None:
    evidence = evidence_of(a_snapshot(*TALK))
    assert evidence.weight("zeppelin") == 0
    assert evidence.known(("zeppelin", "canary", "canary")) == ("canary",)
    assert not evidence.around(("zeppelin",)).any()


@pytest.mark.parametrize(("value", "places"), [("35 days", (6,)), ("35", (6,)), ("840 hours", (6,)), ("36 days", ())])
def test_values_are_found_in_other_units_and_without_them(value: str, places: tuple[int, ...]) -> None:
    (item,) = items(f"It keeps {value}.")
    assert evidence_of(a_snapshot(*TALK)).holding(item) == places


def test_pasted_output_is_evidence_and_marked() -> None:
    snapshot = Snapshot(conversation="c", turns=(a_turn(1, "port 6380 is open", Role.TOOL),))
    (said,) = evidence_of(snapshot).sentences
    assert said.quoted
    assert said.stems == frozenset(stems_of("port 6380 is open"))


def test_an_empty_sentence_list_is_no_trouble() -> None:
    evidence = evidence_of(a_snapshot("…"))
    assert not evidence.around(("canary",)).any()


def test_a_value_is_held_where_each_sentence_alone_would_restore_it() -> None:
    """Sentences are read once for all values; each value is found as if every sentence were asked about it."""
    talk = conversation_of(40, 256).snapshot()
    texts = ("40 requests", "8 hours", "28800 s", "7 MB", "14 March", "at 10:30", "the export service", "not Redis")
    found = HistoryIndex(
        [*evidence_of(talk).sentences, *evidence_of(a_snapshot(*map("It is {}.".format, texts))).sentences]
    )
    asked = {item for one in found.sentences for item in one.items}
    assert {item.kind for item in asked} >= {ItemKind.NUMBER, ItemKind.DATE}
    further = (
        Item(ItemKind.NAME, "Redis", 0, 5),
        Item(ItemKind.DATE, "March 14", 0, 8),
        Item(ItemKind.DATE, "10:30", 0, 5),
        Item(ItemKind.CHOICE, "not", 0, 3),
    )
    assert all(found.holding(one) for one in further)
    for item in (*asked, *further):
        alone = [n for n, one in enumerate(found.sentences) if restores(item.kind, item.text, one.text)]
        assert not alone or list(found.holding(item)) == alone
