"""The lines of a reply, and which of them look like headings."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from prompts.headings import MAX_LABEL_CHARS, Heading, is_extra, resolve
from prompts.marks import BULLET

LOOK_CHARS = 240
"""Only the beginning of a line is examined for a heading: long lines are text."""


class Markup(StrEnum):
    """How a heading is set off."""

    HASH = "hash"  # ## Known
    TAG = "tag"  # <h2>Known</h2>, <known>
    EMPHASIS = "emphasis"  # **Known**, **KNOWN:** text
    PLAIN = "plain"  # KNOWN, Known:, KNOWN: text


class Style(NamedTuple):
    """Headings of one reply share a style; a line in another style that names a section is likely a statement."""

    markup: Markup
    level: int
    bulleted: bool
    numbered: bool


@dataclass(frozen=True, slots=True)
class HeadingMark:
    """A line read as a heading."""

    markup: Markup
    level: int  # number of hashes; 0 for other markup
    bulleted: bool
    numbered: bool
    label: str
    heading: Heading | None  # by its exact name
    rest: int  # where text after the label begins in the reply; the line's end when there is none
    alone: bool  # nothing stands after the label
    closes: bool = False  # a closing tag

    @property
    def style(self) -> Style:
        """How it looks."""
        return Style(self.markup, self.level, self.bulleted, self.numbered)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a reply; offsets are code points in the reply."""

    start: int  # of its text, behind indentation
    end: int
    indent: int  # columns, a tab counts as 4
    body: int  # of the words behind a bullet; equals `start` without one
    mark: HeadingMark | None

    @property
    def is_bullet(self) -> bool:
        """Whether it begins with a bullet."""
        return self.body > self.start

    @property
    def is_blank(self) -> bool:
        """Whether it has no text."""
        return self.start >= self.end


_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*")
_INDENT = re.compile(r"(?:[ \t\u00a0\ufeff\u200b]|>(?=[ >]|$))*")
# Rules, fence lines and lone layout tags carry no words.
_LAYOUT_ONLY = re.compile(
    r"(?:[-=_*~\u2500\u2014 ]{3,}|`{3,}[\w+-]{0,20}|~{3,}\w{0,20}"
    r"|</?(?:ul|ol|div|p|br|hr|section|body|html|h[1-6])\s?/?>|<!--[^<>]{0,80}-->)\s*"
)
_LIST_ITEM = re.compile(r"(?:<[uo]l>\s?)?<li>")
_CLOSING_TAGS = re.compile(r"(?:</?(?:li|p|br|b|strong|ul|ol|div)\s?/?>\s*)+$")
_NUMBER = re.compile(r"\(?(?:\d{1,2}|[IVX]{1,4})[.):]\s{0,4}")
_HASHES = re.compile(r"(#{1,6})[ \t]{0,4}(?=\S)")
_HTML = re.compile(r"<(h[1-6]|b|strong)>([^<>]{1,100})</\1>")
_XML = re.compile(r"<(/?)([A-Za-z][A-Za-z_ ]{1,40})>")
_EMPHASISED = re.compile(r"(?:\*{1,3}([^*]{1,100})\*{1,3}|_{1,3}([^_]{1,100})_{1,3})")
_AFTER_LABEL = re.compile(r"\s{0,4}(?:\([^()]{0,80}\)\s{0,4})?(?P<sep>[:\uff1a]|[\u2013\u2014-](?=\s))?\s*")
_HEAD = re.compile(
    r"(?P<label>[^:\uff1a\u2013\u2014\n]{1,80}?)\*{0,3}\s{0,4}(?:[:\uff1a]|\s[\u2013\u2014-](?=\s))\*{0,3}\s{0,4}(?=\S)"
)
_PLAIN = re.compile(
    r"(?P<label>[^:\uff1a\u2013\u2014\n.?!]{1,80}?)\s{0,4}(?:(?P<sep>[:\uff1a]|\s[\u2013\u2014-](?=\s))\s*|(?=$))"
)


def lines_of(text: str) -> list[Line]:
    """The lines of a reply in order, layout-only lines shown as blank."""
    lines: list[Line] = []
    position = 0
    while position <= len(text):
        match = _LINE.match(text, position)
        end = match.end() if match else position
        if end == position:
            lines.append(Line(start=end, end=end, indent=0, body=end, mark=None))
            position += 2 if text.startswith("\r\n", end) else 1
            continue
        lines.append(_line(text, position, end))
        position = end + (2 if text.startswith("\r\n", end) else 1)
    return lines


def _line(text: str, start: int, end: int) -> Line:
    indent = _INDENT.match(text, start, end)
    first = indent.end() if indent else start
    columns = sum(4 if char == "\t" else 1 for char in text[start:first])
    while end > first and text[end - 1].isspace():
        end -= 1
    if _LAYOUT_ONLY.fullmatch(text, first, min(end, first + LOOK_CHARS)) and end - first <= LOOK_CHARS:
        return Line(start=end, end=end, indent=columns, body=end, mark=None)
    item = _LIST_ITEM.match(text, first, end)
    bullet = BULLET.match(text, first, end)
    body = item.end() if item else bullet.end() if bullet else first
    if item:
        closing = _CLOSING_TAGS.search(text, max(body, end - LOOK_CHARS), end)
        end = closing.start() if closing else end
    # "1. KNOWN" is a numbered heading; "- KNOWN: …" is one only where all headings are bullets.
    numbered = _NUMBER.match(text, first, end) is not None
    mark = _mark(text, first, end, bulleted=False) if body == first or numbered else None
    if mark is None and body > first:
        mark = _mark(text, body, end, bulleted=True)
    return Line(start=first, end=end, indent=columns, body=min(body, end), mark=mark)


def _mark(text: str, start: int, end: int, *, bulleted: bool) -> HeadingMark | None:
    hashes = _HASHES.match(text, start, end)
    if hashes:
        return _hashed(text, hashes, end, bulleted=bulleted)
    number = _NUMBER.match(text, start, end)
    at = number.end() if number else start
    tag = _HTML.match(text, at, end) or _XML.match(text, at, end)
    if tag:
        return _tagged(tag, end, bulleted=bulleted)
    emphasised = _EMPHASISED.match(text, at, end)
    if emphasised:
        return _emphasised(text, emphasised, end, bulleted=bulleted, numbered=number is not None)
    return _plain(text, at, end, bulleted=bulleted, numbered=number is not None)


def _hashed(text: str, hashes: re.Match[str], end: int, *, bulleted: bool) -> HeadingMark | None:
    if end - hashes.end() > LOOK_CHARS:
        return None
    whole = text[hashes.end() : end].rstrip("# ")
    head = _HEAD.match(text, hashes.end(), end)
    heading = resolve(whole)
    label, rest = whole, end
    if heading is None and head is not None:
        heading = resolve(head["label"])
        label, rest = (head["label"], head.end()) if heading else (whole, end)
    return HeadingMark(
        markup=Markup.HASH,
        level=len(hashes[1]),
        bulleted=bulleted,
        numbered=_NUMBER.match(whole) is not None,
        label=label,
        heading=heading,
        rest=rest,
        alone=rest >= end,
    )


def _plain(text: str, start: int, end: int, *, bulleted: bool, numbered: bool) -> HeadingMark | None:
    limit = min(end, start + LOOK_CHARS)
    match = _PLAIN.match(text, start, limit)
    # A cut at the limit is no end of line.
    if match is None or not text[start].isalpha() or (match["sep"] is None and limit < end):
        return None
    label, rest = match["label"], match.end()
    heading = resolve(label)
    if heading is None and not (is_extra(label) and rest >= end):
        return None
    if rest < end and not _stands_out(label, heading):
        return None
    return HeadingMark(
        markup=Markup.PLAIN,
        level=0,
        bulleted=bulleted,
        numbered=numbered,
        label=label,
        heading=heading,
        rest=rest,
        alone=rest >= end,
    )


def _stands_out(label: str, heading: Heading | None) -> bool:
    """Whether a plain label before text is a heading: in capitals, or a section's own name ("Open: …" is not)."""
    return heading is not None and (label == label.upper() or (heading.canonical and label[:1].isupper()))


def _tagged(tag: re.Match[str], end: int, *, bulleted: bool) -> HeadingMark | None:
    label = tag[2]
    heading = resolve(label)
    if heading is None and not tag[1].startswith(("h", "b", "s")):
        return None
    # A closing tag ends its section: it is a heading that names none.
    closes = tag[1] == "/"
    return HeadingMark(
        markup=Markup.TAG,
        level=0,
        bulleted=bulleted,
        numbered=False,
        label=label,
        heading=None if closes else heading,
        rest=tag.end(),
        alone=tag.end() >= end,
        closes=closes,
    )


def _emphasised(text: str, match: re.Match[str], end: int, *, bulleted: bool, numbered: bool) -> HeadingMark | None:
    label = match[1] or match[2]
    after = _AFTER_LABEL.match(text, match.end(), end)
    rest = after.end() if after else match.end()
    parted = (after is not None and after["sep"] is not None) or label.rstrip().endswith((":", "\uff1a"))
    if (rest < end and not parted) or len(label) > MAX_LABEL_CHARS + 20:
        return None
    heading = resolve(label)
    if heading is None and (rest < end or label.rstrip().endswith((".", "!", "?"))):
        return None
    return HeadingMark(
        markup=Markup.EMPHASIS,
        level=0,
        bulleted=bulleted,
        numbered=numbered or _NUMBER.match(label) is not None,
        label=label,
        heading=heading,
        rest=rest,
        alone=rest >= end,
    )
