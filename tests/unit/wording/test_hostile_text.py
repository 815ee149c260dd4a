"""Long and hostile texts are read to their end; how the time grows is measured by benchmarks/linear_time.py."""

from collections.abc import Callable

import pytest

from tests.unit.wording.support import HOSTILE, LENGTH
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
def test_hostile_text_is_read_to_its_end(tool: Callable[[str], object]) -> None:
    for text in HOSTILE:
        assert tool(text[:LENGTH]) == tool(text[:LENGTH]), f"{text[:20]!r}… is read differently each time"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__qualname__)
def test_100_kb_of_talk_is_read_to_its_end(tool: Callable[[str], object]) -> None:
    assert tool(HOSTILE[-1]) or tool is is_negated
