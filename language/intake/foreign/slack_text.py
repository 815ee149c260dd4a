"""What Slack writes in place of names, channels and links inside a message, and who its people are."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.json_values import as_list, as_object, as_text

_MARK = re.compile(r"<([@#!]?)([^<>|\n]{1,2000})(?:\|([^<>\n]{0,2000}))?>")
_LINK = re.compile(r"(?:https?|ftp|mailto|tel|slack):")
_MOST_BLOCKS = 500  # values of one message's blocks that are looked at
# Where text stands in blocks: https://docs.slack.dev/reference/block-kit lists them.
_IN_BLOCKS = ("text", "fields", "elements", "title", "alt_text", "rows")


class People(NamedTuple):
    """The names of users and channels by their ids, and which users are programs."""

    users: Mapping[str, str]
    """Display name by id; two people of one name are told apart by their handle."""
    bots: frozenset[str]
    """Ids of users that are programs."""
    channels: Mapping[str, str]
    """Channel name by id."""


NOBODY = People({}, frozenset(), {})
"""Where there is no users.json: messages carry names of their own, or the ids stand."""


def people_of(users: Any, channels: Mapping[str, str]) -> People:  # noqa: ANN401 - JSON is any value
    """The people of `users.json`. Raises InvalidConversation when it is no list of users."""
    listed = as_list(users)
    if listed is None:
        raise InvalidConversation("users.json holds no list of users", "take it as it was exported")
    known = {key: one for one in (as_object(entry) for entry in listed) if one and (key := as_text(one.get("id")))}
    names = {key: display_name(one) or key for key, one in known.items()}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    told = {
        key: f"{name} ({as_text(known[key].get('name')) or key})" if name in shared else name
        for key, name in names.items()
    }
    return People(told, frozenset(key for key, one in known.items() if one.get("is_bot") is True), channels)


def display_name(user: Mapping[str, Any]) -> str | None:
    """What the people of a workspace see: the display name, else the real name, else the handle."""
    profile = as_object(user.get("profile")) or {}
    given = (profile.get("display_name"), user.get("display_name"), profile.get("real_name"), user.get("real_name"))
    return next((name for name in (as_text(one) for one in (*given, user.get("name"))) if name), None)


def plain(text: str, people: People) -> str:
    """The text as its reader sees it: names for ids, labels beside their addresses, `&amp;` and its like resolved."""
    shown = _MARK.sub(_shown(people), text)
    return shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _shown(people: People) -> Callable[[re.Match[str]], str]:
    def shown(match: re.Match[str]) -> str:
        sign, target, label = match[1], match[2], match[3] or ""
        if sign == "@":
            return f"@{people.users.get(target) or label.lstrip('@') or target}"
        if sign == "#":
            return f"#{people.channels.get(target) or label.lstrip('#') or target}"
        if sign == "!":
            return label or f"@{target.partition('^')[0]}"
        if not _LINK.match(target):
            return match[0]
        address = target.removeprefix("mailto:")
        return address if not label or label in target else f"{label} ({address})"

    return shown


def block_text(blocks: object) -> str:
    """The text of a message that stands in its blocks alone, a line for each stretch of it."""
    return "\n".join(_stretches([blocks]))


def _stretches(pending: list[object]) -> Iterator[str]:
    """Texts of blocks in their order, within bounds: a message of thousands of blocks is none of a person's."""
    for _ in range(_MOST_BLOCKS):
        if not pending:
            return
        value = pending.pop()
        listed, fields = as_list(value), as_object(value)
        if listed is not None:
            pending += reversed(listed)
        elif fields is not None:
            pending += [fields[key] for key in reversed(_IN_BLOCKS) if key in fields]
        elif isinstance(value, str) and value.strip():
            yield value
