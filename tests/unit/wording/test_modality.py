import pytest
from hypothesis import given

from tests.unit.wording.support import TEXTS
from wording.modality import Modality, modality


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "fact"),
        ("Redis holds the sessions.", "fact"),
        ("May 12 is the launch.", "fact"),
        ("The launch was moved from March to June.", "fact"),
        ("Is it on?", "question"),
        ("**Who funds January?**", "question"),
        ("Whether the bay matters", "question"),
        ("It is open whether s varies by layer.", "question"),
        ("If tests fail, we roll back.", "conditional"),
        ("We deploy only if Ravi agrees.", "conditional"),
        ("You must not deploy.", "prohibition"),
        ("Never deploy on Friday.", "prohibition"),
        ("Don’t touch nginx.", "prohibition"),
        ("Nobody runs KEYS.", "prohibition"),
        ("No deploy without Ravi's yes.", "prohibition"),
        ("You may not deploy.", "prohibition"),
        ("Sharing is not allowed.", "prohibition"),
        ("I think it works.", "guess"),
        ("It may be wrong.", "guess"),
        ("It may not work.", "guess"),
        ("Replies must be short.", "obligation"),
        ("- Use SCAN.", "obligation"),
        ("Every figure has to carry its source.", "obligation"),
        ("Only Ilse may change nginx.", "permission"),
        ("You are allowed to restart it.", "permission"),
        ("We do not have to deploy.", "permission"),
        ("We will launch in May.", "plan"),
        ("The audit is scheduled for Friday.", "plan"),
        ("I’ll send it.", "plan"),
        ("The note says `must not` twice.", "fact"),
        ("Use of the cache is low.", "fact"),
    ],
)
def test_modality(text: str, expected: str) -> None:
    assert modality(text) == Modality(expected)


@given(TEXTS)
def test_any_text_has_a_modality(text: str) -> None:
    assert modality(text) in Modality
