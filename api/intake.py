"""Turns that come over HTTP are read as files are: the same forms, the same limits, secrets replaced before a row."""

import json
from collections.abc import Sequence

from api.schemas import Talk
from api.state import Caller
from dissolution.conversation import Conversation, KnownSecret, Redaction, Turn
from dissolution.policy import Policy
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_bytes
from language.secrets.known import KnownSecrets
from language.secrets.replacing import replace_secrets
from workers.personal_data import recognisers_of

SOURCE = "request"
"""What messages call the text that was read."""


def read_talk(
    caller: Caller,
    talk: Talk,
    conversation: str,
    title: str | None,
    policy: Policy | None,
    *,
    known: Sequence[KnownSecret] = (),
) -> Reading:
    """The conversation that a body holds, under its id; `known` is remembered of the turns that stand before these.

    Secrets, the tenant's own patterns and what rules or policy name are replaced.

    Raises InvalidConversation, InputError, InvalidPolicy.
    """
    settings, clock = caller.api.services.settings, caller.api.services.clock
    with caller.api.reads() as work:
        key = work.installation_key()
        rules = work.service.intake.rules(caller.tenant)
    form, value = _as_file(talk, title)
    options = ReadingOptions(
        form=form,
        conversation="request",
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    reading = read_bytes(
        json.dumps(value).encode(),
        SOURCE,
        options,
        key=key,
        clock=clock,
        recognisers=recognisers_of(rules, policy),
        known=known,
    )
    named = reading.conversation.model_copy(update={"id": conversation})
    if title is not None and named.title is None:
        met = KnownSecrets((*known, *named.known))
        named = named.model_copy(update={"title": replace_secrets(title, key=key, known=met).text})
    return reading.model_copy(update={"conversation": named})


def _as_file(talk: Talk, title: str | None) -> tuple[Form | None, object]:
    """The body as the file it could have been, and its form where it is known."""
    if talk.turns is None:
        return None, {"messages": talk.messages}
    turns = [turn.model_dump(mode="json", exclude_none=True) for turn in talk.turns]
    return Form.NATIVE, {"turns": turns, "title": title}


def behind(given: Conversation, stored: int) -> tuple[Sequence[Turn], Sequence[Redaction], Sequence[KnownSecret]]:
    """The turns, redactions and known secrets of a conversation under the numbers that follow `stored` turns."""
    turns = [turn.model_copy(update={"number": turn.number + stored}) for turn in given.turns]
    redactions = [one.model_copy(update={"turn": one.turn + stored}) for one in given.redactions]
    known = [one.model_copy(update={"turn": one.turn + stored}) for one in given.known]
    return turns, redactions, known
