"""Run the tutorials as a reader would, and write what each command prints below it.

usage: python docs/tutorials/refresh.py [--check] [PAGE...]

Every box of a page marked `sh` or `python` is run, in its order, in a folder that has the project's data and an empty
home. A box marked `text` below it is what it prints. `--check` writes nothing and exits with 1 when a page shows
something else; ids, times and money may differ. Without names all pages are meant.

A comment on the line above a box says what is special about it:

    <!-- not run: WHY -->             the box is for reading
    <!-- ends with 4 -->              the exit code, where it is not 0
    <!-- shown: first 5, last 3 -->   of an output the first and last lines; either may be left out

The words CLAIM and JOB in a box stand for the first id of that kind that the nearest box above has printed.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

LONGEST_S = 1200
"""After so long (s) a box has hung, on a machine however busy: the longest replays one conversation."""

LEFT_OUT = "⋮"
BOX = re.compile(
    r"^(?:<!-- (?P<note>[^\n]+) -->\n)?```(?P<language>sh|python|text)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
NOTE = re.compile(r"not run: .+|ends with (?P<code>\d+)|shown: (?:first (?P<first>\d+))?(?:, )?(?:last (?P<last>\d+))?")
IDS = {"CLAIM": r"\bc[0-9a-f]{12}\b", "JOB": r"\bj[0-9a-f]{12}\b"}

VARYING = (
    (r"\b([cjk])[0-9a-f]{12}\b", r"\1#"),
    (r"\bsealed [0-9a-f]{12}\b", "sealed #"),
    (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?", "<time>"),
    (r"\b\d+(?:\.\d+)? (?:s|ms)\b", "<duration>"),
    (r"\b\d+\.\d{4,}\b", "<money>"),
    (r"(?<=USD: )[\d.]+|\b[\d.]+(?= USD\b)", "<money>"),
)
"""What differs from run to run, or with the price map of the day, and what stands for it when pages are compared."""


class WrongPageError(Exception):
    """A page cannot be run: what it asks for does not exist, or a command of it ends otherwise than it says."""


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a page.

    Attributes:
        language: `sh`, `python`, or `text` for what the box above prints.
        text: Its lines, with the last line's end.
        note: The comment above it, or "".
        place: Where `text` stands in the page.
    """

    language: str
    text: str
    note: str
    place: slice


def boxes(page: str) -> list[Box]:
    """The boxes of a page that are run or shown, in their order. Raises `WrongPageError` for a note nobody knows."""
    found: list[Box] = []
    for match in BOX.finditer(page):
        note = match["note"] or ""
        if note and NOTE.fullmatch(note) is None:
            raise WrongPageError(f"the note {note!r} above a box is none of those that refresh.py names")
        found.append(Box(match["language"], match["text"], note, slice(*match.span("text"))))
    return found


def part(printed: str, note: str) -> str:
    """Of what was printed the lines that `note` shows: all without one, the rest marked by one line."""
    told = NOTE.fullmatch(note)
    lines = printed.strip("\n").split("\n")
    if told is None or not note.startswith("shown: "):
        return "\n".join(lines) + "\n"
    first, last = int(told["first"] or 0), int(told["last"] or 0)
    if first + last >= len(lines):
        return "\n".join(lines) + "\n"
    end = [LEFT_OUT, *lines[len(lines) - last :]] if last else [LEFT_OUT]
    return "\n".join([*lines[:first], *end]) + "\n"


def normalised(shown: str) -> str:
    """An output without what differs from run to run, and without how it is wrapped and aligned."""
    for pattern, stand_in in VARYING:
        shown = re.sub(pattern, stand_in, shown)
    return " ".join(shown.split())


class Reader:
    """Someone who follows a page: one folder, one home, box after box.

    Args:
        folder: An empty one; it gets the project's data as links, `out`, a home, and `dissolve` on its path.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids: dict[str, str] = {}
        for name in ("benchmarks", "examples", "fleet"):
            (folder / name).symlink_to(ROOT / name)
        for name in ("out", "home", "programs"):
            (folder / name).mkdir()
        program = folder / "programs" / "dissolve"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli.main "$@"\n', encoding="utf-8")
        program.chmod(0o755)

    def does(self, box: Box) -> str:
        """What a box prints. Raises `WrongPageError` when it ends with another code than its note says."""
        text = box.text
        for word in IDS:
            if re.search(rf"\b{word}\b", text):
                if word not in self._ids:
                    raise WrongPageError(f"{word} stands in a box, and none above it has printed such an id:\n{text}")
                text = re.sub(rf"\b{word}\b", self._ids[word], text)
        program = ["bash", "-c", "set -eu\n" + text] if box.language == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(  # noqa: S603 - the boxes of this project's own pages
            program, cwd=self._folder, env=self._environment(), capture_output=True, text=True, encoding="utf-8",
            check=False, timeout=LONGEST_S,
        )  # fmt: skip
        told = NOTE.fullmatch(box.note)
        expected = int(told["code"] or 0) if told else 0
        if done.returncode != expected:
            said = f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
            raise WrongPageError(f"this box ended with {done.returncode}, not {expected}:\n{box.text}\n{said}")
        for word, pattern in IDS.items():
            if found := re.search(pattern, done.stdout):
                self._ids[word] = found[0]
        printed = done.stdout.replace(str(self._folder / "home"), "~").replace(f"{self._folder}/", "")
        return "\n".join(line.rstrip() for line in printed.replace(f"{ROOT}/", "").split("\n"))

    def _environment(self) -> dict[str, str]:
        """What the box knows of this machine: where programs are, and nothing of its settings or keys."""
        path = (self._folder / "programs", Path(sys.executable).parent, os.environ.get("PATH", os.defpath))
        return {
            "PATH": os.pathsep.join(map(str, path)),
            "HOME": str(self._folder / "home"),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
        }


def played(page: str, folder: Path) -> str:
    """The page with what its boxes print when they are run in `folder`. Raises `WrongPageError`."""
    reader, printed, written, done = Reader(folder), None, "", 0
    for box in boxes(page):
        if box.language != "text":
            printed = None if box.note.startswith("not run: ") else reader.does(box)
            continue
        if printed is None:
            raise WrongPageError(f"an output stands where no box was run:\n{box.text}")
        written += page[done : box.place.start] + part(printed, box.note)
        done = box.place.stop
    return written + page[done:]


def differences(page: str, again: str) -> list[str]:
    """The outputs that differ in more than ids, times and money, as lines of a diff."""
    told: list[str] = []
    for old, new in zip(boxes(page), boxes(again), strict=True):
        if normalised(old.text) != normalised(new.text):
            lines = difflib.unified_diff(old.text.splitlines(), new.text.splitlines(), "shown", "printed", lineterm="")
            told += lines
    return told


def main(arguments: Sequence[str]) -> int:
    """Refresh the pages, or with `--check` compare them; returns the exit code."""
    check, names = "--check" in arguments, [one for one in arguments if one != "--check"]
    pages = [Path(name) for name in names] or sorted(HERE.glob("*.md"))
    if missing := [page for page in pages if not page.is_file()]:
        sys.stderr.write(f"no such page: {missing[0]}\n" + (__doc__ or "").split("\n\n")[1] + "\n")
        return 2
    code = 0
    for file in pages:
        page = file.read_text(encoding="utf-8")
        try:
            with tempfile.TemporaryDirectory(prefix="tutorial-") as folder:
                again = played(page, Path(folder))
        except (WrongPageError, subprocess.TimeoutExpired) as wrong:
            sys.stderr.write(f"{file.name}: {wrong}\n")
            code = 1
            continue
        if told := differences(page, again):
            if check:
                remedy = "run `python docs/tutorials/refresh.py`, read what changed, and commit it"
                sys.stderr.write("\n".join([f"{file.name} shows something else; {remedy}", *told, ""]))
                code = 1
            else:
                file.write_text(again, encoding="utf-8")
                sys.stderr.write(f"{file.name} is written\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
