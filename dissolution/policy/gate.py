"""The policy of the gate: how sure it has to be, what may never be outweighed, and what happens when it is not sure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, cast

from pydantic import Field, ValidationInfo, model_validator

from dissolution.values import STORED, Frozen


class TokenPressure(StrEnum):
    """How badly the history needs to be replaced."""

    NONE = "none"  # the history fits with room to spare
    RISING = "rising"  # it fits still, and a policy may want it replaced
    OVERFLOWING = "overflowing"  # it does not fit its reader any more: it is no usable context


class GatePolicy(Frozen):
    """Thresholds of the gate.

    Loss is the share of questions right from the history and wrong from the candidate, less the share the other way.
    """

    name: Annotated[str, Field(min_length=1, max_length=100)] = "balanced"
    """What people call it."""

    accept_loss: Annotated[float, Field(ge=0.005, lt=1)] = 0.05
    """A candidate that loses at most this should pass."""

    reject_loss: Annotated[float, Field(gt=0, lt=1)] = 0.15
    """A candidate that loses at least this must not pass. Between the two either answer is tolerable."""

    masked_accept_loss: Annotated[float, Field(ge=0.005, lt=1)] = 0.5
    """The same for a bank of masked questions, of which a true boundary, in its own words, answers about half."""

    masked_reject_loss: Annotated[float, Field(gt=0, lt=1)] = 0.75
    """The same bound to reject at."""

    false_accept: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Chance at most of accepting at a loss of `reject_loss` or more; the candidates of one job share it."""

    false_reject: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Chance at most of rejecting at a loss of `accept_loss` or less; vetoes are counted apart."""

    questions: Annotated[int, Field(ge=10, le=2000)] = 120
    """Held-out questions. With 120, nine in ten candidates at a loss of 5 points pass before the bank ends."""

    enlarge: bool = True
    """Whether more questions are written where these bounds need them and the conversation bears them. Stored policies
    without this field keep to `questions`."""

    history_floor: Annotated[float, Field(ge=0, le=1)] = 0.7
    """Share of questions the history must get right. Below it the reader is what is measured, and nothing passes."""

    when_inconclusive: Literal["repair", "keep_history", "commit_degraded"] = "repair"
    """What happens when the bank ends without a decision. `repair` becomes `keep_history` when no round is left."""

    under_pressure: Literal["keep_history", "commit_degraded"] = "commit_degraded"
    """What happens under rising token pressure when the gate is inconclusive and no repair is left. A veto keeps the
    history until it overflows its reader."""

    repair_rounds: Annotated[int, Field(ge=0, le=10)] = 2
    """Repairs of one candidate at most."""

    @model_validator(mode="before")
    @classmethod
    def _means_what_it_meant(cls, given: object, info: ValidationInfo) -> object:
        """A stored policy that does not know `enlarge` was made when no bank was enlarged."""
        if info.context is not STORED or not isinstance(given, dict):
            return given
        return {"enlarge": False, **cast("Mapping[str, object]", given)}

    @model_validator(mode="after")
    def _leaves_an_indifference_zone(self) -> "GatePolicy":
        if self.accept_loss >= self.reject_loss:
            message = f"accept_loss {self.accept_loss:g} is not below reject_loss {self.reject_loss:g}; widen the zone"
            raise ValueError(message)
        if self.masked_accept_loss >= self.masked_reject_loss:
            message = (
                f"masked_accept_loss {self.masked_accept_loss:g} is not below masked_reject_loss "
                f"{self.masked_reject_loss:g}; widen the zone"
            )
            raise ValueError(message)
        return self

    def zone(self, *, masked: bool) -> tuple[float, float]:
        """The losses to accept and to reject at, for masked questions or for others."""
        if masked:
            return self.masked_accept_loss, self.masked_reject_loss
        return self.accept_loss, self.reject_loss


BALANCED = GatePolicy()
STRICT = GatePolicy(
    name="strict",
    accept_loss=0.03,
    reject_loss=0.10,
    masked_accept_loss=0.40,
    masked_reject_loss=0.65,
    questions=240,
    history_floor=0.8,
    under_pressure="keep_history",
)
LENIENT = GatePolicy(
    name="lenient",
    accept_loss=0.08,
    reject_loss=0.20,
    masked_accept_loss=0.55,
    masked_reject_loss=0.80,
    questions=100,
    when_inconclusive="commit_degraded",
    repair_rounds=1,
)

PRESETS = {preset.name: preset for preset in (STRICT, BALANCED, LENIENT)}
"""The presets by name, the strictest first."""
