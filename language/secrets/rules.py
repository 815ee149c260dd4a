"""What a rule of `language.secrets` is."""

import re
from collections.abc import Callable
from typing import NamedTuple

Proof = Callable[[str], bool]

MARK = r"""\\?["'`]"""
"""A quotation mark, perhaps escaped inside a JSON string."""


class Rule(NamedTuple):
    """One kind of secret."""

    kind: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    proof: Proof | None = None


def rule(kind: str, pattern: str, *hints: str, proof: Proof | None = None) -> Rule:
    """A rule; `hints` are literals of which one stands in every lower-cased text that the pattern matches."""
    return Rule(kind, re.compile(pattern), hints, proof)
