"""Recognisers: whoever finds, in a text, what must not be stored besides the secrets that always are replaced."""

from collections.abc import Iterable
from typing import Annotated, Protocol

from pydantic import Field

from dissolution.values import Span


class PersonalDataSpan(Span):
    """A stretch of text that is to be replaced, and what it is."""

    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,39}$")]


class Recogniser(Protocol):
    """Finds such stretches. It sees text before it is stored: it keeps nothing and logs nothing."""

    @property
    def mark(self) -> str:
        """The first word of its placeholders: `personal` or `custom`."""
        ...

    def find(self, text: str) -> Iterable[PersonalDataSpan]:
        """The stretches, in any order; they may overlap."""
        ...
