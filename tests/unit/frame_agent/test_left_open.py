import pytest

from frame_agent.left_open import alternatives, left_open
from frame_agent.record import Part
from frame_agent.terms import terms_of
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, record_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Does the lift share the cellar or does it have its own shaft?",
            ["the lift share the cellar", "it have its own shaft"],
        ),
        ("I asked the city whether the gate can stay, but nobody answered.", ["the gate can stay"]),
        ("Whether the caretaker lives in or comes by bus is open.", ["the caretaker lives in", "comes by bus"]),
        ("I'm torn between slate and copper.", ["slate", "copper"]),
        ("Either it's a leak, and the tank is old.", ["it's a leak"]),
        ("Still to choose: slate or copper", ["slate", "copper"]),
        ("Slate or copper for the roof?", ["Slate", "copper for the roof"]),
        ("The figures of May: do they depend on the weather?", ["they depend on the weather"]),
        ("Why does the pump stall?", []),
        ("The boiler is red.", []),
        ("", []),
    ],
)
def test_what_is_left_to_be_chosen_is_taken_apart(text: str, expected: list[str]) -> None:
    assert [one.text for one in alternatives(text)] == expected


def open_in(text: str, *after: str) -> bool:
    record = record_of(
        (USER, "The house has forty flats. Does the lift share the cellar pump or does it have its own motor?"),
        *((ASSISTANT, words) for words in after),
    )
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((record.bears(said, part), said) for said in record.near(part.terms)), key=lambda pair: -pair[0])
    return left_open(record, part, near) is not None


NOTHING = "The weather in Oslo is dreadful."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lift shares the cellar pump.", True),
        ("The lift has its own motor.", True),
        ("The lift does not share the cellar pump.", False),
        ("Whether the lift shares the cellar pump is open.", False),
        ("The lift perhaps shares the cellar pump, which nobody has checked.", False),
        ("The lift shares the cellar pump of 1974.", False),  # a figure that nobody asked about
        ("The house has forty flats.", False),
    ],
)
def test_a_claim_that_states_one_alternative_is_found(text: str, *, expected: bool) -> None:
    assert open_in(text, NOTHING) is expected


@pytest.mark.parametrize("settling", ["The lift shares the cellar pump, I looked.", "Yes.", "Yes, the first."])
def test_an_answer_settles_it(settling: str) -> None:
    assert not open_in("The lift shares the cellar pump.", settling)


def test_quoted_questions_and_offers_leave_nothing_open() -> None:
    record = record_of((TOOL, "Does the lift share the cellar pump?"), (ASSISTANT, "Shall I paint the cellar pump?"))
    for text in ("The lift shares the cellar pump.", "The cellar pump is painted."):
        part = Part(text, terms_of(text), hedged=False)
        near = [(record.bears(said, part), said) for said in record.near(part.terms)]
        assert left_open(record, part, near) is None
