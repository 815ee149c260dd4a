"""The receipt tells what was asked, what came back and what was not run, from the rows alone."""

from datetime import timedelta
from decimal import Decimal

import pytest

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import (
    Answer,
    AnswerClass,
    Call,
    FailureClass,
    FinishReason,
    MemberCard,
    MemberFailure,
    MemberKind,
    ParsedReply,
    PromptStamp,
    Reply,
    Signature,
    Usage,
)
from dissolution.findings import NotRun, StageState
from dissolution.job import Job, Step, StepStatus
from dissolution.policy.job_policy import Policy
from dissolution.values import NotMeasured
from fleet.budget import Estimate
from tests.factories import INSTANT, a_snapshot
from workers.results.receipt import cost_report, counters_of, fleet_in_words, member_report, stage_report, usage_of_call
from workers.step_results import FanOutReport

ABSENT = NotMeasured(not_measured="test")
CARD = MemberCard(name="a", family="alpha", kind=MemberKind.SCRIPTED, model="script")
CALL = Call(
    job="j1",
    stage="fan_out",
    member=CARD,
    ordinal=0,
    prompt=PromptStamp(name="four_part", version=2, digest="0" * 64),
    asked_at=INSTANT,
)
REPLY = Reply(text="KNOWN", finish=FinishReason.STOP, usage=SCRIPTED_USAGE)


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ([MemberKind.EXTRACTIVE] * 6, "extractive, no language model"),
        ([MemberKind.RECORDED], "recorded answers of language models"),
        (
            [MemberKind.EXTRACTIVE, MemberKind.LANGUAGE_MODEL],
            "language models and extractive, no language model",
        ),
        ([], "nobody was asked"),
    ],
)
def test_the_fleet_in_words(kinds: list[MemberKind], words: str) -> None:
    assert fleet_in_words(kinds) == words


@pytest.mark.parametrize(
    ("step", "state", "reason"),
    [
        (Step(job="j1", stage="parse", status=StepStatus.DONE, output='{"usable":2}'), StageState.RAN, None),
        (
            Step(
                job="j1",
                stage="register",
                status=StepStatus.DONE,
                output=NotRun(not_run="not built").model_dump_json(),
            ),
            StageState.NOT_RUN,
            "not built",
        ),
        (Step(job="j1", stage="gate"), StageState.NOT_RUN, "the job ended before it"),
        (
            Step(job="j1", stage="gate", reason="interrupted: KeyboardInterrupt"),
            StageState.NOT_RUN,
            "interrupted: KeyboardInterrupt",
        ),
        (
            Step(job="j1", stage="parse", status=StepStatus.DEAD, reason="quorum_not_met"),
            StageState.FAILED,
            "quorum_not_met",
        ),
    ],
)
def test_a_stage_says_what_became_of_it(step: Step, state: StageState, reason: str | None) -> None:
    report = stage_report(step)
    assert (report.stage, report.state, report.reason) == (step.stage, state, reason)


def test_a_member_that_answered() -> None:
    parsed = ParsedReply(
        answer_class=AnswerClass.PARTIAL,
        claims=(),
        sections_found=(),
        problems=("missing_section: EDGES", "preamble"),
        signature=Signature(sentences=0, first_person_share=ABSENT, present_tense_share=ABSENT, forbidden_phrases=()),
        parser_version="1",
    )
    answer = Answer(member=CARD, reply=REPLY, parsed=parsed, late=True, latency_s=2.5)
    landed = CALL.model_copy(update={"landed_at": INSTANT + timedelta(seconds=2.5), "reply": REPLY, "late": True})
    report = member_report([landed], answer)
    assert (report.answer_class, report.failure, report.late) == (AnswerClass.PARTIAL, None, True)
    assert report.latency_s == 2.5
    assert report.detail == "missing_section: EDGES; preamble"


def test_a_member_that_failed() -> None:
    failure = MemberFailure(error_class=FailureClass.BILLING, detail="no credit")
    failed = CALL.model_copy(update={"landed_at": INSTANT, "failure": failure})
    report = member_report([failed], None)
    assert (report.answer_class, report.failure, report.detail) == (None, FailureClass.BILLING, "no credit")
    assert report.usage == NotMeasured(not_measured="no reply")


def test_a_member_that_has_not_landed() -> None:
    report = member_report([CALL], None)
    assert (report.answer_class, report.failure) == (None, None)
    assert isinstance(report.latency_s, NotMeasured)
    assert "the call has not landed" in report.detail


def test_clocks_that_disagree_give_no_negative_latency() -> None:
    failure = MemberFailure(error_class=FailureClass.TIMEOUT, detail="slow")
    landed = CALL.model_copy(update={"landed_at": INSTANT - timedelta(seconds=1), "failure": failure})
    assert member_report([landed], None).latency_s == 0.0


def a_call(stage: str, member: str, ordinal: int = 0, usage: Usage | None = None) -> Call:
    """A landed call; without usage it failed."""
    card = CARD.model_copy(update={"name": member})
    result = {"failure": MemberFailure(error_class=FailureClass.TIMEOUT, detail="slow")}
    if usage is not None:
        result = {"reply": REPLY.model_copy(update={"usage": usage})}
    return CALL.model_copy(update={"stage": stage, "member": card, "ordinal": ordinal, "landed_at": INSTANT, **result})


def used(tokens: int, cached: int, usd: str | None) -> Usage:
    cost = ABSENT if usd is None else Decimal(usd)
    return Usage(input_tokens=tokens, cached_input_tokens=cached, output_tokens=1, cost_usd=cost)


def a_job() -> Job:
    snapshot = a_snapshot("We use Redis.")
    return Job(
        id="j1",
        conversation=snapshot.conversation,
        through=1,
        snapshot_digest=snapshot.digest,
        fleet="scripted",
        policy=Policy(),
        created_at=INSTANT,
    )


def test_money_is_told_by_stage_and_by_member_with_every_window_in_it() -> None:
    calls = [
        a_call("fan_out", "b", 0, used(100, 0, "0.5")),
        a_call("fan_out", "b", 1),  # its second window failed: the first was paid for all the same
        a_call("fan_out", "a", 0, used(10, 8, "0.25")),
        a_call("frame_audit", "a", 0, used(1, 1, None)),
    ]
    cost = cost_report(a_job(), calls, used(9, 0, "1"))
    assert (cost.used_input_tokens, cost.used_cached_input_tokens, cost.used_output_tokens) == (111, 9, 3)
    assert isinstance(cost.used_usd, NotMeasured)  # one part is not known
    stages = {line.of: line for line in cost.by_stage}
    assert list(stages) == ["fan_out", "frame_audit"]
    fan_out = stages["fan_out"]
    assert (fan_out.calls, fan_out.replies, fan_out.input_tokens, fan_out.cached_input_tokens) == (3, 2, 110, 8)
    assert fan_out.usd == Decimal("0.75")
    assert isinstance(stages["frame_audit"].usd, NotMeasured)
    a, b = cost.by_member
    assert (a.of, a.calls, a.replies, a.input_tokens, a.cached_input_tokens) == ("a", 2, 2, 11, 9)
    assert (b.of, b.calls, b.replies, b.input_tokens, b.usd) == ("b", 2, 1, 100, Decimal("0.5"))


def test_nobody_asked_costs_nothing_and_has_no_lines() -> None:
    cost = cost_report(a_job(), [], used(9, 0, "1"))
    assert (cost.used_usd, cost.by_stage, cost.by_member) == (Decimal(0), (), ())


def test_the_counter_of_a_members_prompts_is_named_whether_it_answered_or_not() -> None:
    assert member_report([CALL], None, "o200k_base").counter == "o200k_base"
    assert isinstance(member_report([CALL], None).counter, NotMeasured)
    estimate = Estimate(
        **dict(used(1, 0, "0")),
        known_input_tokens=1,
        known_cost_usd=Decimal(0),
        uncounted=0,
        unpriced=0,
        without_price=(),
    )
    report = FanOutReport(asked=1, answered=1, estimate=estimate, counters={"a": "o200k_base"})
    done = Step(job="j1", stage="fan_out", status=StepStatus.DONE, output=report.model_dump_json())
    assert counters_of({"fan_out": done}) == {"a": "o200k_base"}
    assert counters_of({"fan_out": Step(job="j1", stage="fan_out")}) == {}
    old = report.model_dump(mode="json", exclude={"counters"})  # written before counters were kept
    assert FanOutReport.model_validate(old).counters == {}


def a_usage(tokens: int, usd: str) -> Usage:
    return Usage(input_tokens=tokens, cached_input_tokens=0, output_tokens=1, cost_usd=Decimal(usd))


def test_a_member_that_read_windows_is_told_as_a_whole() -> None:
    parts = [
        CALL.model_copy(
            update={
                "ordinal": ordinal,
                "asked_at": INSTANT + timedelta(seconds=10 * ordinal),
                "landed_at": INSTANT + timedelta(seconds=10 * ordinal + 4),
                "reply": REPLY.model_copy(update={"usage": a_usage(100, "0.01")}),
            }
        )
        for ordinal in range(3)
    ]
    failed = parts[2].model_copy(
        update={"reply": None, "failure": MemberFailure(error_class=FailureClass.TIMEOUT, detail="slow")}
    )
    report = member_report([*parts[:2], failed], None)
    assert (report.windows, report.failure, report.latency_s) == (3, FailureClass.TIMEOUT, 24.0)
    assert report.usage == Usage(input_tokens=200, cached_input_tokens=0, output_tokens=2, cost_usd=Decimal("0.02"))


@pytest.mark.parametrize(
    ("kind", "failure", "known"),
    [
        (MemberKind.LANGUAGE_MODEL, FailureClass.AUTH, True),
        (MemberKind.LANGUAGE_MODEL, FailureClass.BUDGET, True),
        (MemberKind.LANGUAGE_MODEL, FailureClass.TIMEOUT, False),
        (MemberKind.LANGUAGE_MODEL, FailureClass.CANCELLED, False),
        (MemberKind.LANGUAGE_MODEL, None, False),
        (MemberKind.RECORDED, FailureClass.TIMEOUT, True),
    ],
)
def test_what_a_call_without_a_reply_cost_is_not_known_unless_nothing_was_bought(
    kind: MemberKind, failure: FailureClass | None, *, known: bool
) -> None:
    card = CARD.model_copy(update={"kind": kind})
    landed = MemberFailure(error_class=failure, detail="x") if failure else None
    used = usage_of_call(CALL.model_copy(update={"member": card, "failure": landed}))
    assert (used is None) is known
    if used is not None:
        assert isinstance(used.cost_usd, NotMeasured)
