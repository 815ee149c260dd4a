"""A hundred dissolutions of one conversation that grows between them."""

import statistics
from collections.abc import Sequence

from benchmarks.rolling_tokens import Row, measured
from benchmarks.scale_run.stages import peak_mb
from dissolution.values import NotMeasured
from stability.statistics import theil_sen, theil_sen_interval

SHOWN = (5, 25, 50, 100)
FORGET = 0.3
"""Share of facts that each member leaves out."""

EARLY = 10
"""Cycles at the beginning, and at the end, whose times are compared."""


def cycles(count: int, turns: int) -> dict[str, object]:
    """So many cycles of so many turns each, with the hashing embedder.

    The slope is that of the later half: until the state has filled its room, a prompt grows with what is held.
    """
    found = measured(count, turns, FORGET)
    rows = found.cycles
    return {
        "cycles": [row.model_dump() for row in rows if row.cycle in SHOWN or row.cycle == count],
        "slope_tokens_a_cycle": slope([row.prompt_tokens for row in rows[: count // 2]]),
        "slope_tokens_a_cycle_later_half": slope([row.prompt_tokens for row in rows[count // 2 :]]),
        "processor_s_a_cycle_early": median(rows[:EARLY]),
        "processor_s_a_cycle_late": median(rows[-EARLY:]),
        "kept": found.kept,
        "peak_mb": round(peak_mb()),
    }


def slope(tokens: Sequence[int]) -> list[float] | None:
    """Theil and Sen's slope of tokens over cycles, with its 95 % interval; None where there are too few for one."""
    values = [float(one) for one in tokens]
    estimate, (low, high) = theil_sen(values), theil_sen_interval(values)
    if isinstance(estimate, NotMeasured) or isinstance(low, NotMeasured) or isinstance(high, NotMeasured):
        return None
    return [round(one, 2) for one in (estimate, low, high)]


def median(rows: Sequence[Row]) -> float:
    """The median of their processor times (s)."""
    return round(statistics.median(row.processor_s for row in rows), 2)
