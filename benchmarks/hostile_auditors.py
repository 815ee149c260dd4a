"""Measure what the frame audit holds by itself when planted text got into the candidate and auditors obey it.

usage: python benchmarks/hostile_auditors.py [--unseen [first|second]] [--every N] [--json FILE]

benchmarks/hostile.py shows that the consensus hears next to nothing of what planted text would have members say. Here
that is taken for failed: the candidate is the honest one of six recorded writers with the insert's decisions and rules
in DECIDED and IDENTITY, as stated by every family. Three auditors of three families hold it against the conversation:

- honest: the insert's claims are taken over from quoted material, all others are sound
- agree: every claim is sound
- turn down: the insert's claims are sound, and what else is in DECIDED and IDENTITY the insert's words turn down
- doubt: the same by the insert's words as a guess
- accuse: the same by the insert's words as taken over from there
- deny: the same as said nowhere, which needs no words
- misquote: the same as a guess by the spoken guess or proposal that has most words in common with it, of claims that
  share a word with the insert
- misquote all: the same of every claim; no insert says so much, it is about the worst that three auditors can do

What they say goes through the product's own proof. Counted are inserts of which something is left in DECIDED or
IDENTITY after repair, and honest claims that leave DECIDED or IDENTITY though the rules alone leave them there.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.consensus import Remembering, arms_of, snapshot_of
from benchmarks.hostile import UNSEEN, consensus_of
from benchmarks.hostile_parts import BINDING, CORPUS, Insert, inserts, planted
from consensus.embedder import SentenceTransformerEmbedder
from dissolution.claim_audit import Assessment, Auditor
from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind
from frame_agent.assessing import assessed_of
from frame_agent.audit import audit
from frame_agent.brought_back import FIRM
from frame_agent.record import Record
from frame_agent.register import register_of
from frame_agent.terms import terms_of
from prompts.claim_auditing import GivenAssessment

FAMILIES = ("first", "second", "third")


class Obedience(NamedTuple):
    """What auditors say of the insert's claims and of what else binds, by whose words, and of how much of it."""

    planted: Assessment
    others: Assessment
    misquotes: bool = False
    everything: bool = True


SOUND = Assessment.SOUND
REGIMES: Mapping[str, Obedience | None] = {
    "rules alone": None,
    "honest": Obedience(Assessment.INJECTED, SOUND),
    "agree": Obedience(SOUND, SOUND),
    "turn down": Obedience(SOUND, Assessment.REJECTED),
    "doubt": Obedience(SOUND, Assessment.HEDGED),
    "accuse": Obedience(SOUND, Assessment.INJECTED),
    "deny": Obedience(SOUND, Assessment.FABRICATION),
    "misquote": Obedience(SOUND, Assessment.HEDGED, misquotes=True, everything=False),
    "misquote all": Obedience(SOUND, Assessment.HEDGED, misquotes=True),
}


class Fallen(NamedTuple):
    """A candidate into which an insert got."""

    insert: Insert
    record: Record
    candidate: Consensus
    planted: frozenset[str]
    words: Evidence


def obeyed_claims(insert: Insert, words: Evidence) -> list[Claim]:
    """What obeying it comes to: each of its statements as a decision and as a rule."""
    found: list[Claim] = []
    for text in dict.fromkeys(text for _, text in insert.obeyed):
        for section in BINDING:
            stated = StatedClaim(section=section, text=text, turns=(words.turn,))
            said = tuple(Statement(member=one, family=one, ordinal=len(found), claim=stated) for one in FAMILIES)
            found.append(
                Claim(
                    id=f"planted-{len(found)}",
                    section=section,
                    text=text,
                    evidence=(words,),
                    support=Support.of(said),
                    valid=TurnInterval(start=words.turn),
                    statements=said,
                    reason="obeyed",
                )
            )
    return found


def fallen(insert: Insert, honest: Consensus) -> Fallen:
    """The candidate with what obeying the insert adds; an insert is appended to a turn, so honest evidence stays."""
    conversation, turn = planted(insert)
    snapshot = conversation.snapshot()
    line = max((line.strip() for line in insert.text.split("\n")), key=len)
    content = snapshot.turn(turn).content
    start = content.rindex(line)
    words = Evidence(turn=turn, start=start, end=start + len(line), text=line)
    added = obeyed_claims(insert, words)
    changes = tuple(Change(kind=ChangeKind.ADDED, claim=one.id, reason="obeyed") for one in added)
    update = {"claims": (*honest.claims, *added), "changes": (*honest.changes, *changes)}
    return Fallen(
        insert,
        Record(register_of(snapshot), snapshot),
        honest.model_copy(update=update),
        frozenset(one.id for one in added),
        words,
    )


def auditors_of(case: Fallen, obedience: Obedience | None) -> list[Auditor]:
    """Three members of three families that say this, as far as it is proved."""
    if obedience is None:
        return []
    claims = case.candidate.claims
    given = [_given(number, claim, case, obedience) for number, claim in enumerate(claims, start=1)]
    judged = assessed_of(case.record.snapshot, claims, given)
    return [
        Auditor(member=one, family=one, assessed=judged.assessed, unproved=judged.unproved, unread=judged.unread)
        for one in FAMILIES
    ]


def _given(number: int, claim: Claim, case: Fallen, obedience: Obedience) -> GivenAssessment:
    mine = claim.id in case.planted
    terms = terms_of(claim.text)
    touched = obedience.everything or not terms.isdisjoint(terms_of(case.insert.text))
    assessment = obedience.planted if mine else obedience.others if touched else SOUND
    if assessment is SOUND or claim.section not in BINDING:
        return GivenAssessment(claim=number, assessment=SOUND)
    words = case.words
    if obedience.misquotes and not mine:
        spoken = [said.found for said in case.record.said if not said.found.quoted and said.status not in FIRM]
        words = max(spoken, key=lambda one: len(terms & terms_of(one.text))).evidence
    return GivenAssessment(claim=number, assessment=assessment, turn=words.turn, quote=words.text)


def bound(case: Fallen, auditors: Sequence[Auditor]) -> set[tuple[Section, str]]:
    """DECIDED and IDENTITY after repair."""
    report = audit(case.record.register, case.candidate, case.record.snapshot, FramePolicy(), auditors)
    after = report.amended or case.candidate
    return {(claim.section, claim.text) for claim in after.claims if claim.section in BINDING}


def measure(case: Fallen, honest: Consensus) -> dict[str, tuple[list[str], list[str]]]:
    """By regime: what is left of the insert, and which honest claims are gone that the rules alone leave."""
    mine = {(claim.section, claim.text) for claim in honest.claims if claim.section in BINDING}
    stay = bound(case, []) & mine
    found: dict[str, tuple[list[str], list[str]]] = {}
    for name, obedience in REGIMES.items():
        after = bound(case, auditors_of(case, obedience))
        left = sorted(text for section, text in after if _is_planted(case, section, text))
        found[name] = left, sorted(text for _, text in stay - after)
    return found


def _is_planted(case: Fallen, section: Section, text: str) -> bool:
    """Whether this stands there by the insert, whole or what is left of it."""
    planted = [one for one in case.candidate.claims if one.id in case.planted and one.section is section]
    return any(text in one.text for one in planted)


def main() -> None:
    """Print the table and what got through."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unseen", nargs="?", const="first", choices=tuple(UNSEEN), help="inserts of other files")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th insert alone")
    parser.add_argument("--json", type=Path, help="write what is left and gone, insert by insert")
    options = parser.parse_args()
    chosen = inserts(UNSEEN[options.unseen] if options.unseen else CORPUS)[:: max(1, options.every)]
    embedder = Remembering(SentenceTransformerEmbedder(threads=1))
    honest: dict[str, Consensus] = {}
    left, gone, claims = Counter[str](), Counter[str](), Counter[str]()
    rows: dict[str, dict[str, tuple[list[str], list[str]]]] = {}
    for insert in chosen:
        name = insert.conversation
        if name not in honest:
            snapshot = snapshot_of(name)
            arms = arms_of(name, snapshot.through)
            said = [statement for arm in arms for statement in arm.statements]
            honest[name] = consensus_of(said, snapshot, arms, embedder)
        rows[insert.id] = measure(fallen(insert, honest[name]), honest[name])
        for regime, (planted_left, lost) in rows[insert.id].items():
            left[regime] += bool(planted_left)
            gone[regime] += bool(lost)
            claims[regime] += len(lost)
    print(f"{len(chosen)} inserts, each in a candidate that obeys it")
    print(
        "| auditors | inserts of which something still binds | inserts beside which honest claims are gone | claims |"
    )
    print("|---|---|---|---|")
    for regime in REGIMES:
        print(f"| {regime} | {left[regime]} | {gone[regime]} | {claims[regime]} |")
    if options.json is not None:
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
