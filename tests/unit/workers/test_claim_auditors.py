"""Members that audit a candidate's claims: asked in blocks, held to a number of calls, failures as values."""

from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.answers import FailureClass, MemberKind, MemberTask, Usage
from dissolution.claim_audit import Assessment, Auditor
from dissolution.claims import Section
from dissolution.errors import MemberError, MemberRateLimited, MemberTimeout
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.job import Job
from dissolution.policy import BudgetPolicy, Policy
from dissolution.ports import Member
from prompts.claim_auditing import CLAIM_AUDIT
from tests.factories import a_conversation
from tests.running import Deaths, Killed, a_job, running
from tests.unit.frame_agent.framed import a_candidate, a_claim
from tests.unit.workers.auditing_members import SOUND, AuditingMember, Fault, assessed
from workers import claim_auditors
from workers.claim_auditors import NOT_ASKED, audited_by_members
from workers.services import Services

TALK = a_conversation(
    "The gutters leak in two places. I guess the roof carries forty tonnes. The chimney was swept.",
    "The gutters are zinc. The order of the work is my task.",
)
SNAPSHOT = TALK.snapshot()
CLAIMS = (
    "The gutters leak in two places.",
    "The roof carries forty tonnes.",
    "The gutters are zinc.",
    "The chimney was swept.",
    "The assistant orders the work.",
)
CANDIDATE = a_candidate(*(a_claim(Section.KNOWN, text, SNAPSHOT, 1, f"c{n}") for n, text in enumerate(CLAIMS, 1)))
GUESSED: Fault = (Assessment.HEDGED, 1, "guess the roof")
FAULTS = {CLAIMS[1]: GUESSED}
AT_ONCE = 2
"""Claims in one question in these tests: the candidate is three questions."""


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_auditors, "AT_ONCE", AT_ONCE)


def a_policy(*names: str, calls: int = 8, **more: object) -> Policy:
    return Policy.model_validate({"frame": FramePolicy(auditor=names, auditor_calls=calls), **more})


def asked(services: Services, policy: Policy, candidate: Consensus = CANDIDATE) -> tuple[Auditor, ...]:
    return audited_by_members(services, a_job(services, TALK, policy), SNAPSHOT, candidate)


def audited(folder: Path, policy: Policy, *members: Member, candidate: Consensus = CANDIDATE) -> tuple[Auditor, ...]:
    with running(folder, members) as services:
        return asked(services, policy, candidate)


def said_of(auditor: Auditor) -> dict[str, Assessment]:
    return {one.text: one.assessment for one in auditor.assessed}


def test_every_claim_is_shown_once_in_order_and_each_has_its_own_assessment(tmp_path: Path) -> None:
    ann = AuditingMember("ann", FAULTS | {CLAIMS[4]: (Assessment.ATTRIBUTION, 2, "my task")}, family="red")
    (found,) = audited(tmp_path, a_policy("ann"), ann)
    assert ann.shown == [list(CLAIMS[:2]), list(CLAIMS[2:4]), list(CLAIMS[4:])]
    assert said_of(found) == {
        CLAIMS[0]: Assessment.SOUND,
        CLAIMS[1]: Assessment.HEDGED,
        CLAIMS[2]: Assessment.SOUND,
        CLAIMS[3]: Assessment.SOUND,
        CLAIMS[4]: Assessment.ATTRIBUTION,
    }
    proofs = [one.evidence for one in found.assessed if one.evidence is not None]
    assert [(one.turn, one.text) for one in proofs] == [(1, "guess the roof"), (2, "my task")]
    assert all(SNAPSHOT.turn(one.turn).content[one.start : one.end] == one.text for one in proofs)
    assert [one.claim for one in found.assessed] == [claim.id for claim in CANDIDATE.claims]
    assert (found.member, found.family, found.unproved, found.unread) == ("ann", "red", 0, 0)
    assert (found.failure, found.detail) == (None, "")


def test_an_auditor_sees_the_whole_talk_and_each_claims_section_in_every_block(tmp_path: Path) -> None:
    ann = AuditingMember("ann")
    decided = a_claim(Section.DECIDED, CLAIMS[4], SNAPSHOT, 2, "c9")
    audited(tmp_path, a_policy("ann"), ann, candidate=a_candidate(*CANDIDATE.claims[:2], decided))
    first, second = ann.asked(CLAIM_AUDIT)
    for prompt in (first, second):
        assert all(turn.content in prompt for turn in SNAPSHOT.turns)
    assert f"] KNOWN\n| {CLAIMS[0]}" in first
    assert f"[claim 1] DECIDED\n| {CLAIMS[4]}" in second


def test_members_are_asked_in_the_order_of_policy_and_each_of_everything(tmp_path: Path) -> None:
    ann, ben = AuditingMember("ann"), AuditingMember("ben", FAULTS)
    found = audited(tmp_path, a_policy("ben", "ann"), ann, ben)
    assert [one.member for one in found] == ["ben", "ann"]
    assert [said_of(one)[CLAIMS[1]] for one in found] == [Assessment.HEDGED, Assessment.SOUND]
    assert ann.shown == ben.shown


def test_nobody_is_asked_when_policy_names_none_or_there_is_no_claim(tmp_path: Path) -> None:
    ann = AuditingMember("ann")
    with running(tmp_path, [ann]) as services:
        assert asked(services, a_policy()) == ()
        assert asked(services, a_policy("ann"), a_candidate()) == ()
    assert ann.prompts == []


@pytest.mark.parametrize(
    ("calls", "blocks", "unread"),
    [(1, (1, 0), (3, 5)), (3, (2, 1), (1, 3)), (4, (2, 2), (1, 1)), (6, (3, 3), (0, 0))],
)
def test_calls_beyond_policy_are_not_made_and_what_is_left_is_told_as_unread(
    calls: int, blocks: tuple[int, int], unread: tuple[int, int], tmp_path: Path
) -> None:
    ann, ben = AuditingMember("ann", FAULTS), AuditingMember("ben", FAULTS)
    found = audited(tmp_path, a_policy("ann", "ben", calls=calls), ann, ben)
    assert (len(ann.shown), len(ben.shown)) == blocks
    assert tuple(one.unread for one in found) == unread
    assert all(len(one.assessed) + one.unread == len(CLAIMS) for one in found)
    assert [one.detail for one in found] == [NOT_ASKED if left else "" for left in unread]
    assert all(one.failure is None for one in found), "a limit of policy is no failure of a member"


def test_who_cannot_be_asked_uses_no_call_up(tmp_path: Path) -> None:
    ann = AuditingMember("ann", FAULTS)
    gone, found = audited(tmp_path, a_policy("gone", "ann", calls=3), ann)
    assert (gone.failure, gone.unread) == (FailureClass.BAD_REQUEST, len(CLAIMS))
    assert (len(ann.shown), found.unread) == (3, 0)


def test_a_fault_counts_with_words_of_the_turn_it_names_alone(tmp_path: Path) -> None:
    loose: dict[str, Fault] = {
        CLAIMS[0]: (Assessment.HEDGED, 1, "the gutters may leak"),  # nobody said so
        CLAIMS[1]: (Assessment.HEDGED, 2, "guess the roof"),  # said in another turn
        CLAIMS[2]: (Assessment.HEDGED, 40, "zinc"),  # there is no such turn
        CLAIMS[3]: (Assessment.FABRICATION, 0, ""),  # nothing can show what nowhere stands
    }
    (found,) = audited(tmp_path, a_policy("ann"), AuditingMember("ann", loose))
    assert said_of(found) == {CLAIMS[3]: Assessment.FABRICATION, CLAIMS[4]: Assessment.SOUND}
    assert (found.unproved, found.unread) == (3, 0)


def test_claims_that_an_answer_leaves_out_are_unread(tmp_path: Path) -> None:
    short: list[str | MemberError] = [assessed(SOUND, GUESSED), assessed(SOUND), assessed(SOUND, SOUND)]
    (found,) = audited(tmp_path, a_policy("ann"), AuditingMember("ann", says={CLAIM_AUDIT: short}))
    assert list(said_of(found)) == [CLAIMS[0], CLAIMS[1], CLAIMS[2], CLAIMS[4]]
    assert (found.unread, found.failure, found.detail) == (1, None, "")


BAD: list[tuple[str | MemberError, FailureClass]] = [
    ("They all look right to me.", FailureClass.UNPARSABLE),
    ('{"verdicts": []}', FailureClass.UNPARSABLE),
    ('{"verdicts": [{"claim": 1, "verdict": "fine", "turn": 0, "quote": ""}]}', FailureClass.UNPARSABLE),
    ("I'm sorry, but I can't help with that request.", FailureClass.REFUSAL),
    (MemberTimeout("ann", "late"), FailureClass.TIMEOUT),
    (MemberRateLimited("ann", "busy"), FailureClass.RATE_LIMIT),
]


@pytest.mark.parametrize(("reply", "failure"), BAD)
def test_a_failure_ends_the_asking_of_one_member_and_what_it_said_before_counts(
    reply: str | MemberError, failure: FailureClass, tmp_path: Path
) -> None:
    said: list[str | MemberError] = [assessed(SOUND, GUESSED), reply]
    ann, ben = AuditingMember("ann", says={CLAIM_AUDIT: said}), AuditingMember("ben")
    first, second = audited(tmp_path, a_policy("ann", "ben"), ann, ben)
    assert said_of(first) == {CLAIMS[0]: Assessment.SOUND, CLAIMS[1]: Assessment.HEDGED}
    assert (first.failure, first.unread) == (failure, 3)
    assert first.detail
    assert len(ann.shown) == 2, "nothing is asked after a failure"
    assert (second.failure, len(second.assessed)) == (None, len(CLAIMS))


def test_a_member_the_fleet_does_not_have_any_more_is_a_failure_under_its_own_name(tmp_path: Path) -> None:
    gone, ann = audited(tmp_path, a_policy("gone", "ann"), AuditingMember("ann"))
    assert (gone.member, gone.family, gone.failure) == ("gone", "gone", FailureClass.BAD_REQUEST)
    assert "'gone'" in gone.detail
    assert (gone.assessed, gone.unread) == ((), len(CLAIMS))
    assert len(ann.assessed) == len(CLAIMS)


@pytest.mark.parametrize("kind", [MemberKind.EXTRACTIVE, MemberKind.RECORDED])
def test_a_member_without_a_model_is_not_asked(kind: MemberKind, tmp_path: Path) -> None:
    ann = AuditingMember("ann", kind=kind)
    (found,) = audited(tmp_path, a_policy("ann"), ann)
    assert (found.failure, found.unread, ann.prompts) == (FailureClass.BAD_REQUEST, len(CLAIMS), [])
    assert kind.value in found.detail


class Priced(AuditingMember):
    """Every call is expected to cost 0.40 USD."""

    def estimate(self, task: MemberTask) -> Usage:
        return super().estimate(task).model_copy(update={"cost_usd": Decimal("0.40")})


def test_nothing_is_asked_beyond_the_jobs_cap(tmp_path: Path) -> None:
    ann = Priced("ann")
    capped = a_policy("ann", budget=BudgetPolicy(max_usd=Decimal("0.39")))
    (found,) = audited(tmp_path, capped, ann)
    assert (found.failure, found.unread, ann.prompts) == (FailureClass.BUDGET, len(CLAIMS), [])


def a_fleet() -> tuple[AuditingMember, AuditingMember]:
    late: list[str | MemberError] = [assessed(SOUND, SOUND), MemberTimeout("ben", "late")]
    return AuditingMember("ann", FAULTS), AuditingMember("ben", says={CLAIM_AUDIT: late})


def test_calls_are_rows_of_the_stage_and_asking_again_asks_nobody(tmp_path: Path) -> None:
    fleet = a_fleet()
    with running(tmp_path, fleet) as services:
        job = a_job(services, TALK, a_policy("ann", "ben"))
        first = audited_by_members(services, job, SNAPSHOT, CANDIDATE)
        asked_by_then = [len(member.shown) for member in fleet]
        assert audited_by_members(services, job, SNAPSHOT, CANDIDATE) == first
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, "frame_audit")
    assert asked_by_then == [len(member.shown) for member in fleet] == [3, 2]
    assert sorted(call.member.name for call in calls) == ["ann", "ann", "ann", "ben", "ben"]
    assert {call.prompt.name for call in calls} == {CLAIM_AUDIT}
    assert [call.failure.error_class for call in calls if call.failure] == [FailureClass.TIMEOUT]
    assert all(call.reply is not None for call in calls if call.failure is None)


def landed(services: Services, job: Job) -> set[tuple[str, int]]:
    with services.unit_of_work() as work:
        calls = work.jobs.calls(job.id, "frame_audit")
    return {(call.member.name, call.ordinal) for call in calls if call.landed_at is not None}


def through_death(folder: Path, deaths: Deaths) -> tuple[tuple[Auditor, ...], int]:
    """What the auditors say in a process that dies and one that goes on; and how many answers had landed by then."""
    folder.mkdir()
    fleet = (AuditingMember("ann", FAULTS), AuditingMember("ben"))
    with running(folder, fleet) as services:
        job = a_job(services, TALK, a_policy("ann", "ben", calls=4))
        stored: set[tuple[str, int]] = set()
        try:
            found = audited_by_members(deaths.around(services), job, SNAPSHOT, CANDIDATE)
        except Killed:
            stored = landed(services, job)
            before = {member.card.name: len(member.places) for member in fleet}
            found = audited_by_members(services, job, SNAPSHOT, CANDIDATE)
            again = {(one.card.name, place) for one in fleet for place in one.places[before[one.card.name] :]}
            assert not again & stored, "an answer that had landed was asked for again"
        assert len(landed(services, job)) == 4
    return found, len(stored)


def test_wherever_the_process_dies_the_auditors_have_said_the_same(tmp_path: Path) -> None:
    whole = Deaths(at=0, moment="before")
    expected, _ = through_death(tmp_path / "whole", whole)
    had: set[int] = set()
    for at in range(1, whole.commits + 1, 3):
        found, stored = through_death(tmp_path / f"{at}", Deaths(at=at, moment="before" if at % 2 else "after"))
        assert found == expected
        had.add(stored)
    assert had >= {0, 1, 2, 3}, "the deaths are to fall between all calls"


def test_a_candidate_that_changed_is_asked_about_anew_and_only_where_it_did(tmp_path: Path) -> None:
    ann = AuditingMember("ann", FAULTS)
    reworded = CANDIDATE.claims[4].model_copy(update={"text": "The order of the work is the assistant's task."})
    with running(tmp_path, [ann]) as services:
        job = a_job(services, TALK, a_policy("ann"))
        audited_by_members(services, job, SNAPSHOT, CANDIDATE)
        changed = CANDIDATE.model_copy(update={"claims": (*CANDIDATE.claims[:4], reworded)})
        (found,) = audited_by_members(services, job, SNAPSHOT, changed)
    assert ann.shown[3:] == [[reworded.text]]
    assert list(said_of(found)) == [*CLAIMS[:4], reworded.text]
