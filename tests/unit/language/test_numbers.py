from decimal import Decimal

import pytest
from hypothesis import given

from language.numbers import quantities, same_quantity
from tests.unit.language.support import TEXTS, assert_in_order

CASES: list[tuple[str, list[tuple[str, str | None, str]]]] = [
    ("", []),
    ("eight hours = 8 h", [("28800", "second", "eight hours"), ("28800", "second", "8 h")]),
    ("forty of forty", [("40", None, "forty"), ("40", None, "forty")]),
    ("a dozen or half a dozen", [("12", None, "a dozen"), ("6", None, "half a dozen")]),
    ("half an hour", [("1800", "second", "half an hour")]),
    ("half of them", [("0.5", None, "half")]),
    ("61,000 trackers", [("61000", None, "61,000")]),
    ("3,800 events a second", [("328320000", "1/day", "3,800 events a second")]),
    ("1,000 events/s", [("86400000", "1/day", "1,000 events/s")]),
    ("512 MB to 1 GB", [("512000000", "byte", "512 MB"), ("1000000000", "byte", "1 GB")]),
    ("2 GiB", [("2147483648", "byte", "2 GiB")]),
    ("9,000 a month", [("9000", "1/month", "9,000 a month")]),
    ("two years", [("24", "month", "two years")]),
    ("0.22 per day at 94 kg per ha", [("0.22", "1/day", "0.22 per day"), ("9.4", "gram/square metre", "94 kg per ha")]),
    ("1.4 litres per larva per day", [("1.4", "litre/day", "1.4 litres per larva per day")]),
    ("71 µg per litre", [("0.000071", "gram/litre", "71 µg per litre")]),
    ("less than 1 mg/l", [("0.001", "gram/litre", "1 mg/l")]),
    ("83 ha, 4.2 m", [("830000", "square metre", "83 ha"), ("4.2", "metre", "4.2 m")]),
    ("90 per square metre", [("90", "1/square metre", "90 per square metre")]),
    ("-0.74, −9 and 3-4", [("-0.74", None, "-0.74"), ("-9", None, "−9"), ("3", None, "3"), ("4", None, "4")]),
    ("11–13 ms", [("0.011", "second", "11"), ("0.013", "second", "13 ms")]),
    ("9 to 14 a day", [("9", "1/day", "9"), ("14", "1/day", "14 a day")]),
    ("10, 20 and 60 seconds", [("10", "second", "10"), ("20", "second", "20"), ("60", "second", "60 seconds")]),
    ("15%, 15 per cent", [("15", "percent", "15%"), ("15", "percent", "15 per cent")]),
    ("5 percentage points", [("5", "percentage point", "5 percentage points")]),
    ("$5m and €1.2 million", [("5000000", "USD", "$5m"), ("1200000", "EUR", "€1.2 million")]),
    ("5–10 million euros", [("5000000", "EUR", "5"), ("10000000", "EUR", "10 million euros")]),
    ("USD 5, 5 US dollars", [("5", "USD", "USD 5"), ("5", "USD", "5 US dollars")]),
    ("0m41s", [("41", "second", "0m41s")]),
    ("13 hours 20, noted", [("48000", "second", "13 hours 20")]),
    ("2 minutes 10 seconds", [("130", "second", "2 minutes 10 seconds")]),
    ("two and a half hours", [("9000", "second", "two and a half hours")]),
    ("an hour and a half", [("5400", "second", "an hour and a half")]),
    ("2½ h", [("9000", "second", "2½ h")]),
    ("once a day", [("1", "1/day", "once a day")]),
    ("twenty-one", [("21", None, "twenty-one")]),
    ("one hundred and twenty", [("120", None, "one hundred and twenty")]),
    ("two thousand three hundred", [("2300", None, "two thousand three hundred")]),
    ("three five-minute tests", [("3", None, "three"), ("300", "second", "five-minute")]),
    ("two thirds", [("0.6666666666666666666666666667", None, "two thirds")]),
    ("4k, 3M, 2bn", [("4000", None, "4k"), ("3000000", None, "3M"), ("2000000000", None, "2bn")]),
    ("1,5 or 1.234,5", [("1.5", None, "1,5"), ("1234.5", None, "1.234,5")]),
    ("3.5e-4", [("0.00035", None, "3.5e-4")]),
    ("3x faster", [("3", "times", "3x")]),
    ("24-token span", [("24", None, "24")]),
    ("one task", [("1", None, "one")]),
    ("½", [("0.5", None, "½")]),
    ("a third of it", [("0.3333333333333333333333333333", None, "a third")]),
    ("500 a week ago", [("500", None, "500"), ("604800", "second", "a week")]),
]  # fmt: skip


def test_quantities() -> None:
    read = {text: [(q.value, q.unit, q.text) for q in quantities(text)] for text, _ in CASES}
    assert read == {text: [(Decimal(v), u, t) for v, u, t in expected] for text, expected in CASES}


@pytest.mark.parametrize(
    "text",
    [
        "no one, one of them, this one, one is enough, one-time",
        "r418 on web-a1 with SEC-14 and 7be41d0",
        "Flask 2.3.3 on PostgreSQL 13.12, v2",
        "March 15, 2026-03-15, 10:43, in 2019, Q3 2026",
        "`maxmemory 512` and\n```\nx = 5\n```",
        "the third attempt, a second opinion, 3rd, second to none",
        "p95 of 'rds-cache-01:6380'",
    ],
)
def test_names_dates_versions_code_and_pronouns_are_no_quantities(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("eight hours", "28,800 s", True),
        ("eight hours", "28800", True),
        ("49 euros", "49", True),
        ("49", "$49", True),
        ("1 GB", "1000 MB", True),
        ("a year", "12 months", True),
        ("24 an hour", "576 a day", True),
        ("eight hours", "four hours", False),
        ("9 per cent", "9", False),
        ("9%", "9 percentage points", False),
        ("5 kg", "5 m", False),
        ("$5", "€5", False),
        ("0", "0.1", False),
        ("0", "0 s", True),
    ],
)
def test_same_quantity(left: str, right: str, same: bool) -> None:  # noqa: FBT001 - the expected answer
    (a,), (b,) = quantities(left), quantities(right)
    assert same_quantity(a, b) is same
    assert same_quantity(b, a) is same


@given(TEXTS)
def test_spans_are_ordered_and_hold_the_stored_text(text: str) -> None:
    found = quantities(text)
    assert_in_order([quantity.span for quantity in found], text)
    for quantity in found:
        assert text[quantity.span.start : quantity.span.end] == quantity.text
        assert same_quantity(quantity, quantity)


def test_a_comma_between_numbers_is_no_decimal_mark() -> None:
    def amounts(text: str) -> list[str]:
        return [str(found.amount) for found in quantities(text)]

    assert amounts("compute 2,041, backfill 95") == ["2041", "95"]
    assert amounts("support, 1,750, and the licence, 850, since") == ["1750", "850"]
    assert amounts("1,234.5, and 7") == ["1234.5", "7"]
    assert amounts("12,5, 13,5") == ["12.5", "13.5"]


def test_minutes_with_bare_seconds_end_before_a_bracket() -> None:
    (found,) = quantities("a pause of 7 minutes 40 (as planned)")
    assert (found.value, found.unit) == (460, "second")
