"""One token of every member, and prices beforehand."""

import asyncio

from devtools.loopback_spec import LoopbackAct, ModelScript
from dissolution.answers import FailureClass, Usage
from dissolution.values import NotMeasured
from fleet.chat_member import ChatMember
from fleet.check import CHECK_TOKENS, MemberCheck, check_members
from tests.integration.fleet.parts import a_model, a_provider, a_script
from tests.unit.fleet.test_chat_member import Fake, Words

PRICE = {"input_usd": 1, "output_usd": 2}


def test_every_member_is_asked_for_one_token_and_reported() -> None:
    async def run() -> tuple[tuple[MemberCheck, ...], list[object]]:
        models = {
            "ok": ModelScript(),
            "down": a_script(LoopbackAct.SERVER_ERROR),
            "mute": a_script(LoopbackAct.NULL_CONTENT),
        }
        async with a_provider(models) as provider:
            members = [
                ChatMember(model, max_output_tokens=100, counter=Words())
                for model in (
                    a_model(provider, "ok", name="ok", price=PRICE, window_tokens=9000),
                    a_model(provider, "down", name="down"),
                    a_model(provider, "mute", "anthropic", name="mute"),
                    a_model(provider, "ok", name="keyless", environ={}),
                )
            ]
            found = await check_members([*members, ChatMember(Fake(), max_output_tokens=1, counter=Words())])
            for member in members:
                await member.aclose()
            return found, [body.get("max_tokens") for body in provider.bodies]

    (ok, down, mute, keyless, fake), limits = asyncio.run(run())
    assert limits == [CHECK_TOKENS] * 3
    assert (ok.answers, ok.window_tokens, ok.input_usd_per_million, ok.output_usd_per_million) == (True, 9000, 1, 2)
    assert "temperature" in ok.supported_parameters
    assert isinstance(ok.latency_s, float)
    assert isinstance(ok.usage, Usage)
    assert down.failure is not None
    assert (down.answers, down.failure.error_class) == (False, FailureClass.UNAVAILABLE)
    assert isinstance(down.latency_s, NotMeasured)
    assert isinstance(down.input_usd_per_million, NotMeasured)
    assert isinstance(down.window_tokens, NotMeasured)
    assert mute.answers, "one token is often no word; the endpoint is there"
    assert keyless.failure is not None
    assert keyless.failure.error_class is FailureClass.AUTH
    assert (fake.answers, fake.supported_parameters) == (True, ())
