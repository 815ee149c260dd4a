"""Secrets of an installation: put into URLs, and refused when they are placeholders that somebody forgot to replace."""

import re
from urllib.parse import quote, unquote, urlsplit

MIN_SECRET_CHARS = 16
"""Of a password in a deployment: 16 random letters and digits are 95 bits."""

MIN_DIFFERENT_CHARS = 6
"""A secret of fewer different characters was typed, not made: sixteen random hex digits have ten on average."""

PLACEHOLDER = re.compile(
    r"change.?(?:me|this|it)|replace.?(?:me|this|it)|placeholder|example|your.?(?:password|secret|key)|insert.?here"
    r"|password|passwort|passwd|secret|default|dummy|todo|fixme|letmein|qwerty|123456|abcdef|^<.*>$|^\$\{.*\}$|\*{4}",
    re.IGNORECASE,
)
"""What stands in examples in place of a secret: orders to change it, names of what it is, and runs of a keyboard."""


def why_placeholder(value: str) -> str | None:
    """Why a secret cannot be a real one; None when it may be. The value itself is never part of the answer."""
    if not value.strip():
        return "is empty"
    if PLACEHOLDER.search(value):
        return "is a placeholder"
    if len(value) < MIN_SECRET_CHARS:
        return f"has {len(value)} characters; a deployment wants {MIN_SECRET_CHARS} or more"
    if len(set(value)) < MIN_DIFFERENT_CHARS:
        return f"has only {len(set(value))} different characters"
    return None


def password_of(url: str) -> str | None:
    """The password in a URL, decoded; None without one."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return None
    return None if not password else unquote(password)


def with_password(url: str, password: str) -> str:
    """The URL with its password filled in; one that has a password, or no host to send it to, stays as it is."""
    scheme, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if not mark or not authority or ":" in user:
        return url
    return f"{scheme}://{user}:{quote(password, safe='')}@{host if at else authority}{slash}{path}"
