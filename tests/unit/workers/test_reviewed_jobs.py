"""Jobs whose candidate is reviewed: what enough families say is committed, told in the receipt and survives a death."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from devtools.clock import FixedClock
from dissolution.answers import Call, FailureClass
from dissolution.boundary import BoundaryState
from dissolution.claims import ClaimState, Section
from dissolution.errors import MemberTimeout
from dissolution.framing import Action, FramePolicy, FrameReport
from dissolution.job import Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.receipt.frame import FrameSummary, ReviewReader
from dissolution.receipt.job_receipt import ConsensusReport
from dissolution.reviewing import Fault
from prompts.held import short_ids
from prompts.reviewing import REVIEW
from tests.factories import INSTANT, a_conversation
from tests.running import Deaths, Killed, a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, four_part, missing
from tests.unit.workers.reviewing_members import ReviewingMember, Said, claims_in
from tests.unit.workers.test_probe_path import WRITTEN
from workers.probe.outcomes import RepairReport, outcome
from workers.runtime.inline import run_job
from workers.services import Services
from workers.stages.frame_audit import in_words

pytestmark = pytest.mark.slow  # whole jobs with every review, a second each

PUB = "The cellar is four metres deep."
DAM = "The dam is dry by May."
ZINC = "The gutters are zinc."
SLATE = "We roof the house in slate."
TURNS_OF_TALK = (
    "We repair the house at the dam. The cellar is four metres deep, says a man in the pub who has never been there.",
    "The gutters are zinc. We roof the house in slate.",
    "The dam is dry by May, but do not hold me to it. Please draw up the order of the work.",
)
TALK = a_conversation(*TURNS_OF_TALK)
LATER = a_conversation(*TURNS_OF_TALK, "The village has sent sheets of tin, and those are on it now.", "I see.")
PARTS = f"""KNOWN
- {PUB} [turn 1]
- {DAM} [turn 3]
- {ZINC} [turn 2]

DECIDED
- {SLATE} [turn 2]

EDGES
none

IDENTITY
none
"""
NOTHING = "KNOWN\nnone\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"
HEARSAY: Said = (Fault.GUESS, 1, "says a man in the pub")
FAULTS: dict[str, dict[str, Said]] = {
    "cem": {PUB: HEARSAY, DAM: (Fault.GUESS, 3, "do not hold me to it")},
    "dora": {PUB: HEARSAY, ZINC: (Fault.GUESS, 2, "the gutters may be zinc")},
}
"""Both doubt PUB; DAM one alone; for ZINC one has words that nobody said."""


def a_fleet(
    faults: Mapping[str, Mapping[str, Said]] = FAULTS, failing: Mapping[str, MemberTimeout] = {}
) -> list[ReviewingMember]:
    """Four members that state the same; two of them review."""
    return [
        ReviewingMember(
            name,
            faults.get(name, {}),
            says={"four_part": PARTS, "rolling": NOTHING} | ({REVIEW: failing[name]} if name in failing else {}),
        )
        for name in ("ann", "ben", "cem", "dora")
    ]


def a_policy(*names: str, **more: object) -> Policy:
    return Policy(frame=FramePolicy.model_validate({"reviewers": names, **more}))


class Ended(NamedTuple):
    """What a job left behind."""

    job: Job
    frame: FrameSummary
    boundary: BoundaryState | None
    calls: Sequence[Call]  # of stage frame_audit
    note: str  # of its step
    consensus: ConsensusReport  # of its receipt

    def texts(self, section: Section) -> set[str]:
        """The claims of a section of what was committed."""
        return set() if self.boundary is None else {claim.text for claim in self.boundary.section(section)}

    def told(self) -> tuple[object, ...]:
        """What was found, done and counted, without the ids that differ between installations."""
        findings = [(one.words, one.told_by, one.action) for one in self.frame.findings]
        return findings, self.frame.reviewers, [self.texts(section) for section in Section]


def left_by(services: Services, job: Job) -> Ended:
    with services.unit_of_work() as work:
        receipt, boundary = work.boundaries.receipt(job.id), work.boundaries.by_job(job.id)
        calls = work.jobs.calls(job.id, "frame_audit")
        report = outcome(work, job, "frame_audit", FrameReport)
    assert receipt is not None
    assert isinstance(receipt.frame, FrameSummary)
    assert isinstance(receipt.consensus, ConsensusReport)
    assert isinstance(report, FrameReport)
    return Ended(job, receipt.frame, boundary, calls, in_words(report), receipt.consensus)


def run(folder: Path, policy: Policy, fleet: Sequence[ReviewingMember]) -> Ended:
    with running(folder, fleet) as services:
        return left_by(services, run_job(services, a_job(services, TALK, policy).id))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A job that two families review."""
    return run(tmp_path_factory.mktemp("both"), a_policy("cem", "dora"), a_fleet())


def test_what_two_families_say_is_done_and_what_one_says_is_told(both: Ended) -> None:
    assert both.job.status is JobStatus.COMMITTED
    assert both.texts(Section.EDGES) == {PUB}
    assert both.texts(Section.KNOWN) == {DAM, ZINC}
    moved, told = both.frame.findings
    assert (moved.fault, moved.told_by, moved.action) == (Fault.GUESS, ("cem", "dora"), Action.REPAIR)
    assert (told.families, told.needed, told.action) == (("cem",), 2, Action.ANNOTATE)
    assert ["says a man in the pub" in piece.text for piece in moved.evidence] == [True]
    assert both.frame.repaired == 1


def test_the_receipt_counts_what_each_reviewer_said(both: Ended) -> None:
    assert both.frame.reviewers == (
        ReviewReader(member="cem", family="cem", remarks=2),
        ReviewReader(member="dora", family="dora", remarks=1, unproved=1),
    )
    assert "2 of 2 reviewers answered" in both.note
    assert "cellar" not in both.note


def test_the_receipt_counts_what_was_committed_and_not_what_was_first_heard(both: Ended) -> None:
    assert both.boundary is not None
    assert both.consensus.kept == {section: len(both.boundary.section(section)) for section in Section}
    assert both.consensus.kept[Section.EDGES] == 1, "no member stated it as open"


def test_one_call_a_reviewer_is_a_row_of_the_audits_stage(both: Ended) -> None:
    assert sorted((call.member.name, call.prompt.name) for call in both.calls) == [("cem", REVIEW), ("dora", REVIEW)]
    assert all(call.reply is not None for call in both.calls)


def test_when_no_reviewer_is_named_one_of_each_of_three_families_is_asked(tmp_path: Path) -> None:
    ended = run(tmp_path, a_policy(), a_fleet())
    assert [one.member for one in ended.frame.reviewers] == ["ann", "ben", "cem"]
    assert ended.texts(Section.EDGES) == set(), "one family alone says it of what four state"


def test_a_reviewer_that_policy_does_not_name_as_a_member_gives_no_account(tmp_path: Path) -> None:
    fleet = a_fleet()
    policy = a_policy("cem", "dora").model_copy(update={"members": ("ann", "ben")})
    with running(tmp_path, fleet) as services:
        ended = left_by(services, run_job(services, a_job(services, TALK, policy).id))
        with services.unit_of_work() as work:
            accounts = {call.member.name for call in work.jobs.calls(ended.job.id, "fan_out")}
    assert accounts == {"ann", "ben"}
    assert {member.card.name for member in fleet if member.asked(REVIEW)} == {"cem", "dora"}
    assert ended.texts(Section.EDGES) == {PUB}, "two families say it of what two families state"


def test_policy_may_keep_the_history_instead(tmp_path: Path) -> None:
    ended = run(tmp_path, a_policy("cem", "dora", act="block"), a_fleet())
    assert ended.job.status is JobStatus.HISTORY_KEPT
    assert [PUB in one for one in ended.frame.blocked] == [True]


def test_reviewers_that_fail_move_nothing_and_are_told(tmp_path: Path) -> None:
    late = {name: MemberTimeout(name, "no answer in time") for name in ("cem", "dora")}
    ended = run(tmp_path, a_policy("cem", "gone", "dora"), a_fleet(failing=late))
    assert ended.job.status is JobStatus.COMMITTED
    assert [(one.member, one.failure, one.unread) for one in ended.frame.reviewers] == [
        ("cem", FailureClass.TIMEOUT, 4),
        ("gone", FailureClass.BAD_REQUEST, 4),
        ("dora", FailureClass.TIMEOUT, 4),
    ]
    assert all(one.detail for one in ended.frame.reviewers)
    assert ended.texts(Section.KNOWN) == {PUB, DAM, ZINC}
    assert ended.frame.findings == ()


def test_an_audit_that_is_switched_off_asks_no_reviewer(tmp_path: Path) -> None:
    fleet = a_fleet()
    with running(tmp_path, fleet) as services:
        job = run_job(services, a_job(services, TALK, a_policy("cem", audit=False)).id)
    assert job.status is JobStatus.COMMITTED
    assert all(not member.asked(REVIEW) for member in fleet)


def test_a_held_decision_that_two_families_call_stale_is_closed_by_the_turns_words(tmp_path: Path) -> None:
    stale: dict[str, Said] = {SLATE: (Fault.STALE, 4, "those are on it now")}
    fleet = a_fleet({"cem": stale, "dora": stale})
    with running(tmp_path, fleet) as services:
        first = left_by(services, run_job(services, a_job(services, TALK, a_policy(review_families=0)).id))
        second = left_by(services, run_job(services, a_job(services, LATER, a_policy("cem", "dora")).id))
        with services.unit_of_work() as work:
            now = work.boundaries.current("conv-1")
    assert first.texts(Section.DECIDED) == {SLATE}
    assert second.texts(Section.DECIDED) == set()
    assert now is not None
    assert SLATE not in {one.text for one in now.claims}
    assert second.boundary is not None
    (closed,) = [one for one in second.boundary.closed if one.text == SLATE]
    assert closed.closing is not None
    assert closed.closing.state is ClaimState.EXPIRED
    assert [one.text for one in closed.closing.evidence] == ["those are on it now"]
    assert ZINC in second.texts(Section.KNOWN), "what nobody closes is carried"


def in_cycles(folder: Path, said: str, marked: str) -> list[str]:
    """What the reviewers of a second cycle are asked when one of four members marks what all four say."""
    with running(folder, a_fleet({})) as services:
        run_job(services, a_job(services, TALK, a_policy(review_families=0)).id)
        with services.unit_of_work() as work:
            before = work.boundaries.current("conv-1")
    assert before is not None
    names = short_ids([claim.id for claim in before.claims])
    short = names[next(claim.id for claim in before.claims if claim.text == SLATE)]
    replies = {"ann": NOTHING.replace("DECIDED\nnone", f"DECIDED\n- {said} [{marked} {short}] [turn 4]")}
    other = NOTHING.replace("DECIDED\nnone", f"DECIDED\n- {said} [turn 4]")
    fleet = [
        ReviewingMember(name, says={"four_part": PARTS, "rolling": replies.get(name, other)})
        for name in ("ann", "ben", "cem", "dora")
    ]
    with running(folder, fleet) as services:
        run_job(services, a_job(services, LATER, a_policy("cem", "dora")).id)
    return [prompt for member in fleet for prompt in member.asked(REVIEW)]


def test_what_a_cycle_only_suspects_is_shown_to_the_reviewers_once(tmp_path: Path) -> None:
    prompts = in_cycles(tmp_path, "The village has sent sheets of tin for the roof.", "revises")
    assert len(prompts) == 2
    for prompt in prompts:
        number = next(number for number, words in claims_in(prompt) if words == SLATE)
        assert prompt.count(f"stale? c{number}, turn 4") == 1, "one family of four says that it ends"


class Noting(ReviewingMember):
    """Notes how many commits stood when it was asked to review."""

    deaths: Deaths
    commits: tuple[int, ...] = ()

    def _by_rule(self, name: str, text: str) -> str:
        if name == REVIEW:
            self.commits = (*self.commits, self.deaths.commits)
        return super()._by_rule(name, text)


def through_death(folder: Path, deaths: Deaths) -> tuple[Ended, list[int]]:
    """A job whose process dies once and that another one ends; and when each review was asked for."""
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


def test_a_job_that_dies_among_its_reviewers_asks_only_those_it_has_not_heard(both: Ended, tmp_path: Path) -> None:
    whole, (first, second) = through_death(tmp_path / "whole", Deaths(at=0, moment="before"))
    assert whole.told() == both.told()
    times: list[int] = []
    for at in range(first + 1, second + 7, 2):
        ended, asked = through_death(tmp_path / str(at), Deaths(at=at, moment="after"))
        assert (ended.told(), len(ended.calls)) == (both.told(), 2), at
        times.append(len(asked))
    assert times == sorted(times, reverse=True), "the more was heard, the less is asked again"
    assert times[0] > times[-1] == 2, "what was lost is asked again, and what was heard is not"


def test_a_repair_asks_what_is_missing_and_takes_up_what_two_families_bring(tmp_path: Path) -> None:
    reviewers = [ReviewingMember(name, {}, FACTS[:20]) for name in ("dora", "eve")]
    writers = [ReviewingMember(name, {}, FACTS[:20], says=SILENT) for name in ("ann", "ben", "cem")]
    job, ended, rounds = repaired_by(tmp_path, [*writers, *reviewers])
    assert job.status is JobStatus.COMMITTED
    (one,) = rounds.rounds
    assert rounds.amended is not None
    assert sum(ended.consensus.kept.values()) == len(rounds.amended.claims)
    assert [len(each.shown) for each in reviewers] == [1, 1], "nobody is asked to review again"
    (again,) = ended.frame.again
    assert {(each.told_by, each.action) for each in again.findings} == {(("dora", "eve"), Action.REPAIR)}
    assert (one.line.answered, one.line.taken_up, again.repaired) == (5, len(again.findings), len(again.findings))
    new = [claim for claim in rounds.amended.claims if claim.text not in {f"{fact[0]}." for fact in FACTS[:20]}]
    assert len(new) == one.line.taken_up > 0
    for claim in new:
        assert claim.support.families == ("dora", "eve")
        assert [piece.text for piece in claim.evidence] == [claim.text.rstrip(".")]
    for member in (*writers, *reviewers):
        (prompt,) = member.asked("repair")
        assert not any(fact[1] in prompt for fact in FACTS), "no question is shown"
        assert f"| {FACTS[0][0]}." in prompt.split("BEGIN CLAIMS")[1], "what stands is shown"


SILENT: dict[str, str] = {"repair": '{"remarks": []}'}


def repaired_by(folder: Path, fleet: Sequence[ReviewingMember]) -> tuple[Job, Ended, RepairReport]:
    """A job on all facts whose reviewers are dora and eve, and what its repair did."""
    policy = WRITTEN.model_copy(update={"frame": FramePolicy(reviewers=("dora", "eve"))})
    with running(folder, fleet) as services:
        job = run_job(services, a_job(services, a_conversation(*TURNS), policy).id)
        ended = left_by(services, job)
        with services.unit_of_work() as work:
            report = outcome(work, job, "repair", RepairReport)
    assert isinstance(report, RepairReport)
    return job, ended, report


def test_what_one_family_brings_is_dissent_until_another_says_it(tmp_path: Path) -> None:
    """Of what one member misses in its review, another brings a part in the repair."""
    gone = missing(f"{' '.join(TURNS)} BEGIN CLAIMS {' '.join(fact[0] for fact in FACTS[:20])}")
    writers = [ReviewingMember(name, {}, FACTS[:20], says=SILENT) for name in ("ann", "ben", "cem")]
    dora = ReviewingMember("dora", {}, FACTS[:20], says=SILENT, missing=gone[:12])
    eve = ReviewingMember("eve", {}, FACTS[:20])
    _, ended, rounds = repaired_by(tmp_path, [*writers, dora, eve])
    assert rounds.amended is not None
    wanted = {str(one["text"]) for one in gone[:12] if one["turn"] in rounds.rounds[0].line.turns}
    texts = {claim.text for claim in rounds.amended.claims}
    first, later = {str(one["text"]) for one in gone[:12]}, {str(one["text"]) for one in gone[12:]}
    assert texts & first == wanted != set()
    assert texts & later == set(), "one family alone"
    aside = {one.text for one in rounds.amended.dissent}
    assert aside >= first - wanted
    assert not aside & wanted
    assert aside & later
    assert ended.job.status is not JobStatus.COMMITTED or ended.boundary is not None


WEAK = "The roof is a matter of slate, whoever pays."
"""One family states it, on weak evidence."""


@pytest.mark.parametrize(("failing", "stands"), [((), True), (("cem",), True), (("cem", "dora"), False)])
def test_what_waited_for_a_review_stands_only_when_somebody_read_it(
    tmp_path: Path,
    failing: tuple[str, ...],
    stands: bool,  # noqa: FBT001
) -> None:
    fleet = a_fleet({}, {name: MemberTimeout(name, "too slow") for name in failing})
    with_weak = PARTS.replace(f"- {SLATE} [turn 2]", f"- {SLATE} [turn 2]\n- {WEAK} [turn 2]")
    fleet[0] = ReviewingMember("ann", says={"four_part": with_weak, "rolling": NOTHING})
    with running(tmp_path, fleet) as services:
        job = run_job(services, a_job(services, TALK, a_policy("cem", "dora")).id)
        ended = left_by(services, job)
    assert (WEAK in ended.texts(Section.DECIDED)) is stands
    assert SLATE in ended.texts(Section.DECIDED)


FAINT = "The budget is a matter of saffron, whoever pays."
"""The same of the facts that a repaired candidate is made of."""


@pytest.mark.parametrize("failing", [(), ("dora", "eve")])
def test_a_repair_brings_nothing_back_that_waited_for_a_review_nobody_made(
    tmp_path: Path, failing: tuple[str, ...]
) -> None:
    late = {name: MemberTimeout(name, "too slow") for name in failing}
    reviewers = [
        ReviewingMember(name, {}, FACTS[:20], says={REVIEW: late[name]} if name in late else None)
        for name in ("dora", "eve")
    ]
    stated = four_part(FACTS[:20]).replace("DECIDED\nnone", f"DECIDED\n- {FAINT} [turn 1]")
    writers = [ReviewingMember("ann", says={"four_part": stated})]
    writers += [ReviewingMember(name, {}, FACTS[:20]) for name in ("ben", "cem")]
    policy = WRITTEN.model_copy(update={"frame": FramePolicy(reviewers=("dora", "eve"))})
    with running(tmp_path, [*writers, *reviewers]) as services:
        job = run_job(services, a_job(services, a_conversation(*TURNS), policy).id)
        with services.unit_of_work() as work:
            first = outcome(work, job, "frame_audit", FrameReport)
            rounds = outcome(work, job, "repair", RepairReport)
    assert isinstance(first, FrameReport)
    assert isinstance(rounds, RepairReport)
    assert rounds.amended is not None, "this test is to see a repair"
    assert (FAINT in {claim.text for claim in rounds.amended.claims}) is (not failing)
