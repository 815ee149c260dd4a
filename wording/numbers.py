"""Quantities."""

import re
from decimal import Decimal

from dissolution.values import Frozen, Span
from wording.dates import dates
from wording.identifiers import identifiers
from wording.masks import code_spans, touches


class Quantity(Frozen):
    """A number as said: `value` in the base unit, `unit` the base unit, `amount` the number before conversion."""

    value: Decimal
    unit: str | None
    amount: Decimal
    span: Span
    text: str


NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?")


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity in `text`, in order."""
    hidden = sorted(
        [*code_spans(text), *(i.span for i in identifiers(text)), *(d.span for d in dates(text))], key=lambda s: s.start
    )
    return tuple(
        Quantity(
            value=Decimal(m[0].replace(",", "")),
            unit=None,
            amount=Decimal(m[0].replace(",", "")),
            span=Span(start=m.start(), end=m.end()),
            text=m[0],
        )
        for m in NUMBER.finditer(text)
        if not any(h.start < m.end() and m.start() < h.end for h in hidden)
    )


def same_quantity(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities are the same amount."""
    return a.value == b.value and a.unit == b.unit


_ = touches
