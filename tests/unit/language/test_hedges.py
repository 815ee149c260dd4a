from hypothesis import given

from language.hedges import is_hedged
from tests.unit.language.support import TEXTS


def test_a_guess_in_any_sentence_makes_a_text_hedged() -> None:
    assert is_hedged("The launch is on May 12. I guess the budget is enough for it.")
    assert not is_hedged("The launch is on May 12. The budget is 300 euros.")
    assert not is_hedged("")


@given(TEXTS)
def test_any_text_is_hedged_or_not(text: str) -> None:
    assert is_hedged(text) in {True, False}
