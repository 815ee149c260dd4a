"""Long and hostile texts are read to their end; how the time grows is measured by benchmarks/linear_time.py."""

from collections.abc import Callable

import pytest

from language.choice import refusals
from language.dates import dates
from language.identifiers import identifiers
from language.modality import modality
from language.names import names
from language.negation import is_negated, negation_cues
from language.numbers import quantities
from language.putting import is_hedged
from language.sentences import sentence_spans
from language.tokens import ApproximateTokenCounter
from language.words import content_words, words
from tests.unit.language.support import HOSTILE, LENGTH

TOOLS: tuple[Callable[[str], object], ...] = (
    refusals,
    dates,
    is_hedged,
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
def test_hostile_text_is_read_to_its_end(tool: Callable[[str], object]) -> None:
    for text in HOSTILE:
        assert tool(text[:LENGTH]) == tool(text[:LENGTH]), f"{text[:20]!r}… is read differently each time"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__qualname__)
def test_100_kb_of_talk_is_read_to_its_end(tool: Callable[[str], object]) -> None:
    assert tool(HOSTILE[-1]) or tool in {is_negated, is_hedged, refusals}
