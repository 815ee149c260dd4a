"""Where the conversations, recordings and labelled sentences of the experiments lie, and what each file holds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, cast

from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Snapshot
from dissolution.errors import InputError
from dissolution.probing import Question
from dissolution.values import Frozen
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from probe.ready_made import read_bank
from stability.truth import Truth, read_truth

HERE = Path(__file__).resolve().parents[2] / "benchmarks" / "data"
"""Where a source checkout keeps them; an installed wheel has none."""

REMEDY = "the data come with the source: give its folder benchmarks/data with --data DIR"
NAMING = bytes(32)
"""The key that placeholders of secrets are made with; the planted conversations have none, so that nothing depends
on it but that two runs give the same."""


class RawAnswer(NamedTuple):
    """What one member answered, raw."""

    member: str
    family: str
    answer: str


@dataclass(frozen=True)
class Planted:
    """One conversation whose truth was planted, with its questions."""

    file: Path

    @property
    def name(self) -> str:
        """Its id."""
        return self.file.stem

    @cached_property
    def raw(self) -> Mapping[str, object]:
        """The file as it is. Raises InputError."""
        try:
            found: object = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{str(self.file)!r} cannot be read ({type(error).__name__})", REMEDY) from error
        if not isinstance(found, dict):
            raise InputError(f"{str(self.file)!r} holds no conversation", REMEDY)
        return cast("dict[str, object]", found)

    @property
    def domain(self) -> str:
        """What kind of talk it is: `conceptual`, `operational` or `strategic`."""
        return str(self.raw.get("domain", "unknown"))

    @cached_property
    def conversation(self) -> Conversation:
        """The turns, as every conversation is read."""
        return read_file(self.file, ReadingOptions(), key=NAMING, clock=SystemClock()).conversation

    @property
    def snapshot(self) -> Snapshot:
        """All of it."""
        return self.conversation.snapshot()

    @cached_property
    def truth(self) -> Truth:
        """What is true at which turn. Raises InputError."""
        return read_truth(self.file)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions that were written with it. Raises InputError."""
        return read_bank(self.file, self.snapshot).questions


@dataclass(frozen=True)
class DataFolder:
    """A folder that is laid out as benchmarks/data."""

    path: Path

    def need(self, *parts: str) -> Path:
        """A file or folder in it. Raises InputError that names what is missing and how to get it."""
        found = self.path.joinpath(*parts)
        if not found.exists():
            raise InputError(f"{str(found)!r} is not there", REMEDY)
        return found

    def planted(self, names: Sequence[str] = ()) -> tuple[Planted, ...]:
        """The planted conversations in alphabetical order, or those that are named. Raises InputError."""
        files = {file.stem: file for file in sorted(self.need("planted").glob("*.json"))}
        if unknown := [name for name in names if name not in files]:
            raise InputError(f"no planted conversation {unknown[0]!r}", f"choose from {', '.join(files) or 'none'}")
        if not files:
            raise InputError(f"{str(self.path / 'planted')!r} holds no conversation", REMEDY)
        return tuple(Planted(files[name]) for name in names or files)

    def recordings(self, conversation: str) -> Path:
        """The folder of one conversation's recorded answers. Raises InputError."""
        return self.need("recordings", conversation)

    def has_recorded(self, conversation: str, condition: str) -> bool:
        """Whether answers to a prompt condition were recorded: `dissolve`, `summarise` or `roll-1` and so on."""
        return any((self.path / "recordings" / conversation).glob(f"*.{condition}.json"))

    def recorded(self, conversation: str, condition: str) -> tuple[RawAnswer, ...]:
        """Recorded answers by writer. Raises InputError for what is no recording."""
        found: list[RawAnswer] = []
        for file in sorted(self.recordings(conversation).glob(f"*.{condition}.json")):
            try:
                given = json.loads(file.read_text(encoding="utf-8"))
                found.append(RawAnswer(str(given["writer"]), str(given["family"]), str(given["answer"])))
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise InputError(f"recording {str(file)!r} ({type(error).__name__})", "give it as recorded") from error
        return tuple(found)

    def lines(self, *parts: str) -> list[Mapping[str, object]]:
        """The objects of a JSON-lines file. Raises InputError."""
        file = self.need(*parts)
        try:
            found: list[object] = [
                json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()
            ]
        except (OSError, ValueError) as error:
            raise InputError(f"{str(file)!r} cannot be read ({type(error).__name__})", REMEDY) from error
        if not all(isinstance(one, dict) for one in found):
            raise InputError(f"{str(file)!r} holds a line that is no object", REMEDY)
        return cast("list[Mapping[str, object]]", found)


def data_folder(given: Path | None) -> DataFolder:
    """The folder that was given, or the one of the source checkout. Raises InputError when there is none."""
    path = HERE if given is None else given
    if not path.is_dir():
        raise InputError(f"data folder {str(path)!r} is not there", REMEDY)
    return DataFolder(path)


def known(entry: object, model: type[Frozen]) -> object:
    """An object of a data file with those of its fields that matter here; files hold more for other readers."""
    if not isinstance(entry, dict):
        return entry
    given = cast("Mapping[str, object]", entry)
    return {name: given[name] for name in model.model_fields if name in given}
