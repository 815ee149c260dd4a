import pytest
from hypothesis import given

from language.modality import Modality, modality
from tests.unit.language.support import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Modality.FACT),
        ("Who owns the index?", Modality.QUESTION),
        ("If it fails we must roll back.", Modality.CONDITIONAL),
        ("Nobody may deploy on Fridays.", Modality.PROHIBITION),
        ("You must not deploy.", Modality.PROHIBITION),
        ("You must deploy.", Modality.OBLIGATION),
        ("You do not have to deploy.", Modality.PERMISSION),
        ("I\u2019ll send it.", Modality.PLAN),
        ("The note says `must not` twice.", Modality.FACT),
    ],
)
def test_the_first_closed_class_that_is_there_tells(text: str, expected: Modality) -> None:
    assert modality(text) is expected


@given(TEXTS)
def test_any_text_has_a_modality(text: str) -> None:
    assert modality(text) in Modality
