"""The server of the protocol: faults, waiting and odd characters."""

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest
from mcp.types import CallToolResult, TextContent

from api.mcp.catalog import TOOLS, ToolKind
from api.mcp.inputs import Input, StatusInput
from api.mcp.outputs import JobOutput, Output, RecallOutput, StageLine
from api.mcp.server import Request, called, waited
from api.state import Caller
from dissolution.job import JobStatus, StepStatus
from dissolution.recall_kinds import RecallBy
from dissolution.service import KeyScope

CALLER = Caller(tenant="acme", client="c", scopes=(KeyScope.READ,), name="agent", api=cast("Any", None))


class Session:
    """Takes notes of what a host is told of the progress."""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []

    async def report_progress(self, done: float, _total: float, words: str) -> None:
        self.told.append((done, words))


class Asked:
    """A request, as far as the server looks at it."""

    def __init__(self) -> None:
        self.session = Session()


def a_job(status: JobStatus, *stages: StepStatus) -> JobOutput:
    lines = [StageLine(stage=f"s{number}", status=one) for number, one in enumerate(stages)]
    facts: dict[str, Any] = {"reason": None, "through": 4, "advice": "wait"}
    return JobOutput(
        job="j1", conversation="talk", status=status, ended=status is JobStatus.COMMITTED, stages=lines, **facts
    )


def call(kind: ToolKind, **arguments: object) -> CallToolResult:
    return asyncio.run(called(cast("Request", Asked()), CALLER, "recall", kind, arguments))


def told_by(monkeypatch: pytest.MonkeyPatch, coming: list[JobOutput]) -> None:
    """Let each look at the job see the next of these."""

    def look(_caller: Caller, _given: Input) -> JobOutput:
        return coming.pop(0)

    monkeypatch.setattr("api.mcp.server.status", look)


def words_of(result: CallToolResult) -> str:
    return " ".join(part.text for part in result.content if isinstance(part, TextContent))


def test_a_fault_is_told_by_its_kind_and_neither_logged_nor_told_in_its_words(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_caller: Caller, _given: Input) -> Output:
        raise KeyError("hunter2horse99")

    with caplog.at_level("DEBUG"):
        result = call(replace(TOOLS["recall"], act=broken), conversation="talk")
    assert result.is_error
    assert "KeyError" in words_of(result)
    assert "hunter2horse99" not in words_of(result) + caplog.text


def test_half_characters_are_answered_in_characters_that_utf_8_has() -> None:
    def odd(_caller: Caller, _given: Input) -> Output:
        return RecallOutput(conversation="half \ud83d", boundary_version=0, matched_by=RecallBy.WORDS, claims=[])

    result = call(replace(TOOLS["recall"], act=odd), conversation="talk")
    assert result.model_dump_json()
    assert result.structured_content["conversation"] == "half ?"
    refused = call(TOOLS["recall"], conversation="talk", limit="half \ud83d")
    assert refused.model_dump_json()


def test_waiting_tells_progress_that_only_grows_and_ends_with_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    queued, running, done = StepStatus.QUEUED, StepStatus.RUNNING, StepStatus.DONE
    coming = [
        a_job(JobStatus.RUNNING, running, queued),
        a_job(JobStatus.RUNNING, done, running),
        a_job(JobStatus.RUNNING, queued, running),  # the ledger moved on: a stage runs again
        a_job(JobStatus.COMMITTED, done, done),
    ]
    told_by(monkeypatch, coming)
    monkeypatch.setattr("api.mcp.server.LOOK_S", 0.0)
    asked, first = Asked(), a_job(JobStatus.QUEUED, queued, queued)
    made = asyncio.run(waited(cast("Request", asked), CALLER, StatusInput(job="j1", wait_s=5), first))
    assert isinstance(made, JobOutput)
    assert made.status is JobStatus.COMMITTED
    assert asked.session.told == [(0, "queued"), (1, "at work: s1")]


@pytest.mark.parametrize(
    ("status", "wait_s"), [(JobStatus.HELD, 600), (JobStatus.RUNNING, 0), (JobStatus.RUNNING, 0.05)]
)
def test_waiting_ends_with_what_was_asked_or_where_nothing_moves(
    monkeypatch: pytest.MonkeyPatch, status: JobStatus, wait_s: float
) -> None:
    standing = a_job(status, StepStatus.RUNNING)
    told_by(monkeypatch, [standing] * 20)
    given = StatusInput(job="j1", wait_s=wait_s)
    assert asyncio.run(waited(cast("Request", Asked()), CALLER, given, standing)) == standing


def test_many_wrong_arguments_are_not_all_told() -> None:
    said = words_of(call(TOOLS["recall"], **{f"wrong{number}": number for number in range(9)}))
    assert said.endswith("and 5 more")
    assert "'conversation' is missing" in said
    assert "x" * 100 not in words_of(call(TOOLS["recall"], conversation="talk", limit="x" * 200))
