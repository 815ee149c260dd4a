"""Points that somebody lists as open: "still without an answer: the key on Saturdays, and who signs the review"."""

import re
from collections.abc import Iterator

from dissolution.values import Span
from frame_agent.terms import LEAST_TERMS, terms_of

LISTED = "listed as open"
"""The reason of a proposition that is one point of such a list."""

LEAD = re.compile(
    r"\b(?:open|unanswered|unresolved|undecided|unsettled|loose ends?|(?:without|no) (?:an? )?answers?)\b"
    r"[^:.?!]{0,40}:\s",
    re.IGNORECASE,
)
BETWEEN = re.compile(
    r"(?:[,;]\s(?:and\s)?|\sand\s(?=(?:whether|who|what|why|how|when|which|if|the|an?)\b))", re.IGNORECASE
)


def points_of(text: str) -> Iterator[Span]:
    """Where the points of a list of open ones stand in a sentence, in order; none in any other sentence.

    Args:
        text: One sentence.
    """
    lead = LEAD.search(text)
    if lead is None:
        return
    cuts = [*BETWEEN.finditer(text, lead.end())]
    starts = [lead.end(), *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text.rstrip(" .!"))]
    for start, end in zip(starts, ends, strict=True):
        if start < end and len(terms_of(text[start:end])) >= LEAST_TERMS:
            yield Span(start=start, end=end)
