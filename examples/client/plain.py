"""Messages in, messages out: any code that sends a list of messages keeps it short with one call.

Needs a running service: `dissolve api`. Then `python examples/client/plain.py`; DISSOLVE_URL and DISSOLVE_API_KEY name
another one. No model is asked here: the reply is made up, and the no-key fleet dissolves.
"""

import json
import os
from pathlib import Path
from typing import Any

from dissolution_client import Client
from dissolution_client.messages import Compactor

MESSAGES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "launch.json").read_text(encoding="utf-8"))


def model(messages: list[dict[str, Any]]) -> str:
    """Stands for your call of a model."""
    return f"(an answer to {len(messages)} messages)"


def main() -> None:
    """Ask three times; the third time the history has grown too long."""
    url, key = os.environ.get("DISSOLVE_URL", "http://127.0.0.1:8700"), os.environ.get("DISSOLVE_API_KEY")
    with Client(url, api_key=key) as client:
        compact = Compactor(client, "plain-example", limit_tokens=500, budget=1000, recent=2)
        for length in (4, 10, len(MESSAGES)):
            history = MESSAGES[:length]
            to_send = compact(history)
            print(
                f"{length} messages, {size(history)} characters -> {len(to_send)} messages, {size(to_send)} characters"
            )
            print(model(to_send))
    print(json.dumps(to_send, indent=2, ensure_ascii=False))


def size(messages: list[dict[str, Any]]) -> int:
    """Characters of all messages."""
    return sum(len(one["content"]) for one in messages)


if __name__ == "__main__":
    main()
