"""What to compare with: bare asyncio.gather over the same library, calls one after the other, and a Celery chord."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from benchmarks.load_run.provider import ProviderThread
from fleet.litellm_gateway import load_litellm
from workers.concurrency.loop_thread import LoopThread

ROOT = Path(__file__).resolve().parents[2]
CONCURRENCY = 9
"""Processes of the chord's worker: as many as models, so that no header task waits for another."""


async def call(base: str, model: str, prompt: str) -> str:
    """One call by the library alone."""
    reply = await load_litellm().acompletion(
        model=f"openai/{model}",
        messages=[{"role": "user", "content": prompt}],
        api_base=f"{base}/v1",
        api_key="none",
        timeout=120,
        max_retries=0,
    )
    return str(reply.choices[0].message.content)


def gathered_s(loop: LoopThread, models: ProviderThread, prompts: list[str]) -> float:
    """Rounds of all models at once with nothing stored, one round after the other (s)."""
    base, names = models.provider.base_url, list(models.spec.models)

    async def rounds() -> None:
        for prompt in prompts:
            await asyncio.gather(*(call(base, name, prompt) for name in names))

    started = time.perf_counter()
    loop(rounds())
    return time.perf_counter() - started


def sequential_s(loop: LoopThread, models: ProviderThread, prompt: str) -> float:
    """All models one after the other (s)."""
    base, names = models.provider.base_url, list(models.spec.models)

    async def one_by_one() -> None:
        for name in names:
            await call(base, name, prompt)

    started = time.perf_counter()
    loop(one_by_one())
    return time.perf_counter() - started


@contextmanager
def chord_worker(redis_url: str, log: Path) -> Generator[None]:
    """A worker of the chord's application."""
    command = [sys.executable, "-m", "celery", "-A", "benchmarks.load_run.chord_app", "worker"]
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "--concurrency", str(CONCURRENCY), "--loglevel", "WARNING", "-O", "fair"],
            env={**os.environ, "CHORD_REDIS_URL": redis_url},
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def chord_s(redis_url: str, models: ProviderThread, prompt: str) -> float:
    """One chord over all models, from its sending to its body's result (s)."""
    os.environ["CHORD_REDIS_URL"] = redis_url
    from celery import chord

    from benchmarks.load_run.chord_app import ask, gathered

    base = models.provider.base_url
    header = [ask.s(base, name, prompt) for name in models.spec.models]
    started = time.perf_counter()
    count = cast("Any", chord(header)(gathered.s())).get(timeout=180)
    if count != len(header):
        message = f"the chord's body saw {count} of {len(header)} answers"
        raise ValueError(message)
    return time.perf_counter() - started
