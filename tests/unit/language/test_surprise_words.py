import json
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.surprise.words import (
    BACKGROUND,
    LONGEST_WORD,
    MOST_TOKENS,
    background_probability,
    spelling_probability,
    tokens_of,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's 42 o\u2019clock, isn't it?", ("it's", "42", "o'clock", "isn't", "it")),
        ("会议 Budget", ("会", "议", "budget")),
        ("web-a1", ("web", "a", "1")),
        ("", ()),
        ("x" * 100, ("x" * LONGEST_WORD,)),
    ],
)
def test_tokens(text: str, tokens: tuple[str, ...]) -> None:
    assert tokens_of(text) == tokens


def test_a_pasted_log_is_read_up_to_a_limit() -> None:
    assert len(tokens_of("error 17 " * 100_000)) == MOST_TOKENS


def test_spellings_of_one_and_two_letters_leave_room_for_all_others() -> None:
    letters = string.ascii_lowercase + string.digits + "'"
    total = spelling_probability("") + sum(spelling_probability(a) for a in letters)
    total += sum(spelling_probability(a + b) for a in letters for b in letters)
    assert 0 < total < 1


@given(st.text(max_size=60))
def test_every_token_is_possible(token: str) -> None:
    assert 0 < spelling_probability(token) < 1
    assert 0 < background_probability(token) < 1


def test_english_words_are_likelier_than_noise_of_the_same_length() -> None:
    assert spelling_probability("meeting") > 1000 * spelling_probability("mxqzvkj")
    assert background_probability("the") > 0.01


@pytest.mark.usefixtures("processes")
def test_the_background_is_what_the_planted_conversations_say() -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "benchmarks/surprise_background.py", "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "up to date\n"), done.stderr
    assert len(json.loads(BACKGROUND.read_text(encoding="utf-8"))) > 500
