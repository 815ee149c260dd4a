"""Surprise: how unexpected a text is after what came before it, and the port of those who measure it."""

from typing import Annotated, Protocol

from pydantic import Field

from dissolution.values import Frozen, Measured, NotMeasured

NO_TOKENS = NotMeasured(not_measured="no token to measure")


class Surprise(Frozen):
    """What one text cost an estimator that had read everything before it."""

    bits: Measured  # of all its tokens together, 0 or more
    tokens: Annotated[int, Field(ge=0)]  # as the estimator parts the text
    guarded: bool = False  # repeats an earlier sentence with another polarity or number

    @property
    def bits_per_token(self) -> Measured:
        """Mean bits of a token; not measured without tokens."""
        if isinstance(self.bits, NotMeasured):
            return self.bits
        return self.bits / self.tokens if self.tokens else NO_TOKENS


class SurpriseReader(Protocol):
    """Reads one conversation, text after text."""

    def read(self, text: str) -> Surprise:
        """How unexpected the text is after all that was read; from then on it belongs to what was read."""
        ...

    def memory(self) -> bytes:
        """What the estimator needs to go on from here; its size does not grow with the conversation."""
        ...


class SurpriseEstimator(Protocol):
    """One way to measure surprise. Values of different estimators have different scales and are never mixed."""

    @property
    def name(self) -> str:
        """Stored with every value."""
        ...

    def resume(self, memory: bytes) -> SurpriseReader:
        """Go on where a reader of the same estimator stopped; b"" begins. Raises ValueError for another's memory."""
        ...
