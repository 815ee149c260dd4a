"""Addresses of what the service has: each part percent-encoded, so that any name can stand in a header and a link."""

from urllib.parse import quote

CONVERSATIONS = "/v1/conversations"


def link(base: str, *parts: str) -> str:
    """The address of something below `base`, in ASCII (RFC 3986): `?`, `#`, blanks and other scripts are encoded."""
    return "/".join((base, *(quote(part, safe="", errors="replace") for part in parts)))


def conversation_link(name: str, *more: str) -> str:
    """The address of a conversation, or of what belongs to it."""
    return link(CONVERSATIONS, name, *more)
