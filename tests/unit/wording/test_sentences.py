import pytest
from hypothesis import given

from tests.unit.wording.support import TEXTS, assert_in_order
from wording.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n\t ", []),
        ("---\n***", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Keller agrees. We ship.", ["Dr. Keller agrees.", "We ship."]),
        ("E.g. Redis, i.e. the cache. Yes.", ["E.g. Redis, i.e. the cache.", "Yes."]),
        ("It takes 1.4 KB. Then 2.3.8 ships.", ["It takes 1.4 KB.", "Then 2.3.8 ships."]),
        ("See hardening.py for it. Then go.", ["See hardening.py for it.", "Then go."]),
        ("Open https://a.example/x.html. Then go.", ["Open https://a.example/x.html.", "Then go."]),
        ("Hm... maybe so. Well… It ends.", ["Hm... maybe so.", "Well…", "It ends."]),
        ("...Wait. At noon.", ["...Wait.", "At noon."]),
        ("“We stop.” She left.", ["“We stop.”", "She left."]),
        ('"Really?" he asked. Yes.', ['"Really?" he asked.', "Yes."]),
        ("It works (!) and stays. Good.", ["It works (!) and stays.", "Good."]),
        ("(Sorry about the gap.) Okay: go.", ["(Sorry about the gap.)", "Okay: go."]),
        ("So r417 has it too?! I told you.", ["So r417 has it too?!", "I told you."]),
        ("- Roll back\n- Use SCAN.\n2. Third", ["Roll back", "Use SCAN.", "Third"]),
        ("## 1. Known\n> quoted\n* [x] done", ["Known", "quoted", "done"]),
        ("No. I said no. No. 5 is it.", ["No.", "I said no.", "No. 5 is it."]),
        ("Route A. The CFO came.", ["Route A.", "The CFO came."]),
        ("John F. Kennedy spoke. J. Smith too.", ["John F. Kennedy spoke.", "J. Smith too."]),
        ("At 5 p.m. we stop. At 5 p.m. Ravi goes.", ["At 5 p.m. we stop.", "At 5 p.m.", "Ravi goes."]),
        ("i know. it is fine.", ["i know.", "it is fine."]),
        ("Run `a. B. c` now. Done.", ["Run `a. B. c` now.", "Done."]),
        ("On 31. December it ends. Yes.", ["On 31.", "December it ends.", "Yes."]),
        ("The 3. attempt works.", ["The 3. attempt works."]),
        ("今日は。明日も。", ["今日は。", "明日も。"]),
        ("Before\n```py\nx = 1. Y\n```\nAfter.", ["Before", "```py\nx = 1. Y\n```", "After."]),
        ("Cut off:\n~~~\nnever. Closed", ["Cut off:", "~~~\nnever. Closed"]),
        ("inline ```x. Y``` stays. Yes.", ["inline ```x. Y``` stays.", "Yes."]),
        (
            "This line was wrapped at a margin because it is long\nand it goes on here. Next.",
            ["This line was wrapped at a margin because it is long\nand it goes on here.", "Next."],
        ),
        ("short line\ngoes on", ["short line", "goes on"]),
        ("first\r\nsecond\u2028third", ["first", "second", "third"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(TEXTS)
def test_spans_are_ordered_trimmed_and_hold_all_letters(text: str) -> None:
    spans = sentence_spans(text)
    assert_in_order(spans, text)
    for span in spans:
        piece = text[span.start : span.end]
        assert piece == piece.strip()
        assert any(character.isalnum() for character in piece) or piece.startswith(("```", "~~~"))
