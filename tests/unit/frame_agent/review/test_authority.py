"""Who may do what with a claim: each line of the table of docs/deciding.md that is about the review."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.claims import Claim, Mark, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault, Hint, Remark
from dissolution.values import NotMeasured
from frame_agent.review.hints import hints_of
from tests.unit.frame_agent.framed import a_candidate
from tests.unit.frame_agent.review.made import (
    ALONE,
    DOOR,
    LARCH,
    MILL,
    OAK,
    REGISTER,
    TALK,
    TANK,
    after,
    by,
    by_all,
    claim,
    remark,
    report_of,
    words,
)

GUESSED = "I'd guess the tank"
LATER = "larch after all"
CLAIMS = (TANK, ALONE, OAK, LARCH, DOOR, MILL)
OF_TWO = tuple(one for one in CLAIMS if len(one.support.families) > 1)


def test_one_familys_reviewer_moves_what_one_family_alone_states() -> None:
    found = after([ALONE, MILL], [by("c", remark(Fault.GUESS, [ALONE], GUESSED))])
    assert found.texts == {(Section.EDGES, ALONE.text), (MILL.section, MILL.text)}
    assert (found.finding.action, found.finding.needed, found.finding.families) == (Action.REPAIR, 1, ("c",))
    assert words(GUESSED) in found.claims["alone"].evidence


def test_one_familys_reviewer_moves_nothing_that_two_families_state() -> None:
    found = after([TANK, MILL], [by("c", remark(Fault.GUESS, [TANK], GUESSED))])
    assert not found.changed
    assert (found.finding.action, found.finding.needed, found.finding.told_by) == (Action.ANNOTATE, 2, ("reader-c",))
    assert "takes 2" in found.finding.outcome


def test_two_members_of_one_family_have_one_vote() -> None:
    said = remark(Fault.FALSE, [TANK], GUESSED)
    found = after([TANK], [by("c", said, member="one"), by("c", said, member="two")])
    assert not found.changed
    assert (found.finding.told_by, found.finding.families) == (("one", "two"), ("c",))


def test_reviewers_of_two_families_close_what_two_families_state() -> None:
    found = after([OAK, LARCH], by_all("cd", remark(Fault.STALE, [OAK], LATER)))
    assert set(found.claims) == {"larch"}
    assert (found.finding.action, found.finding.families) == (Action.REPAIR, ("c", "d"))


@pytest.mark.parametrize("mark", [Mark.PINNED, Mark.CONFIRMED])
@pytest.mark.parametrize("fault", [one for one in Fault if one is not Fault.MISSING])
def test_what_a_person_pinned_or_confirmed_is_touched_by_nobody(mark: Mark, fault: Fault) -> None:
    kept = OAK.model_copy(update={"marks": (mark,)})
    about = [kept, LARCH] if fault in {Fault.SAME_AS, Fault.CONTRADICTS} else [kept]
    quote = "" if fault is Fault.SAME_AS else LATER
    said = remark(fault, about, quote, text="Larch it is.", section=Section.EDGES, best="larch" if about[1:] else None)
    found = after([kept, LARCH], by_all("cde", said))
    assert found.claims["oak"] == kept
    assert found.claims.get("larch", LARCH) == LARCH


def test_hints_point_and_change_nothing() -> None:
    hint = Hint(suspects=Fault.FALSE, claims=("tank",), probability=0.99, basis="wording/1")
    report = report_of([TANK], [], hints=[hint])
    assert (report.amended, report.findings, report.hints) == (None, (), (hint,))


def _remark(fault: Fault, first: Claim, second: Claim, section: Section, text: str | None) -> Remark:
    two = fault in {Fault.SAME_AS, Fault.CONTRADICTS}
    if two and first is second:
        second = next(one for one in CLAIMS if one is not first)
    about = [] if fault is Fault.MISSING else [first, second] if two else [first]
    return remark(
        fault,
        about,
        "" if fault is Fault.SAME_AS else LATER,
        text=text or ("Larch it is." if fault in {Fault.MISSING, Fault.INCOMPLETE} else None),
        section=section,
        best=second.id if two and text is None else None,
    )


REMARKS = st.builds(
    _remark,
    st.sampled_from(Fault),
    st.sampled_from(CLAIMS),
    st.sampled_from(CLAIMS),
    st.sampled_from(Section),
    st.sampled_from([None, "Oak was dropped.", OAK.text]),
)


def _hint(fault: Fault, one: Claim) -> Hint:
    return Hint(suspects=fault, claims=(one.id,), probability=NotMeasured(not_measured="compared"), basis="values")


HINTS = st.builds(_hint, st.sampled_from(Fault), st.sampled_from(CLAIMS))


@given(st.lists(HINTS, max_size=8))
def test_no_sequence_of_hints_changes_a_claim(hints: list[Hint]) -> None:
    """That reviewers who see them and say nothing change nothing: tests/unit/workers/members/test_reviewers.py."""
    hinted = a_candidate(*CLAIMS).model_copy(update={"hints": tuple(hints)})
    shown = hints_of(REGISTER, hinted, TALK)
    assert report_of(hinted, [], hints=shown).amended is None
    said = by_all("cd", remark(Fault.STALE, [OAK], LATER))
    amended = report_of(hinted, said, hints=shown).amended
    assert amended is not None
    assert amended.model_copy(update={"hints": ()}) == report_of(CLAIMS, said).amended


@settings(max_examples=300)
@given(st.lists(REMARKS, max_size=8), st.booleans(), st.lists(HINTS, max_size=3))
def test_no_remarks_of_one_family_change_a_claim_of_two(remarks: list[Remark], held: bool, hints: list[Hint]) -> None:  # noqa: FBT001 - hypothesis passes by place
    names = tuple(one.id for one in CLAIMS) if held else ()
    report = report_of(CLAIMS, [by("e", *remarks)], held=names, hints=hints)
    if report.amended is None:
        return
    now = {one.id: one for one in report.amended.claims}
    for one in OF_TWO:
        assert (now[one.id].section, now[one.id].text, now[one.id].marks) == (one.section, one.text, one.marks)
        assert set(now[one.id].support.families) >= set(one.support.families)
        assert set(now[one.id].evidence) >= set(one.evidence)


@settings(max_examples=300)
@given(st.lists(REMARKS, max_size=6), st.lists(REMARKS, max_size=6), st.lists(REMARKS, max_size=6), st.booleans())
def test_nothing_said_is_ever_lost_and_ids_stay_single(
    one: list[Remark],
    two: list[Remark],
    three: list[Remark],
    held: bool,  # noqa: FBT001 - hypothesis passes by place
) -> None:
    names = tuple(each.id for each in CLAIMS) if held else ()
    reviewers = [by("c", *one), by("d", *two), by("e", *three)]
    report = report_of(CLAIMS, reviewers, held=names)
    turned = report_of(CLAIMS, list(reversed(reviewers)), held=names)
    assert turned.amended == report.amended
    if report.amended is None:
        return
    kept = (*report.amended.claims, *report.amended.closed, *report.amended.dissent)
    stated = {(said.member, said.claim.text) for each in kept for said in each.statements}
    assert stated >= {(said.member, said.claim.text) for each in CLAIMS for said in each.statements}
    ids = [each.id for each in (*report.amended.claims, *report.amended.closed)]
    assert len(ids) == len(set(ids))
    if held:
        assert {each.id for each in CLAIMS} <= set(ids), "what the ledger holds is stated or closed"
        for each in report.amended.claims:
            before = next((old for old in CLAIMS if old.id == each.id), None)
            if before is not None and before.section in {Section.DECIDED, Section.IDENTITY}:
                assert each.section in {Section.DECIDED, Section.IDENTITY}
        assert all(each.closing is not None and each.closing.evidence for each in report.amended.closed)


def test_quoted_material_alone_never_binds_whoever_says_so() -> None:
    order = "The council orders that the weir be closed"
    fact = claim("order", "The weir is closed.", order, "a")
    moved = after([fact], by_all("bcd", remark(Fault.WRONG_SECTION, [fact], order, section=Section.DECIDED)))
    assert moved.claims["order"].section is Section.KNOWN
    missed = remark(Fault.MISSING, (), order, text="The weir is closed.", section=Section.DECIDED)
    taken = after([MILL], by_all("bcd", missed))
    assert set(taken.claims) == {"mill"}
    assert [one.text for one in taken.dissent.values()] == ["The weir is closed."]
