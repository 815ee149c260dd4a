"""What recognisers find becomes placeholders: stable, never twice, never inside another."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from dissolution.recognising import PersonalDataSpan
from language.recognised import replace_recognised

KEY = b"k" * 32


class Words:
    """Finds given words, each as its own kind."""

    mark = "custom"

    def __init__(self, *words: str) -> None:
        self._words = words

    def find(self, text: str) -> Iterable[PersonalDataSpan]:
        for word in self._words:
            start = text.find(word)
            while start >= 0:
                yield PersonalDataSpan(start=start, end=start + len(word), kind="a_word")
                start = text.find(word, start + 1)


def test_equal_things_get_equal_placeholders_and_another_key_others() -> None:
    redacted = replace_recognised("ann met ann and bob", [Words("ann", "bob")], key=KEY)

    first, again, other = (placeholder for _, placeholder in redacted.found)
    assert first == again != other
    assert redacted.text == f"{first} met {first} and {other}"
    assert replace_recognised("ann", [Words("ann")], key=b"x" * 32).text != first


def test_a_placeholder_of_a_secret_is_never_opened() -> None:
    text = "[secret:aws-key:0123abcd] is the key"

    assert replace_recognised(text, [Words("aws-key", "key")], key=KEY).text.startswith("[secret:aws-key:0123abcd] is ")


def test_of_overlapping_finds_the_longer_is_taken() -> None:
    redacted = replace_recognised("ann-marie", [Words("ann", "ann-marie")], key=KEY)

    assert len(redacted.found) == 1
    assert redacted.text == redacted.found[0][1]


def test_what_is_replaced_already_stays() -> None:
    text = "[secret:password:0a1b2c3d] and custom"

    once = replace_recognised(text, [Words("password", "custom")], key=KEY)

    assert once.text.startswith("[secret:password:0a1b2c3d] and [custom:a_word:")
    assert replace_recognised(once.text, [Words("password", "custom")], key=KEY).text == once.text


def test_without_recognisers_nothing_changes() -> None:
    assert replace_recognised("ann", [], key=KEY) == ("ann", ())


@given(st.text(alphabet="ab []:", max_size=60))
def test_nothing_that_is_found_is_left(text: str) -> None:
    redacted = replace_recognised(text, [Words("ab")], key=KEY)

    rest = redacted.text
    for _, placeholder in redacted.found:
        rest = rest.replace(placeholder, "\0")
    assert "ab" not in rest
