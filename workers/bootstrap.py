"""The composition root: the one place that builds adapters and reads the machine."""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPolicy, InvalidRoster, InvalidSettings
from dissolution.installed import HASHING
from dissolution.job import Job
from dissolution.limits import Limiter, LimitRules
from dissolution.policy.effort import Effort
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Embedder, JobQueue, Member, TokenCounter
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from language.tokens import ApproximateTokenCounter
from prompts.catalog import FIRST_PROMPT as PROMPT
from prompts.catalog import NEXT_PROMPT, REVIEW, versions
from workers.concurrency.loop_thread import LoopThread
from workers.concurrency.processes import this_process
from workers.embedding_choice import check_embedder, other_embedder
from workers.estimates.effort import with_effort
from workers.members import recordings
from workers.members.drawn_fleets import base_of, drawn_fleet
from workers.members.named_members import check_named_members, frame_members
from workers.members.surprise_sources import surprise_for
from workers.missing import refuse_missing
from workers.services import NoBell, Progress, Services, Silent
from workers.tenants.redaction import refuse_secret

if TYPE_CHECKING:
    from fleet.chat_member import ChatMember

T = TypeVar("T")

ROSTER = "roster:"
EXTRACTIVE = "extractive"


def open_store(settings: Settings, *, create: bool = True, reading: bool = False) -> UnitOfWorkFactory:
    """The database of the settings, migrated to this version.

    Args:
        settings: Its URL, how long to wait for others, and the installation key if one is configured.
        create: Whether a SQLite file that is not there is made. Who only reads wants to hear of a mistyped name.
        reading: Whether it is only read, and so need not be writable.

    Raises:
        StoreUnavailable: It cannot be opened, or does not exist and is not to be made.
        SchemaMismatch: It holds another schema revision.
    """
    from store.sql.unit_of_work import sql_reading_factory, sql_unit_of_work_factory

    if not create:
        refuse_missing(settings.db)
    wait_s, key = settings.busy_timeout_s, settings.installation_key
    if reading:
        return sql_reading_factory(settings.db, busy_timeout_s=wait_s, installation_key=key)
    return sql_unit_of_work_factory(settings.db, wait_s, key, settings.db_connections)


def prepare_store(settings: Settings) -> None:
    """Migrate the database and let go of it: no connection may pass through a fork. Raises as `open_store` does."""
    from store.sql.unit_of_work import sql_unit_of_work_factory

    sql_unit_of_work_factory(
        settings.db, busy_timeout_s=settings.busy_timeout_s, installation_key=settings.installation_key
    ).close()


def build_embedder(settings: Settings) -> Embedder:
    """The embedder the settings name. Raises NoCalibration for one without calibrated thresholds."""
    from consensus.embedding.calibration import calibration_for

    calibration_for(settings.embedder)
    if settings.embedder == HASHING:
        from consensus.embedding.hashing_embedder import HashingEmbedder

        return HashingEmbedder()
    from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(threads=settings.embed_threads)


def build_limiter(settings: Settings, *, shared: bool) -> Limiter:
    """The limits of this process alone, or those of the fleet with these to fall back on. Raises InvalidSettings.

    While Redis is away each process of a worker takes its part of every limit; how many workers there are, none knows.
    """
    from fleet.local_limits import LocalLimiter

    rules = LimitRules(
        failures=settings.circuit_failures, open_s=settings.circuit_open_s, account_block_s=settings.account_block_s
    )
    if not shared:
        return LocalLimiter(rules)
    from workers.redis.fallback_limits import FallbackLimiter
    from workers.redis.queue_state import async_redis_client, away
    from workers.redis.shared_limits import SharedLimiter

    local = LocalLimiter(rules, share=1 / settings.io_processes)
    return FallbackLimiter(SharedLimiter(async_redis_client(settings), rules), local, away=away())


def build_fleet(
    description: str, embedder: Callable[[], Embedder], limiter: Limiter | None = None
) -> tuple[Member, ...]:
    """The members a job's fleet description names: `extractive`, `roster:` and a file, `recorded:` and a folder.

    `workers.members.recordings` tells of further folders; `workers.members.drawn_fleets` has fleets drawn from others.
    Language models are asked when the limiter says so. Raises InvalidRoster.
    """
    drawn = drawn_fleet(description)
    if drawn is not None:
        return drawn.of(build_fleet(drawn.base, embedder, limiter))
    if description == EXTRACTIVE:
        from fleet.extractive.roster import extractive_fleet

        return extractive_fleet(embedder())
    if (found := recordings.recordings_of(description)) is not None:
        return tuple(recordings.recorded_members(*found))
    if (taped := recordings.taped_fleet(description)) is not None:
        from fleet.cassette_members import taping

        return taping(build_roster(roster_of(taped.base), limiter), taped.folder)
    if description.startswith(ROSTER):
        return build_roster(roster_of(description), limiter)
    raise unknown_fleet(description)


def roster_of(description: str) -> Path:
    """The file of a fleet that is a roster. Raises InvalidRoster for any other."""
    if not description.startswith(ROSTER):
        raise unknown_fleet(description)
    return Path(description.removeprefix(ROSTER))


def build_roster(path: Path, limiter: Limiter | None = None) -> "tuple[ChatMember, ...]":
    """The members of a roster file, asked for our form of JSON where they ask for any. Raises InvalidRoster."""
    from fleet.chat_member import build_members
    from fleet.roster import load_roster
    from prompts.framing import frame_formats
    from prompts.probing import probe_formats
    from prompts.reply import reply_format
    from prompts.reviewing import review_format
    from prompts.spans import REPAIR

    return build_members(
        load_roster(path),
        ApproximateTokenCounter(),
        response_format=reply_format(),
        formats={NEXT_PROMPT: reply_format(cycle=True), REPAIR: review_format(), **probe_formats(), **frame_formats()},
        limiter=limiter,
    )


def load_gateway() -> None:
    """Import what speaks to providers now, so that no step does.

    It takes seconds on a busy machine, and handlers inside that import swallow the exception with which a time limit
    interrupts a step: the step would run on with its limit spent. It starts no thread and opens no connection, so it
    may be done before a fork, and forked processes share its memory.
    """
    from fleet.litellm_gateway import load_litellm

    load_litellm()


def reader_counter(reader: str | None) -> TokenCounter:
    """Counts tokens as the model that reads a context would, where its vocabulary is at hand, else by approximation."""
    if reader is None:
        return ApproximateTokenCounter()
    from fleet.litellm_gateway import openai_vocabulary
    from fleet.vocabulary import VocabularyTokenCounter

    vocabulary = openai_vocabulary(reader)
    return ApproximateTokenCounter() if vocabulary is None else VocabularyTokenCounter(vocabulary)


def members_to_pay(description: str) -> tuple[Member, ...]:
    """The members of a fleet that cost money when they are asked: those of a roster. Raises InvalidRoster."""
    drawn = drawn_fleet(description)
    if drawn is not None:
        return drawn.of(members_to_pay(drawn.base)) if drawn.base.startswith(ROSTER) else ()
    asked = recordings.asked_of(description)
    return build_roster(roster_of(asked)) if asked.startswith(ROSTER) else ()


def check_fleet(description: str, snapshot: Snapshot) -> None:
    """Refuse a fleet that cannot speak about the snapshot, before anything is stored. Raises InvalidRoster."""
    description = base_of(description)
    if (found := recordings.recordings_of(description)) is not None:
        recordings.check_recordings(*found, snapshot)
    elif description != EXTRACTIVE:
        from fleet.roster import load_roster

        load_roster(roster_of(recordings.asked_of(description)))


def settled_policy(policy: Policy, settings: Settings, fleet: str) -> Policy:
    """The policy as the job will keep it: its embedder named.

    Raises InvalidPolicy for what this installation lacks.
    """
    if policy.name:
        refuse_secret("the policy's name", policy.name, "choose another; receipts and lists show it")
    wanted = {"prompt_version": (PROMPT, policy.prompt_version)}
    wanted["rolling.prompt_version"] = (NEXT_PROMPT, policy.rolling.prompt_version)
    wanted["frame.review_version"] = (REVIEW, policy.frame.review_version)
    for field, (prompt, version) in wanted.items():
        if version not in versions(prompt):
            listed = ", ".join(map(str, versions(prompt)))
            raise InvalidPolicy(f"policy field {field!r}, value {version!r}", f"choose one of {listed}")
    named = policy.consensus.embedder
    if "embedder" in policy.consensus.model_fields_set and named != settings.embedder:
        raise InvalidPolicy(f"policy field 'consensus.embedder', value {named!r}", other_embedder(named, settings))
    policy = with_effort(policy, families_of(fleet)) if policy.effort is not Effort.STANDARD else policy
    if policy.members or policy.probe.named or frame_members(policy):
        check_named_members(policy, families_of(fleet))
    consensus = policy.consensus.model_copy(update={"embedder": settings.embedder})
    return policy.model_copy(update={"consensus": consensus})


def families_of(fleet: str) -> dict[str, str]:
    """The family of each language model of a fleet, or of what one said, by name. Raises InvalidRoster."""
    if (stored := recordings.recorded_families(fleet)) is not None:
        return stored
    asked = recordings.asked_of(fleet)
    if not asked.startswith(ROSTER):
        return {}
    from fleet.roster import load_roster

    return {member.name: member.family for member in load_roster(roster_of(asked)).members}


def unknown_fleet(description: str) -> InvalidRoster:
    """The error for a fleet description that names none."""
    remedy = "give `extractive`, a roster file (TOML), or a folder with --recorded"
    return InvalidRoster(f"fleet {description!r}", remedy)


@contextmanager
def open_services(
    settings: Settings,
    progress: Progress | None = None,
    *,
    create: bool = True,
    reading: bool = False,
    loop: LoopThread | None = None,
    bell: JobQueue | None = None,
    shared_limits: bool = False,
) -> Generator[Services]:
    """Services over the real adapters, with one event loop that lives as long as the block.

    Args:
        settings: Where everything is.
        progress: Who watches; nobody if None.
        create: As for `open_store`.
        reading: As for `open_store`.
        loop: The loop of a worker's process; one that lives as long as the block if None.
        bell: Tells workers of steps that become ready; nobody is told if None.
        shared_limits: Whether models are asked within the limits of the fleet of workers, or of this process alone.
    """
    if settings.environment == "deployment" and settings.installation_key is None:
        raise InvalidSettings("setting 'installation_key'", "a deployment needs its own; set it (docs/settings.md)")
    check_embedder(settings)  # refused here, before anything is stored
    embedder = made_once(lambda: build_embedder(settings))
    limiter = build_limiter(settings, shared=shared_limits)
    fleets: dict[str, tuple[Member, ...]] = {}
    building = threading.Lock()

    def fleet(job: Job) -> tuple[Member, ...]:
        with building:  # two branches of a job ask at once; connections of a second fleet nobody would close
            if job.fleet not in fleets:
                fleets[job.fleet] = build_fleet(job.fleet, embedder, limiter)
            return fleets[job.fleet]

    with ExitStack() as stack:
        run = loop if loop is not None else stack.enter_context(LoopThread())
        try:
            yield Services(
                settings=settings,
                unit_of_work=open_store(settings, create=create, reading=reading),
                clock=SystemClock(),
                embedder=embedder,
                fleet=fleet,
                counter=ApproximateTokenCounter(),
                run_async=run,
                progress=progress or Silent(),
                owner=this_process(),
                bell=bell if bell is not None else NoBell(),
                abandon=run.abandon,
                limiter=limiter,
                surprise=surprise_for(settings),
            )
        finally:
            run(limiter.aclose())
            for members in fleets.values():
                run(close_all(members))


def made_once(make: Callable[[], T]) -> Callable[[], T]:
    """What `make` makes when it is first asked for; one for all threads, also for those that ask at once."""
    lock, made = threading.Lock(), list[T]()

    def get() -> T:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get


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
