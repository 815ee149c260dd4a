"""The application over services in memory, as tests of routes meet it: through ASGI, with no server."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.app import make_app
from consensus.embedding.hashing_embedder import HashingEmbedder
from devtools.clock import FixedClock
from dissolution.ports.models import Member
from dissolution.service import KeyScope
from dissolution.settings import Settings
from fleet.extractive.roster import extractive_fleet
from language.tokens import ApproximateTokenCounter
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import INSTANT
from workers.concurrency.loop_thread import LoopThread
from workers.runtime.embedded import EmbeddedBell
from workers.runtime.inline import run_job
from workers.services import Services, Silent
from workers.tenants.api_keys import new_key

TURNS = [
    {"role": "user", "content": "We use Postgres. The deadline is March 15. We decided to launch in Oslo."},
    {"role": "assistant", "content": "Understood: we use Postgres, the deadline is March 15, and we launch in Oslo."},
    {"role": "user", "content": "Yes. Never deploy on Fridays."},
    {"role": "assistant", "content": "I will never deploy on Fridays."},
]


class Reply(Protocol):
    """What a client of any kind hands back."""

    @property
    def status_code(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    def json(self) -> Any: ...  # noqa: ANN401 - JSON is any value


@dataclass(frozen=True)
class Served:
    """The application, and what tests reach around it."""

    app: FastAPI
    services: Services
    clock: FixedClock
    bell: EmbeddedBell

    def client(self, key: str | None = None, *, host: str = "localhost", peer: str = "127.0.0.1") -> TestClient:
        """A client with a key, or on loopback without one."""
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        return TestClient(
            self.app,
            base_url=f"http://{host}",
            headers=headers,
            client=(peer, 50_000),
            raise_server_exceptions=False,
        )

    def key(self, scope: KeyScope = KeyScope.ADMIN, tenant: str = "acme") -> str:
        """A new key."""
        with self.services.unit_of_work() as work:
            made, key = new_key(tenant, f"{scope}-{tenant}", [scope], self.clock.now())
            work.service.keys.add(made)
            work.commit()
        return key

    def run(self, job: str) -> None:
        """Run a job here and now."""
        run_job(self.services, job)


@contextmanager
def served(folder: Path, members: Sequence[Member] = (), **settings: object) -> Generator[Served]:
    """The application over an empty store in memory, with these members or the extractive fleet and a still clock."""
    embedder = HashingEmbedder()
    given: Mapping[str, object] = {
        "embedder": "hashing",
        "fleets_folder": str(folder / "fleets"),
        "policies_folder": str(folder / "policies"),
        **settings,
    }
    clock, bell = FixedClock(INSTANT), EmbeddedBell()
    with LoopThread() as loop:
        services = Services(
            settings=Settings.model_validate(given),
            unit_of_work=memory_unit_of_work_factory(),
            clock=clock,
            embedder=lambda: embedder,
            fleet=lambda _: tuple(members) or extractive_fleet(embedder),
            counter=ApproximateTokenCounter(),
            run_async=loop,
            abandon=loop.abandon,
            progress=Silent(),
            owner="here",
            bell=bell,
        )
        app = make_app(services)
        app.state.api = replace(app.state.api, reach=nobody_is_asked)  # tests reach no network
        yield Served(app, services, clock, bell)


def nobody_is_asked(_url: str, _private: bool) -> None:  # noqa: FBT001 - in the place of a function
    """Every webhook's address is taken for one that can be reached."""


def stored(client: TestClient, name: str = "talk", **more: object) -> dict[str, Any]:
    """A conversation, stored."""
    reply = client.post("/v1/conversations", json={"name": name, "turns": TURNS, **more})
    assert reply.status_code == 201, reply.text
    return reply.json()


def dissolved(api: Served, client: TestClient, name: str = "talk", **more: object) -> str:
    """A dissolution of a stored conversation, run to its end; its id."""
    reply = client.post("/v1/dissolutions", json={"conversation": name, **more})
    assert reply.status_code == 202, reply.text
    api.run(reply.json()["id"])
    return reply.json()["id"]


def problem(reply: Reply, status: int, code: str) -> dict[str, Any]:
    """The problem document of an answer, which must be this one."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    told = reply.json()
    assert (told["status"], told["code"]) == (status, code), told
    assert told["type"] == f"urn:dissolution:problem:{code}"
    return told
