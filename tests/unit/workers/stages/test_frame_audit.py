"""The frame on the path: the register grows with the conversation, the audit repairs or blocks, members are values."""

import json
from pathlib import Path

import pytest

from devtools.scripted import Cue, Fail, Say, ScriptedMember
from dissolution.answers import FailureClass, MemberTask, Reply
from dissolution.claims import Section
from dissolution.errors import InputError, MemberTimeout
from dissolution.findings import NotRun
from dissolution.framing import FramePolicy, FrameReport
from dissolution.job import Job, JobStatus
from dissolution.ledger import LedgerEventKind
from dissolution.policy.job_policy import Policy
from dissolution.premises import PremiseStatus
from dissolution.receipt.frame import FrameSummary, RegisterReport
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import challenge_id
from frame_agent.register.fold import register_of
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.workers.probing_members import FACTS, TURNS
from tests.unit.workers.test_probe_path import WRITTEN
from tests.unit.workers.test_probe_path import a_fleet as probing_fleet
from workers.members.reviewers import NO_MEMBER
from workers.probe.outcomes import RepairReport, outcome
from workers.results.adopted_challenges import adopt_challenge
from workers.results.candidate import current_candidate
from workers.runtime.inline import run_job
from workers.services import Services
from workers.stages.frame_audit import SWITCHED_OFF
from workers.stages.register import build_register
from workers.stages.register import register_of as register_of_job

TALK = (
    "We run the invoice service on Postgres 15.4. I guess the inter-rack link is shared with backup traffic.",
    "Then the copy goes over the replication link at night, so that the backup traffic does not matter.",
    "Fine. We use Terraform for the rollout, decided. Answer just this once in French.",
    "D'accord. The rollout plan rests on the shared link.",
)
GUESS = "The inter-rack link is shared with backup traffic."
GOOD = f"""KNOWN
- The invoice service runs on Postgres 15.4. [turn 1]
- {GUESS} [turn 1]

DECIDED
- We use Terraform for the rollout. [turn 3]

EDGES
- none

IDENTITY
- none
"""
QUESTION = "Who pays for the backup tapes of the archive?"
FRAMING: dict[str, object] = {
    "premise": 1,
    "alternative": "The copy could leave the link alone and travel on disks.",
    "leads_to": "No night window would be needed.",
    "test": "Ask how long a disk takes between the racks.",
}


class Listening(ScriptedMember):
    """A scripted member that keeps what it was asked."""

    heard: list[str]

    async def answer(self, task: MemberTask) -> Reply:
        self.heard = [*getattr(self, "heard", []), task.prompt.text]
        return await super().answer(task)


def framings(*given: dict[str, object]) -> Cue:
    return Say(json.dumps({"framings": list(given)}))


def members(*script: Cue) -> list[ScriptedMember]:
    return [a_member("a", Say(GOOD)), a_member("b", Say(GOOD)), a_member("critic", Say(GOOD), *script)]


def frame(**fields: object) -> Policy:
    return Policy(frame=FramePolicy.model_validate(fields))


def summary_of(services: Services, job: Job) -> FrameSummary:
    with services.unit_of_work() as work:
        receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    assert isinstance(receipt.frame, FrameSummary)
    return receipt.frame


def test_the_register_is_stored_and_grows_with_the_conversation(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        first = run_job(services, a_job(services, a_conversation(*TALK), through=2).id)
        with services.unit_of_work() as work:
            half = work.frames.register("conv-1")
        second = run_job(services, a_job(services, a_conversation(*TALK)).id)
        with services.unit_of_work() as work:
            whole = work.frames.register("conv-1")
            built = [outcome(work, job, "register", RegisterReport) for job in (first, second)]
    assert half == register_of(a_conversation(*TALK).snapshot(2))
    assert whole == register_of(a_conversation(*TALK).snapshot())
    assert whole.events[: len(half.events)] == half.events
    reports = [one for one in built if isinstance(one, RegisterReport)]
    assert [one.through for one in reports] == [2, 4]
    assert [one.digest for one in reports] == [half.digest, whole.digest]
    assert reports[1].added == len(whole.events) - len(half.events) > 0


def test_a_job_on_fewer_turns_sees_the_register_of_those_turns(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        late, early = (a_job(services, a_conversation(*TALK), through=turn) for turn in (None, 2))
        assert isinstance(build_register(services, late).output, RegisterReport)
        built = build_register(services, early).output
        with services.unit_of_work() as work:
            assert work.frames.register("conv-1").through == 4
            assert register_of_job(work, early) == register_of(a_conversation(*TALK).snapshot(2))
    assert isinstance(built, RegisterReport)
    assert (built.through, built.added) == (2, 0)
    assert built.digest == register_of(a_conversation(*TALK).snapshot(2)).digest


def test_without_a_member_that_can_be_asked_nothing_is_moved_and_that_is_said(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK)).id)
        with services.unit_of_work() as work:
            report = outcome(work, job, "frame_audit", FrameReport)
            calls = work.jobs.calls(job.id, "frame_audit")
    assert job.status is JobStatus.COMMITTED
    assert isinstance(report, FrameReport)
    assert report.amended is None
    told = summary_of(services, job)
    assert told.register_size > 0
    assert (told.findings, told.reviewers, told.nobody, calls) == ((), (), NO_MEMBER, ())


def test_an_audit_that_is_switched_off_says_so(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK), frame(audit=False)).id)
        with services.unit_of_work() as work:
            receipt = work.boundaries.receipt(job.id)
            assert outcome(work, job, "frame_audit", FrameReport) == NotRun(not_run=SWITCHED_OFF)
    assert receipt is not None
    assert receipt.frame == NotMeasured(not_measured=SWITCHED_OFF)
    assert "frame audit not run" in receipt.decision.reasons


def test_a_challenger_sees_the_register_and_never_the_candidate(tmp_path: Path) -> None:
    fleet = members(framings(FRAMING))
    fleet[2] = critic = Listening(fleet[2].card, (Say(GOOD), framings(FRAMING)))
    with running(tmp_path, fleet) as services:
        job = run_job(
            services, a_job(services, a_conversation(*TALK), frame(challenger="critic", challenger_calls=1)).id
        )
        told = summary_of(services, job)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, "frame_audit")
            candidate = current_candidate(work, job)
    assert isinstance(told.challenges, tuple)
    (challenge,) = told.challenges
    assert challenge.alternative == FRAMING["alternative"]
    assert challenge.member == "critic"
    assert challenge.leverage > 0
    assert [call.prompt.name for call in calls] == ["challenge"]
    prompt = critic.heard[-1]
    assert TALK[0].split(".")[0] in prompt  # the goal: the first request
    assert all(claim.reason not in prompt for claim in candidate.claims)
    assert "KNOWN" not in prompt
    assert not [claim for claim in candidate.claims if claim.id == challenge_id(challenge)], "adopted in silence"


def test_a_challenge_becomes_an_edge_on_request_and_is_an_act_of_the_ledger(tmp_path: Path) -> None:
    with running(tmp_path, members(framings(FRAMING))) as services:
        job = run_job(
            services, a_job(services, a_conversation(*TALK), frame(challenger="critic", challenger_calls=1)).id
        )
        challenges = summary_of(services, job).challenges
        assert isinstance(challenges, tuple)
        name = challenge_id(challenges[0])
        with services.unit_of_work() as work:
            event = adopt_challenge(work, services, job, name[:8], actor="ann", why="worth asking")
            work.commit()
        with services.unit_of_work() as work:
            boundary = work.boundaries.current("conv-1")
            with pytest.raises(InputError, match="already"):
                adopt_challenge(work, services, job, name, actor="ann", why=None)
            with pytest.raises(InputError, match="challenges"):
                adopt_challenge(work, services, job, "nothing", actor="ann", why=None)
    assert (event.kind, event.claim, event.actor) == (LedgerEventKind.ADOPTED, name, "ann")
    assert boundary is not None
    (edge,) = [claim for claim in boundary.claims if claim.id == name]
    assert edge.section is Section.EDGES
    assert edge.text == FRAMING["alternative"]
    assert all(str(FRAMING[part]) in edge.reason for part in ("leads_to", "test"))


def test_policy_may_ask_for_challenges_in_edges_in_so_many_words(tmp_path: Path) -> None:
    policy = frame(challenger="critic", challenger_calls=1, challenges_to_edges=True)
    with running(tmp_path, members(framings(FRAMING))) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK), policy).id)
        with services.unit_of_work() as work:
            boundary = work.boundaries.by_job(job.id)
    assert boundary is not None
    assert [claim for claim in boundary.section(Section.EDGES) if str(FRAMING["alternative"]) in claim.text]


@pytest.mark.parametrize(
    ("cue", "expected"),
    [
        (Say("Sure! Here are some thoughts."), FailureClass.UNPARSABLE),
        (Say('{"framings": "none"}'), FailureClass.UNPARSABLE),
        (
            Say('{"framings": [{"premise": 900, "alternative": "x", "leads_to": "y", "test": "z"}]}'),
            FailureClass.UNPARSABLE,
        ),
        (Say("I'm sorry, but I can't help with that request."), FailureClass.REFUSAL),
        (Fail(MemberTimeout), FailureClass.TIMEOUT),
    ],
)
def test_a_challenger_that_fails_is_a_value(tmp_path: Path, cue: Cue, expected: FailureClass) -> None:
    with running(tmp_path, members(cue)) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK), frame(challenger="critic")).id)
        told = summary_of(services, job)
    assert job.status is JobStatus.COMMITTED
    assert isinstance(told.challenges, NotMeasured)
    assert expected.value in told.challenges.not_measured


def test_no_framing_is_a_good_answer(tmp_path: Path) -> None:
    with running(tmp_path, members(Say('{"framings": []}'))) as services:
        job = run_job(
            services, a_job(services, a_conversation(*TALK), frame(challenger="critic", challenger_calls=1)).id
        )
        assert summary_of(services, job).challenges == ()


def test_members_read_premises_and_their_readings_are_kept_beside_the_rules(tmp_path: Path) -> None:
    read = {
        "premises": [
            {"proposition": GUESS, "status": "asserted", "turn": 1, "quote": "the inter-rack link is shared"},
            {
                "proposition": "A network transfer is needed in the first place.",
                "status": "implicit",
                "turn": 2,
                "quote": "the copy goes over the replication link",
            },
            {"proposition": "The moon is made of cheese.", "status": "asserted", "turn": 2, "quote": "cheese moon"},
        ]
    }
    with running(tmp_path, members(Say(json.dumps(read)))) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK), frame(extractor=("critic",))).id)
        told = summary_of(services, job)
        with services.unit_of_work() as work:
            register = work.frames.register("conv-1")
            calls = work.jobs.calls(job.id, "register")
    assert [call.prompt.name for call in calls] == ["premises"]
    assert [(one.member, one.premises, one.new) for one in told.readers] == [("critic", 2, 1)]
    hidden = [one for one in register.premises if one.proposition.startswith("A network transfer")]
    assert [one.status for one in hidden] == [PremiseStatus.IMPLICIT]
    assert hidden[0].open_dependants
    guess = next(one for one in register.premises if "shared with backup" in one.proposition)
    assert guess.status is not PremiseStatus.ASSERTED, "a member's reading changes no status"
    assert ("critic", PremiseStatus.ASSERTED) in {(one.reader, one.status) for one in guess.readings}
    assert not [one for one in register.premises if "cheese" in one.proposition]


def test_a_reader_that_fails_leaves_the_rules_alone(tmp_path: Path) -> None:
    with running(tmp_path, members(Say("no idea"))) as services:
        job = run_job(services, a_job(services, a_conversation(*TALK), frame(extractor=("critic", "nobody"))).id)
        told = summary_of(services, job)
        with services.unit_of_work() as work:
            register = work.frames.register("conv-1")
    assert [(one.member, one.failure) for one in told.readers] == [
        ("critic", FailureClass.UNPARSABLE),
        ("nobody", FailureClass.BAD_REQUEST),
    ]
    assert register == register_of(a_conversation(*TALK).snapshot())


def test_a_repaired_candidate_keeps_the_challenges_that_policy_wants_in_edges(tmp_path: Path) -> None:
    wanted = FramePolicy(challenger="critic", challenger_calls=1, challenges_to_edges=True)
    policy = WRITTEN.model_copy(update={"frame": wanted})
    fleet = (*probing_fleet(FACTS[:20]), *members(framings(FRAMING))[-1:])
    with running(tmp_path, fleet) as services:
        job = run_job(services, a_job(services, a_conversation(*TURNS, QUESTION), policy).id)
        with services.unit_of_work() as work:
            boundary = work.boundaries.by_job(job.id)
            rounds = outcome(work, job, "repair", RepairReport)
    assert isinstance(rounds, RepairReport)
    assert len(rounds.rounds) == 1
    assert boundary is not None
    assert [claim for claim in boundary.section(Section.EDGES) if str(FRAMING["alternative"]) in claim.text]
