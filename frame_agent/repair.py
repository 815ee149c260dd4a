"""Repairs by rule: status wording restored, a guess moved to EDGES, an order of quoted material set aside.

What the ledger holds already is never moved, closed or reworded here: only a turn or a person may (rule 5). Nothing is
thrown away either: what leaves the candidate stands in its dissent, with its evidence.
"""

import re

from dissolution.claims import (
    Claim,
    Dissent,
    DissentReason,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.conversation import Role
from dissolution.findings import Consensus
from dissolution.framing import RULES, Action, Finding, FindingKind, FramePolicy
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind
from dissolution.premises import Premise, PremiseStatus
from frame_agent.losses import Demoted, is_question
from frame_agent.promotions import Promoted
from frame_agent.record import Record
from frame_agent.swayed import unmoved

AUDITOR = "frame-audit"
"""Who states what the audit puts back: no member of the fleet did."""

NEW = frozenset({ChangeKind.ADDED, ChangeKind.PROMOTED, ChangeKind.CONTESTED})
LABELS = {
    PremiseStatus.HEDGED: "Assumed, not confirmed: {text}",
    PremiseStatus.IMPLICIT: "Taken for granted, not confirmed: {text}",
    PremiseStatus.PROPOSED: "Proposed, not decided: {text}",
    PremiseStatus.ONE_OFF: "Asked for one answer only, not standing: {text}",
}
ASIDE = {
    PremiseStatus.INJECTED: (DissentReason.UNSUPPORTED, "it stands only in quoted material, which orders nobody"),
    PremiseStatus.REJECTED: (DissentReason.SUPERSEDED, "the conversation rules it out"),
}
ONE_READER = {
    PremiseStatus.REJECTED: "Turned down or replaced, as one reader says: {text}",
    PremiseStatus.INJECTED: "Taken from quoted material, as one reader says: {text}",
}
"""What one member alone takes for ruled out or planted is not set aside: it is held as open."""

QUESTION = "Open question: {text}"
NOT_FOUND = "Not found in the conversation: {text}"

Cause = Promoted | Demoted | Premise | None


class Repairs:
    """A candidate while findings about it are treated."""

    def __init__(self, record: Record, candidate: Consensus, policy: FramePolicy) -> None:
        self.findings: list[Finding] = []
        self._record = record
        self._before = candidate
        self._policy = policy
        self._claims: dict[str, Claim] = {claim.id: claim for claim in candidate.claims}
        self._dissent: list[Dissent] = list(candidate.dissent)
        self._changes: list[Change] = list(candidate.changes)
        kinds = {change.claim: change.kind for change in candidate.changes}
        self._held = {one for one in self._claims if candidate.prior_version and kinds.get(one) not in NEW}
        self._changed = False

    def amended(self) -> Consensus | None:
        """The candidate with its repairs; None when nothing was repaired."""
        if not self._changed:
            return None
        update = {
            "claims": tuple(self._claims.values()),
            "dissent": tuple(self._dissent),
            "changes": tuple(self._changes),
        }
        return self._before.model_copy(update=update)

    def treat(self, finding: Finding, cause: Cause) -> None:
        """Do what policy says, and keep the finding with what was done."""
        action = self._policy.action(finding.kind, finding.before)
        outcome = None
        if finding.disputed:
            action, outcome = Action.ANNOTATE, DISPUTED.format(members=", ".join(finding.disputed_by))
        if action is Action.REPAIR:
            kept = self._kept(finding, cause)
            outcome = kept or self._repaired(finding, cause)
            action = Action.ANNOTATE if kept or outcome is None else Action.REPAIR
        self.findings.append(finding.model_copy(update={"action": action, "outcome": outcome}))

    def _kept(self, finding: Finding, cause: Cause) -> str | None:
        """Why a claim stays as it is, whatever is found; None when it may be repaired.

        What members alone find is held against the claim as it was: one that the rules moved is moved by them alone.
        """
        before = next((one for one in self._before.claims if one.id == finding.claim), None)
        if before is not None and before.id in self._held:
            return HELD
        if before is None or RULES in finding.told_by:
            return None
        after = self._claims.get(before.id)
        moved = after is not None and after.section is not before.section
        return MOVED if moved else unmoved(self._record, before, finding, cause)

    def _repaired(self, finding: Finding, cause: Cause) -> str | None:
        claim = self._claims.get(finding.claim) if finding.claim else None
        if isinstance(cause, Premise):
            return self._put_back(cause)
        if claim is None:
            return None
        if isinstance(cause, Promoted):
            alone = RULES not in finding.told_by and len(finding.told_by) == 1
            return self._taken_down(claim, cause, told_by_one=alone)
        if isinstance(cause, Demoted):
            return self._restored(claim, cause)
        if finding.kind is FindingKind.FABRICATION:
            told = claim.text.startswith(NOT_FOUND.partition("{")[0])  # of another part of it, or by an audit before
            return self._to_edges(claim, claim.text if told else NOT_FOUND.format(text=claim.text), finding.words)
        return self._given_back(claim, finding) if finding.kind is FindingKind.ATTRIBUTION else None

    def _taken_down(self, claim: Claim, one: Promoted, *, told_by_one: bool) -> str | None:
        """Take the part that goes beyond the conversation out of its firm section; what is left of the claim stays.

        None when another repair had that part out before.
        """
        if one.part.text not in claim.text:
            return None
        rest = _without(claim.text, one.part.text)
        doubtful = ONE_READER.get(one.before) if told_by_one else None
        if one.before in ASIDE and doubtful is None:
            return self._aside(claim, one, rest)
        label = doubtful or (QUESTION if one.said.found.asks else LABELS[one.before])
        text = label.format(text=one.part.text)
        why = f"turn {one.said.found.turn} says it as {one.before.value}"
        if not rest:
            return self._to_edges(claim, text, why)
        self._put(claim.model_copy(update={"text": rest}))
        self._add(_edge(claim, claim_id(claim.id, "frame", one.part.text), text, why), why)
        return f"parted; in EDGES stands: {text}"

    def _aside(self, claim: Claim, one: Promoted, rest: str) -> str:
        reason, detail = ASIDE[one.before]
        name = claim.id if not rest else claim_id(claim.id, "frame", one.part.text)
        self._dissent.append(
            Dissent(
                id=name,
                section=claim.section,
                text=one.part.text,
                evidence=claim.evidence,
                support=claim.support,
                statements=claim.statements,
                reason=reason,
                detail=f"{detail} (turn {one.said.found.turn})",
            )
        )
        self._changed = True
        if rest:
            self._put(claim.model_copy(update={"text": rest}))
        else:
            del self._claims[claim.id]
            self._changes = [change for change in self._changes if change.claim != claim.id]
        return f"set aside as dissent: {detail}"

    def _restored(self, claim: Claim, one: Demoted) -> str:
        """Put the firm words of the conversation back in the place of the doubt."""
        found = one.said.found
        text = claim.text.replace(one.part.text, found.text.strip()) if one.part.text in claim.text else found.text
        section = Section.KNOWN if claim.section is Section.EDGES else claim.section
        evidence = (found.evidence, *(words for words in claim.evidence if words != found.evidence))
        self._put(claim.model_copy(update={"text": text, "section": section, "evidence": evidence}))
        return f"the words of turn {found.turn} put back in {section.value}"

    def _put_back(self, premise: Premise) -> str:
        """A premise that vanished, in its own words, among what is open."""
        asked = is_question(premise)
        label = QUESTION if asked else LABELS.get(premise.status, LABELS[PremiseStatus.IMPLICIT])
        text = label.format(text=premise.proposition)
        stated = StatedClaim(section=Section.EDGES, text=text, turns=(premise.turn,), quotes=(premise.evidence.text,))
        statement = Statement(member=AUDITOR, family=AUDITOR, ordinal=len(self._claims), claim=stated)
        edge = Claim(
            id=claim_id(self._record.snapshot.digest, "frame", premise.id),
            section=Section.EDGES,
            text=text,
            evidence=(premise.evidence,),
            support=Support.of((statement,)),
            valid=TurnInterval(start=premise.turn),
            statements=(statement,),
            reason="put back by the frame audit: things rest on it, and no member said it",
        )
        self._add(edge, edge.reason)
        return f"put back in EDGES: {text}"

    def _to_edges(self, claim: Claim, text: str, why: str) -> str:
        self._put(_edge(claim, claim.id, text, why))
        return f"moved to EDGES: {text}"

    def _given_back(self, claim: Claim, finding: Finding) -> str | None:
        """Name the speaker whose turn says it."""
        if not finding.evidence or finding.evidence[0].turn > self._record.snapshot.through:
            return None
        turn = self._record.snapshot.turn(finding.evidence[0].turn)
        right = turn.speaker if turn.role is Role.PARTICIPANT else f"the {turn.role.value}"
        match = re.search(r"gives to '(?P<who>[^']+)'", finding.words)
        if match is None or match["who"] not in claim.text:
            return None
        start = claim.text.index(match["who"])
        named = right[0].upper() + right[1:] if start == 0 else right
        text = claim.text[:start] + named + claim.text[start + len(match["who"]) :]
        self._put(claim.model_copy(update={"text": text}))
        return f"given back to {right}"

    def _put(self, claim: Claim) -> None:
        self._claims[claim.id] = claim
        self._changed = True

    def _add(self, claim: Claim, reason: str) -> None:
        if claim.id not in self._claims:
            self._changes.append(Change(kind=ChangeKind.ADDED, claim=claim.id, reason=reason))
        self._put(claim)


DISPUTED = "nothing is done: {members} read the claim otherwise"
MOVED = "not moved again: members alone say so, and the claim was moved for another reason"
HELD = "not moved: the ledger holds it, and only a turn or a person may change that"


def _edge(claim: Claim, name: str, text: str, why: str) -> Claim:
    update = {"id": name, "section": Section.EDGES, "text": text, "reason": f"moved by the frame audit: {why}"}
    return claim.model_copy(update=update)


def _without(text: str, part: str) -> str:
    """A claim's text less one of its sentences; empty when nothing else is left."""
    rest = text.replace(part, "", 1).strip(" ;,")
    return re.sub(r"\s*;\s*(?=[.;]|$)", "", rest).strip() if re.search(r"\w", rest) else ""
