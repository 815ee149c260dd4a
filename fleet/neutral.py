"""What a prompt asks, without what differs from one installation, or one job, to the next.

Delimiters are made with an installation's key, claims are named by their job, and secrets stand as placeholders of that
key. Such a token becomes a neutral one, numbered in order of appearance, so that the same question reads the same
everywhere; in an answer the tokens are put in or back the same way. A token that stands in a turn is a word of that
turn and stays.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

from dissolution.answers import MemberTask
from dissolution.conversation import Snapshot

_TOKEN = re.compile(
    r"\[secret:[\w-]+:(?P<secret>[0-9a-f]{8})\]"
    r"|\b(?:(?P<code>[0-9a-f]{24})|(?P<job>j[0-9a-f]{12})|(?P<id>c[0-9a-f]{4,12}))\b"
)
OPEN, CLOSE = "\u2039", "\u203a"
"""Around a neutral token."""

_PLACEHOLDER = re.compile(r"(\[secret:[\w-]+:)[0-9a-f]{8}\]")
NO_DIGITS = "00000000"
"""Stands for the digits of a placeholder that no prompt showed: they would let a short secret be guessed."""


class Tokens(NamedTuple):
    """The tokens of one prompt, as they stand in it and neutral."""

    neutral: Mapping[str, str]  # by the token as it stands

    def neutralised(self, text: str) -> str:
        """The text with every token of the prompt made neutral."""
        return _replaced(text, self.neutral)

    def put_back(self, text: str) -> str:
        """The text with every neutral token as this prompt shows it."""
        return _replaced(text, {neutral: token for token, neutral in self.neutral.items()})


def tokens_of(text: str, snapshot: Snapshot) -> Tokens:
    """The tokens of a prompt's text about a snapshot, numbered in order of appearance, each kind by itself."""
    said = {
        match[0]
        for turn in snapshot.turns
        for match in _TOKEN.finditer(f"{turn.speaker} {turn.content}")
        if match["secret"] is None
    }
    neutral: dict[str, str] = {}
    counts: dict[str, int] = {}
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        token = match[kind]
        if token not in said and token not in neutral:
            counts[kind] = counts.get(kind, 0) + 1
            neutral[token] = f"{OPEN}{kind} {counts[kind]}{CLOSE}"
    return Tokens(neutral)


def asked_text(task: MemberTask) -> tuple[str, Tokens]:
    """The prompt of a task in neutral form, each message headed by its role, and its tokens."""
    text = "\n\n".join(f"<<{message.role}>>\n{message.content}" for message in task.prompt.messages)
    tokens = tokens_of(text, task.snapshot)
    return tokens.neutralised(text), tokens


def digest_of(text: str) -> str:
    """32 hex digits of the SHA-256 of a neutral text: what is asked, in short."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def without_digits(text: str) -> str:
    """The text with the digits of every placeholder left out."""
    return _PLACEHOLDER.sub(rf"\g<1>{NO_DIGITS}]", text)


def _replaced(text: str, words: Mapping[str, str]) -> str:
    if not words:
        return text
    longest_first = sorted(words, key=len, reverse=True)
    found = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in longest_first))
    return found.sub(lambda match: words[match[0]], text)
