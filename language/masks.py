"""Parts of a text that other tools leave out: fenced blocks, inline code and quotations, as spans or blanked."""

import re
from collections.abc import Iterable

from dissolution.values import Span

FENCE_LINE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
# A quotation opens after a space or bracket and closes on the same line; an apostrophe inside a word never opens one.
QUOTATION = re.compile(r"(?<![\w])(?:\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»)(?!\w)")


def fenced_spans(text: str) -> tuple[Span, ...]:
    """Fenced code blocks with their fence lines, in order; a block that is never closed runs to the end of the text."""
    if "```" not in text and "~~~" not in text:  # most texts, told without reading their lines
        return ()
    spans: list[Span] = []
    opened: re.Match[str] | None = None
    for line in FENCE_LINE.finditer(text):
        fence = line["fence"]
        if opened is None:
            # A closing fence on the opening line makes it inline code, as in ```x```.
            if fence[0] not in line["info"]:
                opened = line
        elif fence[0] == opened["fence"][0] and len(fence) >= len(opened["fence"]) and not line["info"].strip():
            spans.append(Span(start=opened.start("fence"), end=line.end("fence")))
            opened = None
    if opened is not None:
        spans.append(Span(start=opened.start("fence"), end=max(opened.end("fence"), len(text.rstrip()))))
    return tuple(spans)


def code_spans(text: str) -> tuple[Span, ...]:
    """Fenced blocks and inline code, in order, without overlap."""
    fenced = fenced_spans(text)
    if not fenced and "`" not in text:
        return ()
    inline = [Span(start=m.start(), end=m.end()) for m in INLINE_CODE.finditer(blanked(text, fenced))]
    return tuple(sorted([*fenced, *inline], key=lambda span: span.start))


def quotation_spans(text: str) -> tuple[Span, ...]:
    """Text inside double quotation marks (straight, curly, angled) on one line, marks included, in order."""
    if '"' not in text and "“" not in text and "«" not in text:
        return ()
    return tuple(Span(start=m.start(), end=m.end()) for m in QUOTATION.finditer(text))


def blanked(text: str, spans: Iterable[Span], filler: str = " ") -> str:
    """`text` with every span replaced by `filler` (one character) repeated, so that all offsets stay the same."""
    parts: list[str] = []
    position = 0
    for span in spans:
        parts.extend((text[position : span.start], filler * (span.end - span.start)))
        position = span.end
    return "".join((*parts, text[position:]))


def straightened(text: str) -> str:
    """`text` with curly apostrophes made straight, one code point for one."""
    return text.replace("’", "'").replace("‘", "'").replace("\u02bc", "'")
