import pytest
from hypothesis import given

from language.choice import choices
from language.words import content_words
from tests.unit.language.support import TEXTS, assert_in_order


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("We use Redis.", [("chosen", "use", "Redis")]),
        ("EKS is ruled out because nobody can carry it.", [("rejected", "is ruled out", "EKS")]),
        ("EKS ruled out.", [("rejected", "ruled out", "EKS")]),
        ("Lambda is out, except redrive.", [("rejected", "is out", "Lambda")]),
        ("MSK and managed Flink are out.", [("rejected", "are out", "MSK managed Flink")]),
        ("We go with Kinesis and drop Kafka.", [("chosen", "go with", "Kinesis"), ("rejected", "drop", "Kafka")]),
        ("We switch from Redis to Postgres.", [("stopped", "switch from", "Redis"), ("chosen", "to", "Postgres")]),
        ("Replace A1 with B2.", [("stopped", "Replace", "A1"), ("chosen", "with", "B2")]),
        ("r417 stays.", [("chosen", "stays", "r417")]),
        ("Revert to r417.", [("reversed", "Revert to", "r417")]),
        ("r418 is rolled back.", [("reversed", "is rolled back", "r418")]),
        ("Do not use EKS.", [("rejected", "use", "EKS")]),
        ("We don’t use KEYS, FLUSHDB or FLUSHALL.", [("rejected", "use", "KEYS FLUSHDB FLUSHALL")]),
        ("EKS is not used.", [("rejected", "is not used", "EKS")]),
        ("EKS isn’t used.", [("rejected", "used", "EKS")]),
        ("EKS is no longer used.", [("stopped", "is no longer used", "EKS")]),
        ("We no longer use EKS.", [("stopped", "no longer use", "EKS")]),
        ("We stop using Kafka.", [("stopped", "stop using", "Kafka")]),
        ("Do not drop Redis.", [("chosen", "drop", "Redis")]),
        ("Never start the replica.", [("rejected", "start", "replica")]),
        ("We enable JIT.", [("started", "enable", "JIT")]),
        ("Fargate instead of EKS", [("rejected", "instead of", "EKS")]),
        ("The use of X is fine", []),
        ("a stop event is lost", []),
        ("We used to run it. It fell.", []),
        ("run `use strict` now", []),
    ],
)
def test_choices(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = [(choice.kind.value, choice.text, choice.object_words) for choice in choices(text)]
    assert found == [(kind, cue, content_words(objects)) for kind, cue, objects in expected]


@given(TEXTS)
def test_spans_are_ordered_and_hold_the_stored_text(text: str) -> None:
    found = choices(text)
    assert_in_order([choice.span for choice in found], text)
    for choice in found:
        assert text[choice.span.start : choice.span.end] == choice.text
