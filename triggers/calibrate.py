"""Calibration: thresholds fitted to somebody's own conversations, and how often the policy would fire on them.

With labels (the turns with which topics begin) the depth of a change is the one whose changes agree best with them.
Without, it is the one under which firings come as often as asked for. Distances of drift and falls of surprise have no
labels at all: their thresholds are quantiles of what the conversations themselves show, so that a level counts that
their ordinary talk rarely reaches.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from dissolution.errors import InputError
from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Evaluation, Signal
from dissolution.values import NotMeasured
from triggers.simulate import Trace, firings, simulate, topic_starts

DEPTHS = (0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.65, 0.9)
"""Depths that are tried; below the first noise stands out, above the last hardly anything does."""

RARE = CALIBRATION.triggers.rare_level

RELEASE = CALIBRATION.triggers.drift_release

TOLERANCE_SHARE = CALIBRATION.triggers.found_within
LEAST_TOLERANCE = 5

Z = 1.96  # two-sided 95 %
PER_TOKENS = 10_000

OFF: Mapping[str, float] = {"distance": 2.0, "shift_depth": 2.0, "lock_in": 1.0, "alpha": 1e-12}
"""What stands in a file for a signal that is switched off."""


@dataclass(frozen=True)
class Rate:
    """Firings for every 10,000 tokens over conversations, with a 95 % interval (Poisson, by their total)."""

    firings: int
    tokens: int

    @property
    def mean(self) -> float:
        """Firings for every 10,000 tokens."""
        return PER_TOKENS * self.firings / self.tokens if self.tokens else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """By the square-root approximation: ((sqrt(n) - 0.98)^2, (sqrt(n + 1) + 0.98)^2) firings. For 16: 9.1, 26.0."""
        low = max(0.0, math.sqrt(self.firings) - Z / 2) ** 2
        high = (math.sqrt(self.firings + 1) + Z / 2) ** 2
        each = PER_TOKENS / self.tokens if self.tokens else 0.0
        return low * each, high * each


@dataclass(frozen=True)
class Calibrated:
    """The fitted policy and what it does on the conversations it was fitted to."""

    policy: TriggerPolicy
    rate: Rate
    agreement: float | None  # F1 of topic starts against the labels, 0..1; None without labels
    conversations: int
    labelled: int


def calibrate(
    traces: Sequence[Trace],
    base: TriggerPolicy,
    labels: Mapping[str, Sequence[int]] | None = None,
    *,
    per_tokens: float = 2.0,
    name: str = "calibrated",
) -> Calibrated:
    """Fit drift, topic and surprise thresholds of `base` to conversations.

    Args:
        traces: At least one; those with labels decide about topics, all of them about the rest.
        base: What is not fitted: windows, budget, cool-down, gain.
        labels: First turns of topics, by the name of a trace; the conversation's first turn need not be among them.
        per_tokens: Firings wanted for every 10,000 tokens, above 0; used without labels only.
        name: Of the new policy.

    Raises:
        InputError: No conversation, or labels for none of them.
    """
    if not traces:
        raise InputError("no conversation", "give at least one file")
    labelled = [trace for trace in traces if trace.name in (labels or {})]
    if labels and not labelled:
        named = ", ".join(sorted(labels)[:3])
        raise InputError(f"labels for {named}", f"name the conversations given: {traces[0].name!r} and so on")
    fitted = _with_levels(traces, base, name)
    scores = {depth: _score(depth, labelled or traces, fitted, labels, per_tokens) for depth in DEPTHS}
    best = max(DEPTHS, key=lambda depth: (round(scores[depth], 6), depth))
    drift = fitted.drift.model_copy(update={"shift_depth": best})
    policy = TriggerPolicy.model_validate({**fitted.model_dump(), "drift": drift.model_dump()})
    runs = [simulate(trace, policy) for trace in traces]
    return Calibrated(
        policy=policy,
        rate=Rate(firings=sum(len(firings(run)) for run in runs), tokens=sum(trace.tokens for trace in traces)),
        agreement=scores[best] if labelled else None,
        conversations=len(traces),
        labelled=len(labelled),
    )


def agreement(found: Sequence[int], wanted: Sequence[int], turns: int) -> float:
    """F1 (0..1) of boundaries within a tolerance; each may meet one of the others. 1 when there is none on either side.

    By hand: found 10 and 50, wanted 12 and 80 of 100 turns (tolerance 5): one meets, 2 * 1 / 4 = 0.5.
    """
    if not found and not wanted:
        return 1.0
    tolerance = max(LEAST_TOLERANCE, round(TOLERANCE_SHARE * turns))
    left = sorted(wanted)
    met = 0
    for turn in sorted(found):
        near = [one for one in left if abs(one - turn) <= tolerance]
        if near:
            left.remove(min(near, key=lambda one: (abs(one - turn), one)))
            met += 1
    return 2 * met / (len(found) + len(wanted))


def _score(
    depth: float,
    traces: Sequence[Trace],
    policy: TriggerPolicy,
    labels: Mapping[str, Sequence[int]] | None,
    per_tokens: float,
) -> float:
    """How good a depth is; with labels 0..1, without them minus the distance of the logarithms of the rates."""
    tried = policy.model_copy(update={"drift": policy.drift.model_copy(update={"shift_depth": depth})})
    runs = [simulate(trace, tried) for trace in traces]
    if labels:
        found = [
            agreement(topic_starts(run), [turn for turn in labels[trace.name] if turn > 1], len(trace.turns))
            for trace, run in zip(traces, runs, strict=True)
        ]
        return statistics.fmean(found)
    rate = Rate(firings=sum(len(firings(run)) for run in runs), tokens=sum(trace.tokens for trace in traces))
    half = PER_TOKENS / 2 / max(1, rate.tokens)  # so that no firing at all is not infinitely far away
    return -abs(math.log((rate.mean + half) / (per_tokens + half)))


def _with_levels(traces: Sequence[Trace], base: TriggerPolicy, name: str) -> TriggerPolicy:
    """Drift and falling surprise from what the conversations show."""
    runs = [simulate(trace, base) for trace in traces]
    distances = _seen(runs, Signal.DRIFT)
    falls = _seen(runs, Signal.SURPRISE)
    drift = base.drift
    if distances and drift.distance is not None:
        distance = round(min(2.0, max(0.05, _quantile(distances, RARE))), 3)
        drift = drift.model_copy(update={"distance": distance, "release": round(RELEASE * distance, 3)})
    surprise = base.surprise
    if falls:
        surprise = surprise.model_copy(update={"min_drop_bits": round(max(0.1, _quantile(falls, RARE)), 2)})
    return base.model_copy(update={"name": name, "drift": drift, "surprise": surprise})


def _seen(runs: Sequence[Sequence[Evaluation]], signal: Signal) -> list[float]:
    return [
        value.value
        for run in runs
        for evaluation in run
        for value in evaluation.values
        if value.signal is signal and not isinstance(value.value, NotMeasured)
    ]


def _quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def policy_toml(found: Calibrated) -> str:
    """The policy as a TOML file that `--policy` takes, with what was expected of it as its head."""
    low, high = found.rate.interval
    head = [
        f"# Fitted to {found.conversations} conversations of {found.rate.tokens} tokens, {found.labelled} with labels.",
        f"# Expected: {found.rate.mean:.2f} firings for every {PER_TOKENS} tokens ({low:.2f} to {high:.2f}).",
    ]
    if found.agreement is not None:
        head.append(f"# Topic starts against the labels: F1 {found.agreement:.2f}, on the conversations fitted to.")
    tables = ["", "[triggers]"]
    nested: list[str] = []
    for field, value in found.policy.model_dump().items():
        if isinstance(value, dict):
            given = cast("dict[str, object]", value)
            nested += ["", f"[triggers.{field}]", *_lines(given)]
        else:
            tables += _lines({field: value})
    return "\n".join([*head, *tables, *nested]) + "\n"


def _lines(fields: Mapping[str, object]) -> list[str]:
    """Key and value each; a field that is off, which TOML cannot say, has a value that nothing reaches."""
    known = {key: OFF.get(key) if value is None else value for key, value in fields.items()}
    return [f"{key} = {_toml(value)}" for key, value in known.items() if value is not None]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)
