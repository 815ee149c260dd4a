"""The policy of triggers: when a conversation is dissolved without anybody asking, and when it is left alone."""

from typing import Annotated

from pydantic import Field, model_validator

from dissolution.values import Frozen


class DriftPolicy(Frozen):
    """How far the talk may move from the last committed boundary, and what a change of topic is."""

    window_tokens: Annotated[int, Field(ge=80, le=4000)] = 400
    """Tokens of recent talk that are compared; chatter counts little, long turns are cut."""

    distance: Annotated[float, Field(gt=0, le=2)] | None = 0.45
    """Cosine distance between recent talk and the boundary from which it has drifted. None: off."""

    release: Annotated[float, Field(ge=0, le=2)] = 0.38
    """After a firing the distance must fall below this before drift counts again."""

    shift_before_tokens: Annotated[int, Field(ge=80, le=4000)] = 640
    """Least tokens of the open topic before a change of topic."""

    shift_after_tokens: Annotated[int, Field(ge=40, le=4000)] = 360
    """Least tokens after it: a change is found this late, and recorded where it was."""

    shift_within_tokens: Annotated[int, Field(ge=200, le=8000)] = 2500
    """Newest tokens searched for a change; memory grows by 20 bytes a token."""

    shift_depth: Annotated[float, Field(gt=0, le=2)] | None = 0.25
    """How far a change must stand out: what it explains of the open topic, over the scatter of 1000 tokens. None (in a
    file: 2): off. Fitted on half of the meetings of `benchmarks/triggers.py`."""

    min_topic_tokens: Annotated[int, Field(ge=0, le=100_000)] = 600
    """Least tokens between two changes."""

    @model_validator(mode="after")
    def _releases_below_the_threshold(self) -> "DriftPolicy":
        if self.distance is not None and self.release >= self.distance:
            message = f"release {self.release:g} is not below distance {self.distance:g}; lower it"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _looks_further_back_than_a_change_is_late(self) -> "DriftPolicy":
        if self.shift_within_tokens <= self.shift_after_tokens:
            within = f"shift_within_tokens {self.shift_within_tokens}"
            message = f"{within} is not above shift_after_tokens {self.shift_after_tokens}; raise it"
            raise ValueError(message)
        return self


class SurprisePolicy(Frozen):
    """When what is said has become redundant: mean surprise well below its rolling baseline."""

    block_tokens: Annotated[int, Field(ge=10, le=5000)] = 120
    """Tokens whose mean surprise is one observation."""

    recent_blocks: Annotated[int, Field(ge=2, le=20)] = 4
    """Newest observations, which are tested."""

    baseline_blocks: Annotated[int, Field(ge=5, le=100)] = 20
    """Observations before them, which they are compared with."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)] | None = 0.0005
    """Chance at most that a test fires although nothing changed; one test a block. None: off."""

    min_drop_bits: Annotated[float, Field(ge=0, le=20)] = 0.7
    """Bits per token that the recent mean must lie below the baseline's."""

    notable_bits: Annotated[float, Field(ge=0, le=20)] = 1.0
    """Bits per token above the baseline from which a turn is notable: it weighs more in rendering and questions."""


class BudgetSignalPolicy(Frozen):
    """How much of its reader's context a conversation may fill."""

    context_tokens: Annotated[int, Field(ge=500, le=10_000_000)] = 16_000
    """Tokens the reader has for boundary and turns together."""

    soft_share: Annotated[float, Field(gt=0, le=1)] = 0.6
    """Share of them from which pressure is rising: a dissolution is due, and other signals need less."""

    hard_share: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Share from which the history counts as overflowing, as the gate is told (`probe.gate.under_pressure`)."""

    eased: Annotated[float, Field(gt=0, le=1)] = 0.8
    """Share of their thresholds that drift and lock-in need under rising pressure."""

    @model_validator(mode="after")
    def _hard_is_above_soft(self) -> "BudgetSignalPolicy":
        if self.soft_share >= self.hard_share:
            message = f"soft_share {self.soft_share:g} is not below hard_share {self.hard_share:g}; lower it"
            raise ValueError(message)
        return self


class SchedulePolicy(Frozen):
    """Dissolutions by the clock or the count, whatever is said."""

    every_turns: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Turns after which one is due."""

    every_tokens: Annotated[int, Field(ge=100, le=100_000_000)] | None = None
    """Tokens after which one is due."""

    every_hours: Annotated[float, Field(gt=0, le=100_000)] | None = None
    """Hours after which one is due, also in silence; never twice over the same turns."""


class TriggerPolicy(Frozen):
    """When to fire and when to hold."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "balanced"
    """What people call it."""

    shadow: bool = True
    """Whether firings are only recorded."""

    drift: DriftPolicy = DriftPolicy()
    surprise: SurprisePolicy = SurprisePolicy()
    budget: BudgetSignalPolicy = BudgetSignalPolicy()
    schedule: SchedulePolicy = SchedulePolicy()

    lock_in: Annotated[float, Field(gt=0, le=1)] | None = 0.6
    """Lock-in (0..1, how far the talk runs in one unquestioned frame) from which to fire. None: never."""

    on_topic_change: bool = True
    """Whether a closed topic is a reason to fire."""

    cooldown_tokens: Annotated[int, Field(ge=0, le=10_000_000)] = 2000
    """Tokens after a firing in which only a person fires again."""

    cooldown_turns: Annotated[int, Field(ge=0, le=1_000_000)] = 8
    """Turns likewise; both must have passed."""

    min_new_tokens: Annotated[int, Field(ge=0, le=10_000_000)] = 1200
    """Tokens since the last boundary below which nothing fires."""

    min_gain: Annotated[float, Field(ge=0, lt=1)] = 0.25
    """Share of the reader's context that a dissolution must be expected to free."""

    kept_share: Annotated[float, Field(gt=0, lt=1)] = 0.35
    """Expected share of new tokens that a boundary keeps, until the conversation has shown its own."""

    max_rejections: Annotated[int, Field(ge=1, le=100)] = 2
    """Jobs in a row without a commit after which only new material counts."""

    retry_growth: Annotated[float, Field(gt=0, le=100)] = 0.5
    """Share by which the talk must have grown since the last rejection; doubled after each further one."""


BALANCED = TriggerPolicy()
EAGER = TriggerPolicy(
    name="eager",
    drift=DriftPolicy(distance=0.38, release=0.32, shift_depth=0.2),
    cooldown_tokens=1000,
    cooldown_turns=4,
    min_new_tokens=600,
    min_gain=0.15,
)
PATIENT = TriggerPolicy(
    name="patient",
    drift=DriftPolicy(distance=0.55, release=0.45, shift_depth=0.4),
    surprise=SurprisePolicy(alpha=0.0001),
    cooldown_tokens=6000,
    cooldown_turns=20,
    min_new_tokens=4000,
    min_gain=0.4,
)

PRESETS = {preset.name: preset for preset in (EAGER, BALANCED, PATIENT)}
"""The presets by name, the quickest first."""
