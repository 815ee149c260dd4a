"""Booking dialogues for benchmarks/supersession.py: values as claims, turns as cycles."""

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.supersession_first_sight import AT_FIRST_SIGHT
from benchmarks.supersession_parts import Remembering, committed, interval, part
from benchmarks.supersession_templates import LATER, TEMPLATES
from consensus.build import build_consensus
from consensus.reconcile.run import reconcile
from dissolution.answers import MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.boundary import BoundaryState
from dissolution.claims import FIRM_SECTIONS, Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.findings import AgreementMeasures, Consensus
from dissolution.intervals import TurnInterval
from dissolution.ledger import ChangeKind
from dissolution.policy import Policy
from dissolution.values import NotMeasured
from fleet.extractive.roster import extractive_fleet
from prompts.parse import parse_reply

DRAWS = 3  # wordings drawn for each dialogue
SEED = 11
WRITTEN_LATER = 2  # the wordings that were written when the rules stood
FIRST_SIGHT = 3  # those of other verbs, written after all
PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="none", version=1, digest="0" * 64),
    messages=(PromptMessage(role="user", content="Extraction methods read no prompt."),),
)
NO = NotMeasured(not_measured="claims were given")
NO_MEASURES = AgreementMeasures(
    claim_agreement=NO,
    dominant_cluster_share=NO,
    mean_pairwise_jaccard=NO,
    mean_tfidf_cosine=NO,
    mean_embedding_cosine=NO,
)


class Event(NamedTuple):
    """A value that a turn sets."""

    turn: int
    domain: str
    slot: str
    value: str


class Outcome(NamedTuple):
    """What came of one dialogue in one draw of wordings.

    Attributes:
        revised: Old values that a later turn replaces.
        surviving: Those of them whose claim is open at the end.
        contested: Those of the survivors that are marked as contested.
        others: Claims that nothing replaces.
        closed: Those of them that were closed.
        merged: Those of them that were taken for a claim about something else that is held.
    """

    revised: int
    surviving: int
    contested: int
    others: int
    closed: int
    merged: int


def events(dialogue: Mapping[str, Any]) -> list[Event]:
    """The values a dialogue sets, in order: final ones, and those of explicit revisions before them."""
    revised = {(one["domain"], one["slot"]): one for one in dialogue["gold"]["revisions"]}
    found = [
        Event(step["turn"], *key, step["value"])
        for key, one in revised.items()
        if one["explicit"]
        for step in one["history"]
    ]
    found.extend(
        Event(one["set_at_turn"], one["domain"], one["slot"], one["value"])
        for one in dialogue["gold"]["final_state"]
        if (one["domain"], one["slot"]) not in revised
    )
    known = [event for event in found if event[1:3] in TEMPLATES and event.value not in {"", "dontcare"}]
    return sorted(known)


def snapshot_of(dialogue: Mapping[str, Any], through: int) -> Snapshot:
    """The dialogue up to a turn."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    turns = tuple(
        Turn(number=t["turn"], role=Role(t["role"]), speaker=t["speaker"], content=t["content"], recorded_at=at)
        for t in dialogue["turns"][:through]
    )
    return Snapshot(conversation=dialogue["id"], turns=turns)


def worded(event: Event, half: int, draw: random.Random) -> str:
    """One wording of an event: from even (0) or odd (1) places, or from those written after the rules (2, 3)."""
    key = event.domain, event.slot
    later = {WRITTEN_LATER: LATER, FIRST_SIGHT: AT_FIRST_SIGHT}
    wordings = later[half][key] if half in later else TEMPLATES[key][half::2]
    text = draw.choice(wordings).replace("{v}", event.value)
    return text[0].upper() + text[1:]


def claim_of(event: Event, text: str, snapshot: Snapshot) -> Claim:
    """The claim of an event, on the words of its turn, said by two families."""
    content = snapshot.turn(event.turn).content
    said = StatedClaim(section=Section.KNOWN, text=text, turns=(event.turn,))
    statements = tuple(
        Statement(member=f"writer-{family}", family=family, ordinal=0, claim=said) for family in ("alpha", "beta")
    )
    return Claim(
        id=f"c{event.turn:03}{abs(hash_of(event)):012x}"[:13],
        section=Section.KNOWN,
        text=text,
        evidence=(Evidence(turn=event.turn, start=0, end=len(content), text=content),),
        support=Support.of(statements),
        valid=TurnInterval(start=event.turn),
        statements=statements,
        reason="given",
    )


def hash_of(event: Event) -> int:
    """A number that is the same on every machine."""
    return int.from_bytes("|".join(map(str, event)).encode(), "big") % (1 << 40)


def outcome(dialogue: Mapping[str, Any], half: int, number: int, embedder: Remembering) -> Outcome:
    """Run one dialogue, a cycle for each turn that sets something, and see what is open at the end."""
    draw = random.Random(f"{SEED}/{dialogue['id']}/{half}/{number}")  # noqa: S311 - which wording is drawn
    every = events(dialogue)
    prior: BoundaryState | None = None
    source: dict[str, Event] = {}
    contested: set[str] = set()
    closed: set[str] = set()
    for version, turn in enumerate(sorted({event.turn for event in every}), start=1):
        snapshot = snapshot_of(dialogue, turn)
        fresh: list[Claim] = []
        for event in (one for one in every if one.turn == turn):
            claim = claim_of(event, worded(event, half, draw), snapshot)
            source[claim.id] = event
            fresh.append(claim)
        found = reconcile(prior, consensus_of(fresh, embedder), snapshot, embedder, Policy(), job=f"job-{version}")
        contested |= {c.other or c.claim for c in found.changes if c.kind is ChangeKind.CONTESTED}
        closed |= {claim.id for claim in found.closed}
        prior = committed(found, snapshot, version)
    still = {claim.id for claim in prior.claims} if prior is not None else set[str]()
    return counted(every, source, still, closed=closed, contested=contested)


def consensus_of(claims: Sequence[Claim], embedder: Remembering) -> Consensus:
    """Given claims as the consensus of a cycle."""
    return Consensus(
        claims=tuple(claims),
        dissent=(),
        statements=2 * len(claims),
        groups=len(claims),
        measures=NO_MEASURES,
        embedding=embedder.stamp,
        method="given",
    )


def counted(
    every: Sequence[Event], source: Mapping[str, Event], still: set[str], *, closed: set[str], contested: set[str]
) -> Outcome:
    """An old value survives when its claim is open at the end; a value that is never replaced must be open.

    A value that comes back after another ("west", "south", "west") counts on neither side.
    """
    last = {event[1:3]: event.value for event in every}
    old = [name for name, event in source.items() if last[event[1:3]] != event.value]
    other = [name for name in source if name not in old]
    surviving = [name for name in old if name in still]
    returned = {
        event[1:3] for event in every if [e.value for e in every if e[1:3] == event[1:3]].count(event.value) > 1
    }
    other = [name for name in other if source[name][1:3] not in returned]
    merged = [name for name in other if name not in still | closed and _alone(source[name], every)]
    return Outcome(
        revised=len(old),
        surviving=len(surviving),
        contested=len(contested & set(surviving)),
        others=len(other),
        closed=len(closed & set(other)),
        merged=len(merged),
    )


def _alone(event: Event, every: Sequence[Event]) -> bool:
    """Whether no other event of the dialogue sets the same thing to the same value."""
    return sum(one[1:] == event[1:] for one in every) == 1


def figures(rows: Sequence[Outcome]) -> dict[str, Any]:
    """Shares with intervals over dialogues."""

    def surviving(some: Sequence[Outcome]) -> float:
        return part(sum(one.surviving for one in some), sum(one.revised for one in some))

    def closed(some: Sequence[Outcome]) -> float:
        return part(sum(one.closed for one in some), sum(one.others for one in some))

    return {
        "revisions": sum(one.revised for one in rows),
        "superseded value surviving": surviving(rows),
        "surviving, 95 %": interval(rows, surviving),
        "of them contested": sum(one.contested for one in rows),
        "unrelated claims": sum(one.others for one in rows),
        "unrelated claim closed": closed(rows),
        "closed, 95 %": interval(rows, closed),
        "unrelated claim merged": part(sum(one.merged for one in rows), sum(one.others for one in rows)),
    }


def from_turns(path: Path, embedder: Remembering) -> dict[str, Any]:
    """The same from raw turns: the no-key fleet reads each pair of turns as a cycle; reported only.

    Nothing says which sentence of the boundary gives which slot its value, so an old value counts as surviving when a
    firm open claim has its words and not those of the last value; the sentence may give it to something else.
    """
    revised, surviving, kept, final = 0, 0, 0, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        steps = [one["history"] for one in dialogue["gold"]["revisions"] if one["explicit"]]
        if not steps:
            continue
        texts = read_in_cycles(dialogue, embedder)
        for history in steps:
            last = history[-1]["value"].casefold()
            old = {step["value"].casefold() for step in history[:-1]} - {last}
            revised += len(old)
            surviving += sum(any(value in t and last not in t for t in texts) for value in old)
            final += 1
            kept += any(last in text for text in texts)
    return {
        "revisions": revised,
        "superseded value surviving": part(surviving, revised),
        "new value held": part(kept, final),
    }


def read_in_cycles(dialogue: Mapping[str, Any], embedder: Remembering) -> list[str]:
    """The firm claims at the end of a dialogue that is read four turns a cycle."""
    policy, prior = Policy(), None
    length = len(dialogue["turns"])
    for version, through in enumerate([*range(4, length, 4), length], start=1):
        snapshot = snapshot_of(dialogue, through)
        since = 0 if prior is None else prior.through
        statements = asyncio.run(stated(snapshot, since, embedder))
        heard = build_consensus(statements, snapshot, embedder, policy.consensus, job=f"job-{version}", answers={})
        found = reconcile(prior, heard, snapshot, embedder, policy, job=f"job-{version}")
        prior = committed(found, snapshot, version)
    assert prior is not None, "a dialogue has turns"  # noqa: S101 - range and length give at least one cycle
    return [claim.text.casefold() for claim in prior.claims if claim.section in FIRM_SECTIONS]


async def stated(snapshot: Snapshot, since: int, embedder: Remembering) -> list[Statement]:
    """What the no-key fleet states about the turns after `since`."""
    found: list[Statement] = []
    for member in extractive_fleet(embedder):
        task = MemberTask(snapshot=snapshot, since=since, prompt=PROMPT, deadline_s=60.0)
        reply = await member.answer(task)
        parsed = parse_reply(reply.text, reply.finish, through=snapshot.through)
        found.extend(
            Statement(member=member.card.name, family=member.card.family, ordinal=place, claim=claim)
            for place, claim in enumerate(parsed.claims if parsed.usable else ())
        )
    return found
