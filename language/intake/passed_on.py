"""Pasted material without marks of its own: what a lead-in announces, other speakers' lines, quotations.

People paste mail, chats and notes as they are, with a line before that says so. Where such material ends is a guess:
a signature ends a mail, an empty line ends anything else. Text that mimics a turn or a machine's mark is nobody's own
speech, wherever it stands. Works on whole lines, but for quotations, and is linear in the text.
"""

import re
from collections.abc import Iterator, Sequence

from dissolution.conversation import QuotedKind

# What is passed on, and the verbs of doing so. The line ends in a colon, or the material follows an empty line.
_THINGS = (
    r"(?:e-?mails?|mails?|messages?|letters?|notes?|tickets?|replies|reply|answers?|texts?|logs?|output|pages?|docs?|"
    r"documents?|read ?mes?|announcements?|posts?|comments?|memos?|minutes|wiki|channels?|threads?|chats?|transcripts?|"
    r"statements?|notices?|terms|clauses?|contracts?|articles?|excerpts?|snippets?|results?|reports?|reviews?|quotes?|"
    r"press release|web ?site|README|summar(?:y|ies)|specs?|mail thread)"
)
LEAD_IN = re.compile(
    rf"^(?=.{{0,160}}:[ \t]*$)(?:"
    rf".*\b(?:here(?:'s|\u2019s| is| are| comes?)|below(?: is| are)?|this is|attached|following)\b.*\b{_THINGS}\b.*"
    rf"|.*\b(?:past(?:e|es|ed|ing)|forward(?:ed|ing)?|quot(?:e|ed|ing)|cop(?:y|ied|ying)|verbatim|word for word)\b.*"
    rf"|(?:from|in|out of) (?:the|their|our|his|her|its|a|an) (?:\w+ ){{0,3}}{_THINGS}\b.{{0,40}}"
    rf"|(?!(?:I|we)\b).*\b(?:wrote|writes|replied|replies|answered|posted|says|said|sent(?: me| us)?|reads|states|"
    rf"put it like this|has this to say)\b[^:]{{0,40}}"
    rf"):[ \t]*$",
    re.IGNORECASE,
)
GREETING = re.compile(
    r"^[ \t]*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to whom|greetings|sehr geehrte|hallo|liebe|"
    r"bonjour|hola|ol[aá]|ciao)\b[^.?!:]{0,60}[,!.]?[ \t]*$",
    re.IGNORECASE,
)
SIGNATURE = re.compile(
    r"^[ \t]*(?:--[ \t]*$|(?:(?:kind|best|warm|many)[ ]?(?:regards|wishes|thanks)|regards|best|cheers|sincerely|thanks|"
    r"thank you|yours(?: \w+)?|mit freundlichen|viele gr|cordialement|saludos|atenciosamente|cumprimentos)"
    r"[^.?!]{0,40}$)",
    re.IGNORECASE,
)
AFTER_SIGNATURE = 2  # lines of a name and a role under it

# A chat line: a time, then who, then what; or a bracketed time.
CHAT = re.compile(
    r"^[ \t]*(?:\[\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\]|\(\d{1,2}:\d{2}\)|\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?[ ,-])"
    r"[ \t]*"
    r"[<@]?[\w.@ -]{1,40}[>]?:[ \t]*\S",
    re.IGNORECASE,
)
# Lines that play a turn, or a mark of a model's format.
ROLE_LINE = re.compile(
    r"^[ \t]*(?:#{1,4}[ \t]*|\*{1,2}|\[|<)?(?:system(?: prompt| message| override)?|developer(?: message)?|assistant|"
    r"human|user|tool)(?:\*{1,2}|\]|>)?[ \t]*:(?:\*{1,2})?[ \t]*(?:\S|$)",
    re.IGNORECASE,
)
MODEL_MARK = re.compile(
    r"<\|[a-z_]{3,30}\|>|\[/?INST\]|<</?SYS>>|^[ \t]*</?(?:system|assistant|user|tool_result)>|"
    r"^[ \t]*\[(?:SYSTEM|DEVELOPER|ADMIN)\]|^[ \t]*#{2,4} system\b",
    re.IGNORECASE,
)
# Words in quotation marks that somebody else is said to have said.
QUOTATION = re.compile(
    r"\b(?:they|he|she|it|that|note|mail|e-?mail|ticket|letter|page|sign|banner|comment|doc|document|vendor|clause|"
    r"contract|message|reply|answer|\w+er|[A-Z][\w'-]+)\b[^.!?\"\u201c\u201d\n]{0,40}?\b(?:wrote|writes|says|said|reads|"
    r"states|stated|replied|answered|told (?:me|us)|posted|goes|runs|insists?|claims?|orders?|announce[sd]?)\b"
    r"[^.!?\"\u201c\u201d\n]{0,40}[:,]?\s*(?P<said>[\"\u201c][^\"\u201c\u201d\n]{20,2000}[\"\u201d])"
)

# A sentence that announces material without a colon; what follows it is lines, not prose.
_PAPERS = (
    rf"(?:{_THINGS}|lists?|handovers?|exports?|orders?|invoices?|offers?|schedules?|rosters?|rotas?|inventor(?:y|ies)"
    r"|extracts?|bulletins?|circulars?|leaflets?|newsletters?|forms?|agendas?|protocols?|sheets?|entries|records?|lot)"
)
ANNOUNCES = re.compile(
    rf"\b(?:(?:here(?:'s|\u2019s| is| are| comes?)|this is|these are|this came|came (?:in|back|round)|got this|below"
    rf"|attached|following)\b[^.!?]*\b{_PAPERS}\b"
    rf"|(?:past(?:e|ed|ing)|forward(?:ed|ing)|cop(?:y|ied|ying)|verbatim|word for word)\b"
    rf"|(?:this|these|it) (?:came|arrived|landed|turned up|was (?:sent|posted|pinned))\b"
    rf"|^[ \t]*(?:the )?{_PAPERS} (?:from|of|by) )[^.!?]*[.!]?[ \t]*$",
    re.IGNORECASE,
)
# The title of a paper: its kind or its body in capitals, at the beginning of a block of lines.
TITLE = re.compile(
    r"^[ \t]*(?=[^a-z\n]{0,80}\b(?:MINUTES|HANDOVER|LIST|NOTES?|MEETING|REPORT|EXTRACT|NOTICE|MEMO|AGENDA|INVOICE|ORDER"
    r"|TICKET|BULLETIN|CIRCULAR|LEAFLET|STATEMENT|CONTRACT|TERMS|POLICY|RESOLUTIONS?|PROTOCOL|SCHEDULE|ROSTER|ROTA|GROUP"
    r"|COMMITTEE|COUNCIL|BOARD|OFFER|QUOTE|QUOTATION|CHECKLIST|EXPORT|RELEASE|CHANGELOG|RECORD|ENTRY|SUMMARY)\b)"
    r"[A-Z0-9][^a-z\n]{3,}"
)
# A rule that people draw above and below what they paste.
RULE = re.compile(r"^[ \t]*([-=_*~#])\1{2,}[ \t]*$")
# A paragraph that is one quotation of several sentences.
SAID_ELSEWHERE = re.compile(
    r"^[ \t]*(?:\"(?=[^\"\n]{60})[^\"\n]*[.!?:;][ \t][^\"\n]+\""
    r"|\u201c(?=[^\u201d\n]{60})[^\u201d\n]*[.!?:;][ \t][^\u201d\n]+\u201d)[ \t]*$"
)
LEAST_LINES = 2
"""Lines of a block that a sentence or a title announces: prose is one line."""

Run = tuple[int, int, QuotedKind]


def runs(lines: Sequence[str]) -> Iterator[Run]:
    """Whole lines first..last (inclusive) that are passed on, by line number from 0; runs may overlap."""
    yield from _announced(lines)
    yield from _papers(lines)
    yield from _ruled_off(lines)
    yield from _chats(lines)
    yield from _played(lines)


def quotations(content: str) -> Iterator[tuple[int, int, QuotedKind]]:
    """Quotations inside a line, quotation marks included: start, end (code points) and kind."""
    for match in QUOTATION.finditer(content):
        yield match.start("said"), match.end("said"), QuotedKind.QUOTE


def _announced(lines: Sequence[str]) -> Iterator[Run]:
    """What follows a lead-in: a mail to its signature, or to the end of the turn; else one paragraph."""
    index = 0
    while index < len(lines):
        if not LEAD_IN.match(lines[index]):
            index += 1
            continue
        first = next((place for place in range(index + 1, len(lines)) if lines[place].strip()), None)
        if first is None:
            return
        last = _end_of_mail(lines, first) if GREETING.match(lines[first]) else _end_of_paragraph(lines, first)
        yield first, last, QuotedKind.DOCUMENT
        index = last + 1


def _end_of_mail(lines: Sequence[str], first: int) -> int:
    signed = next((place for place in range(first + 1, len(lines)) if SIGNATURE.match(lines[place])), None)
    if signed is None:
        return len(lines) - 1
    last = signed
    while last + 1 < len(lines) and last < signed + AFTER_SIGNATURE and lines[last + 1].strip():
        last += 1
    return last


def _end_of_paragraph(lines: Sequence[str], first: int) -> int:
    last = first
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    return last


def _papers(lines: Sequence[str]) -> Iterator[Run]:
    """Blocks of lines under the title of a paper, or after a sentence that announces one."""
    said = ""
    place = 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
            continue
        last = _end_of_paragraph(lines, place)
        several = last - place + 1 >= LEAST_LINES
        if several and (TITLE.match(lines[place]) or _announces(said)):
            yield place, last, QuotedKind.DOCUMENT
        elif several and _announces(lines[place]):
            yield place + 1, last, QuotedKind.DOCUMENT
        elif SAID_ELSEWHERE.match(lines[place]):
            yield place, place, QuotedKind.QUOTE
        said = lines[last]
        place = last + 1


def _announces(line: str) -> bool:
    """Whether the last sentence of a line announces material."""
    last = re.split(r"(?<=[.!?])[ \t]+(?=\S)", line.strip()[-LONGEST_LEAD_IN:])[-1]
    return ANNOUNCES.search(last) is not None


LONGEST_LEAD_IN = 400


def _ruled_off(lines: Sequence[str]) -> Iterator[Run]:
    """What stands between two rules, when words stand before the first: a rule alone only parts one's own text."""
    marks = [place for place, line in enumerate(lines) if RULE.match(line)]
    spoken = next((place for place, line in enumerate(lines) if line.strip()), 0)
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        if spoken < first and any(lines[place].strip() for place in range(first + 1, last)):
            yield first, last, QuotedKind.DOCUMENT


def _chats(lines: Sequence[str]) -> Iterator[Run]:
    """Lines of a chat with times and speakers."""
    for place, line in enumerate(lines):
        if CHAT.match(line):
            yield place, place, QuotedKind.DOCUMENT


def _played(lines: Sequence[str]) -> Iterator[Run]:
    """A line that plays a turn or a mark of a model, to the end of its paragraph."""
    for place, line in enumerate(lines):
        if ROLE_LINE.match(line) or MODEL_MARK.search(line):
            yield place, _end_of_paragraph(lines, place), QuotedKind.DOCUMENT
