"""The client of the dissolution service, synchronous and asynchronous."""

from dissolution_client.aio import AsyncClient
from dissolution_client.client import Client
from dissolution_client.errors import (
    ClientError,
    ConnectionLost,
    NotCommitted,
    ProblemError,
    UnusableOption,
    WaitedTooLong,
)
from dissolution_client.shapes import (
    Appended,
    Became,
    Claim,
    Context,
    Conversation,
    Dissolution,
    Event,
    Evidence,
    Found,
    Message,
    Recalled,
)

__all__ = [
    "Appended",
    "AsyncClient",
    "Became",
    "Claim",
    "Client",
    "ClientError",
    "ConnectionLost",
    "Context",
    "Conversation",
    "Dissolution",
    "Event",
    "Evidence",
    "Found",
    "Message",
    "NotCommitted",
    "ProblemError",
    "Recalled",
    "UnusableOption",
    "WaitedTooLong",
]
