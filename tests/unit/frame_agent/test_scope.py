"""A cue reaches its clause, or the whole sentence when its clause says nothing itself."""

from dissolution.premises import PremiseStatus
from frame_agent.scope import reach
from frame_agent.terms import terms_of


def test_a_guess_reaches_its_own_clause() -> None:
    text = "There might be no perfect name, but the bakery is called Krume since October."
    assert reach(text, PremiseStatus.HEDGED).isdisjoint(terms_of("bakery Krume October"))


def test_a_guess_that_says_nothing_itself_reaches_the_whole() -> None:
    text = "The bakery opens in October, as far as I know."
    assert reach(text, PremiseStatus.HEDGED) >= terms_of("bakery opens October")


def test_an_offer_reaches_on_past_its_colon_and_not_past_a_reason() -> None:
    text = "One idea for the rent: lower at first, because the bakery starts slowly."
    reached = reach(text, PremiseStatus.PROPOSED)
    assert terms_of("rent lower") <= reached
    assert reached.isdisjoint(terms_of("bakery slowly"))


def test_a_sentence_without_a_cue_is_reached_whole() -> None:
    text = "The bakery opens in October."
    assert reach(text, PremiseStatus.ONE_OFF) == terms_of(text)


def test_the_ground_of_a_statement_is_no_clause_of_its_own() -> None:
    for ground in (
        "as far as the man who put it in told somebody who told me",
        "if I read the note the right way round",
        "though we hold no records",
    ):
        text = f"I guess the boiler serves 40 flats, {ground}."
        assert reach(text, PremiseStatus.HEDGED) >= terms_of("boiler serves 40 flats"), ground


def test_a_remark_about_the_sentence_reaches_the_whole() -> None:
    text = "Then, and this is a hunch with nothing behind it, the boiler lost pressure."
    assert reach(text, PremiseStatus.HEDGED) >= terms_of("boiler lost pressure")


def test_an_attitude_reaches_over_because() -> None:
    text = "I've always reckoned it was because the boiler had no proper pump."
    assert reach(text, PremiseStatus.HEDGED) >= terms_of("boiler proper pump")
