"""Labels to sections."""

import pytest

from dissolution.claims import Section
from prompts.headings import fold, is_extra, resolve, without_ordinal

K, D, E, I = Section  # noqa: E741 - the four sections by their first letters


LABELS: list[tuple[str, tuple[Section, ...] | None]] = [
    ("KNOWN", (K,)),
    ("Decided:", (D,)),
    ("4. Identity", (I,)),
    ("Section 3 - EDGES", (E,)),
    ("KNOWN (as of turn 40)", (K,)),
    ("What I\u2019ve", None),
    ("KNOWN / FACTS", (K,)),
    ("KNOWN & DECIDED", (K, D)),
    ("Facts and decisions", (K, D)),
    ("Role, constraints, and commitments", (I,)),
    ("Open decisions", (E,)),
    ("known unknowns", (E,)),
    ("IDENTIT\u00c4T", (I,)),
    ("identite\u0301", (I,)),
    ("Questions ouvertes", (E,)),
    ("Lo que s\u00e9", (K,)),
    ("\u5df2\u77e5", (K,)),
    ("Pricing", None),
    ("What is still open", None),
    ("Known issues with caching", None),
    ("", None),
    ("known " * 40, None),
    ("a b c d e f g h i j k l m n", None),
]


def test_exact_labels() -> None:
    headings = {label: resolve(label) for label, _ in LABELS}
    assert {label: heading.sections if heading else None for label, heading in headings.items()} == dict(LABELS)


@pytest.mark.parametrize(
    ("label", "sections"),
    [
        ("What is still open", (E,)),
        ("Things we have decided so far", (D,)),
        ("Decisions that are open", (E,)),
        ("My role in all this", (I,)),
        ("Facts about the lake and decisions on the chapter", (K, D)),
        ("Pricing", None),
    ],
)
def test_keywords_only_where_asked(label: str, sections: tuple[Section, ...] | None) -> None:
    assert resolve(label) is None
    heading = resolve(label, by_keyword=True)
    assert (heading.sections if heading else None) == sections


def test_only_the_english_names_are_canonical() -> None:
    for label in ("KNOWN", "known", "2. Known:"):
        heading = resolve(label)
        assert heading is not None
        assert heading.canonical
    renamed = resolve("Bekannt")
    assert renamed is not None
    assert not renamed.canonical


def test_extra_labels_and_small_tools() -> None:
    assert is_extra("Next steps:")
    assert not is_extra("Known")
    assert without_ordinal("2. Decisions") == "Decisions"
    assert fold("Qu\u2019est-ce  que_\u00c7a") == "qu est-ce que ca"
