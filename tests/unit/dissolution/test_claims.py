from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from dissolution.claims import (
    FIRM_SECTIONS,
    Claim,
    Evidence,
    HeldAct,
    InstantInterval,
    Section,
    StatedClaim,
    Statement,
    Support,
    TurnInterval,
)
from tests.factories import INSTANT, a_snapshot

SNAPSHOT = a_snapshot("We use Postgres 16.", "Noted.")
QUOTE = Evidence(turn=1, start=7, end=18, text="Postgres 16")


def statement(member: str, family: str, ordinal: int = 0) -> Statement:
    return Statement(
        member=member, family=family, ordinal=ordinal, claim=StatedClaim(section=Section.KNOWN, text="It is Postgres.")
    )


def claim(section: Section, evidence: tuple[Evidence, ...]) -> Claim:
    statements = (statement("a", "alpha"),)
    return Claim(
        id="c1",
        section=section,
        text="It is Postgres.",
        evidence=evidence,
        support=Support.of(statements),
        valid=TurnInterval(start=1),
        statements=statements,
        reason="voted",
    )


def test_sections_have_their_order() -> None:
    assert list(Section) == ["KNOWN", "DECIDED", "EDGES", "IDENTITY"]
    assert frozenset(Section) - {Section.EDGES} == FIRM_SECTIONS


@pytest.mark.parametrize("section", sorted(FIRM_SECTIONS))
def test_no_quote_no_claim(section: Section) -> None:
    with pytest.raises(ValidationError, match="no evidence"):
        claim(section, ())
    assert claim(section, (QUOTE,)).evidence == (QUOTE,)


def test_an_edge_may_stand_without_evidence() -> None:
    assert claim(Section.EDGES, ()).evidence == ()


@pytest.mark.parametrize(
    ("evidence", "stands"),
    [
        (QUOTE, True),
        (QUOTE.model_copy(update={"text": "postgres 16"}), False),
        (QUOTE.model_copy(update={"start": 6, "end": 17}), False),
        (QUOTE.model_copy(update={"turn": 2}), False),
        (QUOTE.model_copy(update={"turn": 3}), False),
        (Evidence(turn=2, start=0, end=99, text="Noted."), False),
    ],
)
def test_evidence_stands_only_where_the_words_are(evidence: Evidence, *, stands: bool) -> None:
    assert evidence.stands_in(SNAPSHOT) is stands


def test_support_counts_each_family_and_member_once() -> None:
    support = Support.of(
        (statement("b", "beta"), statement("a2", "alpha"), statement("a1", "alpha"), statement("b", "beta", 1))
    )
    assert (support.members, support.families) == (("a1", "a2", "b"), ("alpha", "beta"))
    with pytest.raises(ValidationError):
        Support.of(())


def test_statement_keys_tell_statements_apart() -> None:
    assert statement("a", "alpha", 3).key == "a#3"


def test_turn_intervals_are_half_open() -> None:
    interval = TurnInterval(start=2, end=4)
    assert [turn for turn in range(1, 6) if interval.holds_at(turn)] == [2, 3]
    assert TurnInterval(start=2).holds_at(10_000)
    assert not TurnInterval(start=2).holds_at(1)
    assert not TurnInterval(start=2, end=2).holds_at(2)


def test_intervals_run_forward() -> None:
    with pytest.raises(ValidationError, match=r"\[4, 2\)"):
        TurnInterval(start=4, end=2)
    assert InstantInterval(start=INSTANT).end is None
    assert InstantInterval(start=INSTANT, end=INSTANT).end == INSTANT
    with pytest.raises(ValidationError, match="ends before it starts"):
        InstantInterval(start=INSTANT, end=INSTANT - timedelta(seconds=1))
    with pytest.raises(ValidationError, match="timezone"):
        InstantInterval(start=INSTANT.replace(tzinfo=None))


@pytest.mark.parametrize("given", [{"act": HeldAct.REVISE}, {"about": "c1"}])
def test_what_a_member_says_of_a_held_claim_names_act_and_claim(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="give both or neither"):
        StatedClaim(section=Section.KNOWN, text="It rains.", **given)
