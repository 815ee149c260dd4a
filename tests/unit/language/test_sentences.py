import pytest
from hypothesis import given

from language.sentences import sentence_spans
from tests.unit.language.support import TEXTS, assert_in_order


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "Wir treffen uns am 14. Juni.",
        "Die Frist endet am 1. März um acht.",
        "Am 14. 6. 2026 geht es los.",
        "Am 14.6. 2026 geht es los.",
        "Bis 31. August ist Zeit.",
        "Montag, 3. November passt.",
        "Fertig bis 14. April 2026 oder nie.",
        "Am 2. Dez. 2026 ist Schluss.",
        "Vom 14. bis 16. Juni.",
        "Am 14. 6. treffen wir uns.",
        "14. Juni ist der Termin.",
        "14. 6. 2026 ist der Termin.",
        "3. August 2026 ist der Termin.",
    ],
)
def test_a_german_date_is_not_split(whole: str) -> None:
    assert split(f"Gut. {whole} Danach sehen wir weiter.") == ["Gut.", whole, "Danach sehen wir weiter."]
    assert split(f"{whole}\nDanach sehen wir weiter.") == [whole, "Danach sehen wir weiter."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The limit is 12. August was worse.", ["The limit is 12.", "August was worse."]),
        ("The answer is 42. May I go?", ["The answer is 42.", "May I go?"]),
        ("Es sind 45. Juni war schlechter.", ["Es sind 45.", "Juni war schlechter."]),
        ("Es sind 1,14. Juni war schlechter.", ["Es sind 1,14.", "Juni war schlechter."]),
        ("Es sind 14. Junikäfer gibt es nicht.", ["Es sind 14.", "Junikäfer gibt es nicht."]),
        ("It ran 14. 20 of them failed.", ["It ran 14.", "20 of them failed."]),
        ("We need 1.14. 2026 is too late.", ["We need 1.14.", "2026 is too late."]),
        ("1. Anrufen\n2. Mails schreiben", ["Anrufen", "Mails schreiben"]),
    ],
)
def test_numbers_before_other_words_still_end_sentences(text: str, expected: list[str]) -> None:
    assert split(text) == expected


SENTENCES: list[tuple[str, list[str]]] = [
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
]


def test_sentences() -> None:
    assert {text: split(text) for text, _ in SENTENCES} == dict(SENTENCES)


@given(TEXTS)
def test_spans_are_ordered_trimmed_and_hold_all_letters(text: str) -> None:
    spans = sentence_spans(text)
    assert_in_order(spans, text)
    for span in spans:
        piece = text[span.start : span.end]
        assert piece == piece.strip()
        assert any(character.isalnum() for character in piece) or piece.startswith(("```", "~~~"))
