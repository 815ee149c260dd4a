"""The receipt tells what was asked, what came back and what was not run, from the rows alone."""

from datetime import timedelta

import pytest

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
)
from dissolution.findings import NotRun, StageState
from dissolution.job import Step, StepStatus
from dissolution.values import NotMeasured
from fleet.scripted import SCRIPTED_USAGE
from tests.factories import INSTANT
from workers.receipts import fleet_in_words, member_report, stage_report

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
    report = member_report(landed, answer)
    assert (report.answer_class, report.failure, report.late) == (AnswerClass.PARTIAL, None, True)
    assert report.latency_s == 2.5
    assert report.detail == "missing_section: EDGES; preamble"


def test_a_member_that_failed() -> None:
    failure = MemberFailure(error_class=FailureClass.BILLING, detail="no credit")
    failed = CALL.model_copy(update={"landed_at": INSTANT, "failure": failure})
    report = member_report(failed, None)
    assert (report.answer_class, report.failure, report.detail) == (None, FailureClass.BILLING, "no credit")
    assert report.usage == NotMeasured(not_measured="no reply")


def test_a_member_that_has_not_landed() -> None:
    report = member_report(CALL, None)
    assert (report.answer_class, report.failure) == (None, None)
    assert isinstance(report.latency_s, NotMeasured)
    assert report.detail == "the call has not landed"


def test_clocks_that_disagree_give_no_negative_latency() -> None:
    failure = MemberFailure(error_class=FailureClass.TIMEOUT, detail="slow")
    landed = CALL.model_copy(update={"landed_at": INSTANT - timedelta(seconds=1), "failure": failure})
    assert member_report(landed, None).latency_s == 0.0
