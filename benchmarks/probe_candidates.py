"""Boundaries to probe: planted truths, and the same damaged in seeded draws."""

import json
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

from dissolution.conversation import Snapshot
from probe.evidence import evidence_of
from probe.items import Item, items, same_slot

HALVES = {
    "development": ("co-context-decay", "op-flask-sessions", "st-aws-pipeline"),
    "held out": ("co-ecology-model", "op-postgres-migration", "st-market-entry"),
}
"""Chosen before anything was measured: one conversation of each domain in each half. Rules and thresholds of the probe
were chosen on the development half alone."""

AUXILIARY = re.compile(r"\b(?:is|are|was|were|will|can|must|may|has|have|had|does|do|did|should|would)\b(?! not\b)")
DENIAL = re.compile(r"\b(?:not|never|no longer) ")
LONGEST = 600
"""Characters of a sentence that lends its values for corruption."""


class Truth(NamedTuple):
    """What is true at one turn of a planted conversation."""

    snapshot: Snapshot
    claims: tuple[str, ...]  # those that stand, one sentence each
    superseded: tuple[tuple[re.Pattern[str], str], ...]  # how a claim with the right value reads; the wrong one instead
    spare: tuple[Item, ...]  # values of the conversation


def truth_of(path: Path, snapshot: Snapshot) -> Truth:
    """The claims of a planted conversation that are established and not closed at the snapshot's last turn."""
    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["truth"]
    through = snapshot.through
    standing = [
        str(claim["text"])
        for claim in truth["claims"]
        if claim["established_turn"] <= through and (claim["closed_turn"] is None or claim["closed_turn"] > through)
    ]
    wrong = tuple(
        (re.compile(pattern, re.IGNORECASE), str(one["wrong"]))
        for one in truth["superseded"]
        if one["corrected_turn"] <= through
        for pattern in one["right_must_match"][:1]
    )
    sentences = (one for one in evidence_of(snapshot).sentences if len(one.text) <= LONGEST)
    return Truth(snapshot, tuple(standing), wrong, tuple(item for one in sentences for item in one.items))


def damaged(truth: Truth, severity: float, rng: random.Random, how: str = "both") -> tuple[str, ...]:
    """The claims with a share of them removed or corrupted: as often the one as the other, or all one way."""
    hit = rng.sample(range(len(truth.claims)), round(severity * len(truth.claims)))
    removed = set({"both": hit[::2], "removed": hit, "corrupted": []}[how])
    corrupted = {place: corrupt(truth, truth.claims[place], rng) for place in hit if place not in removed}
    return tuple(corrupted.get(place, claim) for place, claim in enumerate(truth.claims) if place not in removed)


def corrupt(truth: Truth, claim: str, rng: random.Random) -> str:
    """A claim made false in one of four ways, drawn among those its wording allows."""
    ways = [
        made
        for made in (
            _exchanged(truth, claim, rng, letters=False),
            _exchanged(truth, claim, rng, letters=True),
            _denied(claim),
            _taken_back(truth, claim),
        )
        if made is not None
    ]
    return rng.choice(ways) if ways else f"It is not the case that {claim[:1].lower()}{claim[1:]}"


def _exchanged(truth: Truth, claim: str, rng: random.Random, *, letters: bool) -> str | None:
    """One value exchanged for another of the conversation: a number, date or identifier, or a name (attribution)."""
    found = [item for item in items(claim) if item.text.isalpha() is letters]
    rng.shuffle(found)
    for item in found:
        rivals = [
            one.text
            for one in truth.spare
            if same_slot(item, one) and one.text.isalpha() is letters and one.text.casefold() not in claim.casefold()
        ]
        if rivals:
            return f"{claim[: item.start]}{rng.choice(rivals)}{claim[item.end :]}"
    return None


def _denied(claim: str) -> str | None:
    denial = DENIAL.search(claim)
    if denial is not None:
        return claim[: denial.start()] + claim[denial.end() :]
    verb = AUXILIARY.search(claim)
    return None if verb is None else f"{claim[: verb.end()]} not{claim[verb.end() :]}"


def _taken_back(truth: Truth, claim: str) -> str | None:
    """The value that held before, where the claim is about one that was replaced."""
    return next((wrong for right, wrong in truth.superseded if right.search(claim)), None)
