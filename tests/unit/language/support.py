"""What the tests of all text tools share: texts made of real-looking pieces, and hostile long texts."""

from collections.abc import Sequence

from hypothesis import strategies as st

from dissolution.values import Span

PIECES = (
    "we use Redis 7.0.15",
    " ",
    "\n",
    "\n\n",
    ". ",
    "… ",
    "? ",
    "```\n",
    "`code_x`",
    "don’t",
    "may",
    "not",
    "no",
    "web-a1",
    "61,000",
    "-0.74",
    "8 hours",
    "two and a half",
    "March 15",
    "2026-03-15",
    "10:43",
    "Q3 2026",
    "$5m",
    "15 %",
    "“quoted”",
    '"said"',
    "(",
    ")",
    "e.g. ",
    "J. Smith",
    "é",
    "😀",
    "漢字。",
    "\u00a0",
    "\u2028",
    "\r\n",
    "_trace",
    "/billing/return",
    "https://a.example/x?y=1.",
    "- ",
    "1. ",
    "probably",
    "I think",
    "is ruled out",
    "drop",
    "switch from A to B",
    "1,2",
    ".5",
    "½",
    "1e9",
    "٣",
    "²",
    "İ",
    "ß",
    "\x00",
    "--flag",
    "#12",
    "a@b.example",
    "never",
    "if",
    "one",
    "hundred",
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))

HOSTILE = (
    "a" * 100_000,
    "1" * 100_000,
    "a " * 50_000,
    "1 " * 50_000,
    "." * 100_000,
    "a." * 50_000,
    "a-" * 50_000,
    "/a" * 50_000,
    "@" * 100_000,
    "a@" * 50_000,
    "1," * 50_000,
    "(" * 100_000,
    '"' * 100_000,
    "`" * 100_000,
    "``` \n" * 20_000,
    " " * 100_000,
    "\n" * 100_000,
    "_" * 100_000,
    "one " * 25_000,
    "not " * 25_000,
    "may be " * 14_000,
    "use A, " * 14_000,
    "switch from " * 8_000,
    "1h" * 50_000,
    "12:30 " * 16_000,
    "March " * 16_000,
    "https://" * 12_000,
    "A" * 100_000,
    "A B" * 33_000,
    "- " * 50_000,
    "é" * 100_000,
    "hundred-" * 12_000,
    "1 to " * 20_000,
    "We use Redis 7.0.15 on web-a1 for 8 hours, since March 15, and it may not be enough. " * 1_200,
)
LENGTH = 12_000  # code points of a hostile text: enough to tell linear from quadratic


def assert_in_order(spans: Sequence[Span], text: str) -> None:
    """Spans lie inside the text, in order, and do not overlap."""
    end = 0
    for span in spans:
        assert end <= span.start < span.end <= len(text)
        end = span.end
