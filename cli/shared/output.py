"""The two streams of a command: results on stdout, lines for a person on stderr, and what happens when one breaks."""

import io
import os
import shlex
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from cli.shared.exits import Exit


class OutputLost(Exception):
    """Stdout cannot be written. `code` is what the command would have ended with.

    No OSError by kind: typer ends a command on a broken pipe by itself.
    """

    def __init__(self, error: OSError, code: Exit = Exit.OK) -> None:
        super().__init__(error, code)
        self.error = error
        self.code = code


class SafeConsole(Console):
    """A console whose terminal is steered by this program alone, not by what a conversation or a model said.

    Control and bidirectional characters of a text are left out; styles and line breaks are the console's own.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As rich does it, for this and for everything inside it."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def visible(text: str) -> str:
    """A text without what steers a terminal; line breaks and tabs stay.

    Nothing stands in its place: tables are measured before, and such characters have no width.
    """
    if text.isprintable():  # false for every character that is hidden, and quick
        return text
    from prompts.export.markdown import is_hidden

    return "".join(char for char in text if char in "\n\t" or not is_hidden(char))


class ResultConsole(SafeConsole):
    """A console that tells its caller when the reader has gone; rich's own ends the process with code 1."""

    def on_broken_pipe(self) -> None:
        """Called by rich while it handles the BrokenPipeError."""
        raise OutputLost(BrokenPipeError())


class WatcherConsole(SafeConsole):
    """A console for progress. Whoever watches may leave: no job ends because nobody looks."""

    def on_broken_pipe(self) -> None:
        """Called by rich while it handles the BrokenPipeError: from now on nothing is written."""
        self.quiet = True


@contextmanager
def printing(code: Exit) -> Generator[None]:
    """A block that does nothing but write results to stdout, for a command that is to end with `code`.

    Raises OutputLost, with that code, when stdout cannot be written.
    """
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        raise OutputLost(error, code) from error
    except OutputLost as lost:
        raise OutputLost(lost.error, code) from lost


def say(message: str) -> None:
    """One line for a person on stderr, if anybody is there to read it."""
    with suppress(OSError):
        print(f"dissolve: {visible(message)}", file=sys.stderr, flush=True)  # noqa: T201 - for a person


def speak_utf8() -> None:
    """Write UTF-8 whatever the locale is; what cannot be written in it (lone surrogates) becomes a backslash escape.

    A stream that was closed by whoever started the command (`>&-`) has no reader, which is no fault: it goes nowhere.
    """
    for name in ("stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def finish(code: int) -> int:
    """Write out what is buffered; the exit code of the process, `code` unless the output was lost."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return give_up(OutputLost(error), code)
    return code


def give_up(lost: OutputLost, code: int) -> int:
    """The exit code when stdout broke: the command's own when its reader has just gone, else UNWRITTEN.

    What is still buffered goes nowhere, so that the interpreter does not complain at its end.
    """
    abandon(sys.stdout)
    if isinstance(lost.error, BrokenPipeError):
        return code
    reason = lost.error.strerror or type(lost.error).__name__
    say(f"the output cannot be written: {reason}; what was stored stays, `dissolve show` prints it again")
    return Exit.UNWRITTEN


def abandon(stream: TextIO) -> None:
    """Let a stream's remaining output go nowhere."""
    with suppress(OSError, ValueError):  # a stream without a file descriptor has nothing to abandon
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def hint(*words: str | int, db: str | None) -> str:
    """A `dissolve` command to type next, on the database that was named on the command line.

    Args:
        words: The command and its arguments.
        db: What --db was given; None when it came from the environment, the settings file or the default, which the
            next command reads as well. A password in it is not repeated.
    """
    named = () if db is None else ("--db", shown_db(db))
    return shlex.join(["dissolve", *map(str, words), *named])


def shown_db(db: str) -> str:
    """A database URL as it may be shown."""
    from store.sql.places import masked

    return masked(db)
