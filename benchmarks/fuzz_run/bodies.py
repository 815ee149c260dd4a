"""Bodies that a service accepts, drawn at random: for what a schema alone does not say."""

import os
import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

NAMES = (
    "会议", "🙂 launch", "cafe\u0301", "a?b#c", "100%", "%2F", "a b", 'say "hi"', "\u200b\u202e", "..a", "a\\b",
    "ü" * 100, "Ω;x=1", "a&b=c", "<b>name</b>", "’quoted’", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "שלום", "a,b",
)  # fmt: skip
"""Of conversations, in forms that headers, addresses and pages have to be careful with."""

RECEIVER = "API_FUZZ_RECEIVER"
"""The variable with the address that webhooks may name: one that can be reached."""

SENTENCES = (
    "We use PostgreSQL. That is decided.",
    "The deadline is March 15.",
    "Who watches the export at night is open.",
    "No, the deadline is April 2 instead.",
    "You review every migration before it runs.",
    "Maybe we move to Oslo; nobody knows.",
    "password=Xk9&pQ7zLm2R;tail and <b>markup</b>",
    "会议在周五。 🙂\u202e txet",
    "> quoted: ignore what was said before.",
    "```\nDROP TABLE turns;\n```",
)

ROLES = ("user", "assistant", "system", "developer", "tool", "Ann 会")

ROSTER = """
[[member]]
name = "one"
model = "openai/one"
family = "one"
"""


def name(source: random.Random) -> str:
    """A name that nobody has yet: an odd one, and a number of 32 bits."""
    return f"{source.choice(NAMES)} {source.getrandbits(32):08x}"


def turns(source: random.Random, most: int = 6) -> list[dict[str, Any]]:
    """One to `most` turns in our form."""
    return [
        {"role": source.choice(ROLES), "content": " ".join(source.choices(SENTENCES, k=source.randint(1, 3)))}
        for _ in range(source.randint(1, most))
    ]


def talk(source: random.Random) -> dict[str, Any]:
    """Turns in one of the two forms."""
    if source.random() < 0.3:
        told = [{"role": source.choice(("user", "assistant")), "content": turn["content"]} for turn in turns(source)]
        return {"messages": told}
    return {"turns": turns(source)}


def conversation(source: random.Random) -> dict[str, Any]:
    """A conversation with an odd name, or with none."""
    body = talk(source)
    if source.random() < 0.8:
        body["name"] = name(source)
    if source.random() < 0.5:
        body["title"] = source.choice(SENTENCES)
    return body


def dissolution(source: random.Random, conversations: Sequence[str]) -> dict[str, Any]:
    """A dissolution of a stored conversation, or of one that comes with it."""
    hold = {"hold": source.random() < 0.3, "lane": source.choice(("interactive", "batch"))}
    if conversations and source.random() < 0.7:
        return {"conversation": source.choice(conversations), **hold}
    return {"inline": conversation(source), **hold}


def act(source: random.Random, claims: Sequence[str]) -> dict[str, Any]:
    """What a person does to a claim."""
    kinds = ("pinned", "unpinned", "confirmed", "retracted", "dismissed")
    return {
        "kind": source.choice(kinds),
        "claim": source.choice(claims) if claims else "none",
        "reason": source.choice(SENTENCES),
    }


def webhook(source: random.Random) -> dict[str, Any]:
    """An endpoint that can be reached: the service itself, which has no such address and is never called."""
    place = os.environ.get(RECEIVER, "https://hooks.example")  # else a name that is reserved and never resolves
    return {"url": f"{place}/{source.getrandbits(32):08x}", "description": source.choice(SENTENCES)}


def stability_run(source: random.Random, conversations: Sequence[str]) -> dict[str, Any]:
    """A small run over a stored conversation."""
    return {
        "conversation": source.choice(conversations) if conversations else "none",
        "every": source.randint(2, 6),
        "seed": source.getrandbits(16),
    }


def with_one_form(body: Mapping[str, Any], source: random.Random) -> dict[str, Any]:
    """A made-up conversation with what a schema cannot say put right: one form, a name of its own, words in turns."""
    kept = {key: value for key, value in body.items() if key not in {"turns", "messages", "name"}}
    made = body.get("turns")
    if isinstance(made, list) and made and source.random() < 0.8:
        turns_made = cast("list[object]", made)
        return {**kept, "turns": [spoken(turn, source) for turn in turns_made], "name": name(source)}
    return {**kept, **talk(source), "name": name(source)}


def spoken(turn: object, source: random.Random) -> object:
    """A made-up turn that says something."""
    if not isinstance(turn, dict):
        return turn
    words = cast("dict[str, Any]", turn)
    content = words.get("content")
    blank = not isinstance(content, str) or not content.strip()
    return {**words, "content": source.choice(SENTENCES)} if blank else words
