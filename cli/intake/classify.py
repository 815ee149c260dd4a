"""`dissolve classify`: the temporal class of every sentence that is said in a file. Nothing is stored."""

import json
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.views import console, shortened
from dissolution.clock import SystemClock
from dissolution.conversation import Turn
from dissolution.errors import InputError, InvalidConversation
from dissolution.settings import load_settings
from dissolution.temporal import Temporal, TemporalClass
from dissolution.values import Span
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_bytes, read_file
from language.intake.text import decode
from language.sentences import sentence_spans
from language.temporal import classify

STDIN = "-"
KEY_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class ClassifyOptions:
    """What was given on the command line of `dissolve classify`."""

    file: str
    text: bool = False
    form: str | None = None
    conversation: str | None = None
    timezone: str | None = None
    only: str | None = None
    as_json: bool = False


@dataclass(frozen=True, kw_only=True)
class ClassifiedSentence:
    """One sentence with its place: the turn (or the line, with --text) and the span in its content."""

    number: int
    turn: Turn
    span: Span
    temporal: Temporal

    @property
    def text(self) -> str:
        """The sentence."""
        return self.turn.content[self.span.start : self.span.end]


@dataclass(frozen=True, kw_only=True)
class Classified:
    """All sentences of a file, and how many were left out because the speaker only passed them on."""

    conversation: str
    place: str  # what `number` counts: "turn" or "line"
    sentences: tuple[ClassifiedSentence, ...]
    quoted: int


def classify_file(options: ClassifyOptions) -> Exit:
    """Classify each sentence of a file and print turn, class and cue, or one JSON document.

    Quoted material (tool output, code, pasted documents) is left out: it informs and commits nobody.

    Raises:
        InvalidConversation: The file cannot be read, or holds no text.
        InputError: Options that do not go together.
    """
    classified = _of_lines(options) if options.text else _of_conversation(options)
    shown = [said for said in classified.sentences if options.only in {None, said.temporal.temporal_class.value}]
    if options.as_json:
        sys.stdout.write(json.dumps(_document(classified, shown), ensure_ascii=False, indent=1) + "\n")
    else:
        _print(classified, shown)
    return Exit.OK


def _of_conversation(options: ClassifyOptions) -> Classified:
    reading_options = _reading_options(options, Form(options.form) if options.form else None)
    key = secrets.token_bytes(KEY_BYTES)  # placeholders of secrets last as long as this output
    if options.file == STDIN:
        data = sys.stdin.buffer.read(reading_options.max_bytes + 1)
        reading = read_bytes(data, "stdin", reading_options, key=key, clock=SystemClock())
    else:
        reading = read_file(Path(options.file), reading_options, key=key, clock=SystemClock())
    for warning in reading.warnings:
        print(f"dissolve: {warning}", file=sys.stderr)  # noqa: T201 - for a person
    return _classified(reading, {}, place="turn")


def _of_lines(options: ClassifyOptions) -> Classified:
    """Each line with text in it read as one turn, so that secrets are replaced as everywhere."""
    given = [name for name in ("form", "conversation", "timezone") if getattr(options, name) is not None]
    if given:
        flags = ", ".join(f"--{'format' if name == 'form' else name}" for name in given)
        raise InputError(f"--text with {flags}", "plain text has no conversation in it; leave one of them out")
    reading_options = _reading_options(options, Form.NATIVE)
    name = "stdin" if options.file == STDIN else Path(options.file).name
    lines = decode(_bytes_of(options.file, reading_options.max_bytes), name).split("\n")
    numbered = [(number, line.rstrip("\r")) for number, line in enumerate(lines, start=1) if line.strip()]
    value = {"id": name, "turns": [{"role": "user", "content": line} for _, line in numbered]}
    data = json.dumps(value).encode()
    unlimited = reading_options.model_copy(update={"max_bytes": max(len(data), reading_options.max_bytes)})
    reading = read_bytes(data, name, unlimited, key=secrets.token_bytes(KEY_BYTES), clock=SystemClock())
    places = dict(enumerate((number for number, _ in numbered), start=1))
    return _classified(reading, places, place="line")


def _reading_options(options: ClassifyOptions, form: Form | None) -> ReadingOptions:
    settings = load_settings()
    return ReadingOptions(
        form=form,
        conversation=options.conversation,
        timezone=options.timezone,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )


def _bytes_of(file: str, max_bytes: int) -> bytes:
    """The whole file, or stdin for `-`; at most `max_bytes`."""
    try:
        if file == STDIN:
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidConversation(f"file {file!r} cannot be read", reason) from error
    if len(data) > max_bytes:
        raise InvalidConversation(
            f"file {file!r} is over the limit of {max_bytes / 1_000_000:,.1f} MB",
            "split it, or raise the setting max_file_mb",
        )
    return data


def _classified(reading: Reading, places: Mapping[int, int], *, place: str) -> Classified:
    """The sentences of a conversation. With `places` (turn to line) nothing counts as quoted."""
    conversation = reading.conversation
    sentences: list[ClassifiedSentence] = []
    quoted = 0
    for turn in conversation.turns:
        for span in sentence_spans(turn.content):
            if not places and turn.is_quoted(span):
                quoted += 1
                continue
            temporal = classify(turn.content[span.start : span.end])
            sentences.append(
                ClassifiedSentence(number=places.get(turn.number, turn.number), turn=turn, span=span, temporal=temporal)
            )
    return Classified(conversation=conversation.id, place=place, sentences=tuple(sentences), quoted=quoted)


def _counts(sentences: tuple[ClassifiedSentence, ...]) -> dict[str, int]:
    found = Counter(said.temporal.temporal_class for said in sentences)
    return {name.value: found[name] for name in TemporalClass}


def _document(classified: Classified, shown: list[ClassifiedSentence]) -> dict[str, Any]:
    return {
        "conversation": classified.conversation,
        "counts": _counts(classified.sentences),
        "quoted_left_out": classified.quoted,
        "sentences": [
            {
                classified.place: said.number,
                "speaker": said.turn.speaker,
                "start": said.span.start,
                "end": said.span.end,
                "text": said.text,
                **said.temporal.model_dump(mode="json", include={"temporal_class", "basis", "cues"}),
            }
            for said in shown
        ],
    }


def _print(classified: Classified, shown: list[ClassifiedSentence]) -> None:
    """One row a sentence, then how many there are of each class."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(classified.place, justify="right")
    table.add_column("class", no_wrap=True)
    table.add_column("cue", overflow="fold", max_width=30)
    table.add_column("sentence", overflow="fold")
    for said in shown:
        table.add_row(
            str(said.number),
            said.temporal.temporal_class.value,
            Text(_cue_words(said.temporal)),
            Text(shortened(said.text)),
        )
    out = console()
    out.print(table)
    out.print(Text(", ".join(_summary(classified))))


def _cue_words(temporal: Temporal) -> str:
    return " … ".join(" ".join(cue.text.split()) for cue in temporal.cues) or "—"


def _summary(classified: Classified) -> Iterator[str]:
    yield f"{len(classified.sentences)} sentences"
    for name, count in _counts(classified.sentences).items():
        yield f"{name} {count}"
    if classified.quoted:
        yield f"left out as quoted {classified.quoted}"
