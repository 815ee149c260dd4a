"""Traces: one a job whoever makes its spans, models by the conventions, no content unless it is wanted."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from devtools.scripted import Cue, Fail, Say, ScriptedMember
from dissolution.answers import MemberCard, MemberKind, MemberTask
from dissolution.errors import MemberRateLimited, StoreUnavailable
from dissolution.job import Job, JobStatus, Lease
from dissolution.outbox import Ring
from dissolution.ports.store import UnitOfWork, UnitOfWorkFactory
from dissolution.settings import Settings
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running
from workers.execution.step_context import StepWatch
from workers.runtime.inline import run_job
from workers.telemetry.tracing import TracedBell, TracedSender, Tracing, numbers_of, open_tracing

SECRET = "The launch code is kept by Mira."
ANSWER = Say(f"## KNOWN\n- [1] {SECRET}\n\n## DECIDED\n\n## EDGES\n\n## IDENTITY\n")


class Spans:
    """What a process's tracing exported."""

    def __init__(
        self, unit_of_work: UnitOfWorkFactory | None = None, *, share: float = 1.0, content: bool = False
    ) -> None:
        self._exporter = InMemorySpanExporter()
        processor = SimpleSpanProcessor(self._exporter)
        self.tracing = Tracing(processor, unit_of_work, share=share, content=content)

    @property
    def all(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def named(self, start: str) -> tuple[ReadableSpan, ...]:
        return tuple(span for span in self.all if span.name.startswith(start))


def facts(span: ReadableSpan) -> Mapping[str, object]:
    return dict(span.attributes or {})


def ids(span: ReadableSpan) -> tuple[int, int]:
    context = cast("Any", span.context)
    return context.trace_id, context.span_id


def parent_of(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id


def a_model(name: str, *script: Cue) -> ScriptedMember:
    card = MemberCard(name=name, family=name, kind=MemberKind.LANGUAGE_MODEL, model=f"openai/{name}")
    return ScriptedMember(card, script)


def traced_job(folder: Path, *, content: bool = False) -> tuple[Job, Spans]:
    """A job of three models, one of which is refused for its rate, run to its end."""
    models = [a_model("one", ANSWER), a_model("two", ANSWER), a_model("three", ANSWER)]
    refused = a_model("four", Fail(MemberRateLimited, f"slow down, said {SECRET}"))
    with running(folder, [*models, refused]) as services:
        spans = Spans(services.unit_of_work, content=content)
        watch = StepWatch(services.settings, services.unit_of_work, tracing=spans.tracing)
        watched = replace(services, watch=watch)
        job = a_job(watched, a_conversation(SECRET, "Yes.", "Thanks."))
        run_job(watched, job.id)
        with services.unit_of_work() as work:
            job = work.jobs.get(job.id)
    return job, spans


def test_a_job_is_one_trace_with_a_span_a_step_under_its_root(tmp_path: Path) -> None:
    job, spans = traced_job(tmp_path)
    trace, root = numbers_of(job.id)
    assert {ids(span)[0] for span in spans.all} == {trace}
    (whole,) = {ids(span): span for span in spans.named("job")}.values()
    assert ids(whole) == (trace, root)
    assert parent_of(whole) is None
    assert facts(whole)["dissolution.status"] == job.status.value
    assert whole.start_time == int(job.created_at.timestamp() * 10**9)
    steps = spans.named("step ")
    assert {"step fan_out", "step parse", "step consensus", "step gate"} <= {span.name for span in steps}
    assert {parent_of(span) for span in steps} == {root}
    assert facts(steps[0])["dissolution.attempt"] == 1
    assert facts(steps[0])["dissolution.tenant"] == "default"


def test_questions_to_models_have_the_attributes_of_the_conventions(tmp_path: Path) -> None:
    _, spans = traced_job(tmp_path)
    fan_out = next(span for span in spans.named("step ") if span.name == "step fan_out")
    asked = ids(fan_out)[1]
    calls = {span.name: span for span in spans.named("chat ") if parent_of(span) == asked}
    assert set(calls) == {"chat openai/one", "chat openai/two", "chat openai/three", "chat openai/four"}
    answered = facts(calls["chat openai/one"])
    assert {name: answered[name] for name in answered if name.startswith("gen_ai.")} == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "one",
        "gen_ai.response.finish_reasons": ("stop",),
        **{
            name: value
            for name, value in answered.items()
            if name in {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.response.model"}
        },
    }
    assert answered["dissolution.prompt"] == f"four_part/v{str(answered['dissolution.prompt'])[-1]}"
    refused = calls["chat openai/four"]
    assert facts(refused)["error.type"] == "rate_limit"
    assert not refused.status.is_ok


@pytest.mark.parametrize("content", [False, True])
def test_content_is_in_no_span_unless_it_is_wanted(tmp_path: Path, *, content: bool) -> None:
    _, spans = traced_job(tmp_path, content=content)
    told: set[str] = set()
    for span in spans.all:
        told |= {name for name, value in facts(span).items() if SECRET in str(value)}
        assert SECRET not in f"{span.status.description} {span.events}"
    assert told == ({"gen_ai.input.messages", "gen_ai.output.messages"} if content else set())


class Bell:
    def __init__(self) -> None:
        self.rings: list[Ring] = []

    def ring(self, ring: Ring) -> None:
        self.rings.append(ring)


def test_spans_of_other_processes_fall_into_the_same_trace(tmp_path: Path) -> None:
    job, spans = traced_job(tmp_path)
    other = Spans()
    sent: list[Ring] = []

    class Sender:
        def sent(self, ring: Ring) -> bool:
            sent.append(ring)
            return len(sent) == 1

    sender = TracedSender(Sender(), other.tracing)
    ring = Ring(job=job.id, stage="parse", queue="dissolve.io.1-batch")
    assert [sender.sent(ring), sender.sent(ring)] == [True, False]
    TracedBell(rung := Bell(), other.tracing).ring(ring)
    assert rung.rings == [ring]
    trace, root = numbers_of(job.id)
    assert {ids(span)[0] for span in (*other.all, *spans.all)} == {trace}
    assert [(span.name, parent_of(span)) for span in other.all] == [("send parse", root)] * 3
    assert facts(other.all[0])["messaging.destination.name"] == "dissolve.io.1-batch"


def test_which_jobs_are_traced_follows_from_their_ids(tmp_path: Path) -> None:
    halves = [Spans(share=0.5), Spans(share=0.5), Spans(share=0.0)]
    for number in range(200):
        for half in halves:
            with half.tracing.sent(Ring(job=f"j{number}", stage="parse", queue="q")):
                pass
    first, second, none = ({facts(span)["dissolution.job"] for span in half.all} for half in halves)
    assert first == second
    assert 60 < len(first) < 140
    assert none == set()


def test_an_error_of_a_step_is_told_by_its_code_and_disturbs_nothing() -> None:
    spans = Spans()
    job = Job.model_construct(id="j1", tenant="acme", status=JobStatus.RUNNING)
    lease = Lease(job="j1", stage="gate", epoch=2, owner="w", until=INSTANT)
    for error in (StoreUnavailable("db", SECRET), KeyError(SECRET), KeyboardInterrupt(SECRET)):
        with pytest.raises(type(error)), spans.tracing.step(job, lease):
            raise error
    assert [facts(span)["error.type"] for span in spans.all] == ["store_unavailable", "KeyError", "KeyboardInterrupt"]
    assert SECRET not in "".join(span.to_json() for span in spans.all)


def test_a_database_that_is_away_at_the_end_of_a_step_is_no_fault_of_the_step() -> None:
    class Away:
        def __call__(self) -> UnitOfWork:
            raise StoreUnavailable("db", "away")

        reading = __call__

    spans = Spans(Away())
    job = Job.model_construct(id="j1", tenant="acme", status=JobStatus.RUNNING)
    with spans.tracing.step(job, Lease(job="j1", stage="gate", epoch=2, owner="w", until=INSTANT)):
        pass
    assert [span.name for span in spans.all] == ["step gate"]


def test_nothing_is_traced_unless_a_collector_is_named(tmp_path: Path) -> None:
    assert open_tracing(Settings(), None) is None
    with running(tmp_path, []) as services, StepWatch(services.settings, services.unit_of_work) as watch:
        job = a_job(services, a_conversation("One."))
        with watch.call(job, "fan_out", a_model("one", ANSWER).card, cast("MemberTask", None)) as told:
            told(cast("Any", None))


def test_a_collector_that_is_away_costs_the_work_nothing(tmp_path: Path) -> None:
    settings = Settings(otlp_endpoint="http://127.0.0.1:9/v1/traces")
    tracing = open_tracing(settings, None)
    assert tracing is not None
    with tracing.sent(Ring(job="j1", stage="parse", queue="q")):
        asyncio.run(asyncio.sleep(0))
    tracing.close()
