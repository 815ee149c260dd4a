"""Messages in, messages out: keep a growing list of messages short without losing what was agreed in it."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from dissolution_client.client import Client
from dissolution_client.errors import ClientError, passes
from dissolution_client.history import Way, cut_of, dissolved, head_of, hold, rough_tokens

log = logging.getLogger(__name__)


class Compactor:
    """Gives a context in place of a long history, for any code that sends a list of messages.

    Call it with the whole history each time; what comes back is what to send. Short histories come back as they are.
    When the history passes the limit, what came before the last user's message is dissolved, and from then on a context
    stands for it; what follows stands as it is, and so do system messages at the beginning. Where a dissolution ends
    without a boundary, or the service is away, that is logged and everything stays: nothing leaves before its
    replacement stands.

    Args:
        client: Talks to the service.
        name: The conversation's name there; one history has one name, also after a restart.
        limit_tokens: From which size on a history, or what was added since, is dissolved.
        budget: Tokens of the context, at most.
        recent: Last turns that the context has word for word; the policy's number (10) if it is left out.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """

    def __init__(
        self,
        client: Client,
        name: str,
        *,
        limit_tokens: int = 8000,
        budget: int = 4000,
        recent: int | None = None,
        fleet: str = "extractive",
        timeout_s: float = 600.0,
    ) -> None:
        self._client, self._name = client, name
        self._way = Way(limit_tokens, budget, recent, fleet, timeout_s)
        self._again = limit_tokens  # from which size on what was added since is dissolved
        self._covered = 0  # messages that the context stands for
        self._context: list[dict[str, Any]] = []

    def __call__(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What to send.

        Raises:
            ProblemError: The service refuses what somebody has to put right, such as a key.
            ClientError: Under the name another conversation is stored.
            ValueError: The history shrank.
        """
        whole = [dict(message) for message in messages]
        if len(whole) < self._covered:
            message = f"{len(whole)} messages were given after {self._covered}; give the whole history each time"
            raise ValueError(message)
        if rough_tokens(whole[self._covered :]) >= self._again:
            self._shorten(whole)
        if not self._context:
            return whole
        return [*whole[: head_of(whole)], *self._context, *whole[self._covered :]]

    def _shorten(self, whole: Sequence[Mapping[str, Any]]) -> None:
        since = whole[self._covered :]
        cut = self._covered + cut_of(since, self._way.limit_tokens)
        if cut <= max(self._covered, head_of(whole)):
            return
        try:
            hold(self._client, self._name, whole[:cut])
            context = dissolved(self._client, self._name, self._way)
        except ClientError as error:
            if not passes(error):
                raise
            log.warning("%s stays as it is: %s", self._name, error)
            self._again = self._way.after_failure(rough_tokens(since))
            return
        self._covered, self._again = cut, self._way.limit_tokens
        self._context = list(context.as_messages())
