"""What triggers cost, and how often the test for falling surprise errs: the sections that need no data."""

import resource
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.triggers_parts import Talk, concatenations, turns_of
from dissolution.conversation import Turn
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import BALANCED, SurprisePolicy, TriggerPolicy
from dissolution.surprise import Surprise
from dissolution.triggering import TriggerState, Watch
from dissolution.values import NotMeasured
from language.surprise.backoff import BackoffEstimator, number_of
from language.surprise.words import background_probability
from language.words import stem
from triggers.fold import Present, take_in
from triggers.redundancy import Redundancy
from triggers.sensors import Sensors
from triggers.simulate import STARTED, Trace

PLANTED = Path(__file__).resolve().parent / "data" / "planted"


def fall() -> None:
    """The error rate of the test for falling surprise, and its power, by simulation."""
    draw = np.random.default_rng(17)
    policy = SurprisePolicy()
    print(f"\nTest for falling surprise: alpha {policy.alpha} a test, fall of {policy.min_drop_bits} bits or more\n")
    print("| blocks | a test | a conversation of 100 blocks |\n|---|---|---|")
    cases: dict[str, Callable[[], np.ndarray]] = {
        "level, independent": lambda: draw.normal(9.0, 0.6, 100),
        "level, heavy tails": lambda: 9.0 + 0.6 * draw.standard_t(3, 100),
        "level, each like the one before (0.3)": lambda: autocorrelated(draw, 0.3),
        "level, each like the one before (0.6)": lambda: autocorrelated(draw, 0.6),
        "falls by 1 bit at block 60": lambda: draw.normal(9.0, 0.6, 100) - np.r_[np.zeros(60), np.full(40, 1.0)],
        "falls by 2 bits at block 60": lambda: draw.normal(9.0, 0.6, 100) - np.r_[np.zeros(60), np.full(40, 2.0)],
    }
    for name, make in cases.items():
        tests = hits = talks = 0
        for _trial in range(2000):
            found = fires_of(make(), policy)
            tests += len(found)
            hits += sum(found)
            talks += any(found)
        print(f"| {name} | {hits / tests:.5f} | {talks / 2000:.3f} |", flush=True)


def autocorrelated(draw: np.random.Generator, share: float) -> np.ndarray:
    noise = draw.normal(0, 0.6 * (1 - share**2) ** 0.5, 100)
    values = np.zeros(100)
    for place in range(1, 100):
        values[place] = share * values[place - 1] + noise[place]
    return values + 9.0


def fires_of(blocks: np.ndarray, policy: SurprisePolicy) -> list[bool]:
    """Whether each test fires, one a block once there are enough."""
    sensor = Redundancy(policy)
    found: list[bool] = []
    for value in blocks:
        seen = sensor.after(Surprise(bits=float(value) * policy.block_tokens, tokens=policy.block_tokens))
        if not isinstance(seen.bits, NotMeasured):
            found.append(seen.bits >= policy.min_drop_bits and seen.chance <= (policy.alpha or 0.0))
    return found


def cost(traced: Callable[[Talk], Trace]) -> None:
    """Processor time of one turn after the embedding, with what a process does that begins from what was stored."""
    talk = concatenations(PLANTED, 1, seed=3)[0]
    contents = [turn.content for turn in talk.turns]
    long = Talk("long", "cost", turns_of(contents * (5000 // len(contents) + 1))[:5000], ())
    trace = traced(long)
    policy = BALANCED
    print("\nProcessor time of one turn after the embedding, ms: median (95th percentile)\n")
    print("| turns before | in one process | begun anew from what was stored | stored, kB |\n|---|---|---|---|")
    state = TriggerState(conversation="long")
    estimator = BackoffEstimator()
    sensors = Sensors(policy, 384, "bench", estimator)
    warm: list[float] = []
    cold: list[float] = []
    present = present_of(policy)
    for place, new in enumerate(trace.turns):
        begun = time.process_time()
        state, _ = take_in(state, sensors, new, present)
        warm.append(1000 * (time.process_time() - begun))
        if place % 5 == 0:
            stored = sensors.memory()  # by the process before
            begun = time.process_time()
            again = Sensors(policy, 384, "bench", estimator, stored)
            again.now()
            again.memory()
            cold.append(1000 * (time.process_time() - begun) + warm[-1])
        if place + 1 in {250, 1000, 2500, 5000}:
            size = len(sensors.memory()) / 1000
            print(f"| {place + 1} | {spread(warm[-250:])} | {spread(cold[-50:])} | {size:.0f} |", flush=True)


def present_of(policy: TriggerPolicy) -> Present:
    return Present(at=STARTED, policy=Policy(triggers=policy), counter="bench")


def spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.1f} ({np.quantile(values, 0.95):.1f})"


def appends() -> None:
    """Ten thousand turns appended and evaluated one by one, over SQLite."""
    from tests.running import running
    from workers.triggers.evaluation import after_append

    talk = concatenations(PLANTED, 1, seed=3)[0]
    contents = [turn.content for turn in talk.turns]

    def turn_of(number: int) -> Turn:  # made when it is said: what the benchmark holds would count as the product's
        (made,) = turns_of([f"{number}. {contents[number % len(contents)]}"])
        return made.model_copy(update={"number": number})

    print("\n10,000 turns appended and evaluated one by one (SQLite, hashing embedder), processor time of a turn, ms\n")
    print("| turns | append | evaluation, embedding among it | memory held, MB | words kept |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), []) as services:
        from tests.factories import a_conversation

        with services.unit_of_work() as work:
            first = a_conversation("x", name="long").model_copy(update={"turns": (turn_of(1),)})
            work.conversations.extend(first)
            work.triggers.watch(Watch(conversation="long", policy=Policy(triggers=BALANCED), since=STARTED))
            work.commit()
        after_append(services, "long")
        added, evaluated = deque[float](maxlen=500), deque[float](maxlen=500)
        for turn in map(turn_of, range(2, 10_001)):
            begun = time.process_time()
            with services.unit_of_work() as work:
                work.conversations.append("long", (turn,))
                work.commit()
            middle = time.process_time()
            after_append(services, "long")
            added.append(1000 * (middle - begun))
            evaluated.append(1000 * (time.process_time() - middle))
            if turn.number in {500, 1000, 2500, 5000, 7500, 10_000}:
                cells = (spread([*added]), spread([*evaluated]), f"{resident_mb():.1f}", str(words_kept()))
                print(f"| {turn.number} | {' | '.join(cells)} |", flush=True)


def resident_mb() -> float:
    """Memory that the process holds now, MB of a million bytes; Linux alone tells."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def words_kept() -> int:
    """Entries of the caches that an evaluation fills with words, whole ones counted once each."""
    return sum(cache.cache_info().currsize for cache in (number_of, background_probability, stem))
