"""Falling surprise: a test of whether what is said lately is less unexpected than what was said before.

The dissertation's rule: when the mean surprise of recent turns drops significantly below its rolling baseline, the
context has become redundant, and dissolution is due. The test: surprise is pooled into blocks of equal tokens, as bits
of single turns have wildly unequal spread; the newest m block means are compared with the n before them by the exact,
one-sided rank test of Mann and Whitney (1947). It needs no shape of distribution; where blocks can be exchanged it
fires by chance with at most `alpha` a test. What is significant may still be small, so the fall in bits counts too.
"""

import math
import struct
from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from dissolution.policy.triggers import SurprisePolicy
from dissolution.surprise import Surprise
from dissolution.values import Measured, NotMeasured

NAME = "rank-1"
MOST_TOKENS = 200  # tokens that one turn may bring to a block: a pasted log is one observation, not fifty
NOTABLE_TOKENS = 8  # tokens of a turn whose mean says something
FEW = NotMeasured(not_measured="too little has been said for a baseline")
_HEAD = struct.Struct("<ddBdd")


class Fall(tuple[Measured, float]):
    """Bits per token by which recent surprise lies below its baseline, and the chance (0..1) of ranks like these."""

    __slots__ = ()

    @property
    def bits(self) -> Measured:
        """Baseline less recent mean; negative when surprise rises."""
        return self[0]

    @property
    def chance(self) -> float:
        """One-sided, 1 while there is nothing to test."""
        return self[1]


class Redundancy:
    """Block means of surprise, the newest `recent_blocks + baseline_blocks` of them."""

    def __init__(self, policy: SurprisePolicy) -> None:
        self._policy = policy
        self._blocks: deque[float] = deque(maxlen=policy.recent_blocks + policy.baseline_blocks)
        self._bits = 0.0  # of the open block
        self._tokens = 0.0
        self._fall = Fall((FEW, 1.0))

    @property
    def baseline(self) -> float | None:
        """Mean bits per token of all blocks held; None before the fifth."""
        held = self._blocks
        return sum(held) / len(held) if len(held) >= 5 else None  # noqa: PLR2004 - as the docstring says

    def after(self, surprise: Surprise) -> Fall:
        """Take a turn's surprise in. A guarded one counts as no less than the baseline: it is news in old words."""
        mean = surprise.bits_per_token
        if isinstance(mean, NotMeasured):
            return self._fall
        if surprise.guarded and self.baseline is not None:
            mean = max(mean, self.baseline)
        tokens = float(min(surprise.tokens, MOST_TOKENS))
        self._bits += mean * tokens
        self._tokens += tokens
        if self._tokens >= self._policy.block_tokens:
            self._blocks.append(self._bits / self._tokens)
            self._bits = self._tokens = 0.0
            self._fall = self._tested()
        return self._fall

    @property
    def fall(self) -> Fall:
        """As it stood when the newest block was complete."""
        return self._fall

    def is_notable(self, surprise: Surprise) -> bool:
        """Whether a turn stands far above the baseline."""
        mean = surprise.bits_per_token
        if isinstance(mean, NotMeasured) or self.baseline is None or surprise.tokens < NOTABLE_TOKENS:
            return False
        return mean >= self.baseline + self._policy.notable_bits

    def _tested(self) -> Fall:
        held = list(self._blocks)
        if len(held) < (self._blocks.maxlen or 0):
            return Fall((FEW, 1.0))
        recent, baseline = held[-self._policy.recent_blocks :], held[: -self._policy.recent_blocks]
        bits = sum(baseline) / len(baseline) - sum(recent) / len(recent)
        return Fall((bits, chance_of_ranks(recent, baseline)))

    def memory(self) -> bytes:
        """The blocks: 8 bytes each."""
        bits = 0.0 if isinstance(self._fall.bits, NotMeasured) else self._fall.bits
        measured = not isinstance(self._fall.bits, NotMeasured)
        head = _HEAD.pack(self._bits, self._tokens, measured, bits, self._fall.chance)
        return head + struct.pack(f"<H{len(self._blocks)}d", len(self._blocks), *self._blocks)

    def restore(self, memory: bytes) -> bytes:
        """Take over what `memory` gave, and give back what stands behind it. Raises ValueError."""
        try:
            self._bits, self._tokens, measured, bits, chance = _HEAD.unpack_from(memory)
            (count,) = struct.unpack_from("<H", memory, _HEAD.size)
            blocks: tuple[float, ...] = struct.unpack_from(f"<{count}d", memory, _HEAD.size + 2)
        except struct.error as error:
            message = f"{len(memory)} bytes hold no blocks of surprise: {error}"
            raise ValueError(message) from error
        self._blocks.extend(blocks)
        self._fall = Fall((bits if measured else FEW, chance))
        return memory[_HEAD.size + 2 + 8 * count :]


def chance_of_ranks(recent: Sequence[float], baseline: Sequence[float]) -> float:
    """Chance that m values lie as low among m + n exchangeable ones, 0..1.

    U counts the pairs in which the recent value is not below the baseline's (ties count against a fall); the chance is
    the share of all arrangements with a U as small. By hand: 1 and 2 against 3, 4, 5 give U = 0, which one of the 10
    arrangements has: 0.1.
    """
    found = sum(one >= two for one in recent for two in baseline)
    ways = _arrangements(len(recent), len(baseline))
    return sum(ways[: found + 1]) / math.comb(len(recent) + len(baseline), len(recent))


@lru_cache(maxsize=1024)
def _arrangements(recent: int, baseline: int) -> tuple[int, ...]:
    """Arrangements with U = 0, 1, …, m n. The largest value is recent (it beats all n) or it is of the baseline."""
    if recent == 0 or baseline == 0:
        return (1,)
    ways = [0] * (recent * baseline + 1)
    for value, count in enumerate(_arrangements(recent - 1, baseline)):
        ways[value + baseline] += count
    for value, count in enumerate(_arrangements(recent, baseline - 1)):
        ways[value] += count
    return tuple(ways)
