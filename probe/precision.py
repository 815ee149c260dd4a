"""Precision: whether the snapshot bears out what a candidate claims, by words and values alone.

Recall is what questions measure; a candidate that answers them all may still have made things up. Every claim is
compared with the sentence of the snapshot that shares most with it.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.conversation import Snapshot, TurnNumber
from dissolution.probing import ItemKind
from dissolution.values import Frozen, Measured, NotMeasured
from probe.items import items, restores
from probe.reading import ArmText, sentences_of
from wording.negation import is_negated
from wording.words import content_words

SAMPLE = 30
"""Claims checked at most."""

SUPPORTED_COVER = 0.6
"""Share of a claim's content words that the turn of its nearest sentence must hold."""

NEAR_COVER = 0.4
"""Share that the nearest sentence must hold for a different value in it to be a contradiction."""

EXACT = frozenset({ItemKind.NUMBER, ItemKind.DATE})


class Borne(StrEnum):
    """What the snapshot says of a claim."""

    SUPPORTED = "supported"  # its words and all its values stand in one turn
    CONTRADICTED = "contradicted"  # the nearest sentence gives another value, or denies it
    ABSENT = "absent"  # nothing near it is said


class CheckedClaim(Frozen):
    """One claim with what the snapshot says of it, and the turn that comes nearest."""

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


def check_precision(snapshot: Snapshot, claims: Sequence[str], *, sample: int = SAMPLE) -> Precision:
    """At most `sample` (1 or more) of a candidate's statements checked against the snapshot.

    The sample is drawn by digest, so that it is the same for everyone and nobody can choose it.
    """
    drawn = sorted({claim for claim in claims if claim.strip()}, key=_lot)[:sample]
    sentences = [
        (turn.number, sentence, content_words(sentence))
        for turn in snapshot.turns
        for sentence in sentences_of(ArmText(passages=(turn.content,)))
    ]
    checked = tuple(_check(claim, snapshot, sentences) for claim in drawn)
    counts = Counter(one.borne for one in checked)
    return Precision(
        checked=checked,
        supported=_share(counts[Borne.SUPPORTED], len(checked)),
        contradicted=_share(counts[Borne.CONTRADICTED], len(checked)),
        absent=_share(counts[Borne.ABSENT], len(checked)),
    )


def _check(claim: str, snapshot: Snapshot, sentences: Sequence[tuple[int, str, frozenset[str]]]) -> CheckedClaim:
    wanted = content_words(claim)
    if not wanted or not sentences:
        return CheckedClaim(text=claim, borne=Borne.ABSENT, turn=None, reason="nothing near it is said")
    # Of equally near sentences the last: what was said last is what holds.
    near = max(range(len(sentences)), key=lambda place: (len(wanted & sentences[place][2]), place))
    turn, sentence, said = sentences[near]
    cover = len(wanted & said) / len(wanted)
    whole = snapshot.turn(turn).content
    missing = [item.text for item in items(claim) if item.kind in EXACT and not restores(item.kind, item.text, whole)]
    if cover >= NEAR_COVER and missing:
        reason = f"turn {turn} says something else in place of {missing[0]!r}"
        return CheckedClaim(text=claim, borne=Borne.CONTRADICTED, turn=turn, reason=reason)
    if cover >= SUPPORTED_COVER and is_negated(claim) != is_negated(sentence):
        return CheckedClaim(text=claim, borne=Borne.CONTRADICTED, turn=turn, reason=f"turn {turn} says the opposite")
    if not missing and len(wanted & content_words(whole)) >= SUPPORTED_COVER * len(wanted):
        return CheckedClaim(text=claim, borne=Borne.SUPPORTED, turn=turn, reason=f"turn {turn} says it")
    return CheckedClaim(text=claim, borne=Borne.ABSENT, turn=turn, reason="nothing near it is said")


def _lot(claim: str) -> str:
    return hashlib.sha256(claim.encode()).hexdigest()


def _share(count: int, whole: int) -> Measured:
    return count / whole if whole else NotMeasured(not_measured="no claim was checked")
