from hypothesis import given
from hypothesis import strategies as st

from language.reading import read


def test_a_text_is_read_once() -> None:
    assert read("The pump serves 7 floors.") is read("The pump serves 7 floors.")


@given(st.text(max_size=200))
def test_sentences_are_readings_of_their_own_words(text: str) -> None:
    before = 0
    for span, reading in read(text).sentences:
        assert before <= span.start < span.end
        assert text[span.start : span.end] == reading.text
        before = span.end


@given(st.text(max_size=200))
def test_nothing_that_can_be_asked_of_a_reading_raises(text: str) -> None:
    reading = read(text)
    for name in vars(type(reading)):
        if not name.startswith("_"):
            getattr(reading, name)


def test_the_same_value_is_written_the_same_however_it_is_said() -> None:
    assert read("It takes 8 hours.").values & read("It takes 480 minutes.").values
    assert read("On 2024-05-14 we start.").measures & read("We start on 14 May 2024.").measures
    assert "web-a1" in read("Restart web-a1 now.").values
    assert not read("It takes 8 hours.").values & read("It takes 8 days.").values


def test_layout_is_no_part_of_the_words() -> None:
    assert read("- 2) We could paint it.").plain == "We could paint it."
    assert read("Is it *red*?**").asks
