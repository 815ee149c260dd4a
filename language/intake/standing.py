"""A conversation that is given whole again, beside the turns of it that are stored.

Stored turns were read when less was known: a secret that was found in a later turn, or by a rule that came later, may
stand in them as it is, or the other way round. Such a turn is the stored one all the same, and it is never rewritten.
"""

from collections.abc import Sequence

from dissolution.conversation import Conversation, KnownSecret, Turn
from language.secrets.known import KnownSecrets
from language.secrets.replacing import replace_secrets


def as_stored(given: Conversation, stored: Sequence[Turn], known: Sequence[KnownSecret], *, key: bytes) -> Conversation:
    """The conversation given, with the stored turn wherever the two differ in nothing but what is replaced.

    Args:
        given: As it was read, from turn 1 on.
        stored: The turns that are stored, from turn 1 on.
        known: What is remembered of the stored turns' secrets.
        key: The installation key.
    """
    pairs = list(zip(given.turns, stored, strict=False))
    if all(one.digest == other.digest for one, other in pairs):
        return given
    entries = (*given.known, *known)
    turns = [other if _same(one, other, entries, key) else one for one, other in pairs]
    return given.model_copy(update={"turns": (*turns, *given.turns[len(pairs) :])})


def _same(one: Turn, other: Turn, known: Sequence[KnownSecret], key: bytes) -> bool:
    if one.digest == other.digest:
        return True
    if (one.role, one.said_at) != (other.role, other.said_at):
        return False
    return _clean(one.speaker, known, key) == _clean(other.speaker, known, key) and _clean(
        one.content, known, key
    ) == _clean(other.content, known, key)


def _clean(text: str, known: Sequence[KnownSecret], key: bytes) -> str:
    return replace_secrets(text, key=key, known=KnownSecrets(known)).text
