"""An agent of the OpenAI Agents SDK whose session dissolves what grows too long: one object changed.

Needs `pip install openai-agents` and a running service: `dissolve api`. The model is scripted, so nothing is sent
anywhere; leave `model=` out to ask a real one.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import Agent, Runner, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from dissolution_client import AsyncClient
from dissolution_client.agents_session import Session

TALK: list[dict[str, str]] = json.loads((Path(__file__).parents[1] / "launch.json").read_text(encoding="utf-8"))


class Scripted(Model):
    """Says what the assistant of the example said."""

    replies = iter([one["content"] for one in TALK if one["role"] == "assistant"])

    async def get_response(self, *_: Any, **_given: Any) -> ModelResponse:  # noqa: ANN401 - as the SDK calls it
        """The next reply."""
        text = ResponseOutputText(text=next(self.replies), type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **_given: Any) -> AsyncIterator[Any]:  # noqa: ANN401 - as above
        """Nothing is streamed here."""
        raise AssertionError("this example does not stream")


async def main() -> None:
    """Let the agent answer every message of the user."""
    set_tracing_disabled(True)
    url, key = os.environ.get("DISSOLVE_URL", "http://127.0.0.1:8700"), os.environ.get("DISSOLVE_API_KEY")
    async with AsyncClient(url, api_key=key) as client:
        session = Session(client, "agents-example", limit_tokens=500, budget=1000, recent=2)  # was: SQLiteSession("…")
        agent = Agent(name="Planner", instructions=TALK[0]["content"], model=Scripted())
        for message in [one["content"] for one in TALK if one["role"] == "user"][:-1]:
            result = await Runner.run(agent, message, session=session)
            print(f"{len(await session.get_items())} items: {result.final_output}")
        print((await session.get_items())[0])


if __name__ == "__main__":
    asyncio.run(main())
