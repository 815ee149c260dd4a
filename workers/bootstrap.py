"""The composition root: the one place that builds adapters and reads the machine."""

import asyncio
import os
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidRoster, InvalidSettings
from dissolution.job import Job
from dissolution.ports import Embedder, Member, UnitOfWorkFactory
from dissolution.settings import Settings
from wording.tokens import ApproximateTokenCounter
from workers.services import Progress, Services, Silent

if TYPE_CHECKING:
    from fleet.chat_member import ChatMember

RECORDED = "recorded:"
ROSTER = "roster:"
EXTRACTIVE = "extractive"
HASHING = "hashing"


def open_store(settings: Settings) -> UnitOfWorkFactory:
    """The database of the settings, migrated to this version. Raises StoreUnavailable, SchemaMismatch."""
    from store.unit_of_work import sql_unit_of_work_factory

    return sql_unit_of_work_factory(
        settings.db, busy_timeout_s=settings.busy_timeout_s, installation_key=settings.installation_key
    )


def build_embedder(settings: Settings) -> Embedder:
    """The embedder the settings name. Raises NoCalibration for one without calibrated thresholds."""
    from consensus.calibration import calibration_for

    calibration_for(settings.embedder)
    if settings.embedder == HASHING:
        from consensus.hashing import HashingEmbedder

        return HashingEmbedder()
    from consensus.embedder import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(threads=settings.embed_threads)


def build_fleet(description: str, embedder: Callable[[], Embedder]) -> tuple[Member, ...]:
    """The members a job's fleet description names: `extractive`, `roster:` and a file, or `recorded:` and a folder.

    Raises InvalidRoster.
    """
    if description == EXTRACTIVE:
        from fleet.extractive.roster import extractive_fleet

        return extractive_fleet(embedder())
    if description.startswith(RECORDED):
        from fleet.recorded import load_recorded

        return load_recorded(Path(description.removeprefix(RECORDED)))
    if description.startswith(ROSTER):
        return build_roster(Path(description.removeprefix(ROSTER)))
    raise unknown_fleet(description)


def build_roster(path: Path) -> "tuple[ChatMember, ...]":
    """The members of a roster file, asked for our form of JSON where they ask for any. Raises InvalidRoster."""
    from fleet.chat_member import build_members
    from fleet.roster import load_roster
    from prompts.reply import reply_format

    return build_members(load_roster(path), ApproximateTokenCounter(), response_format=reply_format())


def check_fleet(description: str, snapshot: Snapshot) -> None:
    """Refuse a fleet that cannot speak about the snapshot, before anything is stored. Raises InvalidRoster."""
    if description.startswith(RECORDED):
        from fleet.recorded import check_recorded, load_recorded

        check_recorded(load_recorded(Path(description.removeprefix(RECORDED))), snapshot)
    elif description.startswith(ROSTER):
        from fleet.roster import load_roster

        load_roster(Path(description.removeprefix(ROSTER)))
    elif description != EXTRACTIVE:
        raise unknown_fleet(description)


def unknown_fleet(description: str) -> InvalidRoster:
    """The error for a fleet description that names none."""
    return InvalidRoster(
        f"fleet {description!r}", "give `extractive`, a roster file (TOML), or a folder with --recorded"
    )


def process_name() -> str:
    """Names this process in leases: host and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


@contextmanager
def open_services(settings: Settings, progress: Progress | None = None) -> Generator[Services]:
    """Services over the real adapters, with one event loop that lives as long as the block."""
    if settings.environment == "deployment" and settings.installation_key is None:
        raise InvalidSettings("setting 'installation_key'", "a deployment needs its own; set it (docs/settings.md)")
    from consensus.calibration import calibration_for

    calibration_for(settings.embedder)  # refused here, before anything is stored
    embedder = cache(lambda: build_embedder(settings))
    fleets: dict[str, tuple[Member, ...]] = {}

    def fleet(job: Job) -> tuple[Member, ...]:
        if job.fleet not in fleets:
            fleets[job.fleet] = build_fleet(job.fleet, embedder)
        return fleets[job.fleet]

    with asyncio.Runner() as runner:
        try:
            yield Services(
                settings=settings,
                unit_of_work=open_store(settings),
                clock=SystemClock(),
                embedder=embedder,
                fleet=fleet,
                counter=ApproximateTokenCounter(),
                run_async=runner.run,
                progress=progress or Silent(),
                owner=process_name(),
            )
        finally:
            for members in fleets.values():
                runner.run(close_all(members))


@runtime_checkable
class Closable(Protocol):
    """A member that holds connections."""

    async def aclose(self) -> None:
        """Close them."""
        ...


async def close_all(members: Sequence[Member]) -> None:
    """Close the connections of all members that hold some, in the loop they were asked in."""
    for member in members:
        if isinstance(member, Closable):
            await member.aclose()
