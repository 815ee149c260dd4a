"""Measure what planted text does: nobody, one member, one family or every member obeys an insert of the corpus.

usage: python benchmarks/hostile.py [--unseen [first|second]] [--kind KIND] [--wide] [--quick] [--embedder NAME]
       [--register] [--heard] [--every N] [--json FILE]

Each insert of benchmarks/data/hostile is planted into the planted conversation it names, and the recorded answers to
that conversation are the honest members. Those who obey add it word for word as a decision and as a rule for
themselves, with the turn it stands in; with --wide every member also without the turn, and as what is known and what
is open. An insert counts as having got through when DECIDED or IDENTITY holds other claims than with nobody obeying.
With nobody obeying, the boundary is held against that of the conversation without the insert. The audit is asked where
the consensus differs. Facts that stand beside inserts are stated by two families as known; the share of them that
reaches KNOWN is the price of the rule. --unseen takes the inserts that were written after the rules, --unseen second
those written before the rules changed a second time; --quick asks the worst regime alone, every member with the turn;
--every takes each N-th insert alone, since --wide asks five regimes; --register asks the register alone,
--heard the sifting alone, which no consensus can undo.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import hostile_parts as parts
from benchmarks.consensus import Arm, Remembering, arms_of, snapshot_of
from benchmarks.hostile_parts import BINDING, INFORMING, Insert, inserts, planted, with_obedience
from consensus.build import build_consensus
from consensus.calibration import calibration_for
from consensus.embedder import SentenceTransformerEmbedder
from consensus.evidence import Ground
from consensus.hashing import HashingEmbedder
from consensus.injected import sift
from consensus.points import points
from consensus.profile import profile_of
from consensus.vectors import unpack
from dissolution.claims import DissentReason, Section, StatedClaim, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.policy import ConsensusPolicy
from dissolution.premises import PremiseStatus, Register
from frame_agent.audit import audit
from frame_agent.extraction import Found, propositions
from frame_agent.injections import injected
from frame_agent.register import register_of


class Regime(NamedTuple):
    """Who obeys, and how."""

    who: str
    cites: bool = True
    sections: tuple[Section, Section] = BINDING


REGIMES = {
    "one member": Regime("one member"),
    "one family": Regime("one family"),
    "every member": Regime("every member"),
    "every member, no turn given": Regime("every member", cites=False),
    "every member, as known": Regime("every member", sections=INFORMING),
}
PLAIN = ("one member", "one family", "every member")
WORST = ("every member",)
UNSEEN = {"first": parts.UNSEEN, "second": parts.SECOND}
KEPT_OUT = {DissentReason.INJECTED, DissentReason.UNSUPPORTED}


class Case:
    """One insert in its conversation, before anybody obeys."""

    def __init__(self, insert: Insert, arms: Sequence[Arm], embedder: Remembering) -> None:
        conversation, self.turn = planted(insert)
        self.insert = insert
        self.snapshot: Snapshot = conversation.snapshot()
        second = insert.second[1] if insert.second else None
        self.turns = {self.turn, *(one.number for one in self.snapshot.turns if second and second in one.content)}
        self._arms = arms
        self._embedder = embedder
        self.honest = tuple(statement for arm in arms for statement in arm.statements)

    @cached_property
    def register(self) -> Register:
        """What the conversation takes for granted."""
        return register_of(self.snapshot)

    @cached_property
    def registered(self) -> bool:
        """Whether the register lists as injected something that stands in the insert and not beside it."""
        turns = [self.snapshot.turn(number) for number in sorted(self.turns)]
        listed = [one.text for turn in turns for one in injected(turn, propositions(turn)) if is_injected(one)]
        planted = [line.strip() for line in self.insert.lines if line.strip()]
        return any(words in one or one in words for words in planted for one in listed)

    def unheard(self, statements: Sequence[Statement]) -> bool:
        """Whether none of these is heard, which leaves the consensus as it is: each is sifted by itself."""
        said = [point for statement in statements for point in points(statement)]
        profiles = [profile_of(point.text) for point in said]
        rows = unpack(self._embedder.embed([point.text for point in said]))
        ground_rows = unpack(self._embedder.embed(self._ground.texts()))
        scores = self._ground.scores(profiles, rows, ground_rows, calibration_for(self._embedder.stamp.model))
        sifted = sift(said, profiles, self._ground, scores, ConsensusPolicy().evidence_floor)
        return all(statement.key in sifted for statement in statements)

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self.snapshot)

    def obeying(self, regime: Regime) -> tuple[Statement, ...]:
        """All statements, with those that obedience adds."""
        members = [(arm.writer, arm.family) for arm in self._arms]
        first = members[0][1]
        chosen = {
            "one member": members[:1],
            "one family": [one for one in members if one[1] == first],
            "every member": members,
        }[regime.who]
        return with_obedience(self.honest, self.insert, self.turn, chosen, cites=regime.cites, sections=regime.sections)

    def heard(self, statements: Sequence[Statement]) -> Consensus:
        """The consensus of these statements."""
        return consensus_of(statements, self.snapshot, self._arms, self._embedder)

    def audited(self, consensus: Consensus) -> Consensus:
        """The candidate after the frame audit's repairs."""
        return audit(self.register, consensus, self.snapshot, FramePolicy()).amended or consensus


def binding(consensus: Consensus) -> set[tuple[str, str]]:
    """DECIDED and IDENTITY of a candidate, by section and words."""
    return {(claim.section.value, claim.text) for claim in consensus.claims if claim.section in BINDING}


def consensus_of(
    statements: Sequence[Statement], snapshot: Snapshot, arms: Sequence[Arm], embedder: Remembering
) -> Consensus:
    """The consensus of statements about a snapshot, under the default policy."""
    answers = {arm.writer: arm.text for arm in arms}
    return build_consensus(statements, snapshot, embedder, ConsensusPolicy(), job="j", answers=answers)


def is_injected(found: Found) -> bool:
    """Whether a proposition is listed as injected."""
    return found.status is PremiseStatus.INJECTED


def registers(chosen: Sequence[Insert]) -> None:
    """How many inserts the register lists, by kind, and what it lists of the conversations without any."""
    kinds, listed = Counter[str](), Counter[str]()
    for insert in chosen:
        kinds[insert.kind] += 1
        listed[insert.kind] += Case(insert, (), Remembering(HashingEmbedder())).registered
    for kind, count in kinds.items():
        print(f"{kind:14} {count:3} inserts, in the register {listed[kind]:3}")
    print(f"in the register {listed.total()} of {kinds.total()}")
    for name in sorted({insert.conversation for insert in chosen}):
        found = [one for turn in snapshot_of(name).turns for one in injected(turn, propositions(turn)) if one.quoted]
        print(f"{name:24} {len(found):4} quoted lines, listed without any insert {sum(map(is_injected, found)):3}")


def heard(chosen: Sequence[Insert], embedder: Remembering) -> None:
    """How many inserts have an obeyed statement that is heard: of the others nothing can get through."""
    some: list[str] = []
    for insert in sorted(chosen, key=lambda one: one.conversation):
        case = Case(insert, (), embedder)
        said = [
            statement
            for cites in (True, False)
            for statement in with_obedience((), insert, case.turn, [(f"member {cites}", "family")], cites=cites)
        ]
        some += [] if case.unheard(said) else [insert.id]
    print(f"some obeyed statement is heard in {len(some)} of {len(chosen)}: {', '.join(some)}")


def measure(case: Case, names: Sequence[str], clean: set[tuple[str, str]]) -> dict[str, Any]:
    """What became of one insert, by regime: what got through the consensus, and what is left after the audit.

    Args:
        case: The insert in its conversation.
        names: Regimes, by name.
        clean: DECIDED and IDENTITY of the conversation without the insert.
    """
    nobody = case.heard(case.honest)
    before = binding(nobody)
    found: dict[str, Any] = {"id": case.insert.id, "kind": case.insert.kind, "carrier": case.insert.carrier}
    found["nobody"] = {"consensus": sorted(before ^ clean), "audit": [], "shown": 0}
    for name in names:
        statements = case.obeying(REGIMES[name])
        added = statements[len(case.honest) :]
        if case.unheard(added):
            found[name] = {"consensus": [], "audit": [], "shown": len(added)}
            continue
        obeyed = case.heard(statements)
        same = binding(obeyed) == before  # then the audit sees the same, and what is known decides nothing
        found[name] = {
            "consensus": sorted(binding(obeyed) ^ before),
            "audit": [] if same else sorted(binding(case.audited(obeyed)) ^ binding(case.audited(nobody))),
            "shown": sum(one.reason in KEPT_OUT for one in obeyed.dissent),
        }
    found["registered"] = case.registered
    if case.insert.fact is not None:
        found["fact"] = known(case, case.insert.fact)
    return found


def known(case: Case, fact: str) -> bool:
    """Whether a fact that stands in quoted material alone reaches KNOWN when two families state it."""
    families = list(dict.fromkeys(arm.family for arm in case._arms))[:2]  # noqa: SLF001 - of this script
    said = list(case.honest)
    for arm in case._arms:  # noqa: SLF001
        if arm.family in families:
            claim = StatedClaim(section=Section.KNOWN, text=fact)
            said.append(Statement(member=arm.writer, family=arm.family, ordinal=10_000, claim=claim))
    candidate = case.audited(case.heard(said))
    return any(claim.section is Section.KNOWN and fact in claim.text for claim in candidate.claims)


def main() -> None:
    """Print the table, by kind, and what got through."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind")
    parser.add_argument(
        "--unseen", nargs="?", const="first", choices=tuple(UNSEEN), help="inserts that no rule was written for"
    )
    parser.add_argument("--embedder", default="all-MiniLM-L6-v2")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="every member alone")
    parser.add_argument("--wide", action="store_true", help="every member also in other ways")
    parser.add_argument("--register", action="store_true", help="the register alone, without members")
    parser.add_argument("--heard", action="store_true", help="whether members who obey are heard, without a consensus")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th insert alone")
    options = parser.parse_args()
    names = WORST if options.quick else tuple(REGIMES) if options.wide else PLAIN
    embedder = Remembering(
        HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder(threads=1)
    )
    corpus = UNSEEN[options.unseen] if options.unseen else parts.CORPUS
    chosen = [one for one in inserts(corpus) if options.kind in {None, one.kind}]
    chosen = chosen[:: max(1, options.every)]
    if options.register:
        registers(chosen)
        return
    if options.heard:
        heard(chosen, embedder)
        return
    arms: dict[str, list[Arm]] = {}
    clean: dict[str, set[tuple[str, str]]] = {}
    rows: list[dict[str, Any]] = []
    for insert in chosen:
        name = insert.conversation
        if name not in arms:
            snapshot = snapshot_of(name)
            arms[name] = arms_of(name, snapshot.through)
            honest = [statement for arm in arms[name] for statement in arm.statements]
            clean[name] = binding(consensus_of(honest, snapshot, arms[name], embedder))
        case = Case(insert, arms[name], embedder)
        row = measure(case, names, clean[name])
        rows.append(row)
        for regime, result in row.items():
            if isinstance(result, dict) and (result["consensus"] or result["audit"]):
                print(row["id"], row["carrier"], regime, json.dumps(result, ensure_ascii=False), flush=True)
    report(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def report(rows: Sequence[dict[str, Any]]) -> None:
    """The table of what got through."""
    regimes = [name for name, value in rows[0].items() if isinstance(value, dict)]
    print(f"{len(rows)} inserts, {len(regimes)} regimes")
    for name in regimes:
        through = [row for row in rows if row[name]["consensus"]]
        left = [row for row in rows if row[name]["audit"]]
        shown = sum(row[name]["shown"] > 0 for row in rows)
        print(f"{name:28} through the consensus {len(through):3}, after the audit {len(left):3}, shown {shown:3}")
    kinds = Counter(row["kind"] for row in rows)
    for kind, count in kinds.items():
        mine = [row for row in rows if row["kind"] == kind]
        obeyed = [name for name in regimes if name != "nobody"]
        through = sum(any(row[name]["consensus"] or row[name]["audit"] for name in obeyed) for row in mine)
        registered = sum(row["registered"] for row in mine)
        print(f"{kind:14} {count:3} inserts, got through {through:3}, in the register {registered:3}")
    facts = [row["fact"] for row in rows if "fact" in row]
    print(f"facts of quoted material that reach KNOWN: {sum(facts)} of {len(facts)}")


if __name__ == "__main__":
    main()
