"""How many questions would be enough is told with what those that are written can show."""

import pytest

from dissolution.bank_need import BankNeed


@pytest.mark.parametrize(
    ("need", "words"),
    [
        ((60, 55, 200, 60, 4), "the policy asks for 60 questions, and 55 would be enough to be sure"),
        (
            (36, 55, 200, 36, 1),
            "55 would be enough to be sure: 36 are written, which prove it where at most 1 are lost",
        ),
        ((10, 55, 9, 10, None), "the conversation is long enough for about 9: 10 are written, which can prove nothing"),
        ((10, 55, 30, 30, 1), "30 are written, as many as the conversation is long enough for, which prove it"),
    ],
)
def test_it_tells_what_is_asked_needed_borne_and_written(
    need: tuple[int, int, int, int, int | None], words: str
) -> None:
    asked_for, needed, borne, written, most_lost = need
    told = BankNeed(asked_for=asked_for, needed=needed, borne=borne, written=written, most_lost=most_lost)
    assert words in told.words
