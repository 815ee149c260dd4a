"""Precision: whether the snapshot bears out what a candidate claims, by words and values alone.

Recall is what questions measure; a candidate that answers them all may still have made things up. Each value of a
claim is looked up where the history speaks of the claim's subject: a value that is said nowhere near it, or that a
later turn replaced, and a denial of what the history affirms, contradict. Benchmarked by benchmarks/probe_damage.py.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from dissolution.conversation import Snapshot, TurnNumber
from dissolution.probing import ItemKind
from dissolution.values import Frozen, Measured, NotMeasured
from probe.evidence import Evidence, Said, evidence_of, stems_of
from probe.items import Item, items, restores, same_slot
from probe.salience import head
from probe.statements import CHANGES, OPEN
from wording.negation import is_negated, negation_cues

SAMPLE = 60
"""Claims checked at most."""

NEAR_VALUE = 0.45
"""Share of what the history has to say about a claim's subject that must stand around one of its values. Below it the
value is said about something else."""

KNOWN_SUBJECT = 0.3
"""Share of a claim's words, weighed by rarity, that must stand around one sentence of the history; a claim of which
less is found is absent."""

SAME_SUBJECT = 0.4
"""Share that a sentence must hold itself to affirm or deny the same."""

AS_NEAR = 0.8
"""A later sentence replaces a value when it holds this much of the subject words around the value's own sentence."""

LEAST_SHARED = 2
"""Subject words that a sentence which replaces a value must share with the one that gave it."""

EXACT = frozenset({ItemKind.NUMBER, ItemKind.DATE})
LOOKED_UP = EXACT | {ItemKind.NAME}

DOUBTS = ((0.15, 1.70), (0.30, 0.91), (0.45, 0.43))
UNDOUBTED = -0.09
DENIED = 0.77
"""What a claim adds to the evidence that a fifth of all claims is corrupted, against that none is: the log of the ratio
of the chances, by the nearness of the value that stands farthest off (below 0.15, 0.30, 0.45, or no farther), and for
one that is denied or replaced. Measured on true and corrupted claims of the development half (docs/probe.md)."""

MOST_DOUBT = -math.log(2)
"""The sum of these up to which a candidate passes: odds of two to one that it is not corrupted."""

NEAREST = 2
"""Sentences that are asked whether they deny."""

# Words that deny without a negation.
RULED_OUT = re.compile(
    r"\b(?:forbid\w*|forbade|prohibit\w*|bann?(?:ed|s)?|rul(?:e|ed|es|ing) out|reject\w*|exclud\w*|out of scope|dead"
    r"|dropp?ed|withdrawn?|set aside|instead|only|unless|stop(?:s|ped)?|open)\b",
    re.IGNORECASE,
)
# Claims that nobody has settled something: the history shows that by saying nothing, not by denying.
UNSETTLED = re.compile(
    r"\b(?:un(?:verified|confirmed|settled|answered|measured|tested)|open|whether|who|nobody|no one"
    r"|not (?:been |yet )?(?:answered|established|measured|tested))\b",
    re.IGNORECASE,
)


class Borne(StrEnum):
    """What the snapshot says of a claim."""

    SUPPORTED = "supported"  # its words and all its values stand together
    CONTRADICTED = "contradicted"  # another value stands there, a later one replaced it, or it is denied
    ABSENT = "absent"  # nothing near it is said


class CheckedClaim(Frozen):
    """One claim with what the snapshot says of it, and the turn that comes nearest."""

    text: Annotated[str, Field(min_length=1)]
    borne: Borne
    turn: TurnNumber | None
    reason: Annotated[str, Field(min_length=1)]
    doubt: float = 0.0  # what it adds to the evidence that the candidate is corrupted (DOUBTS)


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


def check_precision(snapshot: Snapshot, claims: Sequence[str], *, sample: int = SAMPLE) -> Precision:
    """At most `sample` (1 or more) of a candidate's statements checked against the snapshot.

    The sample is drawn by digest, so that it is the same for everyone and nobody can choose it.
    """
    drawn = sorted({claim for claim in claims if claim.strip()}, key=_lot)[:sample]
    checked = tuple(check_claim(snapshot, claim) for claim in drawn)
    counts = Counter(one.borne for one in checked)
    return Precision(
        checked=checked,
        supported=_share(counts[Borne.SUPPORTED], len(checked)),
        contradicted=_share(counts[Borne.CONTRADICTED], len(checked)),
        absent=_share(counts[Borne.ABSENT], len(checked)),
    )


def is_corrupted(precision: Precision) -> bool:
    """Whether the claims checked give too little evidence against a fifth of them being corrupted.

    A single sum decides, so that many slightly doubtful claims count like a few that are plainly wrong. Where no claim
    is doubted nothing is held against a candidate, however short it is.
    """
    doubts = [one.doubt for one in precision.checked]
    return any(doubt > 0 for doubt in doubts) and sum(doubts) > MOST_DOUBT


def check_claim(snapshot: Snapshot, claim: str) -> CheckedClaim:
    """One claim (not blank) against the snapshot."""
    return _check(evidence_of(snapshot), claim)


@lru_cache(maxsize=4096)  # candidates of one history share most of their claims
def _check(evidence: Evidence, claim: str) -> CheckedClaim:
    near = _nearest(evidence, claim)
    if near is None or near.share < KNOWN_SUBJECT:
        return CheckedClaim(text=claim, borne=Borne.ABSENT, turn=None, reason="nothing near it is said")
    turn = evidence.sentences[near.place].turn
    found = [_Value(item, *_place(evidence, claim, item)) for item in items(claim) if _is_looked_up(item)]
    farthest = min(found, key=lambda value: value.nearness, default=None)
    if farthest is not None and farthest.nearness < NEAR_VALUE:
        reason, doubt = _misplaced(evidence, farthest), next(w for below, w in DOUBTS if farthest.nearness < below)
        return CheckedClaim(text=claim, borne=Borne.CONTRADICTED, turn=turn, reason=reason, doubt=doubt)
    problem = next((reason for value in found if (reason := _replaced(evidence, claim, value.item))), None)
    if problem is None and _is_denied(evidence, claim):
        problem = f"turn {turn} says the opposite"
    if problem is not None:
        return CheckedClaim(text=claim, borne=Borne.CONTRADICTED, turn=turn, reason=problem, doubt=DENIED)
    reason = f"turn {turn} says it"
    return CheckedClaim(text=claim, borne=Borne.SUPPORTED, turn=turn, reason=reason, doubt=UNDOUBTED)


def _is_looked_up(item: Item) -> bool:
    """Whether a value has to be said; a name may be one only because it opens the claim: "Dialogue is out of scope"."""
    opens = item.kind is ItemKind.NAME and item.start <= 1 and item.text.isalpha() and item.text[1:].islower()
    return item.kind in LOOKED_UP and not opens


def _nearest(evidence: Evidence, claim: str) -> _Near | None:
    """Of equally near sentences the last: what was said last is what holds."""
    wanted = stems_of(claim)
    whole = sum(evidence.weight(stem) or _unknown(evidence) for stem in set(wanted))
    known = evidence.known(wanted)
    if not known or not whole:
        return None
    shares = evidence.around(known) / whole
    place = len(shares) - 1 - int(np.argmax(shares[::-1]))
    return _Near(place, float(shares[place]))


def _unknown(evidence: Evidence) -> float:
    """What a word counts that the history never says: as much as one said once."""
    return float(np.log1p(max(len(evidence.sentences) - 0.5, 0.5) / 1.5))


def _place(evidence: Evidence, claim: str, item: Item) -> tuple[float, int]:
    """How near a value stands to the claim's subject (0..1 of the nearest place), and which place is nearest."""
    places = evidence.holding(item)
    if not places:
        return 0.0, -1
    subject = evidence.known(set(stems_of(claim)) - set(stems_of(item.text)))
    about = evidence.around(subject)
    best = float(about.max())
    if len(subject) < LEAST_SHARED or best <= 0:
        return 1.0, places[-1]
    return float(about[list(places)].max()) / best, int(about.argmax())


def _misplaced(evidence: Evidence, value: _Value) -> str:
    if value.nearest < 0:
        return f"the history never says {value.item.text!r}"
    return f"turn {evidence.sentences[value.nearest].turn} says something else in place of {value.item.text!r}"


def _replaced(evidence: Evidence, claim: str, item: Item) -> str | None:
    """Why a value does not hold any more; None while it does, as far as wording tells."""
    if item.kind is ItemKind.NAME or not evidence.holding(item):
        return None
    subject = evidence.known(set(stems_of(claim)) - set(stems_of(item.text)))
    about, places = evidence.inside(subject), evidence.holding(item)
    last = max(places, key=lambda place: (about[place], place))
    if not about[last]:
        return None
    said = evidence.sentences[last]
    for place in range(last + 1, len(evidence.sentences)):
        one = evidence.sentences[place]
        if one.quoted or about[place] < AS_NEAR * about[last] or one.turn == said.turn:
            continue
        if restores(item.kind, item.text, one.text):
            return None  # said again: it holds, or is contested
        if len(one.stems & said.stems & set(subject)) >= LEAST_SHARED and _rivals(one, said, item):
            return f"turn {one.turn} replaces {item.text!r}"
    return None


def _rivals(one: Said, said: Said, item: Item) -> bool:
    """Whether a sentence gives another value for what the item counts or dates."""
    if item.kind is ItemKind.DATE:
        return CHANGES.search(one.text) is not None and any(same_slot(item, other) for other in one.items)
    own = next((other for other in said.items if restores(other.kind, item.text, other.text)), None)
    thing = head(said.text, own) if own is not None else None
    return any(
        same_slot(item, other) and (head(one.text, other) == thing if thing else CHANGES.search(one.text) is not None)
        for other in one.items
    )


def _is_denied(evidence: Evidence, claim: str) -> bool:
    """Whether a claim denies what the history affirms of the same; that a thing is open denies nothing."""
    if not is_negated(claim) or UNSETTLED.search(claim) is not None or OPEN.search(claim) is not None:
        return False
    known = evidence.known(stems_of(claim))
    whole = sum(evidence.weight(stem) for stem in known)
    held = evidence.inside(known)
    nearest = [int(place) for place in np.argsort(-held)[:NEAREST]]
    same = [place for place in nearest if held[place] >= SAME_SUBJECT * whole]
    return bool(same) and not any(_denies(evidence.sentences[place].text) for place in same)


def _denies(text: str) -> bool:
    """Whether anything in a text denies, forbids or rules out."""
    return bool(negation_cues(text)) or RULED_OUT.search(text) is not None


def _lot(claim: str) -> str:
    return hashlib.sha256(claim.encode()).hexdigest()


def _share(count: int, whole: int) -> Measured:
    return count / whole if whole else NotMeasured(not_measured="no claim was checked")
