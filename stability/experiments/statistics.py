"""Intervals and correlations of the experiments. Formulas and sources stand with each function."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from dissolution.values import Measured, NotMeasured
from stability.statistics import RESAMPLES, Interval, bootstrap, mean

Z = 1.959964
"""The 97.5 % point of the normal distribution."""

NOTHING = NotMeasured(not_measured="nothing was counted")
ALIKE = NotMeasured(not_measured="one of the two does not vary: there is nothing to correlate")
NO_PAIR = NotMeasured(not_measured="fewer than two answers")
LEAST_TO_RANK = 3

Item = TypeVar("Item")


def wilson(hits: int, total: int) -> Interval:
    """A share with its 95 % score interval (Wilson 1927): (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).

    Args:
        hits: 0 to `total`.
        total: How many were counted; of none there is no share.
    """
    if total == 0:
        return Interval(estimate=NOTHING, low=NOTHING, high=NOTHING, units=0)
    share = hits / total
    middle = share + Z * Z / (2 * total)
    reach = Z * math.sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    scale = 1 + Z * Z / total
    low, high = max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
    return Interval(estimate=share, low=low, high=high, units=total)


def resampled(groups: Sequence[Sequence[Item]], of: Callable[[Sequence[Item]], Measured], *, seed: int = 0) -> Interval:
    """The 95 % percentile interval of any statistic over items that come in groups: whole groups are drawn.

    `stability.statistics.bootstrap` draws numbers; here they stand for the items.
    """
    items = [item for group in groups for item in group]
    places: list[list[float]] = []
    start = 0
    for group in groups:
        places.append([float(place) for place in range(start, start + len(group))])
        start += len(group)
    return bootstrap(places, lambda drawn: of([items[int(place)] for place in drawn]), seed=seed)


def of_means(groups: Sequence[Sequence[float]], *, seed: int = 0) -> Interval:
    """The mean over groups of their means: every conversation counts the same, however much was measured on it."""
    means = [value for group in groups if not isinstance(value := mean(group), NotMeasured)]
    return bootstrap([[value] for value in means], seed=seed)


def over_pairs(values: Mapping[tuple[str, str], float], *, seed: int = 0) -> Interval:
    """The mean of a figure over pairs of members, with members drawn: pairs that share one are not independent.

    Members are drawn with replacement; a pair counts as often as both are drawn together, a member with itself not at
    all (a bootstrap of a U-statistic: Arcones and Giné 1992). Two members have one pair and no interval.

    Args:
        values: The figure of each pair.
        seed: The same seed gives the same ends.
    """
    members = sorted({name for pair in values for name in pair})
    estimate = mean(list(values.values()))
    if len(members) < LEAST_TO_RANK:
        few = NO_PAIR if len(members) < 2 else NotMeasured(not_measured="two answers make one pair")  # noqa: PLR2004 - a pair
        return Interval(estimate=estimate, low=few, high=few, units=len(members))
    chance = random.Random(seed)  # noqa: S311 - repeatable draws, no secret
    drawn: list[float] = []
    for _ in range(RESAMPLES):
        often = Counter(chance.choices(members, k=len(members)))
        weights = {pair: often[pair[0]] * often[pair[1]] for pair in values}
        if total := sum(weights.values()):
            drawn.append(math.fsum(values[pair] * weight for pair, weight in weights.items()) / total)
    drawn.sort()
    low, high = (drawn[round(share * (len(drawn) - 1))] for share in (0.025, 0.975))
    return Interval(estimate=estimate, low=low, high=high, units=len(members))


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, equal values sharing the mean of theirs."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            found[place] = (start + end) / 2 + 1
        start = end + 1
    return found


def spearman(pairs: Sequence[tuple[float, float]]) -> Measured:
    """Spearman's rank correlation, -1..1: Pearson's of the ranks, ties sharing theirs (Spearman 1904)."""
    if len(pairs) < LEAST_TO_RANK:
        return NotMeasured(not_measured=f"fewer than {LEAST_TO_RANK} pairs")
    left, right = (ranks([pair[side] for pair in pairs]) for side in (0, 1))
    middle = (len(pairs) + 1) / 2  # the mean of all ranks, with ties or without
    together = math.fsum((a - middle) * (b - middle) for a, b in zip(left, right, strict=True))
    spread = math.fsum((a - middle) ** 2 for a in left) * math.fsum((b - middle) ** 2 for b in right)
    return max(-1.0, min(1.0, together / math.sqrt(spread))) if spread > 0 else ALIKE
