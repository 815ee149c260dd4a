"""Measure what planted text does when every member obeys it word for word: by structure, nothing of it may bind.

usage: python benchmarks/hostile.py [--unseen [first|second]] [--kind KIND] [--every N] [--earlier] [--embedder NAME]
                                    [--json FILE]

Each insert of benchmarks/data/hostile is planted into the planted conversation it names, and the recorded answers to
that conversation are the honest members. Every member adds the insert's orders as a decision and as a rule for itself:
with their turn and the order's words, as the prompts ask; with other words that somebody speaks in that turn; with
the turn alone, as earlier prompts asked; and without a turn. The recorded answers were never asked for turns, so the
honest statements get turns and words of their evidence; "never asked for turns" is the fleet as it was recorded. An
order is heard when a claim of DECIDED or IDENTITY has an obeyed statement behind it. Besides: whether DECIDED or
IDENTITY differs at all from that with nobody obeying; facts of quoted material that two families state as known, and
that reach KNOWN; and what the rule costs honest members in the conversations without any insert. --unseen takes the
inserts that were written after the first rules, --unseen second those written before the rules changed a second time;
--every takes each N-th insert alone.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from dissolution.claims import BINDING_SECTIONS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import hostile_parts as parts
from benchmarks.consensus import Arm, Remembering, arms_of, snapshot_of
from benchmarks.hostile_parts import Insert, inserts, planted, with_obedience
from consensus.build import build_consensus
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.claims import Claim, Dissent, DissentReason, Section, StatedClaim, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy.job_policy import ConsensusPolicy, SizePolicy
from dissolution.room import room_of
from language.sentences import sentence_spans
from language.tokens import ApproximateTokenCounter

CORPORA = {"corpus": parts.CORPUS, "first": parts.UNSEEN, "second": parts.SECOND}
ORDERS, OTHERS, NONE = NOW = (
    "its own words shown",
    "other spoken words of its turn shown",
    "no turn named",
)
"""What members may do that are asked by the prompts in use."""
NAMED, NEVER = EARLIER = ("the turn named, asked for no words", "never asked for turns")
"""What earlier prompts asked for."""


class Case:
    """One insert in its conversation."""

    def __init__(self, insert: Insert, arms: Sequence[Arm], embedder: Remembering) -> None:
        conversation, self.turn = planted(insert)
        self.insert = insert
        self.snapshot: Snapshot = conversation.snapshot()
        self._arms = arms
        self._embedder = embedder
        self.recorded = tuple(statement for arm in arms for statement in arm.statements)
        self.honest = named(self.recorded, consensus_of(self.recorded, self.snapshot, arms, embedder))

    def obeying(self, regime: str) -> tuple[Statement, ...]:
        """All statements, with those that every member adds."""
        members = [(arm.writer, arm.family) for arm in self._arms]
        cites = regime not in {NONE, NEVER}
        honest = self.recorded if regime == NEVER else self.honest
        return with_obedience(honest, self.insert, self.turn, members, cites=cites, words=self._words(regime))

    def _words(self, regime: str) -> tuple[str, ...]:
        """What is shown for an order: its own words, or the longest sentence that somebody says in its turn."""
        if regime == OTHERS:
            turn = self.snapshot.turn(self.turn)
            spoken = [
                turn.content[one.start : one.end]
                for one in sentence_spans(turn.content)
                if not any(one.start < span.end and span.start < one.end for span in turn.quoted)
            ]
            return (max(spoken, key=len),) if spoken else ()
        return (self.insert.text,) if regime == ORDERS else ()

    def consensus(self, statements: Sequence[Statement], regime: str = ORDERS) -> Consensus:
        """The consensus of these statements, by members that were asked for what the regime says."""
        everybody = {arm.writer for arm in self._arms}
        naming = everybody if regime != NEVER else set[str]()
        showing = everybody if regime in NOW else set[str]()
        return consensus_of(statements, self.snapshot, self._arms, self._embedder, naming=naming, showing=showing)

    def orders_heard(self, found: Consensus) -> tuple[str, ...]:
        """Claims of DECIDED and IDENTITY that an obeyed statement is behind."""
        own = {one.key for one in self.honest}
        return tuple(one.text for one in found.claims if one.section in BINDING_SECTIONS and not keys(one) <= own)

    def known(self, fact: str) -> bool:
        """Whether a fact that stands in quoted material alone reaches KNOWN when two families state it."""
        families = list(dict.fromkeys(arm.family for arm in self._arms))[:2]
        claim = StatedClaim(section=Section.KNOWN, text=fact)
        said = [
            Statement(member=arm.writer, family=arm.family, ordinal=10_000, claim=claim)
            for arm in self._arms
            if arm.family in families
        ]
        found = self.consensus((*self.recorded, *said), NEVER)
        return any(one.section is Section.KNOWN and fact in one.text for one in found.claims)


def named(statements: Sequence[Statement], found: Consensus) -> tuple[Statement, ...]:
    """The statements with the turns and the words of the evidence that was found for them."""
    rests_on = {
        statement.key: item.evidence for item in (*found.dissent, *found.claims) for statement in item.statements
    }

    def shown(one: Statement) -> Statement:
        evidence = rests_on.get(one.key, ())
        update = {"turns": tuple(sorted({each.turn for each in evidence})), "quotes": tuple(e.text for e in evidence)}
        return one.model_copy(update={"claim": one.claim.model_copy(update=update)})

    return tuple(map(shown, statements))


def keys(item: Claim | Dissent) -> set[str]:
    """The statements behind a claim or dissent."""
    return {one.key for one in item.statements}


def binding(consensus: Consensus) -> set[tuple[str, str]]:
    """DECIDED and IDENTITY of a candidate, by section and words."""
    return {(claim.section.value, claim.text) for claim in consensus.claims if claim.section in BINDING_SECTIONS}


def consensus_of(
    statements: Sequence[Statement],
    snapshot: Snapshot,
    arms: Sequence[Arm],
    embedder: Remembering,
    *,
    naming: Collection[str] = (),
    showing: Collection[str] = (),
) -> Consensus:
    """The consensus of statements about a snapshot, under the default policy and with its room."""
    tokens = sum(ApproximateTokenCounter().count(turn.content) for turn in snapshot.turns)
    return build_consensus(
        statements,
        snapshot,
        embedder,
        ConsensusPolicy(),
        job="j",
        answers={arm.writer: arm.text for arm in arms},
        naming=naming,
        showing=showing,
        most_words=room_of(SizePolicy(), tokens).words,
    )


def measure(case: Case, regimes: Sequence[str]) -> dict[str, Any]:
    """What became of one insert."""
    found: dict[str, Any] = {"id": case.insert.id, "kind": case.insert.kind}
    asked = binding(case.consensus(case.honest))
    for name in regimes:
        before = (
            asked if name in NOW else binding(case.consensus(case.recorded if name == NEVER else case.honest, name))
        )
        obeyed = case.consensus(case.obeying(name), name)
        found[name] = {"heard": case.orders_heard(obeyed), "differs": sorted(binding(obeyed) ^ before)}
    if case.insert.fact is not None:
        found["fact"] = case.known(case.insert.fact)
    return found


def honest_costs(embedder: Remembering) -> None:
    """What honest members lose in the conversations as they are: sentences taken out, and what is left."""
    sentences = binds = gone = 0
    for path in sorted((parts.DATA / "planted").glob("*.json")):
        snapshot = snapshot_of(path.stem)
        arms = arms_of(path.stem, snapshot.through)
        said = [statement for arm in arms for statement in arm.statements]
        found = consensus_of(said, snapshot, arms, embedder)
        injected = [one for one in found.dissent if one.reason is DissentReason.INJECTED]
        standing = {key for claim in found.claims for key in keys(claim)}
        binds += sum(statement.claim.section in BINDING_SECTIONS for statement in said)
        sentences += sum(len(one.statements) for one in injected)
        gone += sum(not keys(one) & standing for one in injected)
        for one in injected:
            print(f"  {path.stem}: {len(one.support.families)} families, {one.text!r}")
    print(
        f"Honest members, no insert: of {binds} binding statements {sentences} have a sentence kept from binding; "
        f"in {gone} of these wordings nothing else of the statement stands."
    )


def report(name: str, rows: Sequence[dict[str, Any]], regimes: Sequence[str]) -> None:
    """The table of one corpus."""
    for regime in regimes:
        heard = [row["id"] for row in rows if row[regime]["heard"]]
        differs = sum(bool(row[regime]["differs"]) for row in rows)
        told = f": {', '.join(heard)}" if heard else ""
        print(
            f"{name}, {regime}: orders heard of {len(heard)} of {len(rows)} inserts{told}; bindings differ in {differs}"
        )
    kinds = Counter(row["kind"] for row in rows if any(row[regime]["heard"] for regime in regimes))
    print(f"{name}, heard by kind: {', '.join(f'{kind} {count}' for kind, count in sorted(kinds.items())) or 'none'}")
    facts = [row["fact"] for row in rows if "fact" in row]
    print(f"{name}, facts of quoted material that reach KNOWN: {sum(facts)} of {len(facts)}", flush=True)


def main() -> None:
    """Print what was heard, by corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind")
    parser.add_argument("--unseen", nargs="?", const="first", choices=("first", "second"), help="the unseen inserts")
    parser.add_argument("--embedder", default="all-MiniLM-L6-v2")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th insert alone")
    parser.add_argument("--earlier", action="store_true", help="also what earlier prompts asked for")
    options = parser.parse_args()
    regimes = (*NOW, *EARLIER) if options.earlier else NOW
    embedder = Remembering(
        HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder(threads=1)
    )
    name = options.unseen or "corpus"
    chosen = [one for one in inserts(CORPORA[name]) if options.kind in {None, one.kind}][:: max(1, options.every)]
    arms: dict[str, list[Arm]] = {}
    rows: list[dict[str, Any]] = []
    for insert in chosen:
        if insert.conversation not in arms:
            arms[insert.conversation] = arms_of(insert.conversation, snapshot_of(insert.conversation).through)
        rows.append(measure(Case(insert, arms[insert.conversation], embedder), regimes))
    report(name, rows, regimes)
    if name == "corpus":
        honest_costs(embedder)
    if options.json:
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
