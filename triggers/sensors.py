"""The sensors of one conversation: what reads its turns one by one, and is the same size after ten thousand."""

import math
import struct
from dataclasses import dataclass

from dissolution.conversation import Turn
from dissolution.policy.triggers import DriftPolicy, TriggerPolicy
from dissolution.surprise import NO_TOKENS, Surprise, SurpriseEstimator
from dissolution.values import Measured
from triggers import drift, redundancy, topics
from triggers.drift import Drift
from triggers.redundancy import Fall, Redundancy
from triggers.talk import Row, Spoken, Talk
from triggers.topics import Shift, Topics

_HEAD = struct.Struct("<4sIdI")
_MAGIC = b"sen1"
OFF_FROM = 2.0
"""Depth of a search that is switched off in a file, which has no word for nothing: gaps are shown, none counts."""


@dataclass(frozen=True)
class Readings:
    """What the sensors say after one turn."""

    drift: Measured
    gap: float | None  # how far the best split of the open topic stands out, 0 or more
    shift: Shift | None  # a change of topic that became certain with this turn
    last_shift: Shift | None  # the newest change so far
    surprise: Surprise
    fall: Fall
    notable: bool


def kept_tokens(windows: DriftPolicy) -> int:
    """Tokens of talk that the sensors look back at."""
    return max(windows.window_tokens, windows.shift_within_tokens)


def topics_of(windows: DriftPolicy, dimension: int) -> Topics:
    """The search for changes of topic as a policy wants it."""
    depth = windows.shift_depth
    return Topics(
        max(windows.shift_before_tokens, windows.min_topic_tokens),
        windows.shift_after_tokens,
        windows.shift_within_tokens,
        math.inf if depth is None or depth >= OFF_FROM else depth,
        dimension=dimension,
    )


class Sensors:
    """Drift, topics, surprise and redundancy over one stream of turns.

    Args:
        policy: Windows and thresholds.
        dimension: Of the embedder's rows.
        embedder: Name of the embedder, part of the estimators' names.
        surprise: Who measures surprise.
        memory: What `memory` gave after the last turn; b"" begins.

    Raises:
        ValueError: The memory is of other sensors; begin anew.
    """

    def __init__(
        self, policy: TriggerPolicy, dimension: int, embedder: str, surprise: SurpriseEstimator, memory: bytes = b""
    ) -> None:
        windows = policy.drift
        self._surprise_name = surprise.name
        self._embedder = embedder
        self._policy = policy
        self._talk = Talk(dimension, kept_tokens(windows))
        self._drift = Drift(windows.window_tokens)
        self._topics = topics_of(windows, dimension)
        self._redundancy = Redundancy(policy.surprise)
        self._last_shift: Shift | None = None
        rest = self._restored(memory, dimension) if memory else b""
        self._reader = surprise.resume(rest)

    @property
    def names(self) -> dict[str, str]:
        """The estimator of drift, topic_shift and surprise, each with all it depends on."""
        window = self._policy.drift
        return {
            "drift": f"{drift.NAME}:{self._embedder}:{window.window_tokens}",
            "topic_shift": f"{topics.NAME}:{self._embedder}:{window.shift_within_tokens}",
            "surprise": self._surprise_name,
            "fall": f"{redundancy.NAME}:{self._surprise_name}:{self._policy.surprise.block_tokens}",
        }

    @property
    def identity(self) -> str:
        """What a memory belongs to: another embedder, estimator or window begins anew."""
        surprise = self._policy.surprise
        blocks = f"{surprise.recent_blocks}+{surprise.baseline_blocks}"
        return " ".join([*self.names.values(), blocks])

    @property
    def baseline(self) -> float | None:
        """Mean bits per token lately, None before there is one."""
        return self._redundancy.baseline

    def read(self, turn: Turn, said: Spoken | None, row: Row | None) -> Readings:
        """Take one turn in; `said` and its `row` are None for chatter."""
        shift = None
        if said is not None and row is not None and self._talk.add(turn.number, said, row):
            shift = self._topics.after(self._talk)
        self._last_shift = shift or self._last_shift
        surprise = self._reader.read(turn.content)
        notable = self._redundancy.is_notable(surprise)
        self._redundancy.after(surprise)
        return self._readings(shift, surprise, notable=notable)

    def now(self) -> Readings:
        """What the sensors say with no new turn."""
        return self._readings(None, Surprise(bits=NO_TOKENS, tokens=0), notable=False)

    def _readings(self, shift: Shift | None, surprise: Surprise, *, notable: bool) -> Readings:
        return Readings(
            drift=self._drift.after(self._talk),
            gap=self._topics.gap,
            shift=shift,
            last_shift=self._last_shift,
            surprise=surprise,
            fall=self._redundancy.fall,
            notable=notable,
        )

    def hold_here(self) -> None:
        """Measure drift from here on: a boundary stands for all that was said so far."""
        self._drift.hold((self._talk.recent(self._policy.drift.window_tokens),))

    def hold(self, *anchors: Row) -> None:
        """Measure drift from these rows on, such as a boundary's talk and its claims."""
        self._drift.hold(anchors)

    def memory(self) -> bytes:
        """All that has to be kept between two turns: 30 to 110 kB, however long the conversation."""
        shift = self._last_shift or Shift(turn=0, depth=0.0)
        parts = (self._talk.memory(), self._drift.memory(), self._topics.memory(), self._redundancy.memory())
        head = _HEAD.pack(_MAGIC, self._talk.dimension, shift.depth, shift.turn)
        return head + b"".join(parts) + self._reader.memory()

    def _restored(self, memory: bytes, dimension: int) -> bytes:
        if len(memory) < _HEAD.size or memory[:4] != _MAGIC:
            message = f"{len(memory)} bytes that begin {memory[:4]!r} are no memory of sensors; begin anew"
            raise ValueError(message)
        _, held, depth, turn = _HEAD.unpack_from(memory)
        if held != dimension:
            message = f"memory of {held} dimensions does not fit {dimension}; begin anew"
            raise ValueError(message)
        self._last_shift = Shift(turn=turn, depth=depth) if turn else None
        rest = self._talk.restore(memory[_HEAD.size :])
        return self._redundancy.restore(self._topics.restore(self._drift.restore(rest, dimension)))
