"""Precision of claims: their own words first, then the turns they cite; what was made up is seen."""

import pytest

from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.intervals import TurnInterval
from probe.claim_precision import MOST_CHECKED, check_claims
from probe.precision import Borne
from tests.factories import a_snapshot

SNAPSHOT = a_snapshot(
    "The invoice service runs on Postgres 15.4, and the deploy window is Tuesday 09:00.",
    "Petra keeps the pager. We never restart the primary during business hours.",
    "The warehouse budget is 4100 euros for the whole of next year.",
)


def a_claim(text: str, turn: int | None = None, section: Section = Section.KNOWN) -> Claim:
    said = Statement(member="a", family="a", ordinal=0, claim=StatedClaim(section=section, text=text))
    words = "" if turn is None else SNAPSHOT.turn(turn).content
    evidence = () if turn is None else (Evidence(turn=turn, start=0, end=len(words), text=words),)
    return Claim(
        id=f"c{abs(hash(text))}",
        section=section,
        text=text,
        evidence=evidence,
        support=Support.of((said,)),
        valid=TurnInterval(start=1),
        statements=(said,),
        reason="test",
    )


@pytest.mark.parametrize(
    ("text", "turn", "borne"),
    [
        ("The invoice service runs on Postgres 15.4.", 1, Borne.SUPPORTED),
        ("Deploys of that service go out on Tuesday at 09:00.", 1, Borne.SUPPORTED),
        ("The person on call, with the pager, is Petra.", 2, Borne.SUPPORTED),
        ("Stock may cost 4100 euros in the coming year.", 3, Borne.SUPPORTED),
        ("The warehouse budget is 9900 euros for next year.", 3, Borne.CONTRADICTED),
        ("Ludmila answers whenever the pager rings at night.", 2, Borne.ABSENT),
        ("Penguins prefer colder harbours than gulls usually do.", 3, Borne.ABSENT),
    ],
)
def test_a_claim_is_looked_up_where_it_points(text: str, turn: int, borne: Borne) -> None:
    found = check_claims(SNAPSHOT, [a_claim(text, turn)])
    assert [one.borne for one in found.checked] == [borne], found.checked[0].reason


def test_what_stands_open_is_looked_up_like_the_rest() -> None:
    found = check_claims(SNAPSHOT, [a_claim("Who pays for the penguins?", section=Section.EDGES)])
    assert [one.borne for one in found.checked] == [Borne.ABSENT]


def test_an_invented_state_is_seen_beside_a_true_one() -> None:
    true = [a_claim(turn.content, turn.number) for turn in SNAPSHOT.turns]
    invented = [a_claim(f"The ferry number {n} sinks near Tromso in {2000 + n}.", 3) for n in range(7)]
    found = check_claims(SNAPSHOT, [*true, *invented])
    assert found.supported == pytest.approx(0.3)
    assert check_claims(SNAPSHOT, true).supported == 1.0


@pytest.mark.parametrize(("share", "checked"), [(1.0, MOST_CHECKED), (0.1, 10), (0.001, 1)])
def test_the_sample_follows_policy_and_nobody_chooses_it(share: float, checked: int) -> None:
    claims = [a_claim(f"Statement number {n} of many.", 1) for n in range(100)]
    found = check_claims(SNAPSHOT, claims, share=share)
    assert len(found.checked) == checked
    again = check_claims(SNAPSHOT, claims[::-1], share=share)
    assert {one.text for one in again.checked} == {one.text for one in found.checked}
