import pytest

from dissolution.errors import InvalidConversation
from prompts.export.source import check_source
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary

TEXTS = ("We use Postgres.", "Noted.", "And Redis.")


def test_the_conversation_itself_and_a_grown_one_pass() -> None:
    boundary = a_boundary(a_conversation(*TEXTS))
    check_source(boundary, a_conversation(*TEXTS))
    check_source(boundary, a_conversation(*TEXTS, "Later."))


@pytest.mark.parametrize(
    ("texts", "name", "words"),
    [
        (TEXTS, "other", "not from 'other'"),
        (TEXTS[:2], "conv-1", "through turn 3, the one given has 2"),
        (("We use MySQL.", *TEXTS[1:]), "conv-1", "whose first 3 turns read differently"),
    ],
)
def test_another_conversation_is_refused(texts: tuple[str, ...], name: str, words: str) -> None:
    boundary = a_boundary(a_conversation(*TEXTS))
    with pytest.raises(InvalidConversation, match=words) as caught:
        check_source(boundary, a_conversation(*texts, name=name))
    assert caught.value.remedy == "give the conversation the boundary was made from"
