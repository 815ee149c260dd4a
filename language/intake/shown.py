"""How values of a file appear in messages: short, in one line, and without secrets."""

from language.secrets.replacing import replace_secrets

_MOST = 60
_MESSAGE_KEY = b"shown in a message"  # no digest of a real key may reach a message, and these are never stored


def shown(value: object) -> str:
    """`value` as repr with secrets replaced, cut to 60 characters; containers by their type alone."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    if isinstance(value, str):
        text = repr(replace_secrets(value[: 10 * _MOST], key=_MESSAGE_KEY).text)
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"
