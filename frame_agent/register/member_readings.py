"""What members read besides the rules, put into the register: their readings are kept, and their words are proved.

A member adds premises and readings; it changes no status and confirms nothing. What it says must stand in its turn word
for word; what stands in quoted material there is injected or left out. Only turns that are new to the register count,
since what is stored is never rewritten.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claims import Evidence, MemberName
from dissolution.conversation import Snapshot, Turn
from dissolution.policy.calibration import CALIBRATION
from dissolution.premises import (
    Dependant,
    Premise,
    PremiseEvent,
    PremiseEventKind,
    PremiseReading,
    PremiseStatus,
    Register,
    Scope,
)
from frame_agent.register.moves import kind_of
from frame_agent.register.premises import is_quoted
from language.reading import read
from prompts.framing import ProposedPremise

SAME = CALIBRATION.frame_agent.same_premise

FEWEST = 2  # content words a proposition needs to be told from others
LATER = 3  # turns by which a reading may name a later turn than the premise's own and still mean it

AS_STATED = {PremiseStatus.CONFIRMED: PremiseStatus.ASSERTED, PremiseStatus.REJECTED: PremiseStatus.PROPOSED}
"""What a member's word alone makes of these: acceptance and rejection need words of a turn."""


class MemberPremises(NamedTuple):
    """What one member reads."""

    member: MemberName
    premises: Sequence[ProposedPremise]


class Taken(NamedTuple):
    """What came of one member's reading: how many of its premises are proved, and how many are new."""

    premises: int
    new: int


def merged(
    stored: Register, register: Register, snapshot: Snapshot, read: Sequence[MemberPremises]
) -> tuple[Register, dict[MemberName, Taken]]:
    """The register with what members read of its new turns, and what came of each.

    Args:
        stored: The register before the new turns: its events stay the beginning.
        register: The register after them, by the rules alone.
        snapshot: The conversation.
        read: What members read, in the order of their names, so that the result does not depend on who was quicker.
    """
    known: list[Premise] = list(register.premises)
    extra: list[PremiseEvent] = []
    numbers: Counter[int] = Counter()
    taken: dict[MemberName, Taken] = {}
    for member, premises in sorted(read, key=lambda one: one.member):
        proved = new = 0
        for one in premises:
            found = _proved(one, stored.through, snapshot)
            if found is None:
                continue
            proved += 1
            twin = _twin(one, found, known)
            if twin is not None:
                extra.append(_reading(member, one, twin, register, snapshot.turn(max(one.turn, twin.turn))))
                continue
            new += 1
            numbers[one.turn] += 1
            events = _stated(member, one, found, f"m{one.turn}.{numbers[one.turn]}", snapshot.turn(one.turn))
            extra += events
            known.append(Register(conversation=register.conversation, through=one.turn, events=events).premises[0])
        taken[member] = Taken(proved, new)
    fresh = [*register.events[len(stored.events) :], *extra]
    fresh.sort(key=lambda event: (event.turn, event.kind is PremiseEventKind.READ))  # stable: rules before members
    # made anew: a copy would keep the premises and the digest that were worked out from the rules' events alone
    return Register(
        conversation=register.conversation, through=register.through, events=(*stored.events, *fresh)
    ), taken


class _Found(NamedTuple):
    evidence: Evidence
    quoted: bool


def _proved(one: ProposedPremise, after: int, snapshot: Snapshot) -> _Found | None:
    """Where the words it quotes stand in its turn; None for a turn that is not new, or words that are not there."""
    if not after < one.turn <= snapshot.through or len(read(one.proposition).terms) < FEWEST:
        return None
    turn = snapshot.turn(one.turn)
    pattern = r"\s+".join(re.escape(word) for word in one.quote.split())
    match = re.search(pattern, turn.content)
    if match is None:
        return None
    quoted = is_quoted(turn, match.start(), match.end())
    if quoted and one.status is not PremiseStatus.INJECTED:
        return None  # what quoted material merely says is no premise of anybody here
    return _Found(Evidence(turn=turn.number, start=match.start(), end=match.end(), text=match[0]), quoted)


def _twin(one: ProposedPremise, found: _Found, known: Sequence[Premise]) -> Premise | None:
    """The premise it is another reading of: the same words of a turn, or the same proposition a few turns around."""
    mine = read(one.proposition).terms
    for premise in known:
        place = premise.evidence
        same_words = place.turn == found.evidence.turn and place.start < found.evidence.end
        same_words = same_words and found.evidence.start < place.end
        theirs = read(premise.proposition).terms
        alike = len(mine & theirs) >= SAME * max(1, min(len(mine), len(theirs)))
        if alike and (same_words or abs(premise.turn - one.turn) <= LATER):
            return premise
    return None


def _reading(
    member: MemberName, one: ProposedPremise, premise: Premise, register: Register, turn: Turn
) -> PremiseEvent:
    """A further reading of a premise: it stands as it stood."""
    before = [event for event in register.events if event.premise == premise.id and event.turn <= turn.number]
    status = before[-1].status if before else premise.status
    return PremiseEvent(
        kind=PremiseEventKind.READ,
        premise=premise.id,
        turn=turn.number,
        role=turn.role,
        speaker=turn.speaker,
        status=status,
        scope=before[-1].scope if before else premise.scope,
        reading=PremiseReading(reader=member, status=one.status),
        reason=f"{member} reads it as {one.status.value}",
    )


def _stated(member: MemberName, one: ProposedPremise, found: _Found, name: str, turn: Turn) -> tuple[PremiseEvent, ...]:
    """A premise that the rules did not find; what is presupposed rests under the sentence that shows it."""
    status = PremiseStatus.INJECTED if found.quoted else AS_STATED.get(one.status, one.status)
    if status is PremiseStatus.INJECTED and not found.quoted:
        status = PremiseStatus.ASSERTED
    facts = {
        "premise": name,
        "turn": turn.number,
        "role": turn.role,
        "speaker": turn.speaker,
        "status": status,
        "scope": Scope.THIS_ANSWER if status is PremiseStatus.ONE_OFF else Scope.STANDING,
    }
    stated = PremiseEvent.model_validate(
        facts
        | {
            "kind": PremiseEventKind.STATED,
            "proposition": one.proposition,
            "evidence": found.evidence,
            "quoted": found.quoted,
            "reading": PremiseReading(reader=member, status=one.status),
            "reason": f"read by {member}",
        }
    )
    if status is not PremiseStatus.IMPLICIT:
        return (stated,)
    sentence = _sentence(turn, found.evidence)
    dependant = Dependant(kind=kind_of(sentence.text), evidence=sentence, cue="presupposes it")
    rests = facts | {"kind": PremiseEventKind.RESTS, "dependant": dependant, "evidence": sentence}
    return stated, PremiseEvent.model_validate(rests | {"reason": f"{member}: what is said there presupposes it"})


def _sentence(turn: Turn, words: Evidence) -> Evidence:
    """The sentence the words stand in."""
    for span, _ in read(turn.content).sentences:
        if span.start <= words.start < span.end:
            end = max(span.end, words.end)
            return Evidence(turn=turn.number, start=span.start, end=end, text=turn.content[span.start : end])
    return words
