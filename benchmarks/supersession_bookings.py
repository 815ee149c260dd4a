"""Booking dialogues for benchmarks/supersession.py: values as claims, turns as cycles."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from benchmarks.supersession_first_sight import AT_FIRST_SIGHT
from benchmarks.supersession_parts import Remembering, committed, interval, part
from benchmarks.supersession_templates import LATER, TEMPLATES
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Evidence, HeldAct, HeldMark, Section, StatedClaim, Statement, Support
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.findings import AgreementMeasures, Consensus
from dissolution.intervals import TurnInterval
from dissolution.policy.job_policy import Policy
from dissolution.reviewing import Fault
from dissolution.values import NotMeasured

DRAWS = 3  # wordings drawn for each dialogue
SEED = 11
WRITTEN_LATER = 2  # the wordings that were written when the rules stood
FIRST_SIGHT = 3  # those of other verbs, written after all
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
        hinted: Those of them that a hint of a cycle points at.
        hints: Claims that a hint points at as ended.
        others: Claims that nothing replaces.
        closed: Those of them that were closed.
        merged: Those of them that were taken for a claim about something else that is held.
    """

    revised: int
    surviving: int
    hinted: int
    hints: int
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


def claim_of(event: Event, text: str, snapshot: Snapshot, marks: Sequence[HeldMark] = ()) -> Claim:
    """The claim of an event, on the words of its turn, said by two families, with what both say of held claims."""
    content = snapshot.turn(event.turn).content
    act, about, further = (marks[0].act, marks[0].about, tuple(marks[1:])) if marks else (None, None, ())
    said = StatedClaim(section=Section.KNOWN, text=text, turns=(event.turn,), act=act, about=about, further=further)
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


def revised_by(event: Event, prior: BoundaryState | None, source: Mapping[str, Event]) -> list[HeldMark]:
    """What a member that reads the ids says: the open claims of the same slot with another value are revised."""
    held = () if prior is None else prior.claims
    old = [claim.id for claim in held if claim.id in source and source[claim.id][1:3] == event[1:3]]
    return [HeldMark(act=HeldAct.REVISE, about=name) for name in old if source[name].value != event.value]


def hash_of(event: Event) -> int:
    """A number that is the same on every machine."""
    return int.from_bytes("|".join(map(str, event)).encode(), "big") % (1 << 40)


def outcome(dialogue: Mapping[str, Any], half: int, number: int, embedder: Remembering, *, cite: bool) -> Outcome:
    """Run one dialogue, a cycle for each turn that sets something, and see what is open at the end.

    Args:
        dialogue: One dialogue of multiwoz.jsonl.
        half: Which wordings.
        number: Which draw of them.
        embedder: Meaning as vectors.
        cite: Whether members cite the ids of the claims that they revise.
    """
    draw = random.Random(f"{SEED}/{dialogue['id']}/{half}/{number}")  # noqa: S311 - which wording is drawn
    every = events(dialogue)
    prior: BoundaryState | None = None
    source: dict[str, Event] = {}
    hinted: set[str] = set()
    closed: dict[str, Claim] = {}
    for version, turn in enumerate(sorted({event.turn for event in every}), start=1):
        snapshot = snapshot_of(dialogue, turn)
        fresh: list[Claim] = []
        for event in (one for one in every if one.turn == turn):
            marks = revised_by(event, prior, source) if cite else ()
            fresh.append(claim_of(event, worded(event, half, draw), snapshot, marks))
        source |= {claim.id: event for claim, event in zip(fresh, (e for e in every if e.turn == turn), strict=True)}
        found = reconcile(
            prior,
            consensus_of(fresh, embedder),
            snapshot,
            embedder,
            Policy(),
            job=f"job-{version}",
            ended=tuple(closed.values()),
        )
        hinted |= {name for hint in found.hints if hint.suspects is Fault.STALE for name in hint.claims}
        closed |= {claim.id: claim for claim in found.closed}
        prior = committed(found, snapshot, version)
    still = {claim.id for claim in prior.claims} if prior is not None else set[str]()
    return counted(every, source, still, closed=set(closed), hinted=hinted)


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
    every: Sequence[Event], source: Mapping[str, Event], still: set[str], *, closed: set[str], hinted: set[str]
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
        hinted=len(hinted & set(old)),
        hints=len(hinted),
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
        "old value hinted at": part(sum(one.hinted for one in rows), sum(one.revised for one in rows)),
        "hints that are right": part(sum(one.hinted for one in rows), sum(one.hints for one in rows)),
        "claims hinted at": sum(one.hints for one in rows),
        "unrelated claims": sum(one.others for one in rows),
        "unrelated claim closed": closed(rows),
        "closed, 95 %": interval(rows, closed),
        "unrelated claim merged": part(sum(one.merged for one in rows), sum(one.others for one in rows)),
    }
