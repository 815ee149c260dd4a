"""Follow a dissolution as it happens, read its receipt and what it left out, and fetch the context.

Needs a running service: `dissolve api`. Then `python examples/client/async_events.py`; DISSOLVE_URL and
DISSOLVE_API_KEY name another one.
"""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from dissolution_client import AsyncClient

MESSAGES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "launch.json").read_text(encoding="utf-8"))


async def main() -> None:
    """Store, grow, dissolve, follow, look."""
    url, key = os.environ.get("DISSOLVE_URL", "http://127.0.0.1:8700"), os.environ.get("DISSOLVE_API_KEY")
    async with AsyncClient(url, api_key=key) as client:
        talk = await client.create_conversation(MESSAGES[:-2], name="events-example")
        grown = await client.append(talk.name, MESSAGES[-2:], expected_turns=talk.turns)
        job = await client.dissolve(talk.name)
        async for event in client.events(job):
            print(f"{event.number:3} {event.kind:20} {event.detail}")
        done = await client.wait(job)  # raises NotCommitted when the history stays in force
        receipt = await client.receipt(done.id)
        print(f"{done.status}: {grown.turns} turns; {receipt['decision']['verdict']}")
        for found in (await client.recall(talk.name, "import", limit=3)).results:
            print(f"- {found.kind}, turns {found.turns}: {found.text}")
        context = await client.context(talk.name, budget=1500)
        print(f"{context.tokens} of {context.budget_tokens} tokens, version {context.boundary_version}")
        print(context.messages[0].content)


if __name__ == "__main__":
    asyncio.run(main())
