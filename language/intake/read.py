"""The way in: a file or bytes become a conversation, or a clear refusal."""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from dissolution.conversation import Conversation, KnownSecret
from dissolution.errors import InvalidConversation
from dissolution.ports.models import Clock
from dissolution.recognising import Recogniser
from dissolution.values import Frozen
from language.intake.assemble import Assembler
from language.intake.detect import Detected, detect
from language.intake.drafts import Draft
from language.intake.foreign.chosen import chosen
from language.intake.foreign.material import Material
from language.intake.foreign.registry import BY_FORM
from language.intake.messages import read_message_jsonl, read_messages
from language.intake.native import read_native, read_native_jsonl
from language.intake.options import Form, ReadingOptions
from language.intake.shown import shown
from language.intake.times import Stamps
from language.intake.transcript import read_transcript
from language.intake.unreadable import refusing

_MB = 1_000_000
_STDIN = "stdin"  # the name under which standard input is read

Identity = Literal["file", "option", "name"]
"""Where a conversation's id came from: the file's own `id`, the caller, or the file's name for want of both."""


class Reading(Frozen):
    """What was read: the conversation, the form it had and why, and what the reader should know about it."""

    conversation: Conversation
    form: Form
    reason: str
    identity: Identity
    warnings: tuple[str, ...]


def read_file(
    path: Path,
    options: ReadingOptions,
    *,
    key: bytes,
    clock: Clock,
    recognisers: Sequence[Recogniser] = (),
    known: Sequence[KnownSecret] = (),
) -> Reading:
    """Read a conversation file; its size is checked before a byte of it is read.

    Args:
        path: A regular file. Its stem is the conversation's id when nothing else names one.
        options: Form, id, time zone and limits.
        key: The installation key; keys the placeholders of secrets.
        clock: Gives `recorded_at`, one instant for all turns.
        recognisers: Find what else is replaced besides secrets.
        known: What is remembered of the turns that stand before these.

    Raises:
        InvalidConversation: Missing, not a regular file, not readable, too large, or anything `read_bytes` refuses.
    """
    name = path.name or str(path)
    with refusing(path):
        _check_file(path.stat(), name, options.max_bytes)
        with path.open("rb") as file:
            _check_file(os.fstat(file.fileno()), name, options.max_bytes)
            data = file.read(options.max_bytes + 1)
    return read_bytes(data, name, options, key=key, clock=clock, recognisers=recognisers, known=known)


def _check_file(status: os.stat_result, name: str, max_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InvalidConversation(f"{name!r} is a folder", "give one file, or `dissolve import` the folder")
    if not stat.S_ISREG(status.st_mode):
        raise InvalidConversation(f"{name!r} is no regular file", "give a file, or pipe into standard input")
    _check_size(status.st_size, name, max_bytes)


def _check_size(size: int, name: str, max_bytes: int) -> None:
    if size > max_bytes:
        raise InvalidConversation(
            f"file {name!r} has {size / _MB:,.1f} MB, over the limit of {max_bytes / _MB:,.1f} MB",
            "split it, or raise the setting max_file_mb",
        )


def read_bytes(
    data: bytes,
    name: str,
    options: ReadingOptions,
    *,
    key: bytes,
    clock: Clock,
    recognisers: Sequence[Recogniser] = (),
    known: Sequence[KnownSecret] = (),
) -> Reading:
    """Read a conversation from bytes. Everything is checked before anything is returned.

    Args:
        data: The whole file.
        name: The file's name, for messages and, without its ending, for the id of last resort.
        options: Form, id, time zone and limits.
        key: The installation key; keys the placeholders of secrets.
        clock: Gives `recorded_at`, one instant for all turns.
        recognisers: Find what else is replaced besides secrets.
        known: What is remembered of the turns that stand before these.

    Raises:
        InvalidConversation: Says what is wrong, where (line, column, turn or message) and what to do.
    """
    _check_size(len(data), name, options.max_bytes)
    stamps = Stamps(options.timezone)
    material = Material(data, name)
    detected = detect(material) if options.form is None else Detected(options.form, "as was asked for")
    own = READERS.get(detected.form)
    with_ids = detected.form is Form.NATIVE_JSONL
    if own is not None:
        draft = own(material, options, stamps)
    else:
        entries = BY_FORM[detected.form].read(material)
        draft = chosen(entries, name, options.conversation).draft(stamps)
        with_ids = len(entries) > 1
    assembler = Assembler(
        key=key,
        max_turn_chars=options.max_turn_chars,
        recorded_at=clock.now(),
        recognisers=recognisers,
        known=known,
    )
    identity, identifier = _identified(draft.id, name, with_ids=with_ids, wanted=options.conversation)
    conversation, warnings = assembler.conversation(draft, identifier)
    told = (
        *_told_identity(identity, conversation.id, name),
        *_told_form(detected, options),
        *stamps.warnings(),
        *warnings,
    )
    return Reading(
        conversation=conversation, form=detected.form, reason=detected.reason, identity=identity, warnings=told
    )


def _identified(own: str | None, name: str, *, with_ids: bool, wanted: str | None) -> tuple[Identity, str]:
    """The id and where it came from; in a file of several conversations the option only picks one by its own id."""
    if wanted and not with_ids:
        return "option", wanted
    return ("file", own) if own else ("name", Path(name).stem)


def _told_form(detected: Detected, options: ReadingOptions) -> tuple[str, ...]:
    """A file of another program was told by its structure: whoever gave it can see whether that is right."""
    if options.form is not None or detected.form not in BY_FORM:
        return ()
    return (f"read as {detected.form}: {detected.reason}",)


def _told_identity(identity: Identity, identifier: str, name: str) -> tuple[str, ...]:
    """Files of one name are one conversation to the ledger: who did not choose the name must know of it."""
    if identity != "name":
        return ()
    source = "standard input" if name == _STDIN else "the file"
    return (f"named {shown(identifier)} after {source}; give --conversation to name it",)


READERS: dict[Form, Callable[[Material, ReadingOptions, Stamps], Draft]] = {
    Form.NATIVE: lambda given, _, stamps: read_native(given.whole_value(), given.name, stamps),
    Form.NATIVE_JSONL: lambda given, options, stamps: read_native_jsonl(
        given.whole_text(), given.name, options.conversation, stamps
    ),
    Form.OPENAI: lambda given, _, __: read_messages(given.whole_value(), given.name, Form.OPENAI),
    Form.ANTHROPIC: lambda given, _, __: read_messages(given.whole_value(), given.name, Form.ANTHROPIC),
    Form.MESSAGE_JSONL: lambda given, _, __: read_message_jsonl(given.whole_text(), given.name),
    Form.TRANSCRIPT: lambda given, _, stamps: read_transcript(given.whole_text(), given.name, stamps),
}
"""How each of our own forms is read; the others are in the registry of foreign forms."""
