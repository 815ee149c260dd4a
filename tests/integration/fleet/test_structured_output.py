"""A roster member with structured output, from the roster file to the parsed claims, over real HTTP."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from devtools.loopback_spec import ModelScript
from devtools.replies import render_json_reply
from dissolution.answers import AnswerClass, FinishReason
from dissolution.claims import Section, StatedClaim
from prompts.parse import parse_reply
from prompts.reply import reply_schema
from tests.integration.fleet.parts import a_provider
from tests.unit.fleet.parts import a_task
from workers.bootstrap import build_roster, close_all

STATED = [
    StatedClaim(section=Section.KNOWN, text="Redis holds the sessions.", turns=(1,), quotes=("We use Redis.",)),
    StatedClaim(section=Section.DECIDED, text="Redis stays.", turns=(1, 2)),
]
MEMBER = """
[[member]]
name = "m"
model = "openai/m"
family = "m"
api_base = "{base}/v1"
structured_output = {structured}
"""


def body_and_reply(folder: Path, *, structured: bool) -> tuple[Mapping[str, Any], str]:
    """What was sent to the provider and what the member answered."""

    async def run() -> tuple[Mapping[str, Any], str]:
        async with a_provider({"m": ModelScript(template=render_json_reply(STATED))}) as provider:
            file = folder / "roster.toml"
            file.write_text(MEMBER.format(base=provider.base_url, structured=str(structured).lower()), "utf-8")
            members = build_roster(file)
            reply = await members[0].answer(a_task())
            await close_all(members)
            return provider.bodies[-1], reply.text

    return asyncio.run(run())


def test_the_schema_of_the_reply_is_sent_and_the_json_answer_is_read(tmp_path: Path) -> None:
    body, text = body_and_reply(tmp_path, structured=True)
    sent = cast("Mapping[str, Any]", body["response_format"])
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"] == json.loads(json.dumps(reply_schema()))
    parsed = parse_reply(text, FinishReason.STOP, through=2)
    assert parsed.answer_class is AnswerClass.OK
    assert [claim.model_copy(update={"place": None}) for claim in parsed.claims] == STATED


def test_a_member_without_structured_output_is_asked_for_no_form(tmp_path: Path) -> None:
    body, _ = body_and_reply(tmp_path, structured=False)
    assert "response_format" not in body
