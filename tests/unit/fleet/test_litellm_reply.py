"""Response objects of all shapes."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from dissolution.answers import FinishReason
from dissolution.errors import MemberContentFiltered, MemberError, MemberRefused, MemberReplyUnusable
from dissolution.values import NotMeasured
from fleet.litellm_reply import read_reply, read_usage
from fleet.prices import TokenPrice, roster_price
from fleet.roster import RosterPrice

PRICE = roster_price(RosterPrice(input_usd=Decimal(1), cached_input_usd=Decimal(0), output_usd=Decimal(2)))


def price(_tokens: int) -> TokenPrice | None:
    return PRICE


def usage(**more: Any) -> SimpleNamespace:  # noqa: ANN401 - any fields
    return SimpleNamespace(**({"prompt_tokens": 1000, "completion_tokens": 10} | more))


def response(content: object, finish: str = "stop", **message: Any) -> SimpleNamespace:  # noqa: ANN401 - any fields
    choice = SimpleNamespace(message=SimpleNamespace(content=content, **message), finish_reason=finish)
    return SimpleNamespace(choices=[choice], usage=usage(), model="said")


def test_words_come_through_as_they_are() -> None:
    reply = read_reply(response("  KNOWN\n"), "m", price)
    assert (reply.text, reply.finish, reply.model_reported) == ("  KNOWN\n", FinishReason.STOP, "said")
    assert reply.usage.cost_usd == Decimal("0.00102")  # 1000 * 1e-6 + 10 * 2e-6


@pytest.mark.parametrize(
    ("finish", "kind"),
    [
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("refusal", FinishReason.REFUSAL),
        ("eos", FinishReason.UNKNOWN),
    ],
)
def test_words_are_kept_whatever_ended_them(finish: str, kind: FinishReason) -> None:
    reply = read_reply(response("half an ans", finish), "m", price)
    assert (reply.text, reply.finish) == ("half an ans", kind)


@pytest.mark.parametrize("where", [{"refusal": "No."}, {"provider_specific_fields": {"refusal": "No."}}])
def test_a_refusal_in_words_is_a_reply_that_says_so(where: dict[str, Any]) -> None:
    reply = read_reply(response(None, **where), "m", price)
    assert (reply.text, reply.finish) == ("No.", FinishReason.REFUSAL)


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        (SimpleNamespace(choices=[], usage=usage()), MemberReplyUnusable, "no choices (used 1000 input and 10 output"),
        (SimpleNamespace(choices=None, usage=None), MemberReplyUnusable, "no choices"),
        (SimpleNamespace(), MemberReplyUnusable, "no choices"),
        (SimpleNamespace(choices=[SimpleNamespace()]), MemberReplyUnusable, "no text"),
        (response(None), MemberReplyUnusable, "no text"),
        (response(" \n"), MemberReplyUnusable, "no text"),
        (response([{"type": "text"}]), MemberReplyUnusable, "no text"),
        (response(None, "length"), MemberReplyUnusable, "cut off at the token limit before the first word"),
        (response(None, "content_filter"), MemberContentFiltered, "withheld"),
        (response("", "refusal", refusal=7), MemberRefused, "declined"),
    ],
)
def test_without_words_there_is_no_reply(given: object, kind: type[MemberError], words: str) -> None:
    with pytest.raises(kind) as caught:
        read_reply(given, "m", price)
    assert words in caught.value.detail


def test_cached_tokens_are_read_in_both_forms() -> None:
    details = SimpleNamespace(cached_tokens=900)
    openai = read_usage(usage(prompt_tokens_details=details), price)
    anthropic = read_usage(usage(cache_read_input_tokens=900), price)
    both = read_usage(
        usage(prompt_tokens_details=SimpleNamespace(cached_tokens=None), cache_read_input_tokens=900), price
    )
    assert openai.cached_input_tokens == anthropic.cached_input_tokens == both.cached_input_tokens == 900
    assert openai.cost_usd == Decimal("0.00012")  # 100 * 1e-6 + 900 * 0 + 10 * 2e-6


@pytest.mark.parametrize("field", ["prompt_cache_hit_tokens", "cached_content_token_count", "cachedContentTokenCount"])
def test_what_a_server_in_between_passes_on_by_its_providers_name_is_read(field: str) -> None:
    assert read_usage(usage(**{field: 900}), price).cached_input_tokens == 900


def test_what_is_put_into_a_cache_is_counted_at_its_price() -> None:
    def dear(_tokens: int) -> TokenPrice:
        return roster_price(RosterPrice(input_usd=Decimal(1), cache_write_usd=Decimal(3), output_usd=Decimal(2)))

    read = read_usage(usage(cache_creation_input_tokens=900, cache_read_input_tokens=0), dear)
    assert (read.cache_written_tokens, read.cached_input_tokens) == (900, 0)
    assert read.cost_usd == Decimal("0.00282")  # 100 * 1e-6 + 900 * 3e-6 + 10 * 2e-6
    assert isinstance(read_usage(usage(), dear).cache_written_tokens, NotMeasured)


@pytest.mark.parametrize("reported", [None, SimpleNamespace(), usage(prompt_tokens=None), usage(prompt_tokens=-1)])
def test_what_is_not_reported_is_not_zero(reported: object) -> None:
    read = read_usage(reported, price)
    assert isinstance(read.input_tokens, NotMeasured)
    assert isinstance(read.cost_usd, NotMeasured)


def test_booleans_are_no_counts_and_models_without_a_name_have_none() -> None:
    assert isinstance(read_usage(usage(completion_tokens=True), price).output_tokens, NotMeasured)
    nameless = response("x")
    nameless.model = None
    assert read_reply(nameless, "m", price).model_reported is None
