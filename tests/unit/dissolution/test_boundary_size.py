"""Tokens before and after, what had no room, and when the history is the shorter of the two."""

from dissolution.boundary_size import SEND_HISTORY, size_in_words, size_of_boundary
from dissolution.claims import DissentReason, Section
from dissolution.values import NotMeasured
from language.tokens import ApproximateTokenCounter
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent

COUNTER = ApproximateTokenCounter()
TALK = a_conversation(*(f"We keep the release of week {n} in the north room until somebody objects." for n in range(9)))


def test_what_a_boundary_saves_is_told_with_what_had_no_room() -> None:
    claim = a_claim("c1", Section.EDGES, "Releases stay in the north room.")
    out = a_dissent("c2", "Nobody has objected yet.").model_copy(update={"reason": DissentReason.SIZE})
    boundary = a_boundary(TALK, claim, dissent=(out, a_dissent("c3", "It is cold there.")))
    size = size_of_boundary(boundary, TALK.snapshot(), COUNTER)
    assert size.before_tokens == sum(COUNTER.count(turn.content) for turn in TALK.turns)
    assert 0 < size.after_tokens < size.before_tokens / 5
    assert size.share == round(size.after_tokens / size.before_tokens, 4)
    assert (size.left_for_size, size.send_history) == (1, False)
    first, left = size_in_words(size, "`here`")
    assert f"{size.before_tokens} tokens before, {size.after_tokens} after" in first
    assert left.endswith("reason size: `here`")


def test_a_boundary_of_as_many_tokens_saves_nothing() -> None:
    short = a_conversation("Ship it on Friday.")
    boundary = a_boundary(short, a_claim("c1", Section.EDGES, "Ship it on Friday."))
    size = size_of_boundary(boundary, short.snapshot(), COUNTER)
    assert size.send_history  # its heading alone makes it longer
    assert size_in_words(size, "nowhere")[1:] == (SEND_HISTORY,)
    even = size.model_copy(update={"after_tokens": size.before_tokens})
    assert even.send_history
    assert not even.model_copy(update={"after_tokens": size.before_tokens - 1}).send_history


def test_turns_without_a_token_have_no_share() -> None:
    blank = a_conversation(" ").snapshot().model_copy()
    size = size_of_boundary(a_boundary(TALK), blank, _Nothing())
    assert isinstance(size.share, NotMeasured)
    assert size.send_history


class _Nothing:
    name = "nothing"

    def count(self, text: str) -> int:
        return 0 * len(text)
