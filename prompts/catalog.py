"""The prompt files: one Markdown file per name and version, immutable once released.

A file is a header between `---` lines (`name`, `version`, `asks`, `slots`), then one or two parts, each opened by a
line `<<system>>` or `<<user>>`. A slot stands in the text as `{{slot}}`.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from dissolution.answers import PromptMessage, PromptStamp, RenderedPrompt
from dissolution.errors import InvalidPrompt
from dissolution.values import Frozen

FOLDER = Path(__file__).parent
SLOT = re.compile(r"\{\{([a-z_]+)\}\}")

FIRST_PROMPT, NEXT_PROMPT, REVIEW = "four_part", "rolling", "review"
"""What members are asked first, what in later cycles, and what of a candidate."""

_FILE_NAME = re.compile(r"v([1-9]\d{0,3})\.md")
_FILE = re.compile(r"---\n(?P<header>.*?)\n---\n(?:<<system>>\n(?P<system>.*?)\n)?<<user>>\n(?P<user>.*)", re.DOTALL)
_HEADER_FIELDS = ("name", "version", "asks", "slots")


class PromptFile(Frozen):
    """One released prompt: what it asks, its text with slots, and the digest of the whole file."""

    name: str
    version: Annotated[int, Field(ge=1)]
    asks: Annotated[str, Field(min_length=1)]
    slots: tuple[str, ...]
    system: str | None  # constant; holds no slot, so that it is the same for every snapshot
    user: Annotated[str, Field(min_length=1)]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # SHA-256 over the file's UTF-8 bytes

    @property
    def stamp(self) -> PromptStamp:
        """What is recorded with each answer."""
        return PromptStamp(name=self.name, version=self.version, digest=self.digest)


def names() -> tuple[str, ...]:
    """The names of all prompts, in alphabetical order."""
    return tuple(sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir() and versions(folder.name)))


def versions(name: str) -> tuple[int, ...]:
    """The released versions of a prompt, ascending; empty when there is none of that name."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return ()
    found = (_FILE_NAME.fullmatch(path.name) for path in (FOLDER / name).glob("v*.md"))
    return tuple(sorted(int(match[1]) for match in found if match))


@cache
def load(name: str, version: int) -> PromptFile:
    """The prompt file of this name and version.

    Raises:
        InvalidPrompt: there is no such file (the message lists what exists), or the file breaks the form above.
    """
    if version not in versions(name):
        exists = ", ".join(f"{each} ({', '.join(f'v{number}' for number in versions(each))})" for each in names())
        raise InvalidPrompt(f"no prompt {name!r} in version {version!r}", f"choose from: {exists}")
    return read_prompt(name, version, (FOLDER / name / f"v{version}.md").read_bytes())


def read_prompt(name: str, version: int, data: bytes) -> PromptFile:
    """Read one prompt file's bytes. Raises InvalidPrompt when they break the form."""
    what = f"prompt file {name}/v{version}.md"
    match = _FILE.fullmatch(data.decode())
    if match is None:
        raise InvalidPrompt(what, "begin with a header between --- lines, then <<system>> (optional) and <<user>>")
    header = dict(line.split(": ", 1) for line in match["header"].splitlines() if ": " in line)
    if tuple(header) != _HEADER_FIELDS or (header["name"], header["version"]) != (name, str(version)):
        raise InvalidPrompt(f"{what}: header {header!r}", f"give {', '.join(_HEADER_FIELDS)}, matching the path")
    slots = tuple(slot.strip() for slot in header["slots"].split(","))
    system = match["system"]
    if set(SLOT.findall(match["user"])) != set(slots) or SLOT.search(system or ""):
        raise InvalidPrompt(f"{what}: slots {slots!r}", "name exactly the slots of the user part; the system has none")
    return PromptFile(
        name=name,
        version=version,
        asks=header["asks"],
        slots=slots,
        system=system.strip() if system is not None else None,
        user=match["user"].strip(),
        digest=hashlib.sha256(data).hexdigest(),
    )


CONVERSATION = "{{conversation}}"
"""What the user part of every prompt begins with that shares its first bytes with others."""


def filled(name: str, version: int, values: Mapping[str, str], *, whole: bool = False) -> RenderedPrompt:
    """A released prompt with its slots filled, in one pass: a slot mark inside a value is a word of that value.

    Args:
        name: The prompt's.
        version: A released one.
        values: Of the slots, by name; others are passed over.
        whole: Whether the conversation is a whole snapshot, with which other prompts begin too.

    Raises InvalidPrompt when there is no such prompt, KeyError for a slot without a value.
    """
    file = load(name, version)
    messages = [PromptMessage(role="user", content=SLOT.sub(lambda match: values[match[1]], file.user))]
    if file.system is not None:
        messages.insert(0, PromptMessage(role="system", content=file.system))
    shared = len(values["conversation"]) if whole and file.user.startswith(CONVERSATION) else 0
    return RenderedPrompt(stamp=file.stamp, messages=tuple(messages), shared=shared)
