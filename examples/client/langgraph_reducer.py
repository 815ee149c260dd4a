"""A LangGraph graph with a checkpointer whose state keeps its messages short: one reducer changed.

Needs `pip install langgraph` and a running service: `dissolve api`. The model's node is scripted, so nothing is sent
anywhere.
"""

import json
import os
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from dissolution_client import Client
from dissolution_client.langgraph_messages import dissolving_messages

TALK: list[dict[str, str]] = json.loads((Path(__file__).parents[1] / "launch.json").read_text(encoding="utf-8"))
REPLIES = iter([one["content"] for one in TALK if one["role"] == "assistant"])


def main() -> None:
    """Let a thread of the graph grow over its limit, and look at what is checkpointed."""
    url, key = os.environ.get("DISSOLVE_URL", "http://127.0.0.1:8700"), os.environ.get("DISSOLVE_API_KEY")
    with Client(url, api_key=key) as client:
        reducer = dissolving_messages(client, limit_tokens=500, budget=1000, recent=2)

        class State(TypedDict):
            messages: Annotated[list[AnyMessage], reducer]  # was: add_messages

        def answer(_state: State) -> dict[str, Any]:
            return {"messages": [AIMessage(content=next(REPLIES))]}

        graph: Any = StateGraph(State)
        graph.add_node("model", answer)
        graph.add_edge(START, "model")
        graph.add_edge("model", END)
        app = graph.compile(checkpointer=InMemorySaver())
        thread = {"configurable": {"thread_id": "1"}}
        for message in [one["content"] for one in TALK if one["role"] == "user"][:-1]:
            app.invoke({"messages": [HumanMessage(content=message)]}, thread)
            kept: list[AnyMessage] = app.get_state(thread).values["messages"]
            print(f"{len(kept)} messages, {sum(len(one.text) for one in kept)} characters are checkpointed")
        print(app.get_state(thread).values["messages"][0].text)


if __name__ == "__main__":
    main()
