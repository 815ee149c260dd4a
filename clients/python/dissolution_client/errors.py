"""What can go wrong, each with what to do about it."""


class ClientError(Exception):
    """The base of all errors of this client."""


class ProblemError(ClientError):
    """The service said no: a problem document (RFC 9457).

    Attributes:
        status: The HTTP status, 400 to 599.
        code: Stable; what programs look at. docs/api-errors.md of the service says what to do for each.
        detail: What happened, with which value, and what to do.
        fields: For `invalid_request`: each field that cannot be used, with the reason.
    """

    def __init__(self, status: int, code: str, detail: str, fields: tuple[tuple[str, str], ...] = ()) -> None:
        told = "".join(f"; {field}: {reason}" for field, reason in fields)
        super().__init__(f"{code} ({status}): {detail}{told}")
        self.status, self.code, self.detail, self.fields = status, code, detail, fields


class UnusableOption(ClientError):
    """An address or a key that no request can be sent with; nothing was sent, and a key is not repeated."""


class ConnectionLost(ClientError):
    """No answer came, however often it was tried."""


class WaitedTooLong(ClientError):
    """A dissolution had not ended when the caller's time was over; it goes on all the same."""


class NotCommitted(ClientError):
    """A dissolution ended without a boundary; the history stays in force. The message holds the reason."""


PASSING = frozenset({429, 500, 502, 503, 504})


def passes(error: ClientError) -> bool:
    """Whether it may be better by itself; what is refused has to be put right by somebody."""
    return isinstance(error, ConnectionLost | WaitedTooLong | NotCommitted) or (
        isinstance(error, ProblemError) and error.status in PASSING
    )
