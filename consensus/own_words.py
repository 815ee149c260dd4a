"""Whether people's own words bear a claim that binds (rule 8): where a claim comes from, not how it is worded.

A claim enters DECIDED or IDENTITY only on a passage of a participant's own words, a few sentences of one turn, that
bears it by itself. Words that stand scattered over a conversation have been said by nobody together: planted text that
speaks of what the conversation speaks of finds all of its words somewhere. What one reads of quoted material does not
matter to this, so it holds in whatever language, encoding or shape the material is.
"""

import re

import numpy as np

from consensus.evidence import RESTATES, Ground, Scores
from consensus.guards import contradiction
from consensus.lexical import root
from consensus.opposing import says_opposite
from consensus.passages import Rows
from consensus.profile import Profile
from consensus.spans import Candidate
from dissolution.conversation import Role
from wording.words import content_sequence

BEARS = 0.37
"""Least score of the passage that bears a claim: of honest binding claims one in a hundred and fifty stays under it."""

ALONE = 0.50
"""Least score of the passage that bears a short claim: what is planted in a tongue that nobody here speaks, and what
borrows two words of the conversation, reaches it seldom, and one in forty honest claims stays under it."""

NEARLY_WHOLE = 0.75  # score of a passage that says a claim so fully that the act need not have the claim's word
MANY = 8
TOGETHER = 0.50
"""A claim of so many content words, of which all speech together bears this share, does not come from chance."""

COVERED = 0.6  # share of a claim's words that a sentence must have to say the opposite by denying or not denying it
TRIES = 8  # passages that are looked at; each has some sentence that says the opposite

ROLE = re.compile(
    r"^(?:(?:I|the assistant) (?:(?:am|is) (?!(?:there|here|not|on|in|at|to|\w+ing|\w+ed)\b)|(?:acts?|serves?) as"
    r"|speaks? for|represents?|works? for|answers? to)|my (?:role|job|employer) is)(?P<who>[^,;:.]*?)"
    r"(?=[,;:.]|$|\b(?:for|of|to|from|on|in|at|who|and|that|which|with)\b)",
    re.IGNORECASE,
)
"""A claim of who the assistant is, or for whom, and the words that name it."""

GIVES_ROLE = {
    Role.ASSISTANT: re.compile(r"\b(?:I am|I'm|I\u2019m|I'll|I will|I act|my role|my job|as your)\b", re.IGNORECASE),
    Role.USER: re.compile(
        r"\byou(?:'re|\u2019re|'ll|r|rself)?\b|(?:^|[:,;.!?\u2013\u2014-] *|\b(?:please|and|to) )"
        r"(?:be|play|act|work|answer|stay|speak)\b"
        r"|\b(?:I|we) (?:need|want) (?:an?|the)\b",
        re.IGNORECASE,
    ),
}
"""Wording of a sentence that gives a role: the assistant speaks of itself, anybody else speaks to it."""

NAMED = 0.66  # share of the words for a role that the sentence which gives it has

_CONSENTS = (
    "approve accept agree authorise authorize confirm consent permit allow grant clear sanction endorse ratify sign",
    "waive lift exempt release delegate",
    "cancel drop abandon withdraw withdrew withdrawn revoke rescind suspend repeal discard delete remove remit",
    "decide settle final choose chose chosen conclude",
)
CONSENTS = tuple(frozenset(root(word) for word in content_sequence(group)) for group in _CONSENTS)
"""Roots of words for one kind of act; those of one group may stand for each other."""


class OwnWords:
    """What is spoken in a snapshot, as the only ground of claims that bind.

    Args:
        ground: The snapshot laid out.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._gives_role = [row for row, one in enumerate(ground.stretches) if one.spoken and _gives_role(one)]

    def lacking(self, profile: Profile, scores: Scores, row: int, said: float) -> str | None:
        """Why nobody's own words bear a claim that binds, or None when a passage does.

        What is asked of a claim does not depend on what is quoted beside it: nothing that is pasted can make it more.

        Args:
            profile: The claim.
            scores: All claims against the snapshot.
            row: The claim's row.
            said: How well all speech together bears it, 0..1.
        """
        each = scores.passages(row)
        bearing = each >= BEARS
        if not bearing.any():
            return f"no passage of anybody's own words bears it: the nearest reaches {each.max():.2f} of {BEARS:g}"
        if not self._is_given(profile):
            return "nobody gives the assistant that role in words of their own"
        if len(profile.terms) >= MANY and said >= TOGETHER:
            return None
        if each.max() < ALONE:
            return f"no passage of anybody's own words bears it: the nearest reaches {each.max():.2f} of {ALONE:g}"
        if each.max() < NEARLY_WHOLE and not self._consented(
            profile, np.flatnonzero(bearing & (each >= RESTATES * each.max()))
        ):
            return "nobody's own words decide, permit or cancel that"
        return None

    def agreeing(self, profile: Profile, scores: Scores, row: int) -> float:
        """The score of the best passage in which no sentence says the opposite of a claim, 0..1.

        Args:
            profile: The claim.
            scores: All claims against the snapshot.
            row: The claim's row.
        """
        allowed = self._ground.spoken.copy()
        best = 0.0
        for _ in range(TRIES):
            rows = Rows(allowed, self._ground.rows.turns)
            each = scores.passages(row, rows)
            place = int(np.argmax(each))
            best = float(each[place])
            against = [one for one in rows.of(place) if self._against(profile, one)]
            if not against or best < BEARS:
                break
            allowed[against] = False
        return best

    def _against(self, profile: Profile, row: int) -> bool:
        said = self._ground.profiles[row]
        return reverses(profile, said) or contradiction(profile, said) is not None

    def _is_given(self, profile: Profile) -> bool:
        """Whether a claim tells no role, or somebody gives the assistant one of that name."""
        match = ROLE.search(profile.text)
        named = _roots("" if match is None else match["who"])
        most = max((len(named & _roots(self._ground.stretches[row].text)) for row in self._gives_role), default=0)
        return most >= NAMED * len(named)

    def _consented(self, profile: Profile, places: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> bool:
        """Whether a claim tells no act of consent, or some passage that bears it has such an act too."""
        told = _acts(profile.text)
        if not told:
            return True
        return any(told <= _acts(self._passage(int(place), negative=profile.negative)) for place in places)

    def _passage(self, place: int, *, negative: bool) -> str:
        """The sentences of a passage that affirm, or that deny: "this cannot be signed" signs nothing."""
        rows = [row for row in self._ground.rows.of(place) if self._ground.profiles[row].negative is negative]
        return " ".join(self._ground.stretches[row].text for row in rows)


def reverses(claim: Profile, said: Profile) -> bool:
    """Whether a sentence has a claim's words and the opposite sense: one of the two denies or rejects it.

    Args:
        claim: A claim.
        said: A sentence of the conversation.
    """
    turned = claim.negative is not said.negative and len(claim.terms & said.terms) >= COVERED * max(1, len(claim.terms))
    return turned or says_opposite(claim, said)


def _acts(text: str) -> frozenset[int]:
    """The kinds of act that a text tells, by their place in CONSENTS."""
    said = _roots(text)
    return frozenset(place for place, group in enumerate(CONSENTS) if group & said)


def _roots(text: str) -> frozenset[str]:
    return frozenset(map(root, content_sequence(text)))


def _gives_role(stretch: Candidate) -> bool:
    return GIVES_ROLE.get(stretch.role, GIVES_ROLE[Role.USER]).search(stretch.text) is not None
