"""What one member says of claims, held to the turns: a fault counts with words that stand in the turn it names."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claim_audit import AssessedClaim, Assessment
from dissolution.claims import Claim, Evidence, Section
from dissolution.conversation import Snapshot
from frame_agent.extraction import is_quoted
from frame_agent.pasted import BINDING
from frame_agent.terms import terms_of
from prompts.claim_auditing import GivenAssessment
from wording.sentences import sentence_spans

NO_PROOF = frozenset({Assessment.SOUND, Assessment.FABRICATION})
"""Assessments that no words of a turn can show."""

MARKS = " \"'\u201c\u201d\u2018\u2019"
"""What a member may put around the words it copies."""

LEAST_QUOTE = 4
"""Characters of a quote at least: fewer stand in any turn, and prove nothing."""


class Judged(NamedTuple):
    """What came of one member's answer.

    Attributes:
        assessed: Those that count.
        unproved: Faults without words that prove them.
        unread: Claims without an entry in form.
    """

    assessed: tuple[AssessedClaim, ...]
    unproved: int
    unread: int


def assessed_of(snapshot: Snapshot, claims: Sequence[Claim], given: Sequence[GivenAssessment | None]) -> Judged:
    """The assessments of one answer that count.

    Args:
        snapshot: The conversation.
        claims: What the member was shown.
        given: What it says of each, in their order; None for one it left out.
    """
    found: list[AssessedClaim] = []
    unproved = 0
    for claim, one in zip(claims, given, strict=True):
        if one is None:
            continue
        evidence = None
        if one.assessment not in NO_PROOF:
            evidence = proved(snapshot, claim.section, one.assessment, one.turn, one.quote)
            if evidence is None or not _is_about(snapshot, claim, evidence):
                unproved += 1
                continue
        found.append(
            AssessedClaim(
                claim=claim.id, section=claim.section, text=claim.text, assessment=one.assessment, evidence=evidence
            )
        )
    return Judged(tuple(found), unproved, sum(one is None for one in given))


def _is_about(snapshot: Snapshot, claim: Claim, evidence: Evidence) -> bool:
    """Whether words have to do with a claim at all: their sentence, or the one before it, shares a term with it."""
    content = snapshot.turn(evidence.turn).content
    spans = sentence_spans(content)
    first = next((place for place, span in enumerate(spans) if evidence.start < span.end), 0)
    last = next((place for place, span in enumerate(spans) if evidence.end <= span.end), len(spans) - 1)
    around = content[spans[max(0, first - 1)].start : spans[last].end] if spans else evidence.text
    return not terms_of(claim.text).isdisjoint(terms_of(around))


def proved(snapshot: Snapshot, section: Section, assessment: Assessment, turn: int, quote: str) -> Evidence | None:
    """Where the words stand that prove a fault; None when they do not stand in that turn, or can prove nothing there.

    An order of quoted material must stand in quoted material. It turns nothing down, and unsettles nothing that binds.

    Args:
        snapshot: The conversation.
        section: Where the claim stands.
        assessment: A fault that words can show.
        turn: The turn that the member names.
        quote: The words it gives; runs of white space are alike.
    """
    words = quote.strip(MARKS).split()
    if not 1 <= turn <= snapshot.through or sum(map(len, words)) < LEAST_QUOTE:
        return None
    place = snapshot.turn(turn)
    for match in re.finditer(r"\s+".join(re.escape(word) for word in words), place.content):
        quoted = is_quoted(place, match.start(), match.end())
        informs = quoted and section not in BINDING and assessment is not Assessment.REJECTED
        if quoted is (assessment is Assessment.INJECTED) or informs:
            return Evidence(turn=turn, start=match.start(), end=match.end(), text=match[0])
    return None
