"""What one request through LiteLLM came to, and what that means for limits. Does not import the library."""

from collections.abc import Mapping

from pydantic import JsonValue

from dissolution.answers import Reply
from dissolution.errors import MemberError
from dissolution.limits import Ended, RequestReport
from fleet.admission import answered


class Answered:
    """A reply, and the parameters that were really sent."""

    def __init__(self, reply: Reply, sent: Mapping[str, JsonValue]) -> None:
        self.reply = reply
        self.sent = dict(sent)


class Unsupported:
    """The library refused to send a parameter; nothing was sent."""

    def __init__(self, words: str) -> None:
        self.words = words


def request_report(outcome: Answered | Unsupported | MemberError) -> RequestReport | MemberError:
    """What an attempt's outcome means for limits."""
    if isinstance(outcome, Answered):
        return answered(outcome.reply.usage)
    return RequestReport(ended=Ended.UNSENT) if isinstance(outcome, Unsupported) else outcome
