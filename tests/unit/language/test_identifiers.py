import pytest
from hypothesis import given

from language.identifiers import identifiers
from tests.unit.language.support import TEXTS, assert_in_order


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SEC-14, #12", [("ticket", "sec-14"), ("ticket", "#12")]),
        ("r418 and p95", [("name-with-digits", "r418"), ("name-with-digits", "p95")]),
        ("commit 7be41d0.", [("commit", "7be41d0")]),
        ("web-a1: rds-cache-01:6380", [("host", "web-a1"), ("host", "rds-cache-01:6380")]),
        ("10.0.0.1 checkout.paygrove.example", [("host", "10.0.0.1"), ("host", "checkout.paygrove.example")]),
        ("GET /billing/return/", [("path", "/billing/return")]),
        ("(settings/hardening.py)", [("path", "settings/hardening.py")]),
        ("2.3.8 or v2.3.8-rc1", [("version", "2.3.8"), ("version", "2.3.8-rc1")]),
        ("python 3.11, on PostgreSQL 13.12", [("version", "3.11"), ("version", "13.12")]),
        ("`_trace` user_id maxPositions", [("code", "_trace"), ("code", "user_id"), ("code", "maxpositions")]),
        ("`noeviction` _word_ --scan", [("code", "noeviction"), ("code", "--scan")]),
        ("call foo() now", [("code", "foo")]),
        ("app.config_x and app.run()", [("code", "app.config_x"), ("code", "app.run")]),
        ("(see https://a.example/b_(c)).", [("url", "https://a.example/b_(c)")]),
        ("www.Example.org/", [("url", "www.example.org")]),
        ("ask x.y@a.example!", [("email", "x.y@a.example")]),
        ("~/x ../y/z.md", [("path", "~/x"), ("path", "../y/z.md")]),
    ],
)
def test_identifiers(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(found.kind.value, found.normalised) for found in identifiers(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "and/or 1/3 mg/l n/a events/s",
        "512MB 4k 0m41s 24-token 3x 3rd 1990s 28800s 10am -0.74 61,000",
        "2026-03-15T10:43:00Z 10:43 12/05/2026 31.12.2026 Q3",
        "depth of Secchi 0.9 m and 3.11 in all",
        "at-least-once well-mixed Let's e.g. etc. ll:sess:*",
        "word. Next - and -- so",
    ],
)
def test_amounts_dates_and_words_are_no_identifiers(text: str) -> None:
    assert identifiers(text) == ()


@given(TEXTS)
def test_spans_are_ordered_and_hold_the_stored_text(text: str) -> None:
    found = identifiers(text)
    assert_in_order([identifier.span for identifier in found], text)
    for identifier in found:
        assert text[identifier.span.start : identifier.span.end] == identifier.text
        assert identifier.normalised
