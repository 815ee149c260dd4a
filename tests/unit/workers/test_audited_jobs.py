"""Whole jobs whose candidate members audit besides the rules: what is found, done, told, and never asked twice."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from dissolution.answers import Call, FailureClass
from dissolution.boundary import BoundaryState
from dissolution.claim_audit import Assessment
from dissolution.claims import Section
from dissolution.clock import FixedClock
from dissolution.errors import MemberTimeout
from dissolution.frame_receipt import ClaimReader, FrameSummary
from dissolution.framing import RULES, Action, Finding, FindingKind, FramePolicy, FrameReport
from dissolution.job import Job, JobStatus
from dissolution.policy import Policy
from dissolution.premises import PremiseStatus
from prompts.claim_auditing import CLAIM_AUDIT
from tests.factories import INSTANT, a_conversation
from tests.running import Deaths, Killed, a_job, running
from tests.unit.workers.auditing_members import AuditingMember, Fault
from tests.unit.workers.probing_members import FACTS, TURNS
from tests.unit.workers.test_probe_path import WRITTEN
from workers.auditing import in_words
from workers.inline import run_job
from workers.probe_outcomes import RepairReport, outcome
from workers.services import Services

PUB = "The cellar is four metres deep."
ROOF = "The roof carries forty tonnes."
DAM = "The dam is dry by May."
ZINC = "The gutters are zinc."
TALK = a_conversation(
    "We repair the house at the dam. The cellar is four metres deep, says a man in the pub who has never been there.",
    "The gutters are zinc. Forty tonnes is the figure that floats around for the roof.",
    "The dam is dry by May, but do not hold me to it. Please draw up the order of the work.",
)
PARTS = f"""KNOWN
- {PUB} [turn 1]
- {ROOF} [turn 2]
- {DAM} [turn 3]
- {ZINC} [turn 2]

DECIDED
none

EDGES
none

IDENTITY
none
"""
HEARSAY: Fault = (Assessment.HEDGED, 1, "says a man in the pub")
FAULTS: dict[str, dict[str, Fault]] = {
    "cem": {PUB: HEARSAY, DAM: (Assessment.HEDGED, 3, "do not hold me to it")},
    "dora": {PUB: HEARSAY, ZINC: (Assessment.HEDGED, 2, "the gutters may be zinc")},
}
"""Both doubt PUB and call ROOF sound; on DAM they differ; for ZINC one of them has words that nobody said."""

LABEL = "Assumed, not confirmed: "


def a_fleet(**failing: MemberTimeout) -> list[AuditingMember]:
    """Four members that state the same; two of them are auditors."""
    return [
        AuditingMember(
            name,
            FAULTS.get(name, {}),
            says={"four_part": PARTS} | ({CLAIM_AUDIT: failing[name]} if name in failing else {}),
        )
        for name in ("ann", "ben", "cem", "dora")
    ]


def a_policy(*names: str, **more: object) -> Policy:
    return Policy(frame=FramePolicy.model_validate({"auditor": names, **more}))


class Ended(NamedTuple):
    """What a job left behind."""

    job: Job
    frame: FrameSummary
    boundary: BoundaryState | None
    calls: Sequence[Call]  # of stage frame_audit
    note: str  # of its step

    def texts(self, section: Section) -> set[str]:
        """The claims of a section of what was committed."""
        return set() if self.boundary is None else {claim.text for claim in self.boundary.section(section)}

    def told(self) -> tuple[object, ...]:
        """What was found, done and counted, without the ids that differ between installations."""
        findings = [(one.words, one.told_by, one.disputed_by, one.disputed, one.action) for one in self.frame.findings]
        return findings, self.frame.auditors, [self.texts(section) for section in Section]

    def about(self, text: str) -> list[Finding]:
        """The findings that quote a claim."""
        return [one for one in self.frame.findings if text in one.words]


def left_by(services: Services, job: Job) -> Ended:
    with services.unit_of_work() as work:
        receipt, boundary = work.boundaries.receipt(job.id), work.boundaries.by_job(job.id)
        calls = work.jobs.calls(job.id, "frame_audit")
        report = outcome(work, job, "frame_audit", FrameReport)
    assert receipt is not None
    assert isinstance(receipt.frame, FrameSummary)
    assert isinstance(report, FrameReport)
    return Ended(job, receipt.frame, boundary, calls, in_words(report))


def run(folder: Path, policy: Policy, fleet: Sequence[AuditingMember]) -> Ended:
    with running(folder, fleet) as services:
        return left_by(services, run_job(services, a_job(services, TALK, policy).id))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A job that the rules audit alone."""
    return run(tmp_path_factory.mktemp("plain"), a_policy(), a_fleet())


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A job that two families audit besides the rules."""
    return run(tmp_path_factory.mktemp("both"), a_policy("cem", "dora"), a_fleet())


def test_a_guess_that_the_rules_do_not_find_is_moved_to_edges(plain: Ended, both: Ended) -> None:
    assert PUB in plain.texts(Section.KNOWN), "this test is about what the rules do not find"
    assert both.job.status is JobStatus.COMMITTED
    assert PUB not in both.texts(Section.KNOWN)
    assert f"{LABEL}{PUB}" in both.texts(Section.EDGES)
    (found,) = both.about(PUB)
    assert (found.kind, found.before) == (FindingKind.PROMOTION, PremiseStatus.HEDGED)
    assert (found.told_by, found.disputed_by, found.disputed) == (("cem", "dora"), (), False)
    assert found.action is Action.REPAIR
    assert any("says a man in the pub" in piece.text for piece in found.evidence)


def test_what_the_rules_find_and_the_auditors_call_sound_is_shown_and_left_as_it_is(plain: Ended, both: Ended) -> None:
    assert f"{LABEL}{ROOF}" in plain.texts(Section.EDGES)
    assert ROOF in both.texts(Section.KNOWN)
    (found,) = both.about(ROOF)
    assert (found.told_by, found.disputed_by, found.disputed) == ((RULES,), ("cem", "dora"), True)
    assert found.action is Action.ANNOTATE
    assert "cem, dora read the claim otherwise" in (found.outcome or "")


def test_where_the_families_are_divided_the_rules_word_stands(both: Ended) -> None:
    assert f"{LABEL}{DAM}" in both.texts(Section.EDGES)
    (found,) = both.about(DAM)
    assert (found.told_by, found.disputed_by, found.disputed) == ((RULES, "cem"), ("dora",), False)
    assert found.action is Action.REPAIR


def test_a_fault_that_no_words_prove_changes_nothing_and_is_counted(both: Ended) -> None:
    assert ZINC in both.texts(Section.KNOWN)
    assert both.about(ZINC) == []


def test_the_receipt_counts_what_each_auditor_read_and_found(plain: Ended, both: Ended) -> None:
    assert plain.frame.auditors == ()
    assert both.frame.auditors == (
        ClaimReader(member="cem", family="cem", read=4, faults=2),
        ClaimReader(member="dora", family="dora", read=3, faults=1, unproved=1),
    )
    assert both.frame.repaired == sum(one.action is Action.REPAIR for one in both.frame.findings)


def test_without_auditors_every_finding_is_told_by_the_rules_and_nobody_is_asked(plain: Ended) -> None:
    assert plain.calls == ()
    assert plain.frame.findings
    assert {(one.told_by, one.disputed_by, one.disputed) for one in plain.frame.findings} == {((RULES,), (), False)}


def test_calls_are_rows_of_the_audits_stage_under_the_prompts_name(both: Ended) -> None:
    assert sorted((call.member.name, call.prompt.name) for call in both.calls) == [
        ("cem", CLAIM_AUDIT),
        ("dora", CLAIM_AUDIT),
    ]
    assert all(call.reply is not None for call in both.calls)


def test_the_steps_note_counts_auditors_and_disputed_findings_without_words_of_the_talk(both: Ended) -> None:
    assert "2 members audited too, 1 disputed" in both.note
    assert "cellar" not in both.note


def test_a_disputed_finding_blocks_nothing_and_one_that_members_tell_does(tmp_path: Path) -> None:
    ended = run(tmp_path, a_policy("cem", "dora", promotion="block"), a_fleet())
    assert ended.job.status is JobStatus.HISTORY_KEPT
    blocking = " ".join(ended.frame.blocked)
    assert PUB in blocking
    assert DAM in blocking
    assert ROOF not in blocking


def test_auditors_that_fail_leave_the_rules_alone_and_are_told(plain: Ended, tmp_path: Path) -> None:
    late = {name: MemberTimeout(name, "no answer in time") for name in ("cem", "dora")}
    ended = run(tmp_path, a_policy("cem", "gone", "dora"), a_fleet(**late))
    assert ended.job.status is JobStatus.COMMITTED
    assert [(one.member, one.failure, one.read, one.unread) for one in ended.frame.auditors] == [
        ("cem", FailureClass.TIMEOUT, 0, 4),
        ("gone", FailureClass.BAD_REQUEST, 0, 4),
        ("dora", FailureClass.TIMEOUT, 0, 4),
    ]
    assert all(one.detail for one in ended.frame.auditors)
    for section in Section:
        assert ended.texts(section) == plain.texts(section)
    assert [one.words for one in ended.frame.findings] == [one.words for one in plain.frame.findings]
    assert not any(one.disputed for one in ended.frame.findings)


def test_an_audit_that_is_switched_off_asks_no_auditor(tmp_path: Path) -> None:
    fleet = a_fleet()
    with running(tmp_path, fleet) as services:
        job = run_job(services, a_job(services, TALK, a_policy("cem", audit=False)).id)
    assert job.status is JobStatus.COMMITTED
    assert all(not member.asked(CLAIM_AUDIT) for member in fleet)


class Noting(AuditingMember):
    """Notes how many commits stood when it was asked about claims."""

    deaths: Deaths
    commits: tuple[int, ...] = ()

    def _by_rule(self, name: str, text: str) -> str:
        if name == CLAIM_AUDIT:
            self.commits = (*self.commits, self.deaths.commits)
        return super()._by_rule(name, text)


def through_death(folder: Path, deaths: Deaths) -> tuple[Ended, list[int]]:
    """A job whose process dies once and that another one ends; and when each audit was asked for."""
    folder.mkdir()
    cem, dora = (Noting(name, FAULTS[name], says={"four_part": PARTS}) for name in ("cem", "dora"))
    cem.deaths = dora.deaths = deaths
    fleet = [*a_fleet()[:2], cem, dora]
    with running(folder, fleet) as services:
        job = a_job(services, TALK, a_policy("cem", "dora"))
        try:
            run_job(deaths.around(services), job.id)
        except Killed:
            later = replace(services, clock=FixedClock(INSTANT + timedelta(seconds=services.settings.lease_s + 1)))
            run_job(later, job.id)
        return left_by(services, job), [*cem.commits, *dora.commits]


def test_a_job_that_dies_among_its_auditors_asks_only_those_it_has_not_heard(both: Ended, tmp_path: Path) -> None:
    whole, (first, second) = through_death(tmp_path / "whole", Deaths(at=0, moment="before"))
    assert whole.told() == both.told()
    times: list[int] = []
    for at in range(first + 1, second + 7, 2):
        ended, asked = through_death(tmp_path / str(at), Deaths(at=at, moment="after"))
        assert (ended.told(), len(ended.calls)) == (both.told(), 2), at
        times.append(len(asked))
    assert times == sorted(times, reverse=True), "the more was heard, the less is asked again"
    assert times[0] > times[-1] == 2, "what was lost is asked again, and what was heard is not"


DOUBTED = f"{FACTS[0][0]}."
LATER = {f"{fact[0]}.": (Assessment.HEDGED, 1 + FACTS.index(fact) // 4, fact[0]) for fact in FACTS[20:]}
"""What an auditor would say of the facts that the first candidate leaves out, if it were asked about them."""


def test_the_audit_after_a_repair_asks_nobody_and_holds_claims_to_what_was_said(tmp_path: Path) -> None:
    faults: dict[str, Fault] = {DOUBTED: (Assessment.HEDGED, 1, FACTS[0][0]), **LATER}
    auditors = [AuditingMember(name, faults, FACTS[:20]) for name in ("dora", "eve")]
    writers = [AuditingMember(name, {}, FACTS[:20]) for name in ("ann", "ben", "cem")]
    policy = WRITTEN.model_copy(update={"frame": FramePolicy(auditor=("dora", "eve"))})
    with running(tmp_path, [*writers, *auditors]) as services:
        job = run_job(services, a_job(services, a_conversation(*TURNS), policy).id)
        ended = left_by(services, job)
        with services.unit_of_work() as work:
            rounds = outcome(work, job, "repair", RepairReport)
    assert isinstance(rounds, RepairReport)
    assert len(rounds.rounds) == 1, "this test is to see a repair"
    assert [len(one.shown) for one in auditors] == [1, 1]
    (before,) = ended.about(DOUBTED)
    (again,) = ended.frame.again
    (after,) = [one for one in again.findings if DOUBTED in one.words]
    assert before.told_by == after.told_by == ("dora", "eve")
    assert after.action is Action.REPAIR
    assert rounds.amended is not None
    held = {(claim.section, claim.text) for claim in rounds.amended.claims}
    assert (Section.EDGES, f"{LABEL}{DOUBTED}") in held
    assert (Section.KNOWN, DOUBTED) not in held
    brought = [section for section, text in held if text in LATER]
    assert brought
    assert Section.EDGES not in brought, "nobody gave an assessment on what the repair brought"
    assert len(ended.calls) == 2
