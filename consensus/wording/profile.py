"""What one text says that an embedding does not tell: typed values, names, denials. Read once, compared many times."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from consensus.wording.lexical import parts, root
from consensus.wording.typed_values import Figure, Typed
from language.reading import read

__all__ = ["Figure", "Profile", "profile_of"]

DENIALS = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|cannot|without)\b|n['’]t\b"
    r"|\b(?:rul(?:e[sd]?|ing) out|(?:reject|refus|declin|exclud|forbid|prohibit)\w+)\b",
    re.IGNORECASE,
)
"""The one closed class of words that keeps statements apart: denials and refusals. `benchmarks/consensus.py --rows`
prints what leaving it out costs."""


@dataclass(frozen=True)
class Profile(Typed):
    """What one text says. Each part is read when it is first asked for: most of a conversation is never asked for all.

    Attributes:
        text: The text itself.
    """

    def __hash__(self) -> int:
        """The text's own hash, which is kept: what is known of a profile is looked up often."""
        return hash(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of its content words, and the parts of those that are joined: `ll_session` shares "session"."""
        whole = read(self.text).stems
        return whole.union(*map(parts, whole))

    @cached_property
    def roots(self) -> frozenset[str]:
        """Roots of its terms."""
        return frozenset(map(root, self.terms))

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Roots of its content words, each once, in the order in which they are first said."""
        return tuple(dict.fromkeys(map(root, read(self.text).content)))

    @cached_property
    def names(self) -> frozenset[str]:
        """Proper names in lower case."""
        return frozenset(name.casefold() for name in read(self.text).names)

    @cached_property
    def denials(self) -> int:
        """How often it denies or refuses something."""
        return len(DENIALS.findall(self.text))


def said_in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether a part's words stand in the whole in their order: "B is 2" says no part of "A is 2 and B is 1"."""
    rest = iter(whole)
    return all(word in rest for word in part)


@lru_cache(maxsize=4096)
def profile_of(text: str) -> Profile:
    """The profile of one text; the 4,096 used last are remembered, since claims and stretches come again."""
    return Profile(text)
