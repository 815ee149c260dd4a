"""A claim that two others hold only together: it goes on the word that would merge it, and stays as dissent."""

import pytest

from dissolution.claims import Claim, ClaimState, DissentReason, Mark, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault, Remark
from tests.unit.frame_agent.review.made import MILL, TANK, after, by, by_all, claim, remark

WHERE = claim("where", "The mill stands at the weir and has a sluice.", "The mill stands at the weir", "d", "e")
OAKEN = claim("oaken", "The sluice is rebuilt in oak.", "rebuild the sluice in oak", "d", "e")
BOTH = claim("both", "The mill at the weir has a sluice of oak.", "rebuild the sluice in oak", "a", "b")
ALONE = claim("alone", "The mill at the weir has an oak sluice.", "rebuild the sluice in oak", "a")
CLAIMS = [WHERE, OAKEN, BOTH]


def together(goes: Claim, *stay: Claim) -> Remark:
    return remark(Fault.SAME_AS, [goes, *stay], best=stay[0].id, also=tuple(one.id for one in stay[1:]))


def test_two_families_let_it_go_as_dissent_beside_both() -> None:
    found = after(CLAIMS, by_all("xy", together(BOTH, WHERE, OAKEN)))
    assert set(found.claims) == {"where", "oaken"}
    assert found.claims["where"] == WHERE, "neither says all of it, so neither takes its statements"
    gone = found.dissent["both"]
    assert (gone.reason, set(gone.against), gone.statements) == (
        DissentReason.CONTAINED,
        {"where", "oaken"},
        BOTH.statements,
    )
    assert (found.finding.fault, found.finding.action) == (Fault.SAME_AS, Action.REPAIR)


def test_one_family_is_enough_only_for_what_one_family_states() -> None:
    two = after(CLAIMS, [by("x", together(BOTH, WHERE, OAKEN))])
    assert (two.changed, two.finding.needed) == (False, 2)
    assert set(after([WHERE, OAKEN, ALONE], [by("x", together(ALONE, WHERE, OAKEN))]).claims) == {"where", "oaken"}
    valued = claim("valued", "The mill at the weir has 2 sluices.", "the weir", "a")
    apart = after([WHERE, OAKEN, valued], [by("x", together(valued, WHERE, OAKEN))])
    assert (apart.changed, "keep them apart" in apart.finding.outcome) == (False, True)


def test_who_says_that_one_of_them_holds_it_agrees() -> None:
    single = remark(Fault.SAME_AS, [BOTH, WHERE], best="where")
    found = after(CLAIMS, [by("x", together(BOTH, WHERE, OAKEN)), by("y", single)])
    assert set(found.claims) == {"where", "oaken"}
    other = after(CLAIMS, [by("x", together(BOTH, WHERE, OAKEN)), by("y", together(BOTH, WHERE, TANK))])
    assert not other.changed, "they name other claims"


@pytest.mark.parametrize("mark", [Mark.PINNED, Mark.CONFIRMED])
def test_what_a_person_keeps_stays(mark: Mark) -> None:
    kept = BOTH.model_copy(update={"marks": (mark,)})
    assert not after([WHERE, OAKEN, kept], by_all("xyz", together(kept, WHERE, OAKEN))).changed


def test_a_held_commitment_ends_only_in_what_binds() -> None:
    decided = BOTH.model_copy(update={"section": Section.DECIDED})
    found = after([WHERE, OAKEN, decided], by_all("xy", together(decided, WHERE, OAKEN)), held=("both",))
    assert set(found.claims) == {"where", "oaken", "both"}
    binding = [one.model_copy(update={"section": Section.DECIDED}) for one in (WHERE, OAKEN)]
    closed = after([*binding, decided], by_all("xy", together(decided, *binding)), held=("both",)).closed["both"]
    assert closed.closing is not None
    assert closed.closing.state is ClaimState.SUPERSEDED


def test_nothing_goes_into_what_does_not_stand_any_more() -> None:
    said = [*by_all("xy", together(BOTH, WHERE, OAKEN)), *by_all("vw", together(WHERE, BOTH, MILL))]
    found = after([*CLAIMS, MILL], said)
    assert {"where", "both"} & set(found.claims), "each was to go into the other, and one of them stays"
    assert len({"where", "both"} & set(found.claims)) == 1


def test_what_took_in_a_claim_of_the_same_holds_it_in_its_place() -> None:
    twin = claim("twin", "The mill is at the weir and has a sluice.", "The mill stands at the weir", "f")
    same = remark(Fault.SAME_AS, [WHERE, twin], best="where")
    found = after([*CLAIMS, twin], by_all("xy", same, together(BOTH, twin, OAKEN)))
    assert set(found.claims) == {"where", "oaken"}
