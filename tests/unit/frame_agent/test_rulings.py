import pytest

from frame_agent.rulings import outright, ruled_out
from frame_agent.terms import terms_of


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("The oil tank is ruled out.", "oil tank"),
        ("Fine, kill the discount.", "discount"),
        ("Heat pumps: too loud for the yard, strike it.", "heat pumps"),
        ("Recorded: solar panels out, because the roof faces north.", "solar panels"),
        ("Key mismatch no, timeouts no.", "timeouts"),
        ("Residual heat goes: nothing supports it.", "residual heat"),
        ("Nice, but no balconies, please.", "balconies"),
        ("Ruled out: wood pellets, and district heating.", "district heating"),
        ("The pellet stove is dropped.", "pellet stove"),
        ("Oil tanks are excluded, and so is anything under ten litres.", "ten litres"),
        ("We left the roof garden out.", "roof garden"),
        ("The roof garden won't happen.", "roof garden"),
        ("The roof garden would cost too much, so no.", "roof garden"),
        ("We're done with the roof garden.", "roof garden"),
        ("We dropped the idea of the roof garden last week.", "roof garden"),
        ("The roof garden is a non-starter.", "roof garden"),
        ("And the rate is 4.0, not 3.3.", "3.3"),
        ("Scrap the £2,150.", "2150"),
    ],
)
def test_what_is_ruled_out_is_named(text: str, thing: str) -> None:
    assert any(terms_of(thing) <= objects for objects in ruled_out(text))


@pytest.mark.parametrize(
    "text",
    [
        "The pressure dropped a lot.",
        "Rents dropped by 3 percent.",
        "Gas instead of oil would do.",
        "The boiler stays.",
        "The tenant is logged out.",
        "Tell me three weak points and no more than three.",
        "It's not required on Monday.",
        "Odile has told you no.",
        "The water has to go through the filter.",
        "The error does not happen in the cellar.",
    ],
)
def test_what_falls_or_is_compared_is_not_ruled_out(text: str) -> None:
    assert ruled_out(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The oil tank is ruled out.", True),
        ("Heat pumps: too loud, strike it.", True),
        ("Two flats, no balconies.", False),
    ],
)
def test_only_so_many_words_rule_out_outright(text: str, *, expected: bool) -> None:
    assert outright(text) is expected
