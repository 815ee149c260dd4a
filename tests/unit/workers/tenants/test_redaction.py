"""Reasons and names hold no secret, and an erasure's reason not even the hash of one."""

import pytest

from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.ports.store import UnitOfWork
from language.secrets.known import KnownSecrets
from language.secrets.replacing import replace_secrets
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import a_conversation
from workers.tenants.redaction import reason_of_erasure, refuse_secret, standing_or_given, without_secrets

SECRET = "Xk9" + "&pQ7zLm2R"


@pytest.fixture
def work() -> UnitOfWork:
    return memory_unit_of_work_factory()()


def shown(work: UnitOfWork, *texts: str, name: str = "conv-1") -> Conversation:
    """A conversation as it is read: each turn with what the turns before it have shown."""
    known, contents = KnownSecrets(), list[str]()
    for number, text in enumerate(texts, start=1):
        known.turn = number
        contents.append(replace_secrets(text, key=work.installation_key(), known=known).text)
    return a_conversation(*contents, name=name).model_copy(update={"known": known.new})


def test_a_reason_loses_what_its_conversation_has_shown_and_what_looks_like_a_secret(work: UnitOfWork) -> None:
    with work:
        work.conversations.extend(shown(work, f"password={SECRET}"))

        assert SECRET not in without_secrets(work, f"{SECRET} is old", "conv-1")
        assert without_secrets(work, f"{SECRET} is old", "another") == f"{SECRET} is old"
        assert "hunter2" not in without_secrets(work, "pw=" + "hunter2&xyz")


def test_the_reason_of_an_erasure_keeps_no_hash_either(work: UnitOfWork) -> None:
    with work:
        work.conversations.extend(shown(work, f"password={SECRET}"))

        assert reason_of_erasure(work, f"Ann leaked {SECRET}; token=" + "a1b2c3d4e5f6", "conv-1") == (
            "Ann leaked [secret removed]; token=[secret removed]"
        )


def test_a_name_with_a_secret_is_refused_without_repeating_it() -> None:
    with pytest.raises(InputError, match=r"\(password\)") as caught:
        refuse_secret("the name", f"password={SECRET}", "choose another")
    assert SECRET not in str(caught.value)
    refuse_secret("the name", "launch of the password page", "choose another")


def test_turns_that_were_stored_when_less_was_known_stand_as_they_are_stored(work: UnitOfWork) -> None:
    texts = (f"password={SECRET}", f"so {SECRET} it is", "Fine.")
    with work:
        read = shown(work, *texts)
        before = a_conversation(read.turns[0].content, texts[1])  # stored bare, before secrets were remembered
        work.conversations.extend(before)

        whole = standing_or_given(work, read)

        assert [turn.content for turn in whole.turns] == [read.turns[0].content, texts[1], "Fine."]
        assert work.conversations.extend(whole) == 1


def test_a_turn_that_differs_in_anything_else_is_not_taken_for_the_stored_one(work: UnitOfWork) -> None:
    with work:
        work.conversations.extend(shown(work, f"password={SECRET}", f"so {SECRET} it is"))
        other = shown(work, f"password={SECRET}", f"so {SECRET} it was")

        assert standing_or_given(work, other) == other
