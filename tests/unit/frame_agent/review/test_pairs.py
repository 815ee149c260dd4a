"""What becomes of claims beside each other: merged, settled by a turn, or quoted against each other."""

from dissolution.claims import ClaimState, DissentReason, Mark, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault
from tests.unit.frame_agent.review.made import ALONE, LARCH, MILL, OAK, TANK, after, by, by_all, claim, remark

ROUND = claim("round", "About 400 litres go into the tank.", "400 litres", "d", "e")
LATER = "larch after all"


def test_two_families_merge_into_the_claim_that_most_call_best() -> None:
    said = by_all("xy", remark(Fault.SAME_AS, [TANK, ROUND], best="round"))
    found = after([TANK, ROUND, MILL], said)
    assert set(found.claims) == {"round", "mill"}
    kept = found.claims["round"]
    assert kept.text == ROUND.text
    assert kept.support.families == ("a", "b", "d", "e")
    assert {one.key for one in kept.statements} == {one.key for one in (*TANK.statements, *ROUND.statements)}
    assert kept.evidence == (*ROUND.evidence, *TANK.evidence)
    assert (found.dissent, set(found.changes)) == ({}, {"round", "mill"}), "merged, and nothing is dissent"


def test_what_two_families_join_in_pairs_is_one_group() -> None:
    said = by_all("xy", remark(Fault.SAME_AS, [TANK, ROUND], best="tank"), remark(Fault.SAME_AS, [ROUND, ALONE]))
    assert set(after([TANK, ROUND, ALONE], said).claims) == {"tank"}


def test_one_family_merges_only_a_claim_of_one_family_that_no_value_keeps_apart() -> None:
    same = claim("same", "400 litres fill the tank.", "400 litres", "d")
    assert set(after([TANK, same], [by("x", remark(Fault.SAME_AS, [TANK, same], best="tank"))]).claims) == {"tank"}
    apart = after([TANK, ALONE], [by("x", remark(Fault.SAME_AS, [TANK, ALONE], best="tank"))])
    assert (apart.changed, "keep them apart" in apart.finding.outcome) == (False, True)
    assert set(after([TANK, ALONE], by_all("xy", remark(Fault.SAME_AS, [TANK, ALONE], best="tank"))).claims) == {"tank"}
    two = after([TANK, ROUND], [by("x", remark(Fault.SAME_AS, [TANK, ROUND], best="tank"))])
    assert (two.changed, two.finding.needed) == (False, 2)
    goes = after([TANK, same], [by("x", remark(Fault.SAME_AS, [TANK, same], best="same"))])
    assert not goes.changed, "the claim that would go is of two families"


def test_a_held_claim_that_goes_is_closed_by_the_one_that_stays() -> None:
    found = after([TANK, ROUND], by_all("xy", remark(Fault.SAME_AS, [TANK, ROUND], best="round")), held=("tank",))
    closing = found.closed["tank"].closing
    assert closing is not None
    assert (closing.state, closing.by) == (ClaimState.SUPERSEDED, "round")
    assert found.changes["round"].other == "tank"


def test_a_held_commitment_is_not_merged_into_a_fact() -> None:
    fact = claim("fact", "Oak is what the sluice is made of.", "the sluice is oak", "c", "d")
    found = after([OAK, fact], by_all("xy", remark(Fault.SAME_AS, [OAK, fact], best="fact")), held=("oak",))
    assert set(found.claims) == {"oak"}
    assert found.claims["oak"].section is Section.DECIDED


def test_what_a_person_keeps_takes_a_double_in_without_being_touched() -> None:
    pinned = TANK.model_copy(update={"marks": (Mark.PINNED,)})
    found = after([pinned, ROUND], by_all("xy", remark(Fault.SAME_AS, [pinned, ROUND], best="round")))
    assert list(found.claims.values()) == [pinned]
    assert (found.dissent["round"].reason, found.dissent["round"].against) == (DissentReason.CONTAINED, ("tank",))


def test_a_held_commitment_does_not_end_in_a_fact_that_a_person_keeps() -> None:
    fact = claim("fact", "Oak is what the sluice is made of.", "the sluice is oak", "c", marks=(Mark.CONFIRMED,))
    found = after([OAK, fact], by_all("xy", remark(Fault.SAME_AS, [OAK, fact], best="fact")), held=("oak", "fact"))
    assert not found.changed


def test_a_turn_that_settles_a_contradiction_closes_the_loser() -> None:
    said = by_all("xy", remark(Fault.CONTRADICTS, [OAK, LARCH], LATER, best="larch"))
    found = after([OAK, LARCH], said)
    assert set(found.claims) == {"larch"}
    assert (found.finding.fault, found.finding.action) == (Fault.CONTRADICTS, Action.REPAIR)


def test_who_calls_the_loser_stale_agrees_with_who_calls_it_contradicted() -> None:
    said = [by("x", remark(Fault.CONTRADICTS, [OAK, LARCH], LATER, best="larch"))]
    said += [by("y", remark(Fault.STALE, [OAK], LATER))]
    assert set(after([OAK, LARCH], said).claims) == {"larch"}


def test_what_no_turn_settles_is_quoted_from_both_sides_in_edges() -> None:
    found = after([OAK, LARCH], by_all("xy", remark(Fault.CONTRADICTS, [OAK, LARCH], LATER)), held=("oak",))
    (edge,) = found.claims.values()
    assert (edge.section, edge.text) == (Section.EDGES, f"“{OAK.text}” / “{LARCH.text}”")
    assert edge.marks == (Mark.CONTESTED,)
    assert edge.support.families == ("a", "b", "c")
    assert (found.closed["oak"].closing or edge).model_dump()["by"] == edge.id
    assert found.dissent["larch"].reason is DissentReason.CONTESTED


def test_two_that_name_different_winners_leave_it_contested() -> None:
    said = [by("x", remark(Fault.CONTRADICTS, [OAK, LARCH], LATER, best="larch"))]
    said += [by("y", remark(Fault.CONTRADICTS, [OAK, LARCH], LATER, best="oak"))]
    (edge,) = after([OAK, LARCH], said).claims.values()
    assert Mark.CONTESTED in edge.marks


def test_one_family_contests_nothing() -> None:
    one, two = (each.model_copy(update={"support": ALONE.support}) for each in (OAK, LARCH))
    found = after([one, two], [by("x", remark(Fault.CONTRADICTS, [one, two], LATER))])
    assert (found.changed, found.finding.needed) == (False, 2)
