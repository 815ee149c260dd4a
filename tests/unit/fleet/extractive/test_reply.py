"""The JSON form of an answer."""

import json

from fleet.extractive.candidates import read_snapshot
from fleet.extractive.reply import reply_text
from tests.factories import a_snapshot


def test_four_sections_always() -> None:
    assert json.loads(reply_text(())) == {"KNOWN": [], "DECIDED": [], "EDGES": [], "IDENTITY": []}


def test_claims_carry_text_turns_and_quote_word_for_word() -> None:
    reading = read_snapshot(a_snapshot("So we decided to drop „Kaffeeküche“ from hall 3."))
    answer = reply_text(reading.candidates)
    assert json.loads(answer)["DECIDED"] == [
        {
            "text": "We decided to drop „Kaffeeküche“ from hall 3.",
            "turns": [1],
            "quote": "So we decided to drop „Kaffeeküche“ from hall 3.",
        }
    ]
    assert "„Kaffeeküche“" in answer
