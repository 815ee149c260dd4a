"""What every type of the kernel is built from: the frozen base, spans, and the type of absence."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

STORED: Final[Mapping[str, bool]] = {"stored": True}
"""Context of validation of what is read from where it was stored: fields that it lacks mean what they meant then."""


class Frozen(BaseModel):
    """A value: immutable, closed to unknown fields, and without NaN or infinity.

    What checks a type's values is built when the first of them is made: a command makes few of all types, and building
    all takes a quarter of a second. Programs that fork build them first (`build_types`).
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, ser_json_inf_nan="strings", defer_build=True
    )


def build_types() -> None:
    """Build what checks the values of every type that is imported by now."""
    waiting: list[type[Frozen]] = [Frozen]
    while waiting:
        kind = waiting.pop()
        kind.model_rebuild()
        waiting += kind.__subclasses__()


_NAMES: dict[frozenset[str], set[str]] = {}


class Numerous(Frozen):
    """A value of which there are hundreds of thousands: those that were given the same fields share their names.

    Each value holds the set of the fields it was given, 0.2 to 0.7 kB, which nothing changes: a copy has its own.
    """

    @model_validator(mode="after")
    def _shares_its_names(self) -> Self:
        given = self.model_fields_set
        object.__setattr__(self, "__pydantic_fields_set__", _NAMES.setdefault(frozenset(given), given))
        return self


class Enduring(Frozen):
    """A value that is stored, and read again by later versions: fields that it no longer has are ignored by name."""

    retired: ClassVar[frozenset[str]] = frozenset()
    """Fields of earlier versions. Any other unknown field is refused, as in every value."""

    @model_validator(mode="before")
    @classmethod
    def _without_retired(cls, given: object) -> object:
        if not isinstance(given, dict) or not cls.retired:
            return cast("object", given)
        fields = cast("dict[str, object]", given)
        return {name: value for name, value in fields.items() if name not in cls.retired}


class NotMeasured(Frozen):
    """A figure that does not exist, with the reason; never 0, NaN, -1 or an empty string (rule 12)."""

    not_measured: Annotated[str, Field(min_length=1)]

    def __str__(self) -> str:
        """The words shown to a person in place of the figure."""
        return f"not measured: {self.not_measured}"


Measured = float | NotMeasured
"""A finite real number, or the reason why there is none."""

Counted = int | NotMeasured
"""A whole number, or the reason why there is none."""


class Span(Frozen):
    """A half-open range [start, end) of code points in one text; 0 <= start < end."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _is_not_empty(self) -> "Span":
        if self.start >= self.end:
            message = f"span [{self.start}, {self.end}) is empty or reversed; start must be below end"
            raise ValueError(message)
        return self
