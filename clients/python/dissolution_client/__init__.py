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
from dissolution_client.shapes import Appended, Claim, Context, Conversation, Dissolution, Event, Message

__all__ = [
    "Appended",
    "AsyncClient",
    "Claim",
    "Client",
    "ClientError",
    "ConnectionLost",
    "Context",
    "Conversation",
    "Dissolution",
    "Event",
    "Message",
    "NotCommitted",
    "ProblemError",
    "UnusableOption",
    "WaitedTooLong",
]
