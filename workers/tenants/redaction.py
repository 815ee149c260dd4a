"""Words that people give beside a conversation, such as reasons and names: no secret of theirs is stored either."""

from dissolution.conversation import Conversation
from dissolution.errors import InputError, NotFound
from dissolution.ports.store import UnitOfWork
from language.intake.standing import as_stored
from language.secrets.known import KnownSecrets
from language.secrets.replacing import PLACEHOLDER, replace_secrets

REMOVED = "[secret removed]"
"""In an erasure's reason. It outlives what it erases, so not even the keyed hash of a placeholder is left."""

_ONLY_ASKED = b"is there a secret at all"  # what is made with it is thrown away


def without_secrets(work: UnitOfWork, words: str, conversation: str | None = None) -> str:
    """The words with secrets replaced, also those that their conversation has shown and that stand bare here."""
    known = KnownSecrets(work.conversations.known(conversation) if conversation is not None else ())
    return replace_secrets(words, key=work.installation_key(), known=known).text


def reason_of_erasure(work: UnitOfWork, reason: str, conversation: str) -> str:
    """The reason as it may outlive the conversation: without its secrets and without a hash of them."""
    return PLACEHOLDER.sub(REMOVED, without_secrets(work, reason, conversation))


def standing_or_given(work: UnitOfWork, given: Conversation) -> Conversation:
    """A conversation that was read whole; turns that differ from stored ones in replaced secrets alone are those."""
    try:
        stored = work.conversations.get(given.id)
    except NotFound:
        return given
    return as_stored(given, stored.turns, stored.known, key=work.installation_key())


def refuse_secret(what: str, words: str, remedy: str) -> None:
    """Raise InputError, which does not repeat the words, when they hold a secret; for names, which stay as given."""
    found = replace_secrets(words, key=_ONLY_ASKED).found
    if found:
        raise InputError(f"{what} holds a secret ({found[0][0]})", remedy)
