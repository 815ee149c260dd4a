"""Services for tests of the whole path: a real SQLite file, scripted members, the hashing embedder, no waiting."""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from consensus.embedding.hashing_embedder import HashingEmbedder
from devtools.clock import FixedClock
from devtools.scripted import Cue, ScriptedMember
from dissolution.answers import MemberCard, MemberKind
from dissolution.conversation import Conversation
from dissolution.job import Job, Lane
from dissolution.money import MoneyStore
from dissolution.outbox import Outbox
from dissolution.policy.job_policy import Policy
from dissolution.ports.frame import FrameStore
from dissolution.ports.models import Member
from dissolution.ports.store import (
    BoundaryStore,
    ConversationStore,
    JobStore,
    LedgerStore,
    UnitOfWork,
    UnitOfWorkFactory,
)
from dissolution.ports.triggers import TriggerStore
from dissolution.service import ServiceStore
from dissolution.settings import Settings
from dissolution.stability import StabilityStore
from language.tokens import ApproximateTokenCounter
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.databases import migrated
from tests.factories import INSTANT
from triggers.submit import Request, submit
from workers.concurrency.loop_thread import LoopThread
from workers.pipeline import STAGE_NAMES, first_queues
from workers.runtime.inline import NoBell
from workers.services import Services, Silent

SQLITE = "sqlite:///"


def a_member(name: str, *script: Cue, family: str | None = None) -> ScriptedMember:
    """A scripted member; its family is its name unless given."""
    card = MemberCard(name=name, family=family or name, kind=MemberKind.SCRIPTED, model="script")
    return ScriptedMember(card, script)


@contextmanager
def running(folder: Path, members: Sequence[Member], settings: Settings | None = None) -> Generator[Services]:
    """Services over a SQLite file in `folder`."""
    settings = settings or Settings(db=f"sqlite:///{folder / 'ledger.sqlite3'}", embedder="hashing")
    if settings.db.startswith(SQLITE):
        migrated(Path(settings.db.removeprefix(SQLITE)))
    factory = sql_unit_of_work_factory(settings.db, busy_timeout_s=settings.busy_timeout_s, installation_key=None)
    with closing(factory), LoopThread() as loop:
        yield Services(
            settings=settings,
            unit_of_work=factory,
            clock=FixedClock(INSTANT),
            embedder=HashingEmbedder,
            fleet=lambda _job: tuple(members),
            counter=ApproximateTokenCounter(),
            run_async=loop,
            abandon=loop.abandon,
            progress=Silent(),
            owner="test",
        )


def a_job(
    services: Services,
    conversation: Conversation,
    policy: Policy | None = None,
    through: int | None = None,
    *,
    lane: Lane | None = None,
) -> Job:
    """A job that is stored and queued; one with a lane waits for workers."""
    request = Request(
        conversation=conversation, through=through, fleet="scripted", policy=policy or Policy(), lane=lane
    )
    return submit(
        request,
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=NoBell(),
        stages=STAGE_NAMES,
        ready=None if lane is None else first_queues("scripted", lane),
    ).job


class Killed(BaseException):
    """Stands for a process that dies: no handler of the code under test may swallow it."""


class DyingUnitOfWork:
    """A unit of work whose process dies just before, or just after, a chosen commit."""

    def __init__(self, inner: UnitOfWork, die: Callable[[str], None]) -> None:
        self._inner = inner
        self._die = die

    @property
    def conversations(self) -> ConversationStore:
        return self._inner.conversations

    @property
    def jobs(self) -> JobStore:
        return self._inner.jobs

    @property
    def boundaries(self) -> BoundaryStore:
        return self._inner.boundaries

    @property
    def ledger(self) -> LedgerStore:
        return self._inner.ledger

    @property
    def outbox(self) -> Outbox:
        return self._inner.outbox

    @property
    def money(self) -> MoneyStore:
        return self._inner.money

    @property
    def frames(self) -> FrameStore:
        return self._inner.frames

    @property
    def service(self) -> ServiceStore:
        return self._inner.service

    @property
    def triggers(self) -> TriggerStore:
        return self._inner.triggers

    @property
    def stability(self) -> StabilityStore:
        return self._inner.stability

    def installation_key(self) -> bytes:
        return self._inner.installation_key()

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._inner.__exit__(kind, error, trace)

    def commit(self) -> None:
        self._die("before")
        self._inner.commit()
        self._die("after")


class Deaths:
    """Counts commits and dies at number `at` (from 1), once, and at every later one until `revive` is called.

    A dead process commits nothing more: the clean-up code that Python still runs must not reach the database.
    """

    def __init__(self, at: int, moment: str) -> None:
        self.at = at
        self.moment = moment
        self.commits = 0
        self.dead = False
        self._lock = threading.Lock()
        self._mine = threading.local()  # the number of the commit that a thread is at

    def __call__(self, moment: str) -> None:
        with self._lock:
            if self.dead:
                raise Killed
            if moment == "before":
                self.commits += 1
                self._mine.number = self.commits
            if self._mine.number == self.at and moment == self.moment:
                self.dead = True
                raise Killed

    def around(self, services: Services) -> Services:
        """The same services in a process that will die."""
        inner: UnitOfWorkFactory = services.unit_of_work
        return replace(services, unit_of_work=lambda: DyingUnitOfWork(inner(), self))
