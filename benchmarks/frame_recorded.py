"""Reads answers that were recorded to an earlier question, a verdict on each claim, as remarks of today."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from dissolution.claims import Claim, Evidence
from dissolution.conversation import Snapshot
from dissolution.reviewing import Fault, Remark, ReviewedClaim
from frame_agent.review.quote_proof import proved

FAULTS = {
    "hedged": Fault.GUESS,
    "proposed": Fault.PROPOSAL,
    "one_off": Fault.ONE_ANSWER_ONLY,
    "rejected": Fault.REFUSED,
    "injected": Fault.NOT_AGREED,
    "demotion": Fault.FALSE,
    "attribution": Fault.WRONG_SPEAKER,
    "fabrication": Fault.FALSE,
}
"""What each verdict but "sound" says in the words of a review."""


def remarks_of_verdicts(reply: str, claims: Sequence[Claim | None], snapshot: Snapshot) -> Mapping[str, Remark]:
    """The remarks that a recorded answer comes to, by claim; a fault that no words prove is none.

    What is said nowhere needed no words then: the claim's own stand for them.

    Args:
        reply: One JSON object with a list of verdicts, each about a claim by its number from 1.
        claims: The claims that were shown, in their order; None for one that is not there any more.
        snapshot: The conversation.
    """
    found: dict[str, Remark] = {}
    entries = cast("list[dict[str, str | int]]", json.loads(reply)["verdicts"])
    for entry in entries:
        number = int(entry["claim"])
        claim = claims[number - 1] if 1 <= number <= len(claims) else None
        fault = FAULTS.get(str(entry["verdict"]))
        if claim is None or fault is None:
            continue
        evidence = _words(snapshot, claim, fault, entry)
        if evidence is not None:
            about = ReviewedClaim(claim=claim.id, section=claim.section, text=claim.text)
            found[claim.id] = Remark(fault=fault, about=(about,), evidence=evidence)
    return found


def _words(snapshot: Snapshot, claim: Claim, fault: Fault, entry: Mapping[str, str | int]) -> Evidence | None:
    if entry["verdict"] != "fabrication":
        return proved(snapshot, {claim.section}, fault, int(entry["turn"]), str(entry["quote"]))
    first = snapshot.turn(1).content
    return claim.evidence[0] if claim.evidence else Evidence(turn=1, start=0, end=len(first), text=first)
