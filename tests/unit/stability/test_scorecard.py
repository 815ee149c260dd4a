"""What each member brought, counted by hand."""

from decimal import Decimal
from itertools import pairwise

import pytest

from dissolution.answers import AnswerClass, FailureClass, MemberCard, MemberKind, Usage
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Mark, Section, StatedClaim, Statement, Support
from dissolution.receipt.job_receipt import MemberReport, Receipt
from dissolution.values import NotMeasured
from stability.scorecard import MOST_COMPARED, Scorecard, is_kept, scorecard
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_job, a_receipt

UNKNOWN = NotMeasured(not_measured="not told")
FAMILIES = {"ann": "alpha", "amy": "alpha", "bob": "beta", "cid": "gamma"}


def a_report(
    name: str,
    *,
    usd: Decimal | NotMeasured = Decimal("0.10"),
    failure: FailureClass | None = None,
    answer_class: AnswerClass | None = AnswerClass.OK,
    latency_s: float = 2.0,
) -> MemberReport:
    card = MemberCard(name=name, family=FAMILIES.get(name, "other"), kind=MemberKind.LANGUAGE_MODEL, model=f"m/{name}")
    usage = Usage(input_tokens=10, cached_input_tokens=0, output_tokens=5, cost_usd=usd)
    said = failure is None and answer_class in {AnswerClass.OK, AnswerClass.PARTIAL}
    return MemberReport(
        card=card,
        answer_class=None if failure else answer_class,
        failure=failure,
        statements=3 if said else 0,
        latency_s=latency_s,
        usage=UNKNOWN if failure else usage,
        signature=UNKNOWN,
    )


def held(name: str, *members: str, marks: tuple[Mark, ...] = ()) -> Claim:
    claim = StatedClaim(section=Section.KNOWN, text=f"It is {name}.")
    said = tuple(Statement(member=one, family=FAMILIES[one], ordinal=0, claim=claim) for one in members)
    return a_claim(name, f"It is {name}.", TALK).model_copy(
        update={"support": Support.of(said), "statements": said, "marks": marks}
    )


CLAIMS = (
    held("c1", "ann", "bob"),
    held("c2", "ann", "amy", "bob"),
    held("c3", "cid", marks=(Mark.SINGLE_SOURCE,)),
    held("c4", "ann", "bob", "cid"),
)


def a_card(
    *reports: MemberReport, claims: tuple[Claim, ...] = CLAIMS, jobs: int = 1, boundary: bool = True
) -> Scorecard:
    made: list[tuple[Receipt, BoundaryState | None]] = []
    for number in range(jobs):
        job = a_job(f"j{number}", TALK)
        receipt = a_receipt(job).model_copy(update={"members": reports})
        made.append((receipt, a_boundary(job, claims) if boundary else None))
    return scorecard(made)


ALL = tuple(a_report(name) for name in FAMILIES)


def test_claims_count_for_who_stated_them() -> None:
    found = {one.member: one for one in a_card(*ALL).members}
    assert {name: one.retained for name, one in found.items()} == {"ann": 3, "bob": 3, "cid": 2, "amy": 1}
    assert {name: one.only for name, one in found.items()} == {"ann": 0, "bob": 0, "cid": 1, "amy": 0}


def test_a_claim_is_lost_without_the_member_that_two_families_hang_on() -> None:
    found = {one.member: one.lost_without for one in a_card(*ALL).members}
    assert found == {
        "ann": 1,  # c1 alone: c2 has amy of the same family, c4 two families besides
        "amy": 0,
        "bob": 2,  # c1 and c2
        "cid": 1,  # c3
    }


@pytest.mark.parametrize(("members", "kept"), [({"ann", "bob"}, 1), ({"ann", "amy"}, 0), ({"ann"}, 0), (set[str](), 0)])
def test_agreement_needs_two_families(members: set[str], kept: int) -> None:
    assert is_kept(CLAIMS[1], members) == bool(kept)


def test_what_was_carried_is_nobodys_merit() -> None:
    carried = CLAIMS[0].model_copy(update={"state": ClaimState.CARRIED, "carried": 1})
    found = a_card(*ALL, claims=(carried, *CLAIMS[2:]))
    assert found.claims == 2


def test_refusals_and_failures_are_told_apart() -> None:
    reports = (
        a_report("ann", failure=FailureClass.REFUSAL),
        a_report("amy", answer_class=AnswerClass.REFUSED),
        a_report("bob", failure=FailureClass.TIMEOUT),
        a_report("cid", answer_class=AnswerClass.GARBAGE),
    )
    found = {one.member: one for one in a_card(*reports, claims=(), jobs=2).members}
    assert [found[name].refused for name in FAMILIES] == [2, 2, 0, 0]
    assert (found["bob"].failed, found["cid"].failed) == ({"timeout": 2}, {"garbage": 2})
    assert {one.usable for one in found.values()} == {0}
    assert isinstance(found["ann"].usd_per_retained, NotMeasured)


def test_price_and_time_are_those_of_all_jobs() -> None:
    found = {one.member: one for one in a_card(*ALL, jobs=2).members}
    assert found["ann"].usd == Decimal("0.20")
    assert found["ann"].usd_per_retained == Decimal("0.20") / 6
    assert found["ann"].latency_s == 2.0


def test_an_unknown_price_is_not_nothing() -> None:
    found = {one.member: one for one in a_card(a_report("ann", usd=UNKNOWN), *ALL[1:]).members}
    assert isinstance(found["ann"].usd, NotMeasured)
    assert isinstance(found["ann"].usd_per_retained, NotMeasured)


def test_families_are_counted_once_a_claim() -> None:
    found = {one.family: one for one in a_card(*ALL).families}
    assert found["alpha"].members == ("amy", "ann")
    assert (found["alpha"].retained, found["alpha"].only) == (3, 0)
    assert (found["gamma"].retained, found["gamma"].only) == (2, 1)


def test_advice_is_the_best_fleet_of_each_size_and_the_cheapest_among_equals() -> None:
    found = a_card(a_report("ann", usd=Decimal(1)), *ALL[1:]).advice
    assert [one.members for one in found] == [("cid",), ("ann", "bob"), ("ann", "bob", "cid"), tuple(sorted(FAMILIES))]
    assert [one.retained for one in found] == [1, 3, 4, 4]
    assert found[1].usd == Decimal("1.10")
    assert found[2].share == 1.0


def test_many_members_are_added_one_by_one() -> None:
    names = [f"m{number:02}" for number in range(MOST_COMPARED + 2)]
    found = a_card(*ALL, *(a_report(name) for name in names)).advice
    assert len(found) == len(names) + 4
    assert found[-1].retained == len(CLAIMS)
    assert all(set(one.members) < set(other.members) for one, other in pairwise(found))


def test_jobs_without_a_boundary_count_as_asked() -> None:
    found = a_card(*ALL, boundary=False)
    assert (found.jobs, found.boundaries, found.claims) == (1, 0, 0)
    assert {one.jobs for one in found.members} == {1}
    assert all(isinstance(one.share, NotMeasured) for one in found.advice)


def test_no_jobs_no_members() -> None:
    assert scorecard(()).members == ()
