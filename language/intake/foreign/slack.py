"""Slack: the messages of one channel in the order of their time; a reply in a thread says whose turn it answers.

Fields as in Slack's guide to reading an export (docs/conversations.md). What a program posts is output of a tool:
whoever runs it may be a person, but nobody of the conversation said it.
"""

import re
from collections import ChainMap, Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.slack_text import People, block_text, display_name, plain
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown
from language.intake.times import Stamps

TS = re.compile(r"\d{9,11}\.\d{1,6}")
"""A message's time, which names it in its channel: seconds since 1970, a point, and a count within the second."""

_SPOKEN = frozenset(
    {"me_message", "thread_broadcast", "reply_broadcast", "file_share", "file_comment", "bot_message"}
    | {"slackbot_response"}
)
# What Slack itself posts about a channel; https://docs.slack.dev/reference/events/message lists the subtypes.
_EVENTS = (
    "join leave topic purpose name archive unarchive posting_permissions convert_to_private convert_to_public "
    "canvas_updated add remove enable disable"
)
_OTHERS = (
    "tombstone pinned_item unpinned_item reminder_add message_changed message_deleted message_replied "
    "ekm_access_denied huddle_thread sh_room_created assistant_app_thread"
)
_NOTICES = frozenset(
    {f"{kind}_{event}" for kind in ("channel", "group", "mpim", "im", "bot") for event in _EVENTS.split()}
    | {*_OTHERS.split()}
)
_SLACKBOT = "USLACKBOT"


class Message(NamedTuple):
    """One message as a file has it; `place` is how errors name it."""

    place: str
    fields: dict[str, Any]
    ts: str


def messages_of(listed: Iterable[Any], where: str = "") -> list[Message]:
    """The messages of one file. Raises InvalidConversation: one is no object, or has no `ts`."""
    found: list[Message] = []
    for number, entry in enumerate(listed, start=1):
        place = f"{where}message {number}"
        fields = as_object(entry)
        ts = None if fields is None else fields.get("ts")
        if fields is None or not isinstance(ts, str) or not TS.fullmatch(ts):
            what = f"is {shown(entry)}" if fields is None else f"has {'no ts' if ts is None else f'the ts {shown(ts)}'}"
            raise InvalidConversation(f"{place} {what}", "Slack gives each its time, as in 1772361780.000100")
        found.append(Message(place, fields, ts))
    return found


def read_channel(messages: Sequence[Message], people: People, stamps: Stamps) -> Draft:
    """The turns of one channel, by time. What is left out is counted in warnings. Raises InvalidConversation."""
    return _Channel(people, stamps).draft(messages)


class _Channel:
    def __init__(self, people: People, stamps: Stamps) -> None:
        # A message knows the names that were met up to it: later messages change none before them.
        self._met: dict[str, str] = {}
        self._people = people._replace(users=ChainMap({**people.users}, self._met))
        self._stamps = stamps
        self._turns: list[DraftTurn] = []
        self._at: dict[str, int] = {}  # the turn's number by ts
        self._thread: str | None = None  # of the turn that stands last
        self._left_out: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()

    def draft(self, messages: Sequence[Message]) -> Draft:
        seen: set[str] = set()
        for message in sorted(messages, key=_instant):
            if message.ts in seen:
                self._left_out["messages that stand twice"] += 1
                continue
            seen.add(message.ts)
            self._read(message)
        return Draft(tuple(self._turns), warnings=self._warnings())

    def _read(self, message: Message) -> None:
        fields = message.fields
        subtype = as_text(fields.get("subtype"))
        if subtype in _NOTICES or fields.get("hidden") is True:
            self._left_out["notices of Slack"] += 1
            return
        self._left_out["reactions"] += len(as_list(fields.get("reactions")) or [])
        profile = display_name(as_object(fields.get("user_profile")) or {})
        if profile:
            self._met[as_text(fields.get("user")) or ""] = profile
        parts = self._parts(message)
        if not parts:
            self._left_out["empty messages"] += 1
            return
        if subtype is not None and subtype not in _SPOKEN:
            self._unknown[subtype] += 1
            parts = [part._replace(kind=part.kind or QuotedKind.DOCUMENT) for part in parts]
        bot = self._is_bot(fields)
        if bot:
            parts = [part._replace(kind=QuotedKind.TOOL_OUTPUT) for part in parts]
        thread = as_text(fields.get("thread_ts")) or message.ts
        if thread not in {message.ts, self._thread}:
            parts.insert(0, Part(self._reply_to(thread), QuotedKind.QUOTE))
        said_at = self._stamps.read(_written(message), message.place)
        role = Role.TOOL if bot else Role.PARTICIPANT
        self._turns.append(DraftTurn(message.place, role, self._speaker(fields), tuple(parts), said_at))
        self._at[message.ts], self._thread = len(self._turns), thread

    def _reply_to(self, thread: str) -> str:
        """Whose turn a reply answers: turns are numbered as they stand here, and later messages move none of them."""
        number = self._at.get(thread)
        if number is None:
            return "[reply to a message that is not here]"
        return f"[reply to turn {number}, {self._turns[number - 1].speaker}]"

    def _is_bot(self, fields: dict[str, Any]) -> bool:
        user = as_text(fields.get("user"))
        by_program = fields.get("subtype") == "bot_message" or as_text(fields.get("bot_id")) is not None
        return by_program or user == _SLACKBOT or user in self._people.bots

    def _speaker(self, fields: dict[str, Any]) -> str:
        user = as_text(fields.get("user")) or ""
        bot = as_object(fields.get("bot_profile")) or {}
        named = (self._people.users.get(user), fields.get("username"), bot.get("name"))
        given = (*named, user, fields.get("bot_id"))
        return next((name for name in (as_text(one) for one in given) if name), "somebody")

    def _parts(self, message: Message) -> list[Part]:
        fields = message.fields
        text = fields.get("text")
        if text is not None and not isinstance(text, str):
            raise InvalidConversation(f"{message.place} has the text {shown(text)}", "take the file as it was exported")
        said = plain(text or block_text(fields.get("blocks")), self._people)
        parts = [Part(said)] if said.strip() else []
        parts += [Part(one, QuotedKind.DOCUMENT) for one in self._attached(fields)]
        files = [as_object(one) or {} for one in as_list(fields.get("files")) or []]
        names = (as_text(one.get("name")) or as_text(one.get("title")) for one in files)
        return [*parts, *(Part(f"[file: {name}]" if name else "[file]", QuotedKind.DOCUMENT) for name in names)]

    def _attached(self, fields: dict[str, Any]) -> list[str]:
        """Attachments: previews of links, other messages that are shared, what programs lay out."""
        found: list[str] = []
        for entry in as_list(fields.get("attachments")) or []:
            one = as_object(entry) or {}
            rows = [as_object(row) or {} for row in as_list(one.get("fields")) or []]
            cells = [f"{as_text(row.get('title')) or ''}: {as_text(row.get('value')) or ''}" for row in rows]
            given = [as_text(one.get(key)) for key in ("author_name", "pretext", "title", "text")]
            lines = [line for line in (*given, *cells) if line] or [
                as_text(one.get("fallback")) or block_text(one.get("blocks"))
            ]
            found.append(plain("\n".join(lines), self._people))
        return [text for text in found if text.strip()]

    def _warnings(self) -> tuple[str, ...]:
        left = [f"{kind}: {count}" for kind, count in self._left_out.items() if count]
        told = [f"left out of the channel: {', '.join(left)}"] if left else []
        told += [
            f"{count} messages of the unknown subtype {shown(kind)} are kept as quoted material"
            for kind, count in self._unknown.items()
        ]
        return tuple(told)


def _instant(message: Message) -> tuple[int, int]:
    seconds, _, rest = message.ts.partition(".")
    return int(seconds), int(rest.ljust(6, "0"))


def _written(message: Message) -> str:
    """The time as ISO 8601 in UTC; what follows the point only tells messages apart and is no fraction to rely on."""
    return datetime.fromtimestamp(_instant(message)[0], UTC).isoformat()
