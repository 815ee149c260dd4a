"""Bytes to text: UTF-8, with or without a byte-order mark, and nothing else."""

import codecs

from dissolution.errors import InvalidConversation
from dissolution.policy.calibration import CALIBRATION

_RESAVE = "save it as UTF-8"
# UTF-32 first: its little-endian mark begins with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_PROBE = 400
_NULS_OF_UTF16 = CALIBRATION.language.utf16_zero_bytes


def decode(data: bytes, name: str) -> str:
    """The text of a file. Raises InvalidConversation: empty, blank, UTF-16, UTF-32, or not UTF-8 (names the offset)."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise InvalidConversation(f"file {name!r} is {encoding}", f"{_RESAVE}; other encodings are not guessed")
    head = data[:_PROBE]
    if head.count(0) > _NULS_OF_UTF16 * len(head):
        raise InvalidConversation(f"file {name!r} looks like UTF-16 without a byte-order mark", _RESAVE)
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        text = data[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        offset = start + error.start
        raise InvalidConversation(
            f"file {name!r} is not UTF-8: byte 0x{data[offset]:02x} at offset {offset}", _RESAVE
        ) from None
    if not text.strip():
        raise InvalidConversation(f"file {name!r} is empty", "give a file with at least one turn")
    return text
