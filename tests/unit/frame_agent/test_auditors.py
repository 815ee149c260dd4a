"""Families vote, what most say is done, what the rules find is never lost, and quoted material gains nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.claim_audit import AssessedClaim, Assessment, Auditor
from dissolution.claims import Claim, Section
from dissolution.framing import RULES, Action, FindingKind, FramePolicy
from dissolution.premises import PremiseStatus
from frame_agent.auditors import LOOSE, votes_on
from tests.unit.frame_agent.judged import (
    BLOCKS,
    BOTH,
    DOUBT,
    FACT,
    FAULTY,
    GIVEN,
    GUESS,
    MADE_UP,
    ORDER,
    SHAFT,
    TWICE,
    about,
    one,
    report_of,
    says,
    sound,
    words,
)


def votes(claim: Claim, *auditors: Auditor) -> list[tuple[str, Assessment, tuple[str, ...]]]:
    return [(vote.family, vote.assessment, vote.members) for vote in votes_on(claim, auditors)]


def test_a_member_that_is_outvoted_in_its_family_has_no_say() -> None:
    against = says(GUESS, Assessment.HEDGED, "I'd guess", member="a1")
    kept = [says(GUESS, Assessment.SOUND, member=name) for name in ("a3", "a2")]
    assert votes(GUESS, against, *kept) == [("a", Assessment.SOUND, ("a2", "a3"))]
    more = [says(GUESS, Assessment.REJECTED, "nobody has", member=name) for name in ("a4", "a5", "a6")]
    assert votes(GUESS, against, *kept, *more) == [("a", Assessment.REJECTED, ("a1", "a4", "a5", "a6"))]


def test_a_family_that_is_divided_evenly_has_no_vote() -> None:
    divided = [says(GUESS, Assessment.HEDGED, "I'd guess", member="a1"), says(GUESS, Assessment.SOUND, member="a2")]
    assert votes(GUESS, *divided, *sound(GUESS, "b")) == [("b", Assessment.SOUND, ("b",))]
    assert report_of(GUESS, by=divided).findings == report_of(GUESS, by=[]).findings


def test_members_of_a_family_that_tell_other_faults_agree_that_there_is_one() -> None:
    first = says(GUESS, Assessment.REJECTED, "nobody has counted", member="a1")
    second = says(GUESS, Assessment.HEDGED, "I'd guess", member="a2")
    (vote,) = votes_on(GUESS, [first, second])
    assert (vote.assessment, vote.evidence) == (Assessment.HEDGED, words("I'd guess"))  # first in the list of assessed
    (vote,) = votes_on(GUESS, [second, first, says(GUESS, Assessment.REJECTED, "flats", member="a3")])
    assert (vote.assessment, vote.evidence) == (Assessment.REJECTED, words("nobody has counted"))


def test_a_claim_that_was_reworded_and_another_claim_have_no_assessment() -> None:
    told = says(GUESS, Assessment.HEDGED, "I'd guess")
    assert votes(one(Section.KNOWN, "The boiler serves forty flats."), told) == []
    assert votes(one(Section.DECIDED, GUESS.text), told) == [], "moved"
    assert len(votes(one(Section.KNOWN, GUESS.text, name="c2"), told)) == 1, "the same words under a new id"


@pytest.mark.parametrize("assessment", list(Assessment))
def test_edges_hold_a_guess_as_open_so_that_it_is_none_of_their_faults(assessment: Assessment) -> None:
    edge = one(Section.EDGES, GUESS.text)
    ((_, held, _),) = votes(edge, says(edge, assessment, "I'd guess"))
    assert held is (Assessment.SOUND if assessment in LOOSE else assessment)
    ((_, firm, _),) = votes(GUESS, says(GUESS, assessment, "I'd guess"))
    assert firm is assessment


def test_what_rules_and_members_find_alike_is_told_by_both_and_repaired() -> None:
    told = [says(GUESS, Assessment.HEDGED, "I'd guess", family=family) for family in ("a", "b")]
    report = report_of(GUESS, by=[*told, *sound(GUESS, "z")])
    (finding,) = about(report)
    assert (finding.told_by, finding.disputed_by, finding.disputed) == ((RULES, "a", "b"), ("z",), False)
    assert finding.action is Action.REPAIR
    assert report.auditors == (*told, *sound(GUESS, "z"))


def test_what_most_find_stands_without_the_rules_and_is_repaired_in_edges() -> None:
    told = [says(SHAFT, Assessment.HEDGED, "The lift shaft ends", family=family) for family in ("a", "b")]
    report = report_of(SHAFT, by=[*told, *sound(SHAFT, "z")])
    (finding,) = about(report)
    assert (finding.told_by, finding.disputed_by, finding.disputed) == (("a", "b"), ("z",), False)
    assert (finding.before, finding.action, finding.evidence[0].turn) == (PremiseStatus.HEDGED, Action.REPAIR, 2)
    assert report.amended is not None
    (edge,) = report.amended.claims
    assert (edge.section, edge.text) == (Section.EDGES, f"Assumed, not confirmed: {SHAFT.text}")


@pytest.mark.parametrize("claim", FAULTY.values(), ids=FAULTY)
def test_what_most_call_sound_is_shown_as_disputed_and_nothing_is_done(claim: Claim) -> None:
    for policy in (FramePolicy(), BLOCKS):
        report = report_of(claim, by=sound(claim, "a", "b"), policy=policy)
        (finding,) = about(report)
        assert (finding.told_by, finding.disputed_by, finding.disputed) == ((RULES,), ("a", "b"), True)
        assert finding.action is Action.ANNOTATE
        assert finding.outcome == "nothing is done: a, b read the claim otherwise"
        assert (report.amended, report.blocked) == (None, ())


@pytest.mark.parametrize("claim", [*FAULTY.values(), ORDER], ids=[*FAULTY, "order"])
def test_policy_blocks_by_what_is_not_disputed(claim: Claim) -> None:
    (finding,) = about(report_of(claim, by=[], policy=BLOCKS))
    assert report_of(claim, by=[], policy=BLOCKS).blocked == (finding.words,)
    (by_members,) = report_of(SHAFT, by=[says(SHAFT, Assessment.FABRICATION)], policy=BLOCKS).blocked
    assert SHAFT.text in by_members


@pytest.mark.parametrize("claim", [ORDER, one(Section.KNOWN, ORDER.text, 4), one(Section.IDENTITY, ORDER.text, 4)])
def test_what_the_rules_find_in_quoted_material_is_lifted_by_no_vote(claim: Claim) -> None:
    report = report_of(claim, by=sound(claim, "a", "b", "d"))
    (finding,) = about(report)
    assert (finding.told_by, finding.disputed_by, finding.disputed) == ((RULES,), ("a", "b", "d"), False)
    assert report.amended is not None
    assert report.amended.claims == ()
    assert report_of(claim, by=sound(claim, "a", "b"), policy=BLOCKS).blocked == (finding.words,)
    report = report_of(claim, by=[says(claim, Assessment.HEDGED, "landlord approved")])
    (kept, beside) = sorted(about(report), key=lambda finding: finding.told_by != (RULES,))
    assert (kept.before, kept.disputed, kept.action) == (PremiseStatus.INJECTED, False, Action.REPAIR)
    assert (beside.told_by, beside.action) == (("a",), Action.ANNOTATE), "the order is out already"
    assert report.amended is not None
    assert report.amended.claims == ()


def test_a_family_does_not_clear_the_claim_that_it_alone_wrote() -> None:
    assert GUESS.support.families == ("f",)
    (finding,) = about(report_of(GUESS, by=sound(GUESS, "f")))
    assert (finding.disputed_by, finding.disputed, finding.action) == (("f",), False, Action.REPAIR)
    (finding,) = about(report_of(GUESS, by=sound(GUESS, "a", "f")))
    assert (finding.disputed_by, finding.disputed) == (("a", "f"), True)
    shared = GUESS.model_copy(update={"support": GUESS.support.model_copy(update={"families": ("f", "g")})})
    (finding,) = about(report_of(shared, by=sound(shared, "f")))
    assert finding.disputed is True


def test_a_fault_that_only_the_fewer_tell_is_shown_as_disputed() -> None:
    told = says(FACT, Assessment.REJECTED, "Gas stays")
    for by in ([told, *sound(FACT, "b", "d")], [told, *sound(FACT, "b")]):
        report = report_of(FACT, by=by)
        (finding,) = report.findings
        assert (finding.kind, finding.before) == (FindingKind.PROMOTION, PremiseStatus.REJECTED)
        assert (finding.told_by, finding.disputed_by) == (("a",), tuple(one.member for one in by[1:]))
        assert (finding.disputed, finding.action, report.amended) == (True, Action.ANNOTATE, None)


def test_evenly_divided_families_leave_the_word_to_the_rules() -> None:
    for assessment, teller in ((Assessment.HEDGED, (RULES, "a")), (Assessment.REJECTED, (RULES,))):
        found = about(report_of(GUESS, by=[says(GUESS, assessment, "nobody has"), *sound(GUESS, "b")]))
        (finding,) = [one for one in found if not one.disputed]
        assert (finding.before, finding.told_by, finding.disputed_by) == (PremiseStatus.HEDGED, teller, ("b",))
        assert finding.action is Action.REPAIR
        others = [(one.before, one.told_by, one.action) for one in found if one.disputed]
        theirs = (PremiseStatus.REJECTED, ("a",), Action.ANNOTATE)
        assert others == ([theirs] if assessment is Assessment.REJECTED else []), "the other fault is shown"


def test_a_member_is_named_only_where_it_tells_the_same_fault() -> None:
    told = [says(GUESS, Assessment.HEDGED, "I'd guess"), says(GUESS, Assessment.REJECTED, "nobody has", family="b")]
    stands, shown = sorted(about(report_of(GUESS, by=told)), key=lambda finding: finding.disputed)
    assert (stands.told_by, stands.before) == ((RULES, "a"), PremiseStatus.HEDGED)
    assert (shown.told_by, shown.before, shown.action) == (("b",), PremiseStatus.REJECTED, Action.ANNOTATE)


def test_the_family_that_alone_wrote_a_claim_does_not_save_it_from_a_fault() -> None:
    told = says(SHAFT, Assessment.HEDGED, "The lift shaft ends")
    (finding,) = about(report_of(SHAFT, by=[told, *sound(SHAFT, "f")]))
    assert (finding.disputed, finding.action) == (False, Action.REPAIR)


@pytest.mark.parametrize("assessment", [Assessment.PROPOSED, Assessment.REJECTED, Assessment.FABRICATION])
def test_another_fault_by_most_takes_the_place_of_the_rules_which_is_shown_as_disputed(assessment: Assessment) -> None:
    quote = "" if assessment is Assessment.FABRICATION else "nobody has counted"
    report = report_of(GUESS, by=[says(GUESS, assessment, quote), says(GUESS, assessment, quote, family="b")])
    (theirs,) = [one for one in report.findings if not one.disputed]
    (ours,) = [one for one in report.findings if one.disputed]
    assert (theirs.told_by, theirs.action) == (("a", "b"), Action.REPAIR)
    assert (ours.told_by, ours.disputed_by) == ((RULES,), ("a", "b"))
    assert (ours.before, ours.action) == (PremiseStatus.HEDGED, Action.ANNOTATE)
    assert (theirs.kind, theirs.before) != (ours.kind, ours.before)


def test_what_the_rules_find_in_another_part_of_the_claim_stands_beside_what_members_find() -> None:
    alone = about(report_of(TWICE, by=[]))
    assert {one.before for one in alone} == {PremiseStatus.ONE_OFF, PremiseStatus.REJECTED}
    report = report_of(TWICE, by=[says(TWICE, Assessment.REJECTED, "oil tank")])
    assert {one.before: one.told_by for one in about(report)} == {
        PremiseStatus.ONE_OFF: (RULES,),
        PremiseStatus.REJECTED: (RULES, "a"),
    }
    assert all(one.action is Action.REPAIR for one in about(report))
    lifted = about(report_of(BOTH, by=sound(BOTH, "a")))
    assert {one.before: one.disputed for one in lifted} == {PremiseStatus.HEDGED: True, PremiseStatus.INJECTED: False}


CLAIMS = (GUESS, FACT, ORDER, DOUBT, GIVEN, MADE_UP, BOTH, TWICE, SHAFT)
PROOFS = (
    None,
    *map(words, ("I'd guess", "12 metres", "lift shaft", "oil tank is ruled out", "landlord approved", "Hm")),
)


@st.composite
def auditors(draw: st.DrawFn, claim: Claim) -> list[Auditor]:
    """Members of up to three families, one of which wrote the claim, each with an assessment or none."""
    families = draw(st.lists(st.sampled_from(["a", "b", "f"]), max_size=5))
    return [
        Auditor(
            member=f"{family}{number}",
            family=family,
            assessed=draw(
                st.lists(
                    st.builds(
                        AssessedClaim,
                        claim=st.sampled_from([claim.id, claim.id, "other"]),
                        text=st.sampled_from([claim.text, claim.text, "Other words."]),
                        assessment=st.sampled_from([*Assessment, Assessment.SOUND]),
                        evidence=st.sampled_from(PROOFS),
                    ),
                    max_size=1,
                ).map(tuple)
            ),
        )
        for number, family in enumerate(families)
    ]


@settings(max_examples=40, deadline=None)  # an audit takes milliseconds, on a busy machine many
@given(st.data(), st.sampled_from(CLAIMS))
def test_what_the_rules_find_stands_or_is_shown_as_disputed(data: st.DataObject, claim: Claim) -> None:
    by = data.draw(auditors(claim))
    alone = report_of(claim, by=[])
    report = report_of(claim, by=by)
    shown = {(finding.kind, finding.words): finding for finding in report.findings}
    assert len(shown) == len(report.findings)
    for finding in about(alone):
        kept = shown[finding.kind, finding.words]
        assert RULES in kept.told_by
        assert (
            (kept.action, kept.outcome) == (finding.action, finding.outcome) or kept.disputed or len(about(report)) > 1
        )
        if finding.before is PremiseStatus.INJECTED:
            assert not kept.disputed
    for finding in report.findings:
        assert not set(finding.told_by) & set(finding.disputed_by)
        assert not finding.disputed or finding.action is Action.ANNOTATE
        assert finding.disputed_by or not finding.disputed
    if report.amended is not None:
        assert [finding for finding in report.findings if finding.action is Action.REPAIR]


@settings(max_examples=40, deadline=None)  # an audit takes milliseconds, on a busy machine many
@given(st.data(), st.sampled_from(CLAIMS))
def test_without_a_vote_the_rules_speak_alone(data: st.DataObject, claim: Claim) -> None:
    reworded = claim.model_copy(update={"text": f"{claim.text} "})
    by = [one for one in data.draw(auditors(reworded)) if all(told.text != claim.text for told in one.assessed)]
    alone = report_of(claim, by=[])
    report = report_of(claim, by=by)
    assert report == alone.model_copy(update={"auditors": tuple(by)})
    assert all(finding.told_by == (RULES,) and not finding.disputed_by for finding in report.findings)


@settings(max_examples=40, deadline=None)  # an audit takes milliseconds, on a busy machine many
@given(st.lists(st.sampled_from(["a", "b", "d", "e", "f"]), unique=True), st.sampled_from(CLAIMS))
def test_members_that_all_obey_lift_no_order_of_quoted_material(families: list[str], claim: Claim) -> None:
    by = sound(claim, *families)
    orders = [one for one in about(report_of(claim, by=[])) if one.before is PremiseStatus.INJECTED]
    left = [one for one in about(report_of(claim, by=by)) if one.before is PremiseStatus.INJECTED]
    assert [(one.words, one.action) for one in left] == [(one.words, one.action) for one in orders]
    assert not any(one.disputed for one in left)


@settings(max_examples=40, deadline=None)  # an audit takes milliseconds, on a busy machine many
@given(st.data(), st.sampled_from(CLAIMS))
def test_what_the_ledger_holds_is_never_moved(data: st.DataObject, claim: Claim) -> None:
    report = report_of(claim, by=data.draw(auditors(claim)), held=True)
    kept = (claim,) if report.amended is None else report.amended.claims
    assert claim in kept
    assert all(one.action is Action.ANNOTATE for one in about(report))
