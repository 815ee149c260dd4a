"""Quoted material inside a turn: code, quotes, and what people paste. It informs and never instructs (rule 8).

Fences and `>` lines count in every turn, tags and pasted material only where people and operators write: a table in an
assistant's turn is its own speech. Everything here works on whole lines and is linear in the text.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from dissolution.conversation import PEOPLE, QuotedKind, QuotedSpan, Role
from language.intake import passed_on, strange


class _Line(NamedTuple):
    start: int
    end: int  # without the line feed
    text: str


class _Run(NamedTuple):
    """Lines first..last (inclusive) that are quoted."""

    first: int
    last: int
    kind: QuotedKind


_FENCE = re.compile(r"^[ \t]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)$")
_QUOTE = re.compile(r"^[ \t]{0,3}>")

# Elements that people put around what they paste, as prompt guides advise.
_TAG = re.compile(
    r"^[ \t]*<(?P<tag>document|documents|doc|file|context|paste|pasted|email|mail|log|logs|output|transcript|article|"
    r"source|attachment|attachments|data|page|webpage|content|text|quote|ticket|report|search_results?|tool_result|tool_output)"
    r"(?:\s[^<>\n]{0,300})?>",
    re.IGNORECASE,
)
_BEGIN = re.compile(r"^[ \t]*-{2,}[ \t]?(?:BEGIN|START)\b(?P<what>[^\n]{0,80}?)-{2,}[ \t]*$", re.IGNORECASE)
_END = re.compile(r"^[ \t]*-{2,}[ \t]?(?:END|STOP)\b[^\n]{0,80}?-{2,}[ \t]*$", re.IGNORECASE)
_TRIPLE = re.compile(r'^[ \t]*("""|\'\'\')[ \t]*$')
# From here on to the end of the turn somebody else is speaking.
_FORWARD = re.compile(
    r"^[ \t]*(?:-{3,}[ \t]*(?:original message|forwarded message|forwarded by\b.*|ursprüngliche nachricht)[ \t]*-{3,}|"
    r"begin forwarded message:|on [^\n]{6,120} wrote:)[ \t]*$",
    re.IGNORECASE,
)
_MAIL_FIELD = re.compile(r"^(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Von|An|Betreff|Gesendet):[ \t]?\S")
_MAIL_FIELDS = 3

# Lines that machines write. Two in a row are a paste; one alone may be a remark about a log.
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|PANIC|LOG|HINT|DETAIL|STATEMENT)"
_MACHINE = re.compile(
    rf"""^[ \t]*(?:
      [\[(]?\d{{4}}[-/]\d{{2}}[-/]\d{{2}}[T ]\d{{2}}:\d{{2}}          # 2026-03-01T10:43 …
    | [\[(]?\d{{2}}:\d{{2}}:\d{{2}}(?:[.,]\d+)?[\])]?[ \t]             # 10:43:05.123 …
    | \d{{2}}/[A-Z][a-z]{{2}}/\d{{4}}[: ]\d{{2}}:                      # 01/Mar/2026:10:43
    | [A-Z][a-z]{{2}}[ ]+\d{{1,2}}[ ]\d{{2}}:\d{{2}}:\d{{2}}[ ]        # syslog: Mar  1 10:43:05
    | \d{{1,3}}(?:\.\d{{1,3}}){{3}}[ ]\S+[ ]\S+[ ]\[                   # access log
    | [\[<]{_LEVEL}[\]>]                                                # [ERROR] …
    | {_LEVEL}(?::[ \t]{{1,4}}|[ \t]{{2,}}|[ ]\[)\S                     # ERROR:  relation …
    | (?:level|ts|time|msg|severity)=\S                                 # logfmt
    | Traceback[ ]\(most[ ]recent[ ]call[ ]last\)
    | File[ ]"[^"\n]+",[ ]line[ ]\d+
    | at[ ][\w$.<>/]+[ ]?\([^)\n]*\)                                   # Java and JavaScript frames
    | Caused[ ]by:[ ]|goroutine[ ]\d+[ ]\[
    | [\w.]+(?:Error|Exception|Warning):[ ]
    | [$%#\u276f][ ](?:sudo[ ])?[\w./-]+(?:[ ]|$)                      # a command typed at a prompt
    | [\w.-]+@[\w.-]+:[^\n]{{0,80}}[$\#][ ]                            # user@host:~$ …
    | (?:diff[ ]--git|index[ ][0-9a-f]{{7,}}|@@[ ]-\d|(?:---|\+\+\+)[ ][ab]/)
    | \{{"[^"\n]+":.*\}},?$                                             # a JSON record a line
    | [+|][-=+|]{{5,}}[ \t]*$                                           # rules of a table
    )""",
    re.VERBOSE,
)
_MIN_MACHINE_LINES = 2
_INDENTED = re.compile(r"^(?: {4,}|\t)\S")
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])[ \t]")
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_SEPARATORS = ("\t", ";", "|", ",")
_MIN_ROWS = 3
_MIN_COMMAS = 2
_MAX_CELL = 40
_SENTENCE_END = re.compile(r"[.!?:][\"')]?\s*$")
_WRITERS = PEOPLE | {Role.SYSTEM}


def quoted_spans(content: str, role: Role) -> tuple[QuotedSpan, ...]:
    """The quoted spans of one turn, in order and without overlap; spans are in code points of `content`.

    A turn by a tool is quoted as a whole. Where findings overlap, the one that begins first, then the longer, stands.
    """
    if not content.strip():
        return ()
    if role is Role.TOOL:
        return (QuotedSpan(start=0, end=len(content), kind=QuotedKind.TOOL_OUTPUT),)
    lines = _lines(content)
    runs = [*_fences(lines), *_blockquotes(lines)]
    if role in _WRITERS:
        runs += [*_pasted(lines), *_rest_after_forward(lines), *_machine_runs(lines)]
        runs += [*_indented(lines), *_tables(lines), *_json_dumps(lines)]
    if role in PEOPLE:
        texts = [line.text for line in lines]
        runs += [_Run(*run) for run in (*passed_on.runs(texts), *strange.runs(texts))]
    spans = [(lines[r.first].start, lines[r.last].end, r.kind) for r in runs]
    if role in PEOPLE:
        spans += passed_on.quotations(content)
    return without_overlap(spans, content)


def without_overlap(spans: Iterable[tuple[int, int, QuotedKind]], content: str) -> tuple[QuotedSpan, ...]:
    """Spans in order, none blank, none overlapping: what an earlier or longer one covers is cut from later ones."""
    kept: list[QuotedSpan] = []
    reached = 0
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        begin = max(start, reached)
        if content[begin:end].strip():
            kept.append(QuotedSpan(start=begin, end=end, kind=kind))
            reached = end
    return tuple(kept)


def _lines(content: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for text in content.split("\n"):
        lines.append(_Line(start, start + len(text), text.rstrip("\r")))
        start += len(text) + 1
    return lines


def _fences(lines: list[_Line]) -> Iterator[_Run]:
    """Fenced code; a fence that never closes runs to the end, as renderers show it."""
    opened: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        match = _FENCE.match(line.text)
        if match is None:
            continue
        if opened is None:
            opened = (index, match["mark"])
        elif match["mark"].startswith(opened[1]) and not match["info"].strip():
            yield _Run(opened[0], index, QuotedKind.CODE)
            opened = None
    if opened is not None:
        yield _Run(opened[0], len(lines) - 1, QuotedKind.CODE)


def _blockquotes(lines: list[_Line]) -> Iterator[_Run]:
    return _runs_of(lines, lambda line: _QUOTE.match(line.text) is not None, 1, QuotedKind.QUOTE)


def _runs_of(lines: list[_Line], test: Callable[[_Line], bool], least: int, kind: QuotedKind) -> Iterator[_Run]:
    for holds, group in groupby(range(len(lines)), key=lambda index: test(lines[index])):
        indexes = list(group)
        if holds and len(indexes) >= least:
            yield _Run(indexes[0], indexes[-1], kind)


def _pasted(lines: list[_Line]) -> Iterator[_Run]:
    """Material between an opening and a closing mark: tags, BEGIN and END lines, triple quotation marks.

    A tag that never closes counts to the end of the turn when it stands alone on its line.
    """
    index = 0
    while index < len(lines):
        last = _close_of(lines, index)
        if last is not None:
            yield _Run(index, last, QuotedKind.DOCUMENT)
            index = last
        index += 1


def _close_of(lines: list[_Line], index: int) -> int | None:
    text = lines[index].text
    tag = _TAG.match(text)
    if tag:
        closing = f"</{tag['tag'].lower()}>"
        if text.rstrip().endswith("/>"):
            return None
        # To the last of its closing tags: what is pasted may close the tag itself and go on as if it were speech.
        found = next((i for i in range(len(lines) - 1, index - 1, -1) if closing in lines[i].text.lower()), None)
        return len(lines) - 1 if found is None and tag.end() == len(text.rstrip()) else found
    if _BEGIN.match(text):
        return next((i for i in range(index + 1, len(lines)) if _END.match(lines[i].text)), len(lines) - 1)
    triple = _TRIPLE.match(text)
    if triple:
        return next((i for i in range(index + 1, len(lines)) if lines[i].text.strip() == triple[1]), None)
    return None


def _rest_after_forward(lines: list[_Line]) -> Iterator[_Run]:
    """Forwarded and answered mail: from its head to the end of the turn."""
    fields = 0
    for index, line in enumerate(lines):
        fields = fields + 1 if _MAIL_FIELD.match(line.text) else 0
        first = index if _FORWARD.match(line.text) else index - _MAIL_FIELDS + 1 if fields == _MAIL_FIELDS else None
        if first is not None:
            yield _Run(first, len(lines) - 1, QuotedKind.DOCUMENT)
            return


def _machine_runs(lines: list[_Line]) -> Iterator[_Run]:
    """Logs, traces, diffs and shell sessions: machine lines, with the indented and output lines between them."""
    marks = [_MACHINE.match(line.text) is not None for line in lines]
    index = 0
    while index < len(lines):
        if not marks[index]:
            index += 1
            continue
        last, count, probe = index, 1, index + 1
        while probe < len(lines):
            if marks[probe]:
                last, count = probe, count + 1
            elif not lines[probe].text.strip() or (probe - last > 1 and not lines[probe].text[0].isspace()):
                break
            elif lines[probe].text[0].isspace():
                last = probe
            probe += 1
        if count >= _MIN_MACHINE_LINES or last > index + 1:
            yield _Run(index, last, QuotedKind.DOCUMENT)
        index = last + 1


def _indented(lines: list[_Line]) -> Iterator[_Run]:
    """Two or more lines indented by four blanks after a blank line or a colon, unless they carry on a list."""
    for run in _runs_of(lines, lambda line: _INDENTED.match(line.text) is not None, 2, QuotedKind.CODE):
        before = lines[run.first - 1].text.rstrip() if run.first else ""
        in_list = any(_LIST_ITEM.match(line.text) for line in lines[max(0, run.first - 2) : run.last + 1])
        if (not before or before.endswith(":")) and not in_list:
            yield run


def _tables(lines: list[_Line]) -> Iterator[_Run]:
    """Tables drawn with bars, and three or more rows of short cells with the same number of separators."""
    yield from _runs_of(lines, lambda line: _TABLE_ROW.match(line.text) is not None, 2, QuotedKind.DOCUMENT)
    for separator in _SEPARATORS:
        least = _MIN_COMMAS if separator == "," else 1
        for (columns, _), group in groupby(
            range(len(lines)), key=lambda i, s=separator, n=least: _row_shape(lines[i].text, s, n)
        ):
            indexes = list(group)
            if columns and len(indexes) >= _MIN_ROWS:
                yield _Run(indexes[0], indexes[-1], QuotedKind.DOCUMENT)


def _row_shape(text: str, separator: str, least: int) -> tuple[int, str]:
    count = text.count(separator)
    if count < least or _SENTENCE_END.search(text) or len(text) > (count + 1) * _MAX_CELL:
        return (0, separator)
    return (count, separator)


def _json_dumps(lines: list[_Line]) -> Iterator[_Run]:
    """A paragraph of several lines that is one JSON object or list."""
    for filled, group in groupby(range(len(lines)), key=lambda i: bool(lines[i].text.strip())):
        indexes = list(group)
        if not filled or len(indexes) < 2 or lines[indexes[0]].text.lstrip()[:1] not in {"{", "["}:  # noqa: PLR2004 - several
            continue
        try:
            json.loads("\n".join(lines[i].text for i in indexes))
        except (ValueError, RecursionError):
            continue
        yield _Run(indexes[0], indexes[-1], QuotedKind.DOCUMENT)
