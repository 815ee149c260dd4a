import pytest
from hypothesis import given

from language.dates import PARTS, conflict, dates
from tests.unit.language.support import TEXTS, assert_in_order


def said(text: str) -> list[dict[str, int | str]]:
    return [
        {part: getattr(one, part) for part in (*PARTS, "zone") if getattr(one, part) is not None} for one in dates(text)
    ]


DATES: list[tuple[str, list[dict[str, int | str]]]] = [
    ("", []),
    ("March 15", [{"month": 3, "day": 15}]),
    ("15 March 2026", [{"year": 2026, "month": 3, "day": 15}]),
    ("March 15th, 2026", [{"year": 2026, "month": 3, "day": 15}]),
    ("the 15th of March", [{"month": 3, "day": 15}]),
    ("2026-03-15", [{"year": 2026, "month": 3, "day": 15}]),
    ("2026-03-15T10:43:00Z", [{"year": 2026, "month": 3, "day": 15, "hour": 10, "minute": 43, "zone": "UTC"}]),
    ("Wednesday 12 June, 07:30", [{"month": 6, "day": 12, "weekday": 3, "hour": 7, "minute": 30}]),
    ("Q3 2026", [{"year": 2026, "quarter": 3}]),
    ("third quarter of 2026", [{"year": 2026, "quarter": 3}]),
    ("noon or midnight", [{"hour": 12, "minute": 0}, {"hour": 0, "minute": 0}]),
    ("10:43", [{"hour": 10, "minute": 43}]),
    ("8 a.m. and 12 pm", [{"hour": 8, "minute": 0}, {"hour": 12, "minute": 0}]),
    ("eight o’clock", [{"hour": 8}]),
    ("16 to 18 January", [{"month": 1, "day": 16}, {"month": 1, "day": 18}]),
    ("March 15–17", [{"month": 3, "day": 15}, {"month": 3, "day": 17}]),
    ("28 May to 10 June", [{"month": 5, "day": 28}, {"month": 6, "day": 10}]),
    ("2012–2018", [{"year": 2012}, {"year": 2018}]),
    ("since 2019, in May", [{"year": 2019, "month": 5}]),
    ("autumn 2024", [{"year": 2024}]),
    ("Sunday 03:00 UTC", [{"weekday": 7, "hour": 3, "minute": 0, "zone": "UTC"}]),
    ("31.12.2026 and 31.12.", [{"year": 2026, "month": 12, "day": 31}, {"month": 12, "day": 31}]),
    ("25/12/2026, 12/25/2026", [{"year": 2026, "month": 12, "day": 25}] * 2),
    ("04/05/2026", [{"year": 2026}]),
    ("on the 15th", [{"day": 15}]),
    ("Fri 3 May", [{"month": 5, "day": 3, "weekday": 5}]),
]


def test_dates() -> None:
    assert {text: said(text) for text, _ in DATES} == dict(DATES)


@pytest.mark.parametrize(
    "text",
    [
        "it may 12 times",
        "May I go?",
        "we march on",
        "2000 events",
        "port 2019",
        "version 10.43",
        "1:2:3",
        "3/4",
        "45:99",
        "r2019",
        "40/50/2026",
        "2,019",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ("March 15", "March 30", True),
        ("March 15", "15 March 2026", False),
        ("March 15", "2026-03-15", False),
        ("15 March 2026", "15 March 2027", True),
        ("Wednesday", "10:43", False),
        ("Q3 2026", "March 2026", True),
        ("Q1 2026", "March 2026", False),
        ("March 2026", "Q3 2026", True),
        ("10:40", "10:43", True),
        ("10:40 UTC", "10:43 CET", False),
        ("10:40 UTC", "10:43Z", True),
        ("Monday", "Tuesday", True),
    ],
)
def test_conflict(left: str, right: str, differ: bool) -> None:  # noqa: FBT001 - the expected answer
    (a,), (b,) = dates(left), dates(right)
    assert conflict(a, b) is differ
    assert conflict(b, a) is differ


@pytest.mark.parametrize("text", ["March 1 Q2", "Q2 March 1"])
def test_a_month_and_a_quarter_that_it_does_not_lie_in_are_two_dates(text: str) -> None:
    month, quarter = sorted(dates(text), key=lambda one: one.month is None)
    assert ((month.month, month.day, month.quarter), quarter.quarter) == ((3, 1, None), 2)
    (one,) = dates(text.replace("Q2", "Q1"))
    assert (one.month, one.quarter) == (3, 1)


@given(TEXTS)
def test_spans_are_ordered_and_hold_the_stored_text(text: str) -> None:
    found = dates(text)
    assert_in_order([one.span for one in found], text)
    for one in found:
        assert text[one.span.start : one.span.end] == one.text
        assert not conflict(one, one)
