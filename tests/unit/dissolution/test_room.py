"""The room of a boundary: a share of what it is about, within bounds, told in words and bullets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.policy.job_policy import SizePolicy
from dissolution.room import Room, kept_words, room_of


@given(tokens=st.integers(0, 10**7), share=st.floats(0.01, 1))
def test_a_room_is_a_share_within_its_bounds_and_grows_with_what_it_is_about(tokens: int, share: float) -> None:
    policy = SizePolicy(share=share)
    room = room_of(policy, tokens)
    assert policy.least_tokens <= room.tokens <= policy.most_tokens
    assert room.tokens <= room_of(policy, tokens + 100).tokens
    if policy.least_tokens < room.tokens < policy.most_tokens:
        assert room.tokens == round(share * tokens)


def test_words_and_bullets() -> None:
    assert (Room(tokens=1000).words, Room(tokens=1000).bullets) == (750, 47)
    assert (Room(tokens=1).words, Room(tokens=1).bullets) == (10, 1)


def test_bounds_that_cross_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"900.*800"):
        SizePolicy(least_tokens=900, most_tokens=800)


@pytest.mark.parametrize(("longest", "words"), [(0, 220), (400, 520), (10_000, 2400)])
def test_what_is_kept_follows_the_longest_answer_between_the_least_room_and_what_is_reviewed(
    longest: int, words: int
) -> None:
    assert kept_words(SizePolicy(), Room(tokens=800), longest) == words
