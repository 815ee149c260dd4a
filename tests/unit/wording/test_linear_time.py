"""No long text takes more than a moment, whatever is in it."""

import time
from collections.abc import Callable

import pytest

from tests.unit.wording.support import HOSTILE, LENGTH, SECONDS
from wording.choice import choices
from wording.dates import dates
from wording.hedges import hedge_spans
from wording.identifiers import identifiers
from wording.modality import modality
from wording.names import names
from wording.negation import is_negated, negation_cues
from wording.numbers import quantities
from wording.sentences import sentence_spans
from wording.tokens import ApproximateTokenCounter
from wording.words import content_words, words

TOOLS: tuple[Callable[[str], object], ...] = (
    choices,
    dates,
    hedge_spans,
    identifiers,
    modality,
    names,
    is_negated,
    negation_cues,
    quantities,
    sentence_spans,
    ApproximateTokenCounter().count,
    content_words,
    words,
)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__qualname__)
def test_hostile_text_is_read_in_linear_time(tool: Callable[[str], object]) -> None:
    for text in HOSTILE:
        started = time.perf_counter()
        tool(text[:LENGTH])
        taken = time.perf_counter() - started
        assert taken < SECONDS, f"{text[:20]!r}… took {taken:.1f} s"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__qualname__)
def test_100_kb_of_talk_is_read_in_seconds(tool: Callable[[str], object]) -> None:
    started = time.perf_counter()
    tool(HOSTILE[-1])
    assert time.perf_counter() - started < 4 * SECONDS
