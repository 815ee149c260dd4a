"""A reader that remembers gives what it gave, and forgets what is old or long."""

from language.remembered import KEPT, LONGEST, remembered


class Reader:
    """Counts how often it really reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, text: str) -> tuple[str, ...]:
        """The words of a text."""
        self.read.append(text)
        return tuple(text.split())


def test_a_sentence_is_read_once() -> None:
    reader = Reader()
    remembering = remembered(reader)
    assert [remembering("a b"), remembering("c"), remembering("a b")] == [("a", "b"), ("c",), ("a", "b")]
    assert reader.read == ["a b", "c"]


def test_a_long_text_is_read_each_time_and_not_kept() -> None:
    reader = Reader()
    remembering = remembered(reader)
    for text in ("x" * LONGEST, "x" * (LONGEST + 1)):
        assert remembering(text) == remembering(text) == (text,)
    assert [len(text) for text in reader.read] == [LONGEST, LONGEST + 1, LONGEST + 1]


def test_the_oldest_is_forgotten() -> None:
    reader = Reader()
    remembering = remembered(reader)
    for number in range(KEPT + 1):
        remembering(str(number))
    remembering(str(KEPT))
    remembering("0")
    assert reader.read[KEPT:] == [str(KEPT), "0"]


def test_it_keeps_its_name_and_its_words() -> None:
    def first(text: str) -> str:
        """The first character."""
        return text[:1]

    assert (remembered(first).__name__, remembered(first).__doc__) == ("first", "The first character.")
