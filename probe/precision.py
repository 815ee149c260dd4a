"""Precision: whether the snapshot has the values of what a candidate claims, by words and values alone.

Recall is what questions measure; a candidate that answers them all may still have made things up. Each value of a
claim is looked up where the history speaks of the claim's subject. What is found is shown and decides nothing.
Benchmarked by benchmarks/probe_damage.py.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from dissolution.conversation import Snapshot, TurnNumber
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import ItemKind
from dissolution.values import Enduring, Frozen, Measured, NotMeasured
from probe.evidence import HistoryIndex, evidence_of, stems_of
from probe.items import EXACT_KINDS, Item, items

SAMPLE = 60
"""Claims checked at most."""

NEAR_VALUE = CALIBRATION.probe.near_value

KNOWN_SUBJECT = CALIBRATION.probe.known_subject

LEAST_SHARED = 2
"""Words of its subject that a claim must have for its values to be told apart by where they stand."""

LOOKED_UP = EXACT_KINDS | {ItemKind.NAME}


class Borne(StrEnum):
    """What the snapshot says of a claim."""

    SUPPORTED = "supported"  # its words and all its values stand together
    CONTRADICTED = "contradicted"  # one of its values is said nowhere near its subject
    ABSENT = "absent"  # nothing near it is said


class CheckedClaim(Enduring):
    """One claim with what the snapshot says of it, and the turn that comes nearest."""

    retired = frozenset({"doubt"})

    text: Annotated[str, Field(min_length=1)]
    borne: Borne
    turn: TurnNumber | None
    reason: Annotated[str, Field(min_length=1)]


class Precision(Frozen):
    """The sample with its shares, 0..1 each; together 1."""

    checked: tuple[CheckedClaim, ...]
    supported: Measured
    contradicted: Measured
    absent: Measured


class _Value(NamedTuple):
    """A value of a claim with how near the history says it to the claim's subject."""

    item: Item
    nearness: float
    nearest: int  # the place that says most about the subject, -1 where the value is said nowhere


class _Near(NamedTuple):
    """Where the history speaks of a claim's subject."""

    place: int  # of the sentence
    share: float  # of the claim's words around it, 0..1


def check_precision(snapshot: Snapshot, statements: Sequence[str], *, sample: int = SAMPLE) -> Precision:
    """At most `sample` (1 or more) of a candidate's statements checked against the snapshot.

    The sample is drawn by digest, so that it is the same for everyone and nobody can choose it.
    """
    drawn = sorted({text for text in statements if text.strip()}, key=_lot)[:sample]
    checked = tuple(check_claim(snapshot, text) for text in drawn)
    counts = Counter(one.borne for one in checked)
    return Precision(
        checked=checked,
        supported=_share(counts[Borne.SUPPORTED], len(checked)),
        contradicted=_share(counts[Borne.CONTRADICTED], len(checked)),
        absent=_share(counts[Borne.ABSENT], len(checked)),
    )


def check_claim(snapshot: Snapshot, text: str) -> CheckedClaim:
    """The text of one claim (not blank) against the snapshot."""
    return _check(evidence_of(snapshot), text)


@lru_cache(maxsize=4096)  # candidates of one history share most of their claims
def _check(evidence: HistoryIndex, text: str) -> CheckedClaim:
    near = _nearest(evidence, text)
    if near is None or near.share < KNOWN_SUBJECT:
        return CheckedClaim(text=text, borne=Borne.ABSENT, turn=None, reason="nothing near it is said")
    turn = evidence.sentences[near.place].turn
    found = [_Value(item, *_place(evidence, text, item)) for item in items(text) if _is_looked_up(item)]
    farthest = min(found, key=lambda value: value.nearness, default=None)
    if farthest is not None and farthest.nearness < NEAR_VALUE:
        reason = _misplaced(evidence, farthest)
        return CheckedClaim(text=text, borne=Borne.CONTRADICTED, turn=turn, reason=reason)
    return CheckedClaim(text=text, borne=Borne.SUPPORTED, turn=turn, reason=f"turn {turn} says it")


def _is_looked_up(item: Item) -> bool:
    """Whether a value has to be said; a name may be one only because it opens the claim: "Dialogue is out of scope"."""
    opens = item.kind is ItemKind.NAME and item.start <= 1 and item.text.isalpha() and item.text[1:].islower()
    return item.kind in LOOKED_UP and not opens


def _nearest(evidence: HistoryIndex, text: str) -> _Near | None:
    """Of equally near sentences the last: what was said last is what holds."""
    wanted = stems_of(text)
    whole = sum(evidence.weight(stem) or _unknown(evidence) for stem in set(wanted))
    known = evidence.known(wanted)
    if not known or not whole:
        return None
    shares = evidence.around(known) / whole
    place = len(shares) - 1 - int(np.argmax(shares[::-1]))
    return _Near(place, float(shares[place]))


def _unknown(evidence: HistoryIndex) -> float:
    """What a word counts that the history never says: as much as one said once."""
    return float(np.log1p(max(len(evidence.sentences) - 0.5, 0.5) / 1.5))


def _place(evidence: HistoryIndex, text: str, item: Item) -> tuple[float, int]:
    """How near a value stands to the claim's subject (0..1 of the nearest place), and which place is nearest."""
    places = evidence.holding(item)
    if not places:
        return 0.0, -1
    subject = evidence.known(set(stems_of(text)) - set(stems_of(item.text)))
    about = evidence.around(subject)
    best = float(about.max())
    if len(subject) < LEAST_SHARED or best <= 0:
        return 1.0, places[-1]
    return float(about[list(places)].max()) / best, int(about.argmax())


def _misplaced(evidence: HistoryIndex, value: _Value) -> str:
    if value.nearest < 0:
        return f"the history never says {value.item.text!r}"
    return f"turn {evidence.sentences[value.nearest].turn} says something else in place of {value.item.text!r}"


def _lot(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _share(count: int, whole: int) -> Measured:
    return count / whole if whole else NotMeasured(not_measured="no claim was checked")
