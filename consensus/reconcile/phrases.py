"""Claims that differ in one phrase at one place: "the train goes to Ely" and "the train goes to Norwich".

A phrase of open words has no kind to go by, so its place must tell that it is a value: the words that govern it, in
both claims alike. A phrase inside a definite subject ("the staging database") says which thing is meant: it is no
value.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from consensus.reconcile.slots import roles_at, values
from consensus.reconcile.terms import SCALES, THINGS, Role
from consensus.reconcile.tokens import AUXILIARY, DEFINITE, Token, plain, tokens_of
from wording.verbs import word_set
from wording.words import STOPWORDS

LONGEST = 4  # words of a phrase that can be a value
OPEN_SCALES = frozenset({"origin", "colour"})
"""Scales whose words are not all listed: a word that stands on none may stand on these."""

WISH = re.compile(
    r"\b(?:should|must|wants?|wanted|would like|prefers?|needs?|needed|looks?|looking|search(?:es)?|after|(?:is"
    r"|are|has|have) to"
    r"|asks?|settled?|require[sd]?|plans?|shall|fanc(?:y|ies)|desires?|hopes?|craves?|requests?|insists?|demands?|keen)\b",
    re.IGNORECASE,
)
"""Wording of what is wanted, not of what is."""

ARTICLES = frozenset({"a", "an"})
PLACING = word_set("at in on with by of for as under over into onto")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words that one of two claims has and the other has not, in one run.

    Attributes:
        words: The words.
        text: As said.
        place: What governs it: a role, a preposition, an article, the thing it stands before, or nothing.
        scales: The scales its last word stands on.
        sure: Whether the place holds one value: a definite subject is said to be it, or it is a role's only filler.
    """

    words: frozenset[str]
    text: str
    place: str
    scales: frozenset[str]
    sure: bool


def differing(one: str, two: str) -> tuple[Phrase, Phrase] | None:
    """The one phrase in which two claims differ, at one place of both; None where they differ in more or otherwise."""
    left = _run(one, two)
    right = None if left is None else _run(two, one)
    if left is None or right is None or not _one_kind(left, right) or not _one_place(left, right):
        return None
    if (WISH.search(one) is None) != (WISH.search(two) is None) and not {left.place, right.place} & set(Role):
        return None
    return left, right


def _one_kind(left: Phrase, right: Phrase) -> bool:
    if left.scales and right.scales:
        return bool(left.scales & right.scales)
    either = left.scales | right.scales
    return not either or bool(either & OPEN_SCALES)


def _one_place(left: Phrase, right: Phrase) -> bool:
    """Alike, or one stands before its thing ("Thai food") where the other says it of it ("the food is Thai")."""
    return left.place == right.place or {left.place, right.place} == {"before its thing", ""}


def _run(text: str, other: str) -> Phrase | None:
    words, known = tokens_of(plain(text)), _known(other)
    if any(not value.kind.startswith("scale:") for value in values(text)):
        return None
    own = [n for n, t in enumerate(words) if _is_own(t, known)]
    if any(words[n].name in THINGS for n in own):
        return None
    if not own or own[-1] - own[0] >= LONGEST or any(words[n].name in known for n in range(own[0], own[-1])):
        return None
    if not any(t.name and t.name in known for t in words):
        return None
    return _phrase(text, words, own[0], own[-1])


@lru_cache(maxsize=4096)
def _known(text: str) -> frozenset[str]:
    tokens = [token for token in tokens_of(plain(text)) if token.name]
    return frozenset({token.name for token in tokens if token.name} | {token.word for token in tokens})


def _is_own(token: Token, known: frozenset[str]) -> bool:
    """Whether a word tells something that the other claim does not; verbs tell only how."""
    if token.word in known or (token.name is not None and token.name in known) or token.verb:
        return False
    return token.name is not None or token.word in SCALES


def _phrase(text: str, words: Sequence[Token], first: int, last: int) -> Phrase | None:
    verb = next((n for n, t in enumerate(words) if t.word in AUXILIARY or t.verb), len(words))
    before = words[first - 1].word if first else ""
    follows = words[last + 1] if last + 1 < len(words) else None
    heads = follows is not None and follows.name is not None and not follows.verb and follows.word not in STOPWORDS
    if last < verb and before in DEFINITE and last + 1 < verb:
        return None
    roles = roles_at(text, 0, len(text), words[first].at) & {Role.START, Role.END}
    place = _place(before, roles, heads=heads)
    definite = verb < len(words) and bool(words) and words[0].word in DEFINITE and last > verb
    return Phrase(
        words=frozenset(t.name or t.word for t in words[first : last + 1]),
        text=text[words[first].at : words[last].end],
        place=place,
        scales=SCALES.get(words[last].word, frozenset()),
        sure=place in set(Role) or heads or (definite and before not in PLACING),
    )


def _place(before: str, roles: frozenset[Role], *, heads: bool) -> str:
    if heads:
        return "before its thing"
    if len(roles) == 1:
        return next(iter(roles))
    if before in ARTICLES:
        return "a"
    return before if before in PLACING else ""
