import pytest

from language.synonyms import SETS, canonical
from language.words import stem


@pytest.mark.parametrize(
    ("one", "two"), [("budget", "money"), ("sank", "falls"), ("removal", "removal"), ("sent", "ships")]
)
def test_words_of_one_meaning_share_a_stem(one: str, two: str) -> None:
    assert canonical(stem(one)) == canonical(stem(two))


@pytest.mark.parametrize(
    ("one", "two"), [("speed", "price"), ("rise", "fall"), ("allow", "forbid"), ("web-a1", "web-a2")]
)
def test_other_words_do_not(one: str, two: str) -> None:
    assert canonical(stem(one)) != canonical(stem(two))


def test_a_word_without_synonyms_is_itself() -> None:
    assert canonical("daphnia") == "daphnia"
    assert canonical("") == ""


def test_every_line_has_a_word_that_stands_for_the_others() -> None:
    for line in SETS:
        assert len(line) > 1
        assert len({canonical(stem(line[0]))} | {canonical(canonical(stem(line[0])))}) == 1
