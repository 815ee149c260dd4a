"""A conversation as fenced data: the block that every prompt from version 2 begins with.

The delimiter keeps the block's end from being forged; the marks below tell a reader who said what and what was only
passed on. Whatever in a turn looks like a mark gets a visible `·`, so that it is none; no word of the turn is changed.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence

from dissolution.conversation import Snapshot, Turn
from dissolution.errors import InvalidPrompt

DELIMITER_DIGITS = 24
"""Hex digits: 96 bits, beyond guessing and still one short token run."""

MIN_KEY_BYTES = 16
"""A key shorter than this could be found by trying."""

NEUTRAL = "\u00b7"
"""The visible mark that something only looks like a mark of ours."""

LINE_START = "| "

# What our own lines and marks look like, as a reader would take them: fence words, turn headers, quotation brackets.
_LOOKS_LIKE_A_MARK = re.compile(
    r"(?:BEGIN|END)[ \t_-]{1,4}(?:CONVERSATION|PRIOR STATE)|\[[ \t]{0,4}turn[ \t]{0,4}\d|[\u27ea\u27eb]", re.IGNORECASE
)
_SPACE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069;]+")


def delimiter(snapshot: Snapshot, key: bytes) -> str:
    """24 hex digits: HMAC-SHA256 of the snapshot's digest under the installation's key, cut.

    The same for every prompt about one snapshot, so that prompts share their first bytes; unguessable to whoever wrote
    the turns. Raises InvalidPrompt when the key is shorter than 16 bytes.
    """
    if len(key) < MIN_KEY_BYTES:
        raise InvalidPrompt(f"a delimiter key of {len(key)} bytes", f"give at least {MIN_KEY_BYTES} random bytes")
    return hmac.new(key, snapshot.digest.encode(), hashlib.sha256).hexdigest()[:DELIMITER_DIGITS]


def fenced_conversation(snapshot: Snapshot, code: str, after: int = 0) -> str:
    """The turns after number `after` (0: the whole snapshot) between their fence lines."""
    return fenced_turns(snapshot.turns[after:], code)


def fenced_turns(turns: Sequence[Turn], code: str) -> str:
    """Some turns of a conversation, in their order and with their numbers, between its fence lines."""
    shown = "\n".join(_turn(turn, code) for turn in turns)
    return f"BEGIN CONVERSATION {code}\n{shown}\nEND CONVERSATION {code}"


def fenced_lines(passages: Sequence[str], code: str) -> str:
    """An account in place of a conversation: its passages one below the other, or an empty text."""
    shown = "".join(f"{_lines(neutralised(passage, code))}\n" for passage in passages)
    return f"BEGIN CONVERSATION {code}\n{shown}END CONVERSATION {code}"


def fenced_state(text: str, code: str) -> str:
    """A prior state between its fence lines. It was written by members and is as untrusted as the turns."""
    return f"BEGIN PRIOR STATE {code}\n{_lines(neutralised(text, code))}\nEND PRIOR STATE {code}"


def neutralised(text: str, code: str) -> str:
    """The text with a `·` before whatever looks like a mark of ours and inside any copy of the delimiter.

    Nothing is removed or replaced: taking the added `·` away gives the text back.
    """
    # First the delimiter: what the second step adds cannot join a broken delimiter again.
    half = len(code) // 2
    broken = re.sub(
        re.escape(code), lambda match: f"{match[0][:half]}{NEUTRAL}{match[0][half:]}", text, flags=re.IGNORECASE
    )
    return _LOOKS_LIKE_A_MARK.sub(lambda match: f"{NEUTRAL}{match[0]}", broken)


def marked_lines(text: str, code: str, marks: re.Pattern[str]) -> str:
    """Every line behind the line mark, with whatever looks like a mark of ours or matches `marks` made none."""
    return _lines(marks.sub(lambda match: f"{NEUTRAL}{match[0]}", neutralised(text, code)))


def _turn(turn: Turn, code: str) -> str:
    speaker = neutralised(_SPACE_OR_CONTROL.sub(" ", turn.speaker).strip() or "?", code)
    return f"[turn {turn.number}] {turn.role.value}; {speaker}\n{_lines(_marked(turn, code))}"


def _marked(turn: Turn, code: str) -> str:
    """The turn's words with its quoted stretches marked."""
    pieces: list[str] = []
    place = 0
    for span in turn.quoted:
        pieces += [
            _closed(neutralised(turn.content[place : span.start], code)),
            f"\u27eaquoted {span.kind.value}\u27eb",
            _closed(neutralised(turn.content[span.start : span.end], code)),
            "\u27ea/quoted\u27eb",
        ]
        place = span.end
    pieces.append(neutralised(turn.content[place:], code))
    return "".join(pieces)


def _closed(piece: str) -> str:
    """A piece that ends in a `·` of its own would make the true mark after it look neutralised: a space parts them."""
    return f"{piece} " if piece.endswith(NEUTRAL) else piece


def _lines(text: str) -> str:
    """Every line, whatever broke it, behind the line mark: an unmarked line is ours alone."""
    return "\n".join(f"{LINE_START}{line}" for line in text.splitlines() or [""])
