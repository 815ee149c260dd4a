"""Intervals, trends and variance over cycles and replicates. Formulas and sources stand with each function."""

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from dissolution.values import Frozen, Measured, NotMeasured

RESAMPLES = 2000
"""Draws of a bootstrap: the ends of a 95 % interval then rest on 50 draws each."""

TOO_FEW = NotMeasured(not_measured="fewer than two values")
NO_TREND = NotMeasured(not_measured="a trend needs at least four cycles")
LEAST_FOR_TREND = 4


class Interval(Frozen):
    """An estimate with the ends of its 95 % interval, and how many units it was drawn over."""

    estimate: Measured
    low: Measured
    high: Measured
    units: int


def mean(values: Sequence[float]) -> Measured:
    """The arithmetic mean, or NotMeasured of nothing."""
    return math.fsum(values) / len(values) if values else NotMeasured(not_measured="no values")


def bootstrap(
    groups: Sequence[Sequence[float]],
    of: Callable[[Sequence[float]], Measured] = mean,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Interval:
    """The percentile interval of a statistic over values that come in groups.

    Whole groups are drawn with replacement (a cluster bootstrap: Davison and Hinkley, Bootstrap Methods and their
    Application, 1997, section 3.8), because cycles of one replicate, and replicates of one conversation, are alike.
    One group tells nothing about others: its interval is NotMeasured.

    Args:
        groups: The values of each replicate or conversation; empty groups are left out.
        of: The statistic over all values of the drawn groups.
        seed: The same seed gives the same ends.
        resamples: Draws, at least 100.
    """
    held = [tuple(group) for group in groups if group]
    estimate = of([value for group in held for value in group])
    if len(held) < 2:  # noqa: PLR2004 - a pair
        return Interval(estimate=estimate, low=TOO_FEW, high=TOO_FEW, units=len(held))
    chance = random.Random(seed)  # noqa: S311 - repeatable draws, no secret
    drawn: list[float] = []
    for _ in range(resamples):
        value = of([one for group in chance.choices(held, k=len(held)) for one in group])
        if not isinstance(value, NotMeasured):
            drawn.append(value)
    drawn.sort()
    if not drawn:
        return Interval(estimate=estimate, low=TOO_FEW, high=TOO_FEW, units=len(held))
    return Interval(estimate=estimate, low=_quantile(drawn, 0.025), high=_quantile(drawn, 0.975), units=len(held))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value at a share of an ordered sequence, between neighbours in proportion (type 7 of Hyndman and Fan)."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


class Trend(Frozen):
    """Whether a figure rises or falls over cycles."""

    slope: Measured  # per cycle: Theil and Sen's
    low: Measured  # 95 % interval of the slope over replicates
    high: Measured
    p: Measured  # of Mann and Kendall's test of no trend, two-sided, uncorrected
    p_corrected: Measured  # for all figures and looks tested beside it
    cycles: int


def theil_sen(values: Sequence[float]) -> Measured:
    """The median of the slopes between all pairs of cycles, per cycle (Sen 1968, J. Am. Stat. Assoc. 63)."""
    if len(values) < 2:  # noqa: PLR2004 - a pair
        return TOO_FEW
    return statistics.median((values[j] - values[i]) / (j - i) for i, j in combinations(range(len(values)), 2))


def theil_sen_interval(values: Sequence[float]) -> tuple[Measured, Measured]:
    """The ends of a 95 % interval of Theil and Sen's slope over one series, per cycle.

    Sen 1968, section 4, as Gilbert 1987 (Statistical Methods for Environmental Pollution Monitoring, 16.5) works it:
    with N slopes between pairs and C = 1.96 sqrt(Var S) of Mann and Kendall's S, the ends are the (N - C) / 2 th and
    the (N + C) / 2 + 1 th smallest slope. Needs four values; it takes values that follow each other as independent.
    """
    count = len(values)
    if count < LEAST_FOR_TREND:
        return NO_TREND, NO_TREND
    slopes = sorted((values[j] - values[i]) / (j - i) for i, j in combinations(range(count), 2))
    spread_of_s = 1.96 * math.sqrt(_variance_of_s(values))
    low = math.floor((len(slopes) - spread_of_s) / 2) - 1
    high = math.ceil((len(slopes) + spread_of_s) / 2)
    return slopes[max(0, low)], slopes[min(len(slopes) - 1, high)]


def _variance_of_s(values: Sequence[float]) -> float:
    """The variance of Mann and Kendall's S where there is no trend, ties counted."""
    count = len(values)
    ties = [values.count(value) for value in set(values)]
    return (count * (count - 1) * (2 * count + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18


def mann_kendall(values: Sequence[float]) -> Measured:
    """Two-sided p of no monotone trend, ties counted (Mann 1945; Kendall 1975): the normal approximation.

    S is the number of rising less that of falling pairs. Needs four values; the approximation is rough below ten, so
    small runs are told as what they are by the number of cycles beside it.
    """
    count = len(values)
    if count < LEAST_FOR_TREND:
        return NO_TREND
    score = sum((values[j] > values[i]) - (values[j] < values[i]) for i, j in combinations(range(count), 2))
    variance = _variance_of_s(values)
    if variance == 0:
        return 1.0  # all alike: there is no trend to doubt
    z = (score - math.copysign(1, score)) / math.sqrt(variance) if score else 0.0
    return math.erfc(abs(z) / math.sqrt(2))


def trend(replicates: Sequence[Sequence[float]], *, looks: int = 1, seed: int = 0) -> Trend:
    """The trend of a figure over cycles, from the mean over replicates; the interval comes from drawing replicates.

    Args:
        replicates: One series a replicate, all over the same cycles.
        looks: How many figures and interim looks are tested; p is multiplied by it (Bonferroni), so that looking
            often does not find trends.
        seed: Of the draws.
    """
    held = [tuple(series) for series in replicates if series]
    if not held:
        return Trend(slope=TOO_FEW, low=TOO_FEW, high=TOO_FEW, p=NO_TREND, p_corrected=NO_TREND, cycles=0)
    cycles = min(len(series) for series in held)
    slope = theil_sen(_over(held, cycles))
    low: Measured = TOO_FEW
    high: Measured = TOO_FEW
    if len(held) > 1 and cycles > 1:
        chance = random.Random(seed)  # noqa: S311 - repeatable draws, no secret
        slopes = [theil_sen(_over(chance.choices(held, k=len(held)), cycles)) for _ in range(RESAMPLES // 4)]
        ordered = sorted(value for value in slopes if not isinstance(value, NotMeasured))
        low, high = _quantile(ordered, 0.025), _quantile(ordered, 0.975)
    p = mann_kendall(_over(held, cycles))
    corrected = p if isinstance(p, NotMeasured) else min(1.0, p * max(1, looks))
    return Trend(slope=slope, low=low, high=high, p=p, p_corrected=corrected, cycles=cycles)


def _over(replicates: Sequence[Sequence[float]], cycles: int) -> list[float]:
    return [math.fsum(series[cycle] for series in replicates) / len(replicates) for cycle in range(cycles)]


def half_life(survivals: Sequence[float]) -> Measured:
    """Cycles after which half of the claims would be gone, at the mean rate of loss seen.

    Survival per cycle s_i gives the rate r = -mean(ln s_i); the half-life is ln 2 / r (exponential decay). With no
    loss at all there is none to measure; a cycle that lost everything has no finite rate, and the half-life is 0.
    """
    if not survivals:
        return TOO_FEW
    if any(share <= 0 for share in survivals):
        return 0.0
    rate = -math.fsum(math.log(share) for share in survivals) / len(survivals)
    return math.log(2) / rate if rate > 0 else NotMeasured(not_measured="nothing was lost")


def variance_ratio(by_replicate: Mapping[int, Sequence[float]]) -> Measured:
    """The largest replicate mean over the smallest: how far replicates of one thing lie apart.

    A published study of compaction saw 14-fold between replicates. 1 is none; NotMeasured under two replicates or when
    the smallest mean is 0.
    """
    means = [value for values in by_replicate.values() if not isinstance(value := mean(values), NotMeasured)]
    if len(means) < 2:  # noqa: PLR2004 - a pair
        return TOO_FEW
    return max(means) / min(means) if min(means) > 0 else NotMeasured(not_measured="the smallest is 0")


def spread(values: Sequence[float]) -> Measured:
    """The sample standard deviation (n - 1), or NotMeasured under two values."""
    return statistics.stdev(values) if len(values) > 1 else TOO_FEW


class Paired(Frozen):
    """One thing against another, cell by cell: the right's value less the left's in the same replicate and cycle."""

    pairs: int
    difference: Interval  # mean over all pairs; replicates are drawn whole
    last: Interval  # the same after the last cycle that both have


def paired(
    left: Mapping[tuple[int, int], float], right: Mapping[tuple[int, int], float], *, seed: int = 0
) -> Paired | NotMeasured:
    """The mean difference of values that belong together, with its percentile interval.

    d = mean of (right - left) over the pairs, by a cluster bootstrap over replicates (as `bootstrap`). What the two
    have in common, such as a cycle that is hard for both, falls out of the difference.

    Args:
        left: Values by replicate and cycle.
        right: The same of the other.
        seed: Of the draws.
    """
    common = sorted(left.keys() & right.keys())
    if not common:
        return NotMeasured(not_measured="no cell of the one has its like in the other")
    end = max(cycle for _, cycle in common)
    by_replicate: dict[int, list[float]] = {}
    last: dict[int, list[float]] = {}
    for replicate, cycle in common:
        value = right[replicate, cycle] - left[replicate, cycle]
        by_replicate.setdefault(replicate, []).append(value)
        if cycle == end:
            last.setdefault(replicate, []).append(value)
    return Paired(
        pairs=len(common),
        difference=bootstrap(list(by_replicate.values()), seed=seed),
        last=bootstrap(list(last.values()), seed=seed),
    )
