"""What tokens cost: by the roster's price or LiteLLM's local price map. An unknown price is NotMeasured, never 0."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from dissolution.answers import Usage
from dissolution.values import Counted, Frozen, NotMeasured
from fleet.roster import RosterPrice

MILLION = Decimal(1_000_000)

NO_PRICE = NotMeasured(not_measured="neither the roster nor the price map knows a price")
NOT_REPORTED = NotMeasured(not_measured="the provider did not report it")

_TIER = re.compile(r"_above_(\d+)k_tokens$")


class TokenPrice(Frozen):
    """USD for one token, by kind."""

    input_usd: Annotated[Decimal, Field(ge=0)]
    cached_input_usd: Annotated[Decimal, Field(ge=0)]
    cache_write_usd: Annotated[Decimal, Field(ge=0)]  # of what is put into the cache
    output_usd: Annotated[Decimal, Field(ge=0)]

    def cost(self, input_tokens: int, cached_input_tokens: int, output_tokens: int, written_tokens: int = 0) -> Decimal:
        """USD: what was neither cached nor put into the cache at the input price, and each other kind at its own."""
        fresh = max(0, input_tokens - cached_input_tokens - written_tokens)
        kept = cached_input_tokens * self.cached_input_usd + written_tokens * self.cache_write_usd
        return (fresh * self.input_usd + kept + output_tokens * self.output_usd).normalize()


def roster_price(price: RosterPrice) -> TokenPrice:
    """A roster's price for a million tokens as a price for one; a kind of input without one costs like other input."""
    cached = price.input_usd if price.cached_input_usd is None else price.cached_input_usd
    written = price.input_usd if price.cache_write_usd is None else price.cache_write_usd
    return TokenPrice(
        input_usd=price.input_usd / MILLION,
        cached_input_usd=cached / MILLION,
        cache_write_usd=written / MILLION,
        output_usd=price.output_usd / MILLION,
    )


def map_price(entry: Mapping[str, object], input_tokens: int) -> TokenPrice | None:
    """The price an entry of the price map states for a prompt of this length, or None when it states none.

    Many providers charge more for long prompts (`input_cost_per_token_above_200k_tokens`): the highest tier whose
    threshold the prompt passes counts, for all tokens of the call.
    """
    first, output = (
        _rate(entry, "input_cost_per_token", input_tokens),
        _rate(entry, "output_cost_per_token", input_tokens),
    )
    if first is None or output is None:
        return None
    cached = _rate(entry, "cache_read_input_token_cost", input_tokens)
    written = _rate(entry, "cache_creation_input_token_cost", input_tokens)
    return TokenPrice(
        input_usd=first,
        cached_input_usd=first if cached is None else cached,
        cache_write_usd=first if written is None else written,
        output_usd=output,
    )


def usage_of(
    input_tokens: Counted,
    cached: Counted,
    output_tokens: Counted,
    price: TokenPrice | None,
    written: Counted = NOT_REPORTED,
) -> Usage:
    """The usage of a call. Its cost is known when the price is, and the tokens are; cached tokens unknown count as 0.

    Counting them as 0 overstates the cost at worst, which a cap can bear.
    """
    cost: Decimal | NotMeasured = NO_PRICE
    if price is not None:
        cost = NotMeasured(not_measured="the provider reported no tokens")
        if isinstance(input_tokens, int) and isinstance(output_tokens, int):
            known = [count if isinstance(count, int) else 0 for count in (cached, written)]
            cost = price.cost(input_tokens, known[0], output_tokens, known[1])
    return Usage(
        input_tokens=input_tokens,
        cached_input_tokens=cached,
        output_tokens=output_tokens,
        cost_usd=cost,
        cache_written_tokens=written,
    )


def _rate(entry: Mapping[str, object], name: str, input_tokens: int) -> Decimal | None:
    tiers = {0: entry.get(name)}
    for key, value in entry.items():
        tier = _TIER.search(key)
        if tier and key == f"{name}{tier[0]}" and input_tokens > int(tier[1]) * 1000:
            tiers[int(tier[1])] = value
    rate = tiers[max(tiers)]
    if not isinstance(rate, int | float) or isinstance(rate, bool) or rate < 0:
        return None
    return Decimal(str(rate))
