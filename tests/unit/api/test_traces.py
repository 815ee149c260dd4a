"""A job that comes over HTTP is one trace: over the service, the relay and the workers, three processes in life."""

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from api.app import make_app
from api.mcp.inputs import DissolveInput
from api.mcp.tools import dissolve
from api.state import Api, Caller
from dissolution.job import ENDED, Job
from dissolution.outbox import Ring
from dissolution.service import KeyScope
from tests.unit.api.serving import Served, stored
from tests.unit.workers.celery.test_relay import Broker
from tests.unit.workers.telemetry.test_tracing import Spans, facts, ids, parent_of
from workers.celery.relay import Relay
from workers.execution.step_context import StepWatch
from workers.execution.steps import run_step
from workers.telemetry.tracing import TracedSender, numbers_of


class Fleet:
    """A relay and a worker on the store of a service, each with traces of its own."""

    def __init__(self, api: Served) -> None:
        self._api = api
        self.relay_spans, self.worker_spans = Spans(), Spans(api.services.unit_of_work)
        self._broker = Broker()
        services = api.services
        self._relay = Relay(
            services.settings,
            unit_of_work=services.unit_of_work,
            clock=api.clock,
            doorbell=self._broker,
            sender=TracedSender(self._broker, self.relay_spans.tracing),
        )

    def run(self, job: str) -> Job:
        """Send and run until the job has ended; every message is an outbox row first."""
        watch = StepWatch(
            self._api.services.settings, self._api.services.unit_of_work, tracing=self.worker_spans.tracing
        )
        services = replace(self._api.services, watch=watch)
        for _ in range(50):
            self._relay.look()
            self._api.clock.advance(seconds=60)  # the relay leaves rings of this lane to who rang them, for a while
            for ring in self._taken():
                run_step(services, ring.job, ring.stage)
            with services.unit_of_work() as work:
                found = work.jobs.get(job)
            if found.status in ENDED:
                return found
        message = f"job {job} has not ended"
        raise AssertionError(message)

    def _taken(self) -> list[Ring]:
        taken = [ring for rings in self._broker.queues.values() for ring in rings]
        self._broker.queues.clear()
        return taken


@pytest.mark.parametrize("lane", ["interactive", "batch"])
def test_one_trace_joins_service_relay_and_steps(api: Served, lane: str) -> None:
    service = Spans()
    app = make_app(api.services, tracing=service.tracing)
    client = TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50_000))
    stored(client)
    job = client.post("/v1/dissolutions", json={"conversation": "talk", "lane": lane}).json()["id"]
    fleet = Fleet(api)
    ended = fleet.run(job)
    trace, root = numbers_of(job)
    every = (*service.all, *fleet.relay_spans.all, *fleet.worker_spans.all)
    assert {ids(span)[0] for span in every} == {trace}
    assert [(span.name, parent_of(span)) for span in service.all] == [("submit", root)]
    assert facts(service.all[0])["dissolution.lane"] == lane
    stages = {span.name.removeprefix("step ") for span in fleet.worker_spans.named("step ")}
    assert {span.name.removeprefix("send ") for span in fleet.relay_spans.named("send ")} == stages
    assert {parent_of(span) for span in (*fleet.relay_spans.all, *fleet.worker_spans.named("step "))} == {root}
    (whole,) = fleet.worker_spans.named("job")
    assert (ids(whole), parent_of(whole)) == ((trace, root), None)
    assert facts(whole)["dissolution.status"] == ended.status.value
    told = "".join(span.to_json() for span in every)
    for content in ("Postgres", "Oslo", "Fridays"):
        assert content not in told


def test_a_job_that_an_agent_asks_for_begins_its_trace_alike(api: Served) -> None:
    spans = Spans()
    service: Api = make_app(api.services, tracing=spans.tracing).state.api
    caller = Caller(tenant="acme", client="c", scopes=(KeyScope.WRITE,), name="agent", api=service)
    stored(api.client(api.key()))
    asked = dissolve(caller, DissolveInput(conversation="talk"))
    dissolve(caller, DissolveInput(conversation="talk"))  # the same again is no second job
    assert [(span.name, ids(span)[0]) for span in spans.all] == [("submit", numbers_of(asked.job)[0])]
    assert facts(spans.all[0])["dissolution.tenant"] == "acme"
