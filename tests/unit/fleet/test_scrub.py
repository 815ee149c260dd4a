"""Secrets by value and by pattern."""

import base64
import itertools
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.scrub import REMOVED, scrub_patterns, scrubber

KEYS: list[str] = [
    "sk-proj-Abc123Def456Ghi789",
    "sk-ant-api03-Abc_123-Def456",
    "sk-or-v1-0123456789abcdef",
    "sk-abc1*******************wxyz",
    "gsk_0123456789abcdefXYZ",
    "xai-0123456789abcdefXYZ",
    "hf_abcdefghijklmnopqrst",
    "AIzaSyA0123456789abcdefghijklmno",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_0123456789abcdefghij",
    "xoxb-123456789012-abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123",
]
AROUND: list[str] = ["{}", "Incorrect API key provided: {}.", '{{"error": "key {} is bad"}}', "({})"]


def goes(secret: str, around: str) -> bool:
    """Whether nothing of a key is left, and that it was there is told."""
    scrubbed = scrub_patterns(around.format(secret))
    return secret not in scrubbed and secret[-6:] not in scrubbed and REMOVED in scrubbed


def test_what_looks_like_a_key_goes() -> None:
    assert [pair for pair in itertools.product(KEYS, AROUND) if not goes(*pair)] == []


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("Authorization: Bearer abcdefghijkl1234", f"Authorization: {REMOVED}"),
        ("{'x-api-key': 'Zq9-unknown-form'}", f"{{'x-api-key': '{REMOVED}'}}"),
        ('"api_key": "Zq9unknownform"', f'"api_key": "{REMOVED}"'),
        ("GET /v1?api_key=Zq9unknownform&x=1", f"GET /v1?api_key={REMOVED}&x=1"),
        ("Bearer Zq9unknown/form+1=", f"Bearer {REMOVED}"),
        ("postgres://bob:hunter2hunter@db/x", f"postgres://{REMOVED}@db/x"),
    ],
)
def test_what_is_said_to_be_a_secret_goes_and_its_label_stays(text: str, scrubbed: str) -> None:
    assert scrub_patterns(text) == scrubbed


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("password=Xk9&pQ7zLm2R and more", f"password={REMOVED} and more"),
        ("pw=Tr0ub4dor&3Q1zP", f"pw={REMOVED}"),
        ("api_key: Zq9;unk&nown<form rest", f"api_key: {REMOVED} rest"),
        ("password=a'b\"c;d&e<f9Q.", f"password={REMOVED}"),
        ('{"password": "Zq9\\"un;k\'nown", "b": 1}', f'{{"password": "{REMOVED}", "b": 1}}'),
        ("{'x-api-key': 'Zq9<un&kn;own with blanks'}", f"{{'x-api-key': '{REMOVED}'}}"),
        (r"body {\"api_key\": \"Zq9;unk&nown\"} x", rf"body {{\"api_key\": \"{REMOVED}\"}} x"),
        ("<password>Xk9&amp;Q<7zLm</password>", f"<password>{REMOVED}</password>"),
        ('Server=x;Password=Zq9"unk&;User=y', f"Server=x;Password={REMOVED};User=y"),
        ("Authorization: Basic Zq9&un;kX/w", f"Authorization: {REMOVED}"),
    ],
)
def test_a_value_is_taken_out_to_its_end_whatever_marks_it_has(text: str, scrubbed: str) -> None:
    assert scrub_patterns(text) == scrubbed
    assert scrub_patterns(scrubbed) == scrubbed


VALUES = st.from_regex(r"[A-Z][a-z0-9]{3,8}[&;<'\"][A-Z0-9]{3,8}", fullmatch=True)


@given(VALUES, st.sampled_from(['{{"password": "{}"}}', "{{'api_key': '{}'}}", "password={} was refused"]))
def test_no_end_of_a_value_stays(value: str, form: str) -> None:
    escaped = value.replace('"', '\\"').replace("'", "\\'") if "{}" in form and form[0] == "{" else value
    scrubbed = scrub_patterns(form.format(escaped))
    assert value[-3:] not in scrubbed.replace(REMOVED, "")
    assert REMOVED in scrubbed


def test_private_keys_go_whole_and_cut_off() -> None:
    block = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"
    assert scrub_patterns(f"a {block} b") == f"a {REMOVED} b"
    assert scrub_patterns(f"a {block[:40]}") == f"a {REMOVED}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rate limit reached for gpt-4o in organization on tokens per min (TPM): Limit 30000, Used 29000",
        "The model `claude-sonnet-4-5` does not exist; task-oriented, risk-averse, sk-8s",
        "maximum context length is 128000 tokens",
        "http://127.0.0.1:8000/v1/chat/completions",
        "日本語のエラー",
    ],
)
def test_ordinary_messages_stay_as_they_are(text: str) -> None:
    assert scrub_patterns(text) == text


SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=6, max_size=40)


@given(SECRETS, st.text(max_size=30), st.text(max_size=30))
def test_a_value_we_hold_never_comes_through(secret: str, before: str, after: str) -> None:
    scrubbed = scrubber([secret])(f"{before}{secret}{after}")
    assert secret not in scrubbed or secret in REMOVED


@given(st.text(max_size=200))
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    once = scrub_patterns(text)
    assert scrub_patterns(once) == once


def test_values_are_found_as_they_travel() -> None:
    secret = "p/w+ö=7&long"
    forms = [secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode()]
    scrubbed = scrubber([secret])(" ".join(forms))
    assert scrubbed == " ".join([REMOVED] * 3)


def test_a_key_that_starts_with_another_leaves_no_tail() -> None:
    assert scrubber(["abcdef", "abcdefGHI"])("x abcdefGHI y") == f"x {REMOVED} y"


def test_values_too_short_to_be_secrets_are_left() -> None:
    assert scrubber(["key", ""])("the key is on the table") == "the key is on the table"
