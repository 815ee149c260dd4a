"""Stretches that say what a claim denies: near as their words are, they are no evidence for it.

"We do not use EKS" does not rest on "We use EKS", unless what follows takes that back ("Scrap that", "No, we don't").
"""

from collections.abc import Sequence
from functools import lru_cache

from consensus.changes import CHANGES
from consensus.guards import Guard, vetoes
from consensus.lexical import root
from consensus.profile import Profile
from consensus.spans import Candidate
from consensus.veto import shared_words, subject
from wording.choice import choices
from wording.synonyms import canonical
from wording.words import stem, words

DENIALS = frozenset({Guard.NEGATION, Guard.CHOICE})
WHOLE = 0.75  # share of the claim's words that a stretch must have to say all that is denied
SHORT = 4  # content words of a reply that takes back what stands before it
NEXT = 1  # turns after a stretch in which such a reply may stand


def says_opposite(claim: Profile, said: Profile) -> bool:
    """Whether a stretch affirms outright what the claim denies, or rejects outright what the claim affirms.

    Args:
        claim: A claim.
        said: A stretch of the conversation.
    """
    mine, theirs = _about(claim), _about(said)
    if claim.negative:
        against = not said.denies and not said.open and _covers(theirs, mine)
    else:  # what rejects something in passing ("Redis, not Memcached") has words that the claim has not
        against = said.rejects and not claim.denies and not claim.open and _covers(mine, theirs)
    return against and any(veto.guard in DENIALS and veto.opposed for veto in vetoes(claim, said))


@lru_cache(maxsize=8192)
def _about(profile: Profile) -> frozenset[str]:
    """What a text is about, without its words of choosing and rejecting: they are what may be opposite."""
    chosen = [root(canonical(stem(word))) for choice in choices(profile.text) for word in words(choice.text)]
    return subject(profile) - frozenset(chosen)


def _covers(whole: frozenset[str], part: frozenset[str]) -> bool:
    return bool(part) and shared_words(part, whole) >= WHOLE * len(part)


def opposing(
    claim: Profile, places: Sequence[int], stretches: Sequence[Candidate], profiles: Sequence[Profile]
) -> list[int]:
    """Those of the places that say the opposite of a claim, and that nothing right after them takes back.

    Args:
        claim: A claim.
        places: Row numbers of stretches.
        stretches: All stretches, in order.
        profiles: Their profiles.
    """
    against = [place for place in places if says_opposite(claim, profiles[place])]
    return [place for place in against if not _is_taken_back(place, stretches, profiles)]


def _is_taken_back(place: int, stretches: Sequence[Candidate], profiles: Sequence[Profile]) -> bool:
    """Whether a short reply right after a stretch denies it or puts something in its place."""
    last = stretches[place].turn + NEXT
    for after in range(place + 1, len(stretches)):
        if stretches[after].turn > last:
            return False
        reply = profiles[after]
        if stretches[after].spoken and len(reply.terms) <= SHORT and (reply.denies or CHANGES.search(reply.text)):
            return True
    return False
