"""Turns that come over HTTP are read as files are: the same forms, the same limits, secrets replaced before a row."""

import json
from collections.abc import Sequence

from api.schemas import Talk
from api.state import Caller
from dissolution.conversation import Conversation, KnownSecret, Redaction, Turn
from dissolution.policy.job_policy import Policy
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_bytes
from language.secrets.known import KnownSecrets
from language.secrets.replacing import replace_secrets
from workers.tenants.personal_data import recognisers_of

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
    form, data = _as_file(talk, title)
    options = ReadingOptions(
        form=form,
        conversation="request" if talk.text is None else talk.pick,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    reading = read_bytes(
        data,
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
    told = reading.warnings[1:] if reading.identity == "name" else reading.warnings  # the address names it, no file
    return reading.model_copy(update={"conversation": named, "warnings": told})


def _as_file(talk: Talk, title: str | None) -> tuple[Form | None, bytes]:
    """The body as the file it could have been, and its form where it is known."""
    if talk.text is not None:
        return None, talk.text.encode("utf-8", "surrogatepass")  # what is no UTF-8 is refused where files are
    if talk.turns is None:
        return None, json.dumps({"messages": talk.messages}).encode()
    turns = [turn.model_dump(mode="json", exclude_none=True) for turn in talk.turns]
    return Form.NATIVE, json.dumps({"turns": turns, "title": title}).encode()


def behind(given: Conversation, stored: int) -> tuple[Sequence[Turn], Sequence[Redaction], Sequence[KnownSecret]]:
    """The turns, redactions and known secrets of a conversation under the numbers that follow `stored` turns."""
    turns = [turn.model_copy(update={"number": turn.number + stored}) for turn in given.turns]
    redactions = [one.model_copy(update={"turn": one.turn + stored}) for one in given.redactions]
    known = [one.model_copy(update={"turn": one.turn + stored}) for one in given.known]
    return turns, redactions, known
