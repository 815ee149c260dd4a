"""Precision of a candidate of a job: each claim against the words that it rests on.

A claim says in its own words what turns say in theirs, and names those turns. So what its words alone cannot tell
(`probe.precision`) is looked up there: the values it gives have to stand in the conversation, its names too, and its
cited turns have to speak of the same things.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.policy.calibration import CALIBRATION
from dissolution.values import Measured, NotMeasured
from language.reading import read
from probe.items import EXACT_KINDS, items, restores
from probe.precision import Borne, CheckedClaim, Precision, check_precision

MOST_CHECKED = 60
"""Claims checked at most, whatever the share: the share of 60 is known to within 13 points (95 %)."""

CITED_COVER = CALIBRATION.probe.cited_cover


class _Spoken(NamedTuple):
    """What all turns say: their text, and the words of it."""

    everything: str
    words: frozenset[str]


def check_claims(snapshot: Snapshot, claims: Sequence[Claim], *, share: float = 1.0) -> Precision:
    """A sample of a candidate's claims checked against the snapshot: supported, contradicted or absent.

    Claims of all sections are drawn: what stands open may be made up too. The sample is drawn by digest, so that nobody
    can choose it. What is found is shown to people and decides nothing.

    Args:
        snapshot: What the claims are about.
        claims: The candidate's.
        share: Of them, 0 to 1; at least one and at most MOST_CHECKED are checked.
    """
    stated = sorted((one for one in claims if one.text.strip()), key=_lot)
    drawn = stated[: min(MOST_CHECKED, math.ceil(share * len(stated)))]
    texts = [claim.text for claim in drawn]
    by_words = {one.text: one for one in check_precision(snapshot, texts, sample=max(1, len(texts))).checked}
    everything = " \n".join(turn.content for turn in snapshot.turns)
    spoken = _Spoken(everything, frozenset(read(everything).tokens))
    checked = tuple(_check(snapshot, claim, by_words[claim.text], spoken) for claim in drawn)
    counts = Counter(one.borne for one in checked)
    return Precision(
        checked=checked,
        supported=_share(counts[Borne.SUPPORTED], len(checked)),
        contradicted=_share(counts[Borne.CONTRADICTED], len(checked)),
        absent=_share(counts[Borne.ABSENT], len(checked)),
    )


def _check(snapshot: Snapshot, claim: Claim, by_words: CheckedClaim, spoken: _Spoken) -> CheckedClaim:
    """What the snapshot says of a claim."""
    if by_words.borne is Borne.SUPPORTED or not claim.evidence:
        return by_words
    turns = sorted({piece.turn for piece in claim.evidence})
    cited = " \n".join(snapshot.turn(turn).content for turn in turns)
    missing = [
        one
        for one in items(claim.text)
        if one.kind in EXACT_KINDS
        and not (restores(one.kind, one.text, cited) or restores(one.kind, one.text, spoken.everything))
    ]
    if missing:
        reason = f"no turn gives {missing[0].text!r}"
        return CheckedClaim(text=claim.text, borne=Borne.CONTRADICTED, turn=turns[0], reason=reason)
    unknown = sorted({name.casefold() for name in read(claim.text).names} - spoken.words)
    wanted = read(claim.text).stems
    if unknown or len(wanted & read(cited).stems) < CITED_COVER * len(wanted):
        reason = f"no turn names {unknown[0]!r}" if unknown else f"turn {turns[0]} speaks of other things"
        return CheckedClaim(text=claim.text, borne=Borne.ABSENT, turn=turns[0], reason=reason)
    return CheckedClaim(text=claim.text, borne=Borne.SUPPORTED, turn=turns[0], reason=f"turn {turns[0]} bears it out")


def _lot(claim: Claim) -> str:
    return hashlib.sha256(claim.text.encode()).hexdigest()


def _share(count: int, whole: int) -> Measured:
    return count / whole if whole else NotMeasured(not_measured="no claim was checked")
