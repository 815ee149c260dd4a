"""The challenger: a critic of the question, with an objective of its own.

It is given the goal and the register, never a candidate, and is asked for framings that drop or reverse a premise that
much rests on, lead to another decision, and are far from what was considered.

    leverage = open dependants x doubt

Doubt is how little anybody vouches for a premise: see DOUBT and BY_ACCEPTANCE. A framing that is nearly one that was
considered already, or another one shown, is left out. Who asks members is not this module's business.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.conversation import PEOPLE, Snapshot
from dissolution.framing import Challenge
from dissolution.policy.calibration import CALIBRATION
from dissolution.ports.models import Embedder
from dissolution.premises import Premise, PremiseStatus, Register
from frame_agent.challenge.nearness import nearest
from language.reading import read
from prompts.framing import ProposedFraming, ShownPremise

DOUBT = CALIBRATION.frame_agent.doubt

BY_ACCEPTANCE = CALIBRATION.frame_agent.doubt_by_acceptance

SHOWN = 12
"""Premises of most leverage in one question to the challenger."""

MOST_CONSIDERED = 40
MOST_RESTING = 3
GOAL_CHARS = 1500
TOO_NEAR = CALIBRATION.frame_agent.considered_cosine

SAME_WORDS = CALIBRATION.frame_agent.considered_words

CONSIDERED = frozenset({PremiseStatus.PROPOSED, PremiseStatus.REJECTED})


class Weighed(NamedTuple):
    """A premise with its leverage."""

    premise: Premise
    leverage: float


def doubt(premise: Premise) -> float:
    """How little anybody vouches for a premise, 0..1."""
    factors = [BY_ACCEPTANCE[one.how] for one in premise.accepted]
    return round(DOUBT[premise.status] * min(factors, default=1.0), 6)


def leverage(premise: Premise) -> float:
    """Open dependants times doubt: 0 or more."""
    return round(len(premise.open_dependants) * doubt(premise), 6)


def targets(register: Register) -> tuple[Weighed, ...]:
    """Premises that something rests on and that can be doubted, of most leverage first; older ones before newer."""
    found = [Weighed(premise, leverage(premise)) for premise in register.premises]
    return tuple(sorted((one for one in found if one.leverage > 0), key=lambda one: (-one.leverage, one.premise.turn)))


def goal_of(snapshot: Snapshot, standing: Sequence[str] = ()) -> str:
    """What the conversation wants: the role and rules that stand, and the first request of a user, cut to a length.

    Args:
        snapshot: The conversation.
        standing: Texts of the IDENTITY claims that the ledger held before this job; never those of the candidate.
    """
    asked = next((turn for turn in snapshot.turns if turn.role in PEOPLE), snapshot.turns[0])
    return "\n".join([*standing, asked.content])[:GOAL_CHARS]


def considered(register: Register) -> tuple[str, ...]:
    """Framings that the conversation has weighed: what was proposed or turned down, the newest last."""
    found = [premise.proposition for premise in register.premises if premise.status in CONSIDERED]
    return tuple(dict.fromkeys(found))[-MOST_CONSIDERED:]


def shown_as(premise: Premise) -> ShownPremise:
    """The premise as the challenger sees it."""
    taken = ", ".join(
        f"{one.how.value.replace('_', ' ')} by {one.speaker} at turn {one.turn}" for one in premise.accepted
    )
    standing = (
        f"{premise.status.value}, since turn {premise.turn}, by {premise.speaker}; accepted: {taken or 'by nobody'}"
    )
    resting = premise.open_dependants
    words = tuple(f"turn {one.evidence.turn}, {one.kind.value}: {one.evidence.text}" for one in resting[:MOST_RESTING])
    told = f"{standing}; rests on it: {len(resting)}"
    return ShownPremise(proposition=premise.proposition, standing=" ".join(told.split()), resting=words)


def rank(
    proposed: Sequence[tuple[str, Premise, ProposedFraming]], known: Sequence[str], embedder: Embedder, most: int
) -> tuple[Challenge, ...]:
    """The challenges worth showing: of most leverage first, farthest first among equals, no two alike.

    Args:
        proposed: Framings with the member that gives each and the premise it is about.
        known: Framings considered already.
        embedder: Meaning as vectors.
        most: How many are shown, 0 or more.
    """
    if not proposed or most == 0:
        return ()
    texts = [framing.alternative for _, _, framing in proposed]
    against = [*known, *(premise.proposition for _, premise, _ in proposed)]
    near = nearest(embedder, texts, against)
    order = sorted(range(len(proposed)), key=lambda at: (-leverage(proposed[at][1]), near[at], texts[at]))
    kept: list[int] = []
    for at in order:
        others = [*known, *(texts[one] for one in kept)]
        apart = not kept or nearest(embedder, [texts[at]], [texts[one] for one in kept])[0] < TOO_NEAR
        if (
            len(kept) < most
            and near[at] < TOO_NEAR
            and apart
            and not any(_same_words(texts[at], one) for one in others)
        ):
            kept.append(at)
    return tuple(_challenge(*proposed[at]) for at in kept)


def _challenge(member: str, premise: Premise, framing: ProposedFraming) -> Challenge:
    accepted = min((one.turn for one in premise.accepted), default=premise.turn)
    return Challenge(
        premise=premise.id,
        proposition=premise.proposition,
        turn=accepted,
        alternative=framing.alternative,
        leads_to=framing.leads_to,
        test=framing.test,
        leverage=leverage(premise),
        member=member,
    )


def _same_words(one: str, other: str) -> bool:
    mine, theirs = read(one).terms, read(other).terms
    return bool(mine) and len(mine & theirs) >= SAME_WORDS * max(len(mine), len(theirs))
