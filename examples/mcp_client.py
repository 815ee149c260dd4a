"""Use the service as an agent's host does: start `dissolve mcp`, call its tools, and get a context to send.

Run it from the project folder: `python examples/mcp_client.py`. It needs no key and no network: the extractive fleet
answers, the database is a file in a temporary folder. A host that reads its servers from a file starts the same program
(docs/mcp.md).
"""

import asyncio
import sys
import tempfile
from typing import Any

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent

MESSAGES = [
    {"role": "system", "content": "You help the events team. Never book a hall for more than 200 EUR an hour."},
    {"role": "user", "content": "We plan the spring meeting. Maybe forty people come; nobody has counted."},
    {
        "role": "assistant",
        "content": "The town hall seats 60 at 180 EUR an hour. The library seats 35 at 90 EUR an hour.",
    },
    {"role": "user", "content": "We decided on the town hall. The library is out: it is too small."},
    {"role": "assistant", "content": "Understood: we use the town hall. Which day?"},
    {"role": "user", "content": "March 15. Who does the food is still open."},
    {"role": "assistant", "content": "I have noted March 15. The food is still open."},
]


async def use(session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """Call a tool; what it answers, or the words of what was wrong."""
    result = await session.call_tool(tool, arguments, progress_callback=show)
    if result.is_error:
        raise SystemExit(" ".join(part.text for part in result.content if isinstance(part, TextContent)))
    return result.structured_content


async def show(progress: float, total: float | None, message: str | None) -> None:
    """Print how far a job is that is waited for."""
    print(f"  {progress:g} of {total:g} stages, {message}")


async def main() -> None:
    """Dissolve, look, and fetch what replaces the history."""
    with tempfile.TemporaryDirectory() as folder:
        server = StdioServerParameters(
            command=sys.executable,  # `dissolve mcp` where it is installed
            args=["-m", "dissolution_fleet", "mcp"],
            env={
                "DISSOLVE_DB": f"sqlite:///{folder}/ledger.sqlite3",
                "DISSOLVE_EMBEDDER": "hashing",  # quick, and good enough to try it
                "DISSOLVE_LOG_LEVEL": "WARNING",
            },
        )
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            job = await use(session, "dissolve", messages=MESSAGES, conversation="meeting", wait_s=120)
            print(f"{job['status']}: {job['advice']}")
            found = await use(session, "recall", conversation="meeting", section="DECIDED", limit=3)
            print("decided:", *(claim["text"] for claim in found["claims"]), sep="\n- ")
            frame = await use(session, "frame", job=job["job"], limit=3)
            print(
                "taken for granted:",
                *(f"{premise['proposition']} ({premise['status']})" for premise in frame["premises"]),
                sep="\n- ",
            )
            context = await use(session, "context", conversation="meeting", budget=2000, recent=4)
            print(f"{len(context['messages'])} messages to send, {context['tokens']} tokens")


if __name__ == "__main__":
    asyncio.run(main())
