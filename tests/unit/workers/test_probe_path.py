"""The probe on the whole path: sealed first, history once, candidate blind, repaired by turns; failures are values."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from dissolution.answers import FailureClass, RenderedPrompt
from dissolution.conversation import Conversation
from dissolution.errors import MemberError, MemberRateLimited, MemberRefused, MemberTimeout, MemberWindowExceeded
from dissolution.findings import NotRun, StageState, Verdict
from dissolution.job import Job, JobStatus
from dissolution.policy.gate import LENIENT, GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.ports.models import Member
from dissolution.probing import ArmName, BankOrigin, GateState, QuestionKind, ScoredBy, Split
from dissolution.receipt.job_receipt import Receipt
from dissolution.receipt.probe import ProbeSummary
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from language.sentences import sentence_spans
from probe.diagnosis import diagnose
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember, further, joint, proposals
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES
from workers.probe.outcomes import Faced, HistoryReport, RepairReport, SealedBank, outcome
from workers.runtime.inline import run_job
from workers.services import Services

pytestmark = pytest.mark.slow  # whole jobs with every stage of the probe, a second each

TALK = a_conversation(*TURNS)
SMALL = GatePolicy(name="small", questions=31, repair_rounds=1, false_accept=0.1)  # 27 without a loss, twice
WRITTEN = Policy(probe=ProbePolicy(writer="ann", reader="ben", judge="cem", gate=SMALL))
ENFORCED = Policy(probe=ProbePolicy(offline="enforce", gate=SMALL))


class Forgetful(ProbingMember):
    """Knows one sentence of LONG and nothing else."""

    def __init__(self, name: str) -> None:
        turn = LONG.turns[0].content
        span = next(span for span in sentence_spans(turn) if len(turn[span.start : span.end].split()) > 8)
        sentence = turn[span.start : span.end]
        sections = f"KNOWN\n- {sentence} [turn 1]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"
        super().__init__(name, says={"four_part": sections})


def a_fleet(
    states: Sequence[tuple[str, str, str, str]] = FACTS, says: Mapping[str, dict[str, object]] = {}
) -> tuple[ProbingMember, ProbingMember, ProbingMember]:
    ann, ben, cem = (ProbingMember(name, states, says=says.get(name)) for name in ("ann", "ben", "cem"))  # pyright: ignore[reportArgumentType] - replies by prompt
    return ann, ben, cem


LONG = read_file(
    Path("benchmarks/data/planted/co-ecology-model.json"),
    ReadingOptions(max_bytes=10**7, max_turn_chars=10**6),
    key=bytes(32),
    clock=FixedClock(INSTANT),
).conversation
"""A conversation that can be asked about without a model."""


def ended(services: Services, policy: Policy, talk: Conversation = TALK) -> tuple[Job, Receipt]:
    job = run_job(services, a_job(services, talk, policy).id)
    return job, receipt_of(services, job)


def receipt_of(services: Services, job: Job) -> Receipt:
    with services.unit_of_work() as work:
        receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    return receipt


def summary(receipt: Receipt) -> ProbeSummary:
    assert isinstance(receipt.probe, ProbeSummary)
    return receipt.probe


def test_a_faithful_candidate_passes_the_questions_of_a_model(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet()
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, WRITTEN)
    told = summary(receipt)
    assert job.status is JobStatus.COMMITTED
    assert (told.origin, told.enforced) == (BankOrigin.WRITTEN, True)
    assert told.writer == "ann (rules, 1)"
    assert (told.held_out, told.train) == (31, 10)
    assert (told.history_share, told.floor_share) == (1.0, 0.0)
    assert told.rounds[0].reading.state is GateState.ACCEPT
    assert told.rounds[0].reading.used == 27
    assert receipt.decision.reasons[0] == "27 questions: 0 lost, 0 gained"


def test_each_is_given_what_its_task_needs_and_no_more(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet(FACTS[:30])
    with running(tmp_path, [ann, ben, cem]) as services:
        ended(services, WRITTEN)
    assert [name for name, _ in ann.prompts if name.startswith("probe")] == ["probe_writing", "probe_further"]
    assert {name for name, _ in ben.prompts if name.startswith("probe")} == {"probe_answers", "probe_evidence"}
    questions = [fact[1] for fact in FACTS]
    for member in (ann, ben, cem):
        for prompt in ("four_part", "repair"):
            assert not any(question in text for text in member.asked(prompt) for question in questions)
    turn, claims = f"] user; user\n| {TURNS[0]}", FACTS[0][0]
    arms = ben.asked("probe_answers")
    assert sum(turn in text for text in arms) == 2  # the history, once for each bank
    assert all("[turn 1]" not in text for text in arms if turn not in text)
    assert any(claims in text for text in arms if turn not in text)
    assert next(text for text in arms if claims not in text).count("\n| ") == 31 + 10


class Narrow(ProbingMember):
    """A reader whose window holds seven questions at once."""

    max_output_tokens = 4000

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:  # noqa: ARG002 - the port's signature
        return prompt.text.count("\n[question ") <= 7


@pytest.mark.parametrize(
    ("reader", "version", "sizes"),
    [
        (ProbingMember, 2, [40]),
        (Narrow, 2, [7, 7, 7, 7, 7, 5]),
        (ProbingMember, 1, [10, 10, 10, 10]),
    ],
)
def test_as_many_questions_as_fit_are_put_with_their_evidence_at_once(
    reader: type[ProbingMember], version: int, sizes: list[int], tmp_path: Path
) -> None:
    ann, _, cem = a_fleet()
    ben = reader("ben", FACTS)
    probe = WRITTEN.probe.model_copy(update={"evidence_version": version})
    with running(tmp_path, [ann, ben, cem]) as services:
        _, receipt = ended(services, WRITTEN.model_copy(update={"probe": probe}))
    assert sorted(text.count("\n[question ") for text in ben.asked("probe_evidence")) == sorted(sizes)
    assert (summary(receipt).held_out, summary(receipt).train) == (31, 10)


def test_the_questions_are_sealed_before_the_candidate_exists(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet()) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            order = [(event.kind, event.detail) for event in work.jobs.events(job.id)]
            sealed = outcome(work, job, "question_bank", SealedBank)
    assert order.index(("step_done", "question_bank")) < order.index(("step_started", "consensus"))
    assert isinstance(sealed, SealedBank)
    assert sealed.bank.seal == sealed.seal == summary(receipt).seal


def test_the_history_is_sent_three_times_and_its_bytes_are_shared(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet()
    with running(tmp_path, [ann, ben, cem]) as services:
        ended(services, WRITTEN)
    fence = "\nEND CONVERSATION "
    sent = [text for member in (ann, ben, cem) for name, text in member.prompts if name != "four_part"]
    history = [text for text in sent if f"| {TURNS[0]}\n" in text.split(fence, maxsplit=1)[0] and "[turn 10]" in text]
    assert len(history) <= 3
    shared = ann.asked("four_part")[0].split(fence, maxsplit=1)[0]
    assert all(text.startswith(shared) for text in history)


def test_a_candidate_that_lost_much_is_repaired_and_faces_fresh_questions(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet(FACTS[:20])
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            first = outcome(work, job, "candidate_arm", Faced)
            repaired = outcome(work, job, "repair", RepairReport)
            boundary = work.boundaries.by_job(job.id)
    assert isinstance(first, Faced)
    assert isinstance(repaired, RepairReport)
    assert first.reading.state is GateState.REJECT
    one = repaired.rounds[0]
    assert set(one.line.turns) <= set(range(6, 11))
    assert (one.line.claims_before, one.line.claims_after) == (20, 20 + 4 * len(one.line.turns))
    before = {item.question.id for item in first.items}
    after = {item.question.id for item in one.faced.items}
    assert not before & after
    assert all(item.question.split is Split.HELD_OUT for item in (*first.items, *one.faced.items))
    told = summary(receipt)
    assert [one.claims for one in told.rounds] == [20, one.line.claims_after]
    assert told.repairs == (one.line,)
    assert receipt.decision.reasons == repaired.decision.reasons
    for member in (ann, ben, cem):
        assert len(member.asked("repair")) == 1
    if boundary is not None:
        assert len(boundary.claims) == one.line.claims_after


def test_a_further_bank_is_sealed_before_the_amended_candidate_exists(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet((*FACTS[:20], *FACTS[36:]))  # what train questions point to is all that is lost
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            repaired = outcome(work, job, "repair", RepairReport)
            events = [(event.kind, event.detail) for event in work.jobs.events(job.id)]
            calls = work.jobs.calls(job.id, "repair")
    assert isinstance(repaired, RepairReport)
    one = repaired.rounds[0]
    assert one.bank is not None
    assert one.history is not None
    assert one.bank.bank.seal == one.bank.seal == one.line.further_seal == one.history.seal
    assert events.count(("bank_sealed", one.bank.seal)) == 1
    asked_in_turn = [name for name, _ in ann.prompts]
    assert asked_in_turn.index("probe_further") < asked_in_turn.index("repair")
    met = {item.question.id for item in one.faced.items}
    assert met & {question.id for question in one.bank.bank.questions}
    assert one.line.fresh == 31 - summary(receipt).rounds[0].asked + one.line.further
    assert len(one.faced.items) >= 27, "fewer questions than that pass nothing"
    refused = [line for line in one.bank.bank.rejected if "asks the same as" in line]
    assert len(refused) == 1, "what was asked before is not asked again"
    assert {call.member.name for call in calls} == {"ann", "ben", "cem"}
    told = summary(receipt)
    assert [one.reading.state for one in told.rounds] == [GateState.REJECT, GateState.ACCEPT]
    put = ann.asked("probe_further")[0].split("BEGIN QUESTIONS", 1)[1]
    assert all(fact[1] in put for fact in FACTS)
    assert not any(fact[2] in put for fact in FACTS)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I cannot do that.", "writer ann (rules, 1) failed: "),
        (MemberTimeout("ann", "too slow"), "writer ann (rules, 1) failed: timeout"),
        (json.dumps({"questions": proposals()}), "gave no question that passed its checks"),
        (json.dumps({"questions": further()[:6]}), "it has too few"),
    ],
)
def test_without_fresh_questions_there_is_no_repair_and_the_receipt_says_why(
    tmp_path: Path, said: str | MemberError, why: str
) -> None:
    ann, ben, cem = a_fleet(FACTS[:20], {"ann": {"probe_further": said}})
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, WRITTEN)
    assert job.status is JobStatus.HISTORY_KEPT
    assert summary(receipt).repairs == ()
    assert "fresh questions are left and 27 are needed to pass" in receipt.decision.reasons[-1]
    assert why in receipt.decision.reasons[-1]
    for member in (ann, ben, cem):
        assert member.asked("repair") == [], "nobody is asked for what cannot be passed"


def test_a_writer_that_gives_too_little_is_asked_once_more_before_a_repair_is_given_up(tmp_path: Path) -> None:
    halves = [json.dumps({"questions": part}) for part in (further()[:6], further()[6:])]
    ann, ben, cem = a_fleet(FACTS[:20], {"ann": {"probe_further": halves}})  # pyright: ignore[reportArgumentType] - a list of replies
    with running(tmp_path, [ann, ben, cem]) as services:
        _, receipt = ended(services, WRITTEN)
    (line,) = summary(receipt).repairs
    assert len(ann.asked("probe_further")) == 2
    assert line.fresh >= 27 > 31 - summary(receipt).rounds[0].asked + 5, "the first reply alone holds five"
    assert len(ann.asked("repair")) == 1


class Sleepy(ProbingMember):
    """A reader that fails whenever it is asked for a repair's plan: on questions for repair, from the candidate."""

    def _by_rule(self, name: str, text: str) -> str:
        planning = "[turn 1]" not in text and text.count("\n[question ") == TRAIN and FACTS[0][0] in text
        return "zzz" if name == "probe_answers" and planning else super()._by_rule(name, text)


TRAIN = 10
"""Questions for repair of the bank of 31."""


def test_a_reader_that_fails_on_the_questions_for_repair_ends_no_repair(tmp_path: Path) -> None:
    """What held-out questions were put and lost points to turns as well."""
    policy = WRITTEN.model_copy(update={"probe": WRITTEN.probe.model_copy(update={"batch": 7})})
    ann, _, cem = a_fleet(FACTS[:20])
    with running(tmp_path, [ann, Sleepy("ben", FACTS[:20]), cem]) as services:
        job, receipt = ended(services, policy)
        with services.unit_of_work() as work:
            failed = [call for call in work.jobs.calls(job.id, "repair") if call.reply and call.reply.text == "zzz"]
    assert failed, "this test is to see the reader fail"
    (line,) = summary(receipt).repairs
    assert line.questions > 0
    assert set(line.turns) <= set(range(6, 11))
    assert line.taken_up > 0


def test_questions_left_over_are_enough_where_many_are_left(tmp_path: Path) -> None:
    gate = WRITTEN.probe.gate.model_copy(update={"accept_loss": 0.05, "reject_loss": 0.6})
    policy = Policy(probe=WRITTEN.probe.model_copy(update={"gate": gate}))
    ann, ben, cem = a_fleet(FACTS[:4])
    with running(tmp_path, [ann, ben, cem]) as services:
        _, receipt = ended(services, policy)
    (line,) = summary(receipt).repairs
    assert (line.further, line.further_seal) == (0, None)
    assert line.fresh >= 10
    assert ann.asked("probe_further") == []


def test_a_bank_too_small_to_share_the_error_gives_it_to_the_only_candidate(tmp_path: Path) -> None:
    gate = SMALL.model_copy(update={"false_accept": 0.05})  # 27 without a loss pass; 34 with half of the error
    policy = Policy(probe=WRITTEN.probe.model_copy(update={"gate": gate}))
    (tmp_path / "good").mkdir()
    with running(tmp_path / "good", a_fleet()) as services:
        job, receipt = ended(services, policy)
    assert job.status is JobStatus.COMMITTED
    assert summary(receipt).rounds[0].reading.used == 27
    (tmp_path / "bad").mkdir()
    fleet = a_fleet(FACTS[:20])
    with running(tmp_path / "bad", fleet) as services:
        job, receipt = ended(services, policy)
    assert job.status is JobStatus.HISTORY_KEPT
    assert summary(receipt).repairs == ()
    assert all(member.asked("repair") == [] for member in fleet)


def test_the_judge_decides_and_rules_are_compared_with_it(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet()
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            history = outcome(work, job, "history_arm", HistoryReport)
            faced = outcome(work, job, "candidate_arm", Faced)
    assert isinstance(history, HistoryReport)
    assert isinstance(faced, Faced)
    scores = [*history.scores, *(item.candidate_score for item in faced.items)]
    assert {one.by for one in scores} == {ScoredBy.JUDGE}
    assert (history.cross_examined.both, faced.cross_examined.both) == (len(history.scores), len(faced.items))
    assert summary(receipt).agreement == 1.0
    assert receipt.decision.verdict is Verdict.COMMIT


def all_wrong(names: Sequence[str]) -> str:
    return json.dumps({"verdicts": [{"id": one, "verdict": "wrong", "why": "strict"} for one in names]})


class Contrary(ProbingMember):
    """A judge that calls wrong whatever it is shown."""

    def _by_rule(self, name: str, text: str) -> str:
        if name != "probe_judging":
            return super()._by_rule(name, text)
        return all_wrong(re.findall(r"\[question (\S+)\]", text))


def test_a_bank_is_judged_in_one_call_and_nothing_is_judged_twice(tmp_path: Path) -> None:
    fleet = a_fleet()
    with running(tmp_path, fleet) as services:
        job, _ = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
    judged = [re.findall(r"\[question \S+\]\n((?:\| .*\n)*)", text) for text in fleet[2].asked("probe_judging")]
    items = [item for batch in judged for item in batch]
    assert len(items) == len(set(items)), "the same words to the same question"
    assert isinstance(sealed, SealedBank)
    assert len(sealed.judged) == len(sealed.scores) == len(judged[0])
    assert {one.arm for one in sealed.judged} == {ArmName.NO_CONTEXT, ArmName.HISTORY}, "with and without evidence"


def test_no_rule_overrules_a_judge(tmp_path: Path) -> None:
    ann, ben, _ = a_fleet()
    with running(tmp_path, [ann, ben, Contrary("cem")]) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
    assert job.status is not JobStatus.COMMITTED
    assert isinstance(sealed, NotRun) or not sealed.bank.questions, "no question passes a judge that accepts no answer"
    assert receipt.decision.verdict is not Verdict.COMMIT


def test_what_needs_several_turns_and_what_nobody_said_is_asked_checked_scored_and_diagnosed(tmp_path: Path) -> None:
    said = json.dumps({"questions": [*joint(), *proposals(FACTS[:20])]})
    policy = Policy(probe=WRITTEN.probe.model_copy(update={"batch": 100}))
    ann, ben, cem = a_fleet(FACTS[:20], {"ann": {"probe_writing": said}})
    with running(tmp_path, [ann, ben, cem]) as services:
        job, receipt = ended(services, policy)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
            faced = outcome(work, job, "candidate_arm", Faced)
    assert isinstance(sealed, SealedBank)
    assert isinstance(faced, Faced)
    kinds = {kind: [one for one in faced.items if one.question.kind is kind] for kind in QuestionKind}
    several, nobody = kinds[QuestionKind.MULTI_HOP], kinds[QuestionKind.NOT_ANSWERABLE]
    assert several
    assert nobody
    assert {len(one.question.evidence_turns) for one in several} == {2}
    assert all((one.outcome.history_right, one.outcome.candidate_right) == (True, False) for one in several)
    assert all(one.history.text == one.candidate.text == "not established" for one in nobody)
    assert all(one.outcome.history_right and one.outcome.candidate_right for one in nobody)
    evidence = "".join(ben.asked("probe_evidence"))
    assert all(one.question.text in evidence for one in several)
    assert not any(one.question.text in evidence for one in nobody), "what nobody said has no evidence to show"
    told = summary(receipt).rounds[0].weak
    assert (
        f"conclusions from several turns from the last third are missing: {len(several)} of {len(several)}" in told[0]
    )
    groups = diagnose(faced.items)
    assert {"multi_hop", "not_answerable"} <= {one.group for one in groups.by_kind}
    assert groups.by_topic


def test_where_the_judge_fails_nothing_passes(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet(says={"cem": {"probe_judging": "garbage"}})) as services:
        _, receipt = ended(services, WRITTEN)
    assert receipt.decision.verdict is Verdict.KEEP_HISTORY


def test_a_job_on_the_same_turns_asks_the_history_nothing(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet()
    with running(tmp_path, [ann, ben, cem]) as services:
        first, _ = ended(services, WRITTEN)
        written, read = len(ann.asked("probe_writing")), len(ben.asked("probe_answers"))
        _, receipt = ended(services, WRITTEN)
    told = summary(receipt)
    assert (told.bank_of, told.history_of) == (first.id, first.id)
    assert len(ann.asked("probe_writing")) == written
    assert len(ben.asked("probe_answers")) == read + 3


def test_a_job_that_is_reconciled_anew_asks_the_candidate_alone(tmp_path: Path) -> None:
    ann, ben, cem = a_fleet()
    with running(tmp_path, [ann, ben, cem]) as services:
        slow = a_job(services, TALK, WRITTEN)
        for stage in STAGE_NAMES[:-1]:
            assert run_step(services, slow.id, stage)
        other = Policy(probe=ProbePolicy(on=False))
        run_job(services, a_job(services, TALK, other).id)
        history = [text for text in ben.asked("probe_answers") if "[turn 10]" in text]
        job = run_job(services, slow.id)
        receipt = receipt_of(services, job)
    assert (job.status, job.expected_version) == (JobStatus.COMMITTED, 1)
    assert len(ann.asked("probe_writing")) == 1
    assert [text for text in ben.asked("probe_answers") if "[turn 10]" in text] == history
    assert summary(receipt).rounds[0].reading.state is GateState.ACCEPT


@pytest.mark.parametrize(
    ("who", "prompt", "said", "stage"),
    [
        ("ann", "probe_writing", "I cannot do that.", "question_bank"),
        ("ann", "probe_writing", '{"questions": []}', "question_bank"),
        ("ann", "probe_writing", MemberTimeout("ann", "too slow"), "question_bank"),
        ("ben", "probe_answers", "garbage", "question_bank"),
        ("ben", "probe_evidence", MemberRefused("ben", "no"), "question_bank"),
        ("ben", "probe_answers", [None, MemberRateLimited("ben", "slow down")], "history_arm"),
        ("ben", "probe_answers", [None, None, "garbage"], "candidate_arm"),
    ],
)
def test_a_failure_of_writer_or_reader_is_a_value_and_the_gate_is_inconclusive(
    tmp_path: Path, who: str, prompt: str, said: object, stage: str
) -> None:
    with running(tmp_path, a_fleet(says={who: {prompt: said}})) as services:
        job, receipt = ended(services, WRITTEN)
    assert job.status is JobStatus.HISTORY_KEPT
    assert receipt.decision.verdict is Verdict.KEEP_HISTORY
    assert any("inconclusive" in reason for reason in receipt.decision.reasons)
    states = {line.stage: line for line in receipt.stages}
    assert states[stage].state is StageState.NOT_RUN
    assert who in (states[stage].reason or "")


def test_a_lenient_policy_commits_what_could_not_be_probed_and_says_so(tmp_path: Path) -> None:
    policy = Policy(probe=ProbePolicy(writer="ann", reader="ben", gate=LENIENT))
    with running(tmp_path, a_fleet(says={"ann": {"probe_writing": "garbage"}})) as services:
        job, receipt = ended(services, policy)
    assert job.status is JobStatus.COMMITTED
    assert receipt.decision.verdict is Verdict.COMMIT_DEGRADED


def test_a_history_that_does_not_fit_its_reader_leaves_nobody_stranded(tmp_path: Path) -> None:
    too_long = [None, MemberWindowExceeded("ben", "too long")]
    with running(tmp_path, a_fleet(says={"ben": {"probe_answers": too_long}})) as services:
        job, receipt = ended(services, WRITTEN)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, "history_arm")
    assert [call.failure.error_class for call in calls if call.failure] == [FailureClass.CONTEXT_WINDOW]
    assert receipt.decision.verdict is Verdict.COMMIT_DEGRADED
    assert any("does not fit its reader" in reason for reason in receipt.decision.reasons)


def test_members_that_the_fleet_lost_or_that_have_no_model_are_failures_too(tmp_path: Path) -> None:
    for name, policy in {"gone": ProbePolicy(writer="ann", reader="eve", judge="cem")}.items():
        (tmp_path / name).mkdir()
        with running(tmp_path / name, a_fleet()) as services:
            _, receipt = ended(services, Policy(probe=policy))
        assert receipt.decision.verdict is Verdict.KEEP_HISTORY
        reasons = [line.reason for line in receipt.stages if line.stage == "question_bank"]
        assert reasons == ["reader eve failed without context: bad_request"]
        assert any("inconclusive" in reason for reason in receipt.decision.reasons)


def test_without_a_model_the_probe_runs_and_reports(tmp_path: Path) -> None:
    members: list[Member] = [Forgetful("ann"), Forgetful("ben")]
    with running(tmp_path, members) as services:
        job, receipt = ended(services, Policy(), LONG)
        with services.unit_of_work() as work:
            history = outcome(work, job, "history_arm", HistoryReport)
    told = summary(receipt)
    assert isinstance(history, HistoryReport)
    assert (told.origin, told.enforced, told.judge) == (BankOrigin.CLOZE, False, None)
    assert told.history_share == history.share
    assert receipt.decision.verdict is Verdict.COMMIT_DEGRADED
    assert any("reported, not enforced" in reason for reason in receipt.decision.reasons)


def test_an_enforced_gate_keeps_the_history_of_a_candidate_that_lost_it(tmp_path: Path) -> None:
    policy = Policy(probe=ENFORCED.probe.model_copy(update={"gate": SMALL.model_copy(update={"repair_rounds": 0})}))
    members = [Forgetful("ann"), Forgetful("ben")]
    with running(tmp_path, members) as services:
        job, receipt = ended(services, policy, LONG)
    assert job.status is JobStatus.HISTORY_KEPT
    assert summary(receipt).rounds[0].reading.state is GateState.REJECT


def test_a_probe_that_is_switched_off_says_so(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet()) as services:
        job, receipt = ended(services, Policy(probe=ProbePolicy(on=False)))
        with services.unit_of_work() as work:
            assert isinstance(outcome(work, job, "candidate_arm", Faced), NotRun)
    assert job.status is JobStatus.COMMITTED
    assert receipt.decision.reasons[0] == "probe not run"


def test_a_conversation_that_states_too_little_cannot_be_probed(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet(FACTS[:1])) as services:
        job = run_job(services, a_job(services, a_conversation(FACTS[0][0] + "."), Policy()).id)
        receipt = receipt_of(services, job)
    assert "states too little" in str(receipt.probe)
    assert receipt.decision.verdict is Verdict.COMMIT_DEGRADED
