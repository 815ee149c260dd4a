"""Prices and costs, with the arithmetic beside each case."""

from decimal import Decimal

import pytest

from dissolution.values import NotMeasured
from fleet.prices import NO_PRICE, NOT_REPORTED, map_price, roster_price, usage_of
from fleet.roster import RosterPrice

ENTRY: dict[str, object] = {
    "input_cost_per_token": 3e-06,
    "cache_read_input_token_cost": 3e-07,
    "output_cost_per_token": 1.5e-05,
    "input_cost_per_token_above_200k_tokens": 6e-06,
    "output_cost_per_token_above_200k_tokens": 2.25e-05,
}
PRICE = roster_price(RosterPrice(input_usd=Decimal(2), cached_input_usd=Decimal("0.5"), output_usd=Decimal(8)))


def test_cached_input_has_its_own_price() -> None:
    # 600 * 2e-6 + 400 * 0.5e-6 + 100 * 8e-6 = 0.0012 + 0.0002 + 0.0008
    assert PRICE.cost(1000, 400, 100) == Decimal("0.0022")


def test_what_is_put_into_the_cache_has_its_own_price() -> None:
    price = map_price(ENTRY | {"cache_creation_input_token_cost": 3.75e-06}, 1000)
    assert price is not None
    assert price.cost(1000, 0, 0, 1000) == Decimal("0.00375")
    assert PRICE.cost(1000, 400, 100, 600) == PRICE.cost(1000, 400, 100), "like other input unless given"


def test_without_a_cached_price_cached_input_costs_like_other_input() -> None:
    price = roster_price(RosterPrice(input_usd=Decimal(2), output_usd=Decimal(8)))
    assert price.cost(1000, 1000, 0) == Decimal("0.002")


def test_more_cached_than_input_never_costs_less_than_nothing() -> None:
    assert PRICE.cost(100, 400, 0) == Decimal("0.0002")


def test_the_maps_price_is_exact() -> None:
    price = map_price(ENTRY, 1000)
    assert price is not None
    assert price.cost(1_000_000, 0, 0) == Decimal(3)
    assert price.cost(1_000_000, 1_000_000, 0) == Decimal("0.3")


@pytest.mark.parametrize(("tokens", "usd"), [(200_000, "3"), (200_001, "6")])
def test_long_prompts_pay_their_tier(tokens: int, usd: str) -> None:
    price = map_price(ENTRY, tokens)
    assert price is not None
    assert price.input_usd * 1_000_000 == Decimal(usd)


def test_of_several_tiers_the_highest_passed_counts() -> None:
    entry = ENTRY | {"input_cost_per_token_above_128k_tokens": 4e-06}
    rates = [map_price(entry, tokens) for tokens in (128_000, 150_000, 300_000)]
    assert [rate and rate.input_usd * 1_000_000 for rate in rates] == [3, 4, 6]


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"input_cost_per_token": 1e-6},
        {"output_cost_per_token": 1e-6},
        {"input_cost_per_token": None, "output_cost_per_token": 1e-6},
        {"input_cost_per_token": "1", "output_cost_per_token": 1e-6},
        {"input_cost_per_token": True, "output_cost_per_token": 1e-6},
        {"input_cost_per_token": -1e-6, "output_cost_per_token": 1e-6},
    ],
)
def test_half_a_price_is_none(entry: dict[str, object]) -> None:
    assert map_price(entry, 10) is None


def test_a_price_of_zero_is_a_price_and_an_unknown_one_is_not_zero() -> None:
    free = map_price({"input_cost_per_token": 0, "output_cost_per_token": 0.0}, 10)
    assert usage_of(10, 0, 5, free).cost_usd == 0
    assert usage_of(10, 0, 5, None).cost_usd == NO_PRICE


def test_unreported_tokens_make_no_cost() -> None:
    assert isinstance(usage_of(NOT_REPORTED, 0, 5, PRICE).cost_usd, NotMeasured)
    assert isinstance(usage_of(5, 0, NOT_REPORTED, PRICE).cost_usd, NotMeasured)
    assert usage_of(1000, NOT_REPORTED, 0, PRICE).cost_usd == Decimal("0.002")  # unknown cache: the full price
