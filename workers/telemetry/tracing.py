"""Traces: one a job, over every process that has to do with it, with one span a step and one a question to a model.

Trace and root have the numbers that follow from the job's id, so nothing has to travel in messages that may be lost or
repeated, and a trace that several processes made is one. Names of attributes are those of OpenTelemetry's conventions
for generative AI where there is one, else they begin with `dissolution.`. No content, unless a setting wants it.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from dissolution.answers import MemberCard, MemberTask, Reply
from dissolution.errors import DissolutionError, MemberError, StoreError
from dissolution.ids import JobId
from dissolution.job import ENDED, Job, JobStatus, Lease
from dissolution.outbox import Ring
from dissolution.ports.models import JobQueue
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from fleet.failures import failure_of
from workers.ready_steps import Sender

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Span

SERVICE = "dissolution-fleet"
NANO = 1_000_000_000

_next_span: ContextVar[int | None] = ContextVar("next_span", default=None)
"""The number that the next span gets, in place of one drawn."""


def numbers_of(job: JobId) -> tuple[int, int]:
    """The numbers of a job's trace (128 bits) and of its root span (64 bits); neither is 0."""
    digest = hashlib.sha256(f"dissolution job {job}".encode()).digest()
    return int.from_bytes(digest[:16], "big") or 1, int.from_bytes(digest[16:24], "big") or 1


def open_tracing(settings: Settings, unit_of_work: UnitOfWorkFactory | None) -> "Tracing | None":
    """Traces as the settings want them; None when they want none. Call it after any fork: it starts a thread."""
    if settings.otlp_endpoint is None:
        return None
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    processor = BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.otlp_endpoint))
    return Tracing(processor, unit_of_work, share=settings.trace_share, content=settings.trace_content)


class Tracing:
    """Spans about jobs.

    Args:
        processor: Where ended spans go.
        unit_of_work: Where it is seen that a job has ended; None in a process that runs no steps.
        share: Of the jobs, 0 to 1; which of them follows from their ids, in every process alike.
        content: Whether prompts and replies are told.
    """

    def __init__(
        self,
        processor: "SpanProcessor",
        unit_of_work: UnitOfWorkFactory | None,
        *,
        share: float = 1.0,
        content: bool = False,
    ) -> None:
        self._provider = provider(processor, share)
        self._tracer = self._provider.get_tracer("dissolution")
        self._unit_of_work = unit_of_work
        self._content = content
        self._steps: dict[tuple[str, str], Context] = {}  # under the spans of the steps at work here

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()

    @contextmanager
    def step(self, job: Job, lease: Lease) -> Generator[None]:
        """A span around a step; behind the step that ends a job the job's own."""
        from opentelemetry.trace import SpanKind, set_span_in_context

        facts = {"dissolution.tenant": job.tenant, "dissolution.step": lease.stage, "dissolution.attempt": lease.epoch}
        with self._span(f"step {lease.stage}", job.id, facts, kind=SpanKind.CONSUMER) as span:
            self._steps[job.id, lease.stage] = set_span_in_context(span)
            try:
                yield
            finally:
                self._steps.pop((job.id, lease.stage), None)
        self._end(job.id)

    @contextmanager
    def call(self, job: Job, stage: str, card: MemberCard, task: MemberTask) -> Generator[Callable[[Reply], None]]:
        """A span around one question to a language model; what it gives is told the reply."""
        from opentelemetry.trace import SpanKind

        facts = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": card.model.partition("/")[0],
            "gen_ai.request.model": card.model.partition("/")[2] or card.model,
            "dissolution.tenant": job.tenant,
            "dissolution.member": card.name,
            "dissolution.family": card.family,
            "dissolution.step": stage,
            "dissolution.prompt": f"{task.prompt.stamp.name}/v{task.prompt.stamp.version}",
        }
        # An event loop that is older than the step does not know which span is open where the step runs.
        under = self._steps.get((job.id, stage))
        with self._span(f"chat {card.model}", job.id, facts, kind=SpanKind.CLIENT, under=under) as span:
            if self._content:
                span.set_attribute("gen_ai.input.messages", input_messages(task))
            yield lambda reply: self._tell(span, reply)

    def submitted(self, job: Job, began: int) -> None:
        """The span of what the HTTP service did to take a job: its first one.

        Args:
            job: What was stored.
            began: When the request for it was begun with (ns since 1970).
        """
        from opentelemetry.trace import SpanKind

        facts = {
            "dissolution.job": job.id,
            "dissolution.tenant": job.tenant,
            "dissolution.lane": job.lane.value if job.lane else "inline",
        }
        place = root_of(job.id)
        self._tracer.start_span("submit", context=place, kind=SpanKind.SERVER, start_time=began, attributes=facts).end()

    @contextmanager
    def sent(self, ring: Ring) -> Generator[None]:
        """A span around the sending of one message."""
        from opentelemetry.trace import SpanKind

        facts = {"dissolution.step": ring.stage, "messaging.system": "redis", "messaging.destination.name": ring.queue}
        with self._span(f"send {ring.stage}", ring.job, facts, kind=SpanKind.PRODUCER):
            yield

    @contextmanager
    def _span(
        self, name: str, job: JobId, facts: Mapping[str, str | int], *, kind: object, under: "Context | None" = None
    ) -> "Generator[Span]":
        """A span of a job's trace: under the context that is given, else under the job's root."""
        from opentelemetry import trace

        about = {"dissolution.job": job, **facts}
        with self._tracer.start_as_current_span(
            name,
            context=under or root_of(job),
            kind=kind,  # pyright: ignore[reportArgumentType] - its type is imported on use only
            attributes=about,
            record_exception=False,  # its text may hold content
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", error_type(error))
                span.set_status(trace.StatusCode.ERROR)
                raise

    def _tell(self, span: "Span", reply: Reply) -> None:
        usage = reply.usage
        span.set_attribute("gen_ai.response.finish_reasons", [reply.finish.value])
        if reply.model_reported is not None:
            span.set_attribute("gen_ai.response.model", reply.model_reported)
        for name, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
            if isinstance(tokens, int):
                span.set_attribute(f"gen_ai.usage.{name}_tokens", tokens)
        if self._content:
            parts = [{"type": "text", "content": reply.text}]
            said = [{"role": "assistant", "parts": parts, "finish_reason": reply.finish.value}]
            span.set_attribute("gen_ai.output.messages", json.dumps(said, ensure_ascii=False))

    def _end(self, name: str) -> None:
        """Make the root span when the job has ended. Two steps may see it end: it is the same span then."""
        from opentelemetry.context import Context
        from opentelemetry.trace import StatusCode

        if self._unit_of_work is None:
            return
        try:
            with self._unit_of_work() as work:
                job = work.jobs.get(name)
        except StoreError:  # without a database there is nothing to tell, and no step to disturb
            return
        if job.status not in ENDED or job.ended_at is None:
            return
        about = {
            "dissolution.job": job.id,
            "dissolution.tenant": job.tenant,
            "dissolution.status": job.status.value,
            "dissolution.lane": job.lane.value if job.lane else "inline",
        }
        token = _next_span.set(numbers_of(job.id)[1])
        try:
            start = int(job.created_at.timestamp() * NANO)
            # `Context()`: it has no parent, whatever is open here. The generator gives it the numbers of the job.
            with _of_trace(job.id):
                span = self._tracer.start_span("job", context=Context(), start_time=start, attributes=about)
        finally:
            _next_span.reset(token)
        if job.status is JobStatus.FAILED:
            span.set_status(StatusCode.ERROR)
        span.end(int(job.ended_at.timestamp() * NANO))


class TracedSender:
    """A relay's sender, each of whose messages has a span."""

    def __init__(self, sender: Sender, tracing: Tracing) -> None:
        self._sender = sender
        self._tracing = tracing

    def sent(self, ring: Ring) -> bool:
        """Send one message; False when the broker is away."""
        with self._tracing.sent(ring):
            return self._sender.sent(ring)


class TracedBell:
    """The doorbell of a process that takes submissions, each of whose rings has a span."""

    def __init__(self, bell: JobQueue, tracing: Tracing) -> None:
        self._bell = bell
        self._tracing = tracing

    def ring(self, ring: Ring) -> None:
        """Tell workers."""
        with self._tracing.sent(ring):
            self._bell.ring(ring)


_next_trace: ContextVar[int | None] = ContextVar("next_trace", default=None)


@contextmanager
def _of_trace(job: JobId) -> Generator[None]:
    token = _next_trace.set(numbers_of(job)[0])
    try:
        yield
    finally:
        _next_trace.reset(token)


def provider(processor: "SpanProcessor", share: float) -> "TracerProvider":
    """A provider of our own: nothing global is set, and numbers that follow from a job are kept."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

    class Numbers(RandomIdGenerator):
        def generate_span_id(self) -> int:
            return _next_span.get() or super().generate_span_id()

        def generate_trace_id(self) -> int:
            return _next_trace.get() or super().generate_trace_id()

    made = TracerProvider(
        resource=Resource.create({"service.name": SERVICE}),
        sampler=TraceIdRatioBased(share),
        id_generator=Numbers(),
    )
    made.add_span_processor(processor)
    return made


def root_of(job: JobId) -> "Context":
    """The context under a job's root span, which any process may stand in."""
    from opentelemetry import trace

    trace_id, span_id = numbers_of(job)
    place = trace.SpanContext(trace_id, span_id, is_remote=True, trace_flags=trace.TraceFlags(trace.TraceFlags.SAMPLED))
    return trace.set_span_in_context(trace.NonRecordingSpan(place))


def error_type(error: BaseException) -> str:
    """The class of a failure, of few and fixed words."""
    if isinstance(error, DissolutionError) and not isinstance(error, MemberError):
        return error.code
    return failure_of(error).error_class.value if isinstance(error, MemberError) else type(error).__name__


def input_messages(task: MemberTask) -> str:
    """A prompt in the form of the conventions, as JSON."""
    said = [
        {"role": message.role, "parts": [{"type": "text", "content": message.content}]}
        for message in task.prompt.messages
    ]
    return json.dumps(said, ensure_ascii=False)
