"""Stored answers of a whole path: for every model call of a job who was asked what, and what came back.

A cassette is a folder: `cassette.json` names its members, `policy.toml` is the policy of its jobs, and `calls/` holds
one file a conversation. See docs/drills.md for the form.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import quote

from pydantic import Field, ValidationError

from dissolution.answers import FinishReason, MemberCard, MemberFailure, Usage
from dissolution.claims import MemberName
from dissolution.errors import InvalidRoster
from dissolution.file_lock import folder_locked
from dissolution.values import Frozen
from fleet.asked import Asked
from fleet.recorded import FILE_NAME as RECORDING_NAME

FORMAT = "cassette/1"
HEAD = "cassette.json"
POLICY = "policy.toml"
CALLS = "calls"
MAX_FILE_BYTES = 50_000_000
"""A larger file is no conversation's calls: the longest measured have a few megabytes."""

T = TypeVar("T", bound=Frozen)

STORED_ANSWERS = "Answers of the members named here, stored as they came."


class TapedMemberCard(Frozen):
    """A member whose answers a cassette holds, and what else decides what it is asked."""

    card: MemberCard  # as it was when it was asked
    window_tokens: Annotated[int, Field(ge=1)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] = 4000


class Head(Frozen):
    """`cassette.json`."""

    format: Literal["cassette/1"]
    about: str  # in a sentence, for whoever replays it: who wrote the answers
    members: Annotated[tuple[TapedMemberCard, ...], Field(min_length=1)]  # in the order of their roster


class Came(Frozen):
    """What came back from one member: its answer line by line, or its failure."""

    member: MemberName
    answer: tuple[str, ...] | None = None
    failure: MemberFailure | None = None
    finish: FinishReason = FinishReason.UNKNOWN
    usage: Usage | None = None
    model_reported: str | None = None
    latency_s: Annotated[float, Field(ge=0)] = 0.0

    @property
    def text(self) -> str:
        """The answer's words."""
        return "\n".join(self.answer or ())


class Exchange(Frozen):
    """One question and what came back from each member that was asked it, by name."""

    asked: Asked
    came: Annotated[tuple[Came, ...], Field(min_length=1)]


class Tape(Frozen):
    """The file of one conversation, by turn, prompt and what was asked."""

    conversation: str
    exchanges: tuple[Exchange, ...]


def is_cassette(folder: Path) -> bool:
    """Whether a folder is a cassette, and not one of single recorded answers."""
    return (folder / HEAD).is_file()


def read_head(folder: Path) -> Head:
    """Who is in a cassette. Raises InvalidRoster."""
    return _read(folder / HEAD, Head)


class Cassette:
    """The calls of a folder, by who was asked what; new ones are written the moment they are given.

    Several processes may write into one folder: each file is read again and replaced under a lock.

    Raises InvalidRoster for a file that cannot be read or is not of the form.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[tuple[str, str], tuple[Asked, Came]] = {}
        for path in sorted((folder / CALLS).glob("*.json")):
            self._take(_read(path, Tape).exchanges)

    @property
    def conversations(self) -> tuple[str, ...]:
        """The conversations it holds answers about, in alphabetical order."""
        return tuple(sorted({asked.conversation for asked, _ in self._found.values()}))

    def find(self, member: MemberName, asked: Asked) -> Came | None:
        """What came of this member when it was asked exactly this; None when it never was."""
        found = self._found.get((member, asked.digest))
        return None if found is None else found[1]

    def of(self, member: MemberName, prompt: str) -> tuple[tuple[Asked, Came], ...]:
        """What a member was asked with one prompt, whatever its version, and what came, in the order of the files."""
        found = (one for one in list(self._found.values()) if (one[1].member, one[0].prompt) == (member, prompt))
        return tuple(sorted(found, key=lambda one: _order(one[0])))

    def add(self, asked: Asked, came: Came) -> None:
        """Store what came, in place of what the same member said to the same question before."""
        self._found[came.member, asked.digest] = (asked, came)
        path = self.folder / CALLS / f"{quote(asked.conversation, safe=' ')}.json"
        with folder_locked(self.folder):
            stored = _read(path, Tape).exchanges if path.exists() else ()
            by_question = {one.asked.digest: one for one in stored}
            before = by_question[asked.digest].came if asked.digest in by_question else ()
            by_member = {one.member: one for one in before} | {came.member: came}
            now = tuple(by_member[name] for name in sorted(by_member))
            by_question[asked.digest] = Exchange(asked=asked, came=now)
            exchanges = sorted(by_question.values(), key=lambda one: _order(one.asked))
            _write(path, Tape(conversation=asked.conversation, exchanges=tuple(exchanges)))

    def _take(self, exchanges: Sequence[Exchange]) -> None:
        for one in exchanges:
            self._found |= {(came.member, one.asked.digest): (one.asked, came) for came in one.came}


def open_for_writing(folder: Path, members: Sequence[TapedMemberCard]) -> Cassette:
    """The cassette of a folder, made or gone on with; these members are in its head then.

    Args:
        folder: Made when it is not there.
        members: In the order of their roster; those that the head names already stay where they are.

    Raises:
        InvalidRoster: The folder holds something else, or a member of one of these names is of another family.
    """
    try:
        (folder / CALLS).mkdir(parents=True, exist_ok=True)
        with folder_locked(folder):
            _write_head(folder, members)
    except OSError as error:
        raise InvalidRoster(
            f"cassette {str(folder)!r} cannot be written ({error.strerror})", "check the path"
        ) from error
    return Cassette(folder)


def tell(folder: Path, about: str) -> None:
    """Say in a sentence who wrote the answers of a cassette. Raises InvalidRoster."""
    with folder_locked(folder):
        _write(folder / HEAD, read_head(folder).model_copy(update={"about": about}))


def _write_head(folder: Path, members: Sequence[TapedMemberCard]) -> None:
    others = sorted(path.name for path in folder.glob("*.json") if RECORDING_NAME.match(path.name))
    if others:
        raise InvalidRoster(
            f"folder {str(folder)!r} holds the recording {others[0]!r}", "give a cassette a folder of its own"
        )
    before = read_head(folder) if is_cassette(folder) else None
    known = {one.card.name: one for one in (before.members if before else ())}
    for one in members:
        stored = known.get(one.card.name, one).card
        if (stored.family, stored.model) != (one.card.family, one.card.model):
            raise InvalidRoster(
                f"cassette {str(folder)!r}: member {one.card.name!r} is {stored.model!r} of family {stored.family!r},"
                f" not {one.card.model!r} of {one.card.family!r}",
                "give the members other names, or a folder of their own",
            )
    merged = known | {one.card.name: one for one in members}
    about = before.about if before else STORED_ANSWERS
    _write(folder / HEAD, Head(format=FORMAT, about=about, members=tuple(merged.values())))


def _order(asked: Asked) -> tuple[str, int, str, int, str]:
    return asked.conversation, asked.through, asked.prompt, asked.version, asked.digest


def _write(path: Path, content: Frozen) -> None:
    """Replace a file by these contents in one step: who reads it meanwhile finds it whole."""
    document = content.model_dump(mode="json", exclude_defaults=True)
    beside = path.with_suffix(".tmp")
    beside.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def _read(path: Path, form: type[T]) -> T:
    what = f"cassette file {str(path)!r}"
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidRoster(f"{what} is larger than {MAX_FILE_BYTES} bytes", "that is no cassette; leave it out")
        return form.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InvalidRoster(f"{what} cannot be read ({error.strerror})", "check the path") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InvalidRoster(f"{what}: {where}: {first['msg']}", "see the form in docs/drills.md") from None
