"""Members that replay stored answers of real models: one member a writer found in a folder.

A folder holds files `WRITER.CONDITION.json` or `WRITER.CONDITION-N.json`, each with `conversation`, `writer`, `family`,
`condition`, `through` (the last turn the writer saw, or the name of the last conversation where turn numbers restart)
and `answer`; `planted_faults` may list faults that were put in on purpose. Nothing else is read from them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, cast

from pydantic import Field, ValidationError

from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.claims import FamilyName, MemberName
from dissolution.conversation import ConversationId, Snapshot
from dissolution.errors import InvalidRoster, MemberRequestRejected
from dissolution.stability import OWN_CONVERSATIONS
from dissolution.values import Frozen, NotMeasured

FILE_NAME = re.compile(r"^(?P<writer>.+)\.(?P<condition>[a-z_]+)(?:-\d+)?\.json$")

MAX_FILE_BYTES = 10_000_000
"""A larger file is no recorded answer: the longest reply a model writes is a few hundred kilobytes."""

FOUR_PARTS = frozenset({"four_part", "rolling", "carried", "summary"})
"""Prompts that a single recorded answer replies to: for a boundary state, or a summary in its place."""

_RECORDED = NotMeasured(not_measured="recorded answer")
RECORDED_USAGE = Usage(
    input_tokens=_RECORDED, cached_input_tokens=_RECORDED, output_tokens=_RECORDED, cost_usd=Decimal(0)
)
"""What it once used is not known; it costs 0 now because nothing is bought now."""


class Recording(Frozen):
    """One stored answer."""

    conversation: ConversationId
    writer: MemberName
    family: FamilyName
    condition: Annotated[str, Field(min_length=1)]
    through: Annotated[int, Field(ge=1)] | Annotated[str, Field(min_length=1)]
    answer: str

    @property
    def through_turn(self) -> int | None:
        """The last turn its writer saw, or None when `through` names a conversation."""
        text = str(self.through)
        return int(text) if text.isascii() and text.isdigit() else None

    def is_about(self, snapshot: Snapshot) -> bool:
        """Whether its writer read this conversation, or what it is a copy of (how far is another question)."""
        asked = snapshot.conversation.partition(OWN_CONVERSATIONS)[0]
        return asked == (self.through if self.through_turn is None else self.conversation)


class RecordedMember:
    """Replays the answers of one writer under one condition, and says so in its card.

    Args:
        recordings: One or more of the same writer, family and condition, no two about the same extent.
    """

    def __init__(self, recordings: Sequence[Recording]) -> None:
        if not recordings:
            raise InvalidRoster("a recorded member without recordings", "give it at least one")
        first = recordings[0]
        _refuse_unlike(recordings)
        self._recordings = tuple(sorted(recordings, key=lambda one: (one.through_turn or 0, str(one.through))))
        digest = hashlib.sha256("".join(f"{len(one.answer)}:{one.answer}" for one in self._recordings).encode())
        self._card = MemberCard(
            name=first.writer,
            family=first.family,
            kind=MemberKind.RECORDED,
            model=f"recording {first.conversation}/{first.writer}.{first.condition}",
            version=f"sha256:{digest.hexdigest()[:12]}",
        )

    @property
    def card(self) -> MemberCard:
        """Who it is; `model` names the recording, `version` its digest."""
        return self._card

    @property
    def conversations(self) -> tuple[str, ...]:
        """The conversations it can speak about, in alphabetical order."""
        return tuple(sorted({_subject(one) for one in self._recordings}))

    def can_answer(self, prompt: str) -> bool:
        """Whether it was ever asked anything like a prompt of this name: only for the four parts, or a summary."""
        return prompt in FOUR_PARTS

    def recording_for(self, snapshot: Snapshot) -> Recording | None:
        """The recording that replies about `snapshot`, or None when there is none about its conversation.

        One that saw exactly the snapshot's turns comes first, then the one that saw most of them without seeing more,
        then the one that saw least beyond it. The reply always says how far its writer had read.
        """
        about = [one for one in self._recordings if one.is_about(snapshot)]
        within = [one for one in about if one.through_turn is None or one.through_turn <= snapshot.through]
        return within[-1] if within else (about[0] if about else None)

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature; replaying costs the same for any task
        """Tokens are not known, the price is 0."""
        return RECORDED_USAGE

    async def answer(self, task: MemberTask) -> Reply:
        """The stored words. Raises MemberRequestRejected when it has none about the task's conversation."""
        recording = self.recording_for(task.snapshot)
        if recording is None:
            known = ", ".join(repr(name) for name in self.conversations)
            asked = task.snapshot.conversation
            raise MemberRequestRejected(self._card.name, f"recorded about {known}, asked about conversation {asked!r}")
        extent = "turn" if recording.through_turn is not None else "conversation"
        return Reply(
            text=recording.answer,
            finish=FinishReason.UNKNOWN,
            usage=RECORDED_USAGE,
            model_reported=f"{recording.writer}, recorded through {extent} {recording.through}",
        )


def load_recorded(folder: Path, condition: str = "dissolve") -> tuple[RecordedMember, ...]:
    """One member a writer that `folder` holds a recording of, in alphabetical order.

    Args:
        folder: Files `WRITER.CONDITION.json`; those of other conditions are not opened, other kinds of files ignored.
        condition: Which prompt the recordings answer: `dissolve`, `summarise` or `roll`.

    Raises:
        InvalidRoster: No such folder, no recording of this condition, a file that cannot be read, that lacks a field,
            that says another writer or condition than its name, recordings of more than one conversation, or two of
            one writer about the same extent. The message names file and field.
    """
    recordings = [_read(path) for path in _files(folder, condition)]
    conversations = sorted({recording.conversation for recording in recordings})
    if len(conversations) > 1:
        named = ", ".join(repr(name) for name in conversations)
        raise InvalidRoster(
            f"folder {str(folder)!r} holds recordings of several conversations ({named})",
            "a fleet speaks about one; keep one conversation's recordings to a folder",
        )
    by_writer: dict[str, list[Recording]] = {}
    for recording in recordings:
        by_writer.setdefault(recording.writer, []).append(recording)
    return tuple(RecordedMember(by_writer[writer]) for writer in sorted(by_writer))


def check_recorded(members: Iterable[RecordedMember], snapshot: Snapshot) -> None:
    """Refuse a recorded fleet of another conversation before a job is made of it.

    Raises:
        InvalidRoster: A member has no recording about the snapshot's conversation.
    """
    for member in members:
        if member.recording_for(snapshot) is None:
            known = ", ".join(repr(name) for name in member.conversations)
            raise InvalidRoster(
                f"recorded member {member.card.name!r} speaks about {known}, not about {snapshot.conversation!r}",
                "give the folder of this conversation's recordings, or the conversation's id with --conversation",
            )


def _subject(recording: Recording) -> str:
    return recording.conversation if recording.through_turn is not None else str(recording.through)


def _refuse_unlike(recordings: Sequence[Recording]) -> None:
    first = recordings[0]
    seen: set[str] = set()
    for recording in recordings:
        for field in ("writer", "family", "condition"):
            values = (getattr(first, field), getattr(recording, field))
            if values[0] != values[1]:
                raise InvalidRoster(
                    f"recordings of {first.writer!r}: field {field!r} is both {values[0]!r} and {values[1]!r}",
                    "make them agree",
                )
        extent = str(recording.through)
        if extent in seen:
            raise InvalidRoster(
                f"two recordings of writer {first.writer!r} through {extent!r}", "keep one of them in the folder"
            )
        seen.add(extent)


def _files(folder: Path, condition: str) -> list[Path]:
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.suffix == ".json")
    except OSError as error:
        raise InvalidRoster(f"folder {str(folder)!r} cannot be read ({error.strerror})", "check the path") from error
    wanted: list[Path] = []
    for name in names:
        match = FILE_NAME.match(name)
        if match is None:
            raise InvalidRoster(
                f"recording {str(folder / name)!r} has no writer and condition in its name",
                "name it WRITER.CONDITION.json",
            )
        if match["condition"] == condition:
            wanted.append(folder / name)
    if not wanted:
        raise InvalidRoster(
            f"folder {str(folder)!r} holds no recording of condition {condition!r} (WRITER.{condition}.json)",
            "give the folder of one conversation's recordings",
        )
    return wanted


def _read(path: Path) -> Recording:
    what = f"recording {str(path)!r}"
    fields = _fields(path, what)
    try:
        recording = Recording.model_validate({name: fields[name] for name in Recording.model_fields if name in fields})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InvalidRoster(
            f"{what}: field {str(first['loc'][0])!r}: {first['msg']}", "correct the field or leave the file out"
        ) from None
    match = FILE_NAME.match(path.name)
    named = match.groupdict() if match else {}
    for field, inside in (("writer", recording.writer), ("condition", recording.condition)):
        if named.get(field) != inside:
            raise InvalidRoster(
                f"{what}: field {field!r} is {inside!r}, its name says {named.get(field)!r}", "make them agree"
            )
    return recording


def _fields(path: Path, what: str) -> Mapping[str, object]:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidRoster(
                f"{what} is larger than {MAX_FILE_BYTES} bytes", "that is no recorded answer; leave it out"
            )
        content: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidRoster(f"{what} cannot be read ({error.strerror})", "check the file") from error
    except UnicodeDecodeError as error:
        raise InvalidRoster(f"{what} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise InvalidRoster(
            f"{what} is not JSON (line {error.lineno}, column {error.colno}: {error.msg})",
            "repair or leave the file out",
        ) from error
    except RecursionError:
        raise InvalidRoster(f"{what} is nested too deep", "that is no recorded answer; leave it out") from None
    if not isinstance(content, dict):
        raise InvalidRoster(f"{what} holds {type(content).__name__}, not an object", "see the form in docs/fleet.md")
    return cast("dict[str, object]", content)
