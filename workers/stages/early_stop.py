"""Whether the families that have answered agree so far that nobody else is waited for. By words, without a model."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoed
from dissolution.answers import MemberCard, Reply
from dissolution.job import Job
from language.reading import read
from prompts.held import HeldState
from prompts.parse import parse_reply

SHARED_WORDS = 0.5
"""Share of content words (Jaccard) from which two statements are held to say one thing, unless a guard parts them.
Stricter than the consensus, which sees paraphrases: an early stop must be sure, and waiting costs little."""

cached_profile = lru_cache(maxsize=4096)(profile_of)
"""A statement is compared with many."""


def agreeing(job: Job, cycle: HeldState | None) -> Callable[[Sequence[tuple[MemberCard, Reply]]], bool] | None:
    """What says of usable replies whether they agree as far as the job's policy asks; None when it asks nothing."""
    threshold = job.policy.quorum.enough_agreement
    if threshold is None:
        return None
    held = None if cycle is None else cycle.ids

    def agree(replies: Sequence[tuple[MemberCard, Reply]]) -> bool:
        stated: dict[str, list[str]] = {}
        for card, reply in replies:
            parsed = parse_reply(reply.text, reply.finish, through=job.through, held=held)
            stated.setdefault(card.family, []).extend(claim.text for claim in parsed.claims)
        return agreement(list(stated.values())) >= threshold

    return agree


def agreement(families: Sequence[Sequence[str]]) -> float:
    """How far the two families that agree least agree, 0..1; 0 for fewer than two.

    Of two families: the share of the statements of each that the other states too, the smaller of the two shares.
    """
    pairs = list(combinations(families, 2))
    return min((min(_found(one, other), _found(other, one)) for one, other in pairs), default=0.0)


def _found(stated: Sequence[str], elsewhere: Sequence[str]) -> float:
    if not stated:
        return 0.0
    return sum(any(same(text, other) for other in elsewhere) for text in stated) / len(stated)


def same(one: str, other: str) -> bool:
    """Whether two statements share half of their content words and no guard parts them."""
    mine, theirs = read(one).stems, read(other).stems
    if not mine or len(mine & theirs) < SHARED_WORDS * len(mine | theirs):
        return False
    return not vetoed(cached_profile(one), cached_profile(other))
