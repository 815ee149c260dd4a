"""Closed word classes do not contradict each other."""

from language import grammar


def test_auxiliaries_are_told_apart() -> None:
    assert not grammar.PRESENT_AUX & grammar.PAST_AUX
    assert not grammar.PRESENT_AUX & grammar.FUTURE_AUX
    assert grammar.ALSO_PREPOSITIONS <= grammar.SUBORDINATORS
    assert not grammar.ADVERBS & grammar.SUBJECTS
