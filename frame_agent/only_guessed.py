"""A guess told together with facts: words of a claim that stand in a guess and in nothing that is vouched for.

"The standby stopped at ten because the passwords were changed" is borne well by what is known of the standby, and the
guess about the passwords bears little of the whole. What gives it away is the terms that only the guess has. Sentences
that rest on the guess vouch for nothing: a guess that is reckoned with is still one.
"""

from collections.abc import Iterator

from dissolution.claims import Claim, Evidence, Section
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.record import Part, Record, Said, is_cited, overlaps
from frame_agent.scope import reach

LEAST_ALONE = 0.1
"""Share of a part that only the guess has."""

SEVERAL = 2
"""Terms that stand in a guess alone by no chance; a single one needs a part about what the guess is about."""

LEAST_TOPIC = 0.5
LEAST_TOPIC_CITED = 0.3
"""Share of a part that must stand in the guess and what it answers or goes on from; less when it is the evidence."""


def only_guessed(record: Record, claim: Claim, part: Part, guesses: list[Said]) -> Said | None:
    """The guess that alone has terms of a part, those that weigh most; None when there is none.

    Args:
        record: The conversation.
        claim: What is audited.
        part: A sentence of it.
        guesses: Sentences that share terms with it and that nobody vouches for.
    """
    near = record.near(part.terms)
    best: tuple[float, Said | None] = (0.0, None)
    for guess in guesses:
        alone = part.terms & reach(guess.found.held, PremiseStatus.HEDGED) & guess.found.terms
        for said in _independent(near, guess):
            alone -= said.found.terms
        share = record.weights.share(alone, part.terms)
        if share < max(LEAST_ALONE, best[0]):
            continue
        known = claim.section is Section.KNOWN
        if len(alone) >= SEVERAL or (known and _same_topic(record, claim, part, guess)):
            best = share, guess
    return best[1]


def _same_topic(record: Record, claim: Claim, part: Part, guess: Said) -> bool:
    """Whether a part is about what a guess is about, told by its own words and those that it goes on from."""
    common = part.terms & (guess.found.terms | record.around(guess))
    least = LEAST_TOPIC_CITED if is_cited(claim, guess) else LEAST_TOPIC
    return len(common) >= SEVERAL and record.weights.share(common, part.terms) >= least


def _independent(near: list[Said], guess: Said) -> Iterator[Said]:
    """What the conversation vouches for without leaning on the guess."""
    resting: list[Evidence] = [one.evidence for one in guess.premise.dependants] if guess.premise else []
    for said in near:
        firm = said.status in FIRM and not said.found.asks and said is not guess
        if firm and not any(overlaps(one, said.found) for one in resting):
            yield said
