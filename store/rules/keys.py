"""The installation key: what keyed placeholders and delimiters are made with."""

import hashlib

from pydantic import SecretStr

KEY_BYTES = 32


def derived_key(key: SecretStr) -> bytes:
    """32 bytes from a configured key of any length: its SHA-256."""
    return hashlib.sha256(key.get_secret_value().encode()).digest()
