"""Cloze questions in the making."""

import pytest

from dissolution.probing import MASK, ItemKind, QuestionKind
from probe.drafts import CUES, SHARED_CUES, from_statements, from_values
from probe.statements import statements
from tests.factories import a_snapshot

LONG = (
    "The canary of the portal release watches errors, queues, workers, caches and tickets on node web-a3 every night.",
    "Understood: the canary of the portal release watches errors, queues, workers, caches and tickets on node web-a3.",
    "On web-a3 the canary needs gateways, certificates, tokens, headers, cookies and proxies of the portal as well.",
)


def test_a_value_is_asked_for_by_its_company_and_not_by_itself() -> None:
    refused: list[str] = []
    (draft,) = [one for one in from_values(a_snapshot(*LONG), (), refused) if one.item.text == "web-a3"]
    assert draft.text.startswith("Which name is said with: ")
    assert draft.text.endswith(f"? {MASK}")
    assert "web-a3" not in draft.text
    assert len(draft.stems) == CUES
    assert draft.turns == (1, 2, 3)


def test_a_value_asked_for_before_is_asked_for_by_other_words_until_there_are_none() -> None:
    from probe.cloze import write_cloze_bank

    snapshot, refused = a_snapshot(*LONG), list[str]()
    earlier = write_cloze_bank(snapshot, size=20).questions
    (first,) = [one for one in from_values(snapshot, (), refused) if one.item.text == "web-a3"]
    (again,) = [one for one in from_values(snapshot, earlier, refused) if one.item.text == "web-a3"]
    assert len(first.stems & again.stems) == SHARED_CUES
    assert again.stems - first.stems
    names = [one.item.text for one in from_values(snapshot, earlier * 9, refused)]
    assert "web-a3" not in names
    assert any("too few words" in line for line in refused)


def test_a_number_that_was_replaced_makes_its_successor_a_correction() -> None:
    snapshot = a_snapshot(
        "The stream of the northern depots has 8 shards in Lisbon.",
        "So the stream of the northern depots has 8 shards in Lisbon.",
        "The stream of the northern depots has 20 shards in Lisbon.",
        "Noted, the stream of the northern depots has 20 shards in Lisbon.",
    )
    drafts = {draft.item.text: draft for draft in from_values(snapshot, (), [])}
    assert drafts["20"].kind is QuestionKind.CORRECTION
    assert drafts["20"].rivals == (r"(?<!\w)8[ -]shard\w*",)
    assert drafts["8"].rivals == ()


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        (("We keep the depot at 35 and the depot at 35 of Lisbon.",), "says its answer twice"),
        (("We must never go above 350.",), "too few words"),
        (("Norvik runs the depot of the northern harbour, says Perkins.",), "said in passing"),
    ],
)
def test_why_statements_are_refused(turns: tuple[str, ...], why: str) -> None:
    refused: list[str] = []
    from_statements(statements(a_snapshot(*turns)), (), refused)
    assert any(why in line for line in refused), refused


def test_the_most_exact_item_is_masked() -> None:
    (draft,) = from_statements(
        statements(a_snapshot("We decided that Norvik opens the northern depot on 14 September.")), (), []
    )
    assert draft.item.kind is ItemKind.DATE
