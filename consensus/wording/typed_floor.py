"""The typed floor: may two statements mean the same, as far as typed values tell? Nothing else keeps them apart.

What embeddings do not see: another number, date, identifier or name, a denial on one side, the same words the other way
round. A value on one side only is no difference: a claim with a number and one without may mean the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from consensus.wording.profile import Profile
from consensus.wording.typed_values import Figure

ROUNDED_DIGITS = 2  # a number said with at least this many digits may stand for a longer one that rounds to it
SHORTEST_FORM = 4  # letters that two forms of one name share at the start


class Slot(StrEnum):
    """What two statements differ in."""

    NUMBER = "number"
    DATE = "date"
    IDENTIFIER = "identifier"
    NAME = "name"
    DENIAL = "denial"
    ORDER = "order"


SLOTS = frozenset(Slot)
FIGURES = (Slot.NUMBER, Slot.DATE, Slot.IDENTIFIER)


@dataclass(frozen=True, slots=True)
class Veto:
    """Why two statements may not share a group.

    Attributes:
        slot: What they differ in.
        detail: The difference in words, for a person.
        opposed: Whether both give a value of one measure, so that not both can hold of one thing.
    """

    slot: Slot
    detail: str
    opposed: bool = True


def vetoes(a: Profile, b: Profile, slots: Iterable[Slot] = SLOTS) -> tuple[Veto, ...]:
    """Every reason why `a` and `b` may not share a group; none when they may. Symmetric but for the order of details.

    Args:
        a: One statement.
        b: Another.
        slots: What is looked at; less than all is for measuring what each is worth.
    """
    if a.text == b.text:
        return ()
    asked = frozenset(slots)
    found = [*_figures(a, b), *_names(a, b), *_denials(a, b), *_order(a, b)]
    return tuple(veto for veto in found if veto.slot in asked)


def vetoed(a: Profile, b: Profile, slots: Iterable[Slot] = SLOTS) -> bool:
    """Whether there is any reason in `vetoes`."""
    return bool(vetoes(a, b, slots))


def _figures(a: Profile, b: Profile) -> Iterable[Veto]:
    """Both have a figure of one kind that the other lacks."""
    left, right = _unrounded(a.lacking(b), b), _unrounded(b.lacking(a), a)
    for slot in FIGURES:
        mine, theirs = ([mark for mark in marks if mark.kind == slot] for marks in (left, right))
        if mine and theirs:
            one_measure = not {mark.group for mark in mine}.isdisjoint(mark.group for mark in theirs)
            yield Veto(slot, f"{_listed(mine)} against {_listed(theirs)}", opposed=one_measure)


def _unrounded(marks: Sequence[Figure], other: Profile) -> list[Figure]:
    """Those marks that no number of `other` rounds to or comes from by rounding: 45.2 may be said as 45."""
    return [mark for mark in marks if not any(_rounds(mark, theirs) for theirs in other.marks)]


def _rounds(one: Figure, two: Figure) -> bool:
    if one.kind != "number" or one.kind != two.kind or one.group != two.group:
        return False
    shorter, longer = sorted((one.key.split(" ")[0], two.key.split(" ")[0]), key=len)
    if "." not in longer or len(shorter.replace(".", "").strip("0")) < ROUNDED_DIGITS:
        return False
    return round(Decimal(longer), len(shorter.partition(".")[2])) == Decimal(shorter)


def _listed(marks: Sequence[Figure]) -> str:
    return ", ".join(sorted(mark.key.removeprefix("id:") for mark in marks))


def _names(a: Profile, b: Profile) -> Iterable[Veto]:
    """Each has a name that the other has not, in no form."""
    mine, theirs = _unknown(a, b), _unknown(b, a)
    if mine and theirs:
        yield Veto(Slot.NAME, f"{', '.join(mine)} against {', '.join(theirs)}")


def _unknown(a: Profile, b: Profile) -> list[str]:
    """Names of `a` no part of which begins a word of `b`."""
    text = b.text.casefold()
    return sorted(
        name for name in a.names if not any(part[:SHORTEST_FORM] in text for part in name.split() if len(part) > 1)
    )


def _denials(a: Profile, b: Profile) -> Iterable[Veto]:
    """They do not deny equally often."""
    if a.denials != b.denials:
        fuller = a if a.denials > b.denials else b
        yield Veto(Slot.DENIAL, f"only {fuller.text!r} denies")


def _order(a: Profile, b: Profile) -> Iterable[Veto]:
    """The same words in another order: "A pays B" and "B pays A", "x before y" and "y before x"."""
    if a.order != b.order and frozenset(a.order) == frozenset(b.order):
        yield Veto(Slot.ORDER, f"{' '.join(a.order)} against {' '.join(b.order)}")
