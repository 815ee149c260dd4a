"""Slack exports: a file of one channel's messages, or the folder with a folder a channel and a file a day."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft
from language.intake.foreign.form import Entry, Files, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.slack import TS, Message, messages_of, read_channel
from language.intake.foreign.slack_text import NOBODY, People, people_of
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.times import Stamps

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_USERS = ("users.json", "org_users.json")
_CHANNELS = ("channels.json", "groups.json", "mpims.json", "dms.json")


def _recognise(material: Material) -> str | None:
    if any(_is_message(one) for one in material.messages):
        return "messages with ts, and user or bot_id"
    return None


def _is_message(one: Mapping[str, Any]) -> bool:
    ts = one.get("ts")
    named = "user" in one or "bot_id" in one or "username" in one
    return isinstance(ts, str) and bool(TS.fullmatch(ts)) and named and one.get("type", "message") == "message"


def _read(material: Material) -> tuple[Entry, ...]:
    def draft(stamps: Stamps) -> Draft:
        value = material.whole_value()
        listed = as_list((as_object(value) or {"messages": value}).get("messages"))
        if listed is None:
            raise InvalidConversation(
                f"file {material.name!r} has no list of messages", "give a channel's file, such as 2026-03-01.json"
            )
        return _with_ids_told(read_channel(messages_of(listed), NOBODY, stamps), [listed])

    return (Entry(None, None, draft),)


def _recognise_files(files: Files) -> str | None:
    days = _days(files)
    root = _root(files)
    if root is None:
        first = days[:3] if len(days) == len(files) else []
        return (
            "files named after days, of messages with ts" if any(_recognise(files[str(day)]) for day in first) else None
        )
    if not any(day.parent.parent == root for day in days) or any(not _is_below(path, root) for path in files):
        return None
    return f"{', '.join(name for name in (*_USERS, *_CHANNELS) if str(root / name) in files)} and a file a day"


def _is_below(path: str, root: PurePosixPath) -> bool:
    return PurePosixPath(path).is_relative_to(root)


def _read_files(files: Files) -> tuple[Entry, ...]:
    """A conversation a channel, in the order of their names. Raises InvalidConversation: users.json is broken."""
    root = _root(files)
    channels = {} if root is None else dict(_channels(files, root))
    people = _people(files, root, channels)
    folders: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
    beside: dict[PurePosixPath, list[str]] = defaultdict(list)
    for path in sorted(map(PurePosixPath, files)):
        if not _DAY.fullmatch(path.name):
            beside[path.parent].append(path.name)
        elif root is None or path.parent.parent == root:
            folders[path.parent].append(path)
    return tuple(
        Entry(
            folder.name or None,
            _title(channels.get(folder.name), people),
            _drafted(files, days, people, beside[folder]),
        )
        for folder, days in folders.items()
    )


def _drafted(files: Files, days: list[PurePosixPath], people: People, beside: list[str]) -> Callable[[Stamps], Draft]:
    def draft(stamps: Stamps) -> Draft:
        lists: list[list[Any]] = []
        messages: list[Message] = []
        for day in days:
            listed = as_list(files[str(day)].whole_value())
            if listed is None:
                raise InvalidConversation(f"file {str(day)!r} holds no list of messages", "export again")
            lists.append(listed)
            messages += messages_of(listed, f"{day.name}, ")
        read = _with_ids_told(read_channel(messages, people, stamps), lists)
        return read._replace(warnings=(*read.warnings, *_told_others(beside)))

    return draft


def _told_others(beside: list[str]) -> tuple[str, ...]:
    """What stands in a channel's folder beside its days: canvases, attached texts."""
    if not beside:
        return ()
    return (f"files in the channel's folder that are no days of messages, such as {shown(beside[0])}: {len(beside)}",)


def _with_ids_told(draft: Draft, lists: list[list[Any]]) -> Draft:
    """The draft, with a warning when people stand under their ids because nothing names them."""
    users = {as_text((as_object(one) or {}).get("user")) for listed in lists for one in listed}
    bare = sorted({turn.speaker for turn in draft.turns} & {user for user in users if user})
    if not bare:
        return draft
    told = f"people under their ids, such as {shown(bare[0])}: {len(bare)}; import the whole export, with users.json"
    return draft._replace(warnings=(*draft.warnings, told))


def _days(files: Files) -> list[PurePosixPath]:
    return [path for path in map(PurePosixPath, files) if _DAY.fullmatch(path.name)]


def _root(files: Files) -> PurePosixPath | None:
    """The folder of users.json or channels.json that is nearest to the top."""
    found = [path.parent for path in map(PurePosixPath, files) if path.name in {*_USERS, *_CHANNELS}]
    return min(found, key=lambda path: (len(path.parts), str(path)), default=None)


def _people(files: Files, root: PurePosixPath | None, channels: Mapping[str, Mapping[str, Any]]) -> People:
    names = {
        key: name for one in channels.values() if (key := as_text(one.get("id"))) and (name := as_text(one.get("name")))
    }
    found = [str(root / name) for name in _USERS if str(root / name) in files] if root is not None else []
    return people_of(files[found[0]].whole_value(), names) if found else People({}, frozenset(), names)


def _channels(files: Files, root: PurePosixPath) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is known of each channel, by the folder it has: its name, or its id where nobody named it."""
    for name in _CHANNELS:
        material = files.get(str(root / name))
        for entry in as_list(None if material is None else material.value) or []:
            one = as_object(entry) or {}
            folder = as_text(one.get("name")) or as_text(one.get("id"))
            if folder:
                yield folder, one


def _title(channel: Mapping[str, Any] | None, people: People) -> str | None:
    """`#name` of a channel; the members of a conversation that has no name."""
    if channel is None:
        return None
    name = as_text(channel.get("name"))
    members = [people.users.get(one, one) for one in as_list(channel.get("members")) or [] if isinstance(one, str)]
    if name is None or name.startswith("mpdm-"):
        return ", ".join(members) or name
    return f"#{name}"


FORM = ForeignForm(
    form=Form.SLACK,
    title="Slack export",
    marks=frozenset({"ts", "user", "text", "thread_ts", "client_msg_id", "bot_id"}),
    converter="export the workspace as JSON (Slack's own export) and give the folder, the zip, or a file of a day",
    recognise=_recognise,
    read=_read,
    recognise_files=_recognise_files,
    read_files=_read_files,
)
