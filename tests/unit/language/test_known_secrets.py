"""Secrets that come back bare are recognised by what is kept of them, and nothing that is kept is the secret."""

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.secrets.known import MOST, MOST_LENGTHS, KnownSecrets
from language.secrets.proofs import is_memorable
from language.secrets.replacing import replace_secrets

KEY = b"k" * 32
SECRET = "Xk9" + "&pQ7zLm2R"


def met(text: str, key: bytes = KEY) -> KnownSecrets:
    known = KnownSecrets()
    replace_secrets(text, key=key, known=known)
    return known


def test_a_bare_return_gets_the_same_placeholder_from_what_was_stored() -> None:
    first = replace_secrets(f"password={SECRET}", key=KEY)
    later = KnownSecrets(met(f"password={SECRET}").new)

    redacted = replace_secrets(f"so ({SECRET}) it was, and {SECRET}.", key=KEY, known=later)

    ((_, placeholder),) = first.found
    assert redacted.text == f"so ({placeholder}) it was, and {placeholder}."
    assert redacted.found == (first.found[0], first.found[0])


@pytest.mark.parametrize("written", [quote(SECRET, safe=""), SECRET.replace("&", "&amp;"), SECRET])
def test_it_is_recognised_in_the_ways_in_which_it_may_be_written(written: str) -> None:
    later = KnownSecrets(met(json.dumps({"pw": SECRET})).new)

    redacted = replace_secrets(f"it was {written} then", key=KEY, known=later)
    assert redacted.text.startswith("it was [secret:password:")
    assert redacted.text.endswith("] then")


def test_nothing_that_is_kept_holds_a_stretch_of_the_secret_or_is_equal_under_another_key() -> None:
    kept = json.dumps([one.model_dump() for one in met(f"password={SECRET}").new])
    other = met(f"password={SECRET}", b"o" * 32).new

    assert not [SECRET[at : at + 3] for at in range(len(SECRET) - 2) if SECRET[at : at + 3] in kept]
    assert {one.digest for one in other}.isdisjoint(one.digest for one in met(f"password={SECRET}").new)


def test_another_key_recognises_nothing() -> None:
    later = KnownSecrets(met(f"password={SECRET}").new)

    assert list(later.hits(SECRET, b"o" * 32)) == []


@pytest.mark.parametrize("word", ["guestroom", "hunting", "12345"])
def test_what_may_be_an_ordinary_word_is_not_kept(word: str) -> None:
    assert met(f"postgres://app:{word}@db/core").new == ()


def test_no_more_are_kept_than_the_limit() -> None:
    known = KnownSecrets()
    for number in range(MOST + 10):
        known.remember(f"secret9{number:05}", "[secret:password:00000000]", KEY)

    assert len(known.new) == MOST
    assert repr(known) == f"KnownSecrets({MOST})"


def test_secrets_that_begin_alike_cost_no_more_than_so_many_hashes_a_place() -> None:
    known = KnownSecrets()
    for number in range(3 * MOST_LENGTHS):
        known.remember("begin9" + "z" * number + "7", "[secret:password:00000000]", KEY)

    assert len({one.length for one in known.new}) == MOST_LENGTHS


_SIGNS = st.text(st.sampled_from("abkmQRZ2479&;,<>!@#$%^*-_~+é "), min_size=8, max_size=24).map(
    lambda text: f"K7{text.strip()}9"
)


@settings(deadline=None)
@given(_SIGNS, st.text(st.sampled_from("ab .,:(\n"), max_size=9))
def test_whatever_was_remembered_is_found_again_wherever_it_stands_alone(secret: str, around: str) -> None:
    known = KnownSecrets()
    known.remember(secret, "[secret:password:00000000]", KEY)
    again = KnownSecrets(known.new)
    text = f"{around} {secret} {around}"

    if is_memorable(secret):
        found = [(start, end) for start, end, _ in again.hits(text, KEY)]
        assert (len(around) + 1, len(around) + 1 + len(secret)) in found
