"""The client against the real service: alone, and inside the frameworks it is for. Nothing leaves the machine."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from dissolution_client import AsyncClient, Client, NotCommitted, ProblemError
from dissolution_client.agents_session import Session
from dissolution_client.langgraph_messages import dissolving
from dissolution_client.messages import Compactor
from tests.acceptance.test_api import Service

CONVERSATION = Path(__file__).parents[2] / "benchmarks" / "data" / "planted" / "st-aws-pipeline.json"
TALK: list[dict[str, Any]] = [
    {"role": turn["role"], "content": turn["content"]}
    for turn in json.loads(CONVERSATION.read_text(encoding="utf-8"))["turns"][:20]
    if turn["role"] in {"user", "assistant"}
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    service = Service(tmp_path_factory.mktemp("service"))
    with service.running():
        yield service.url


def test_five_lines_from_messages_to_a_context(url: str) -> None:
    with Client(url) as fleet:
        fleet.create_conversation(TALK, name="five-lines")
        done = fleet.wait(fleet.dissolve("five-lines"))
        context = fleet.context("five-lines", budget=4000)
        receipt = fleet.receipt(done.id)
        found = fleet.recall("five-lines", "stream shards", limit=3)
        events = [event.kind for event in fleet.events(done)]
    assert done.is_committed
    assert (context.source, context.boundary_version, context.through) == ("boundary", 1, len(TALK))
    assert context.tokens <= 4000
    assert receipt["job"] == done.id
    assert found
    assert all(claim.evidence for claim in found if claim.section != "EDGES")
    assert events[0] == "job_queued"
    assert "boundary_committed" in events


def test_the_same_awaited(url: str) -> None:
    async def use() -> tuple[int, list[str]]:
        async with AsyncClient(url) as fleet:
            await fleet.create_conversation(TALK[:6], name="awaited")
            added = await fleet.append("awaited", TALK[6:8], expected_turns=6)
            done = await fleet.dissolve("awaited")
            kinds = [event.kind async for event in fleet.events(done)]
            await fleet.wait(done)
            return added.turns, kinds

    turns, kinds = asyncio.run(use())
    assert turns == 8
    assert kinds == list(dict.fromkeys(kinds)) or kinds.count("boundary_committed") == 1


def test_what_is_wrong_is_a_problem_with_a_code(url: str) -> None:
    with Client(url) as fleet:
        with pytest.raises(ProblemError) as missing:
            fleet.conversation("nobody")
        fleet.create_conversation(TALK[:2], name="twice")
        with pytest.raises(ProblemError) as twice:
            fleet.create_conversation(TALK[:2], name="twice")
        with pytest.raises(ProblemError) as late:
            fleet.append("twice", TALK[2:3], expected_turns=7)
    assert (missing.value.status, missing.value.code) == (404, "not_found")
    assert twice.value.code == "conversation_exists"
    assert late.value.status == 409


def test_a_dissolution_without_a_boundary_raises_and_keeps_the_history(url: str) -> None:
    with Client(url) as fleet:
        fleet.create_conversation([{"role": "user", "content": "Hm."}], name="nothing")
        with pytest.raises(NotCommitted, match="history_kept"):
            fleet.wait(fleet.dissolve("nothing"))
        assert fleet.context("nothing").source == "history"


def test_messages_in_messages_out(url: str) -> None:
    with Client(url) as fleet:
        compact = Compactor(fleet, "compacted", limit_tokens=1500, budget=1200)
        assert compact(TALK[:2]) == TALK[:2]
        short = compact(TALK)
        again = compact([*TALK, {"role": "user", "content": "And what about the launch on 14 June 2027?"}])
        job = fleet.conversation("compacted").boundary_version
    assert sum(len(one["content"]) for one in short) < sum(len(one["content"]) for one in TALK)
    assert job == 1  # the one new message did not make it dissolve again
    assert any("14 June 2027" in one["content"] for one in again)


def test_a_session_of_the_agents_sdk(url: str) -> None:
    """A real agent run by the SDK; its model answers from a script."""
    from agents import Agent, Runner, set_tracing_disabled
    from agents.items import ModelResponse
    from agents.models.interface import Model
    from agents.usage import Usage
    from openai.types.responses import ResponseOutputMessage, ResponseOutputText

    seen: list[list[Any]] = []

    class Scripted(Model):
        async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:  # noqa: ANN401 - as the SDK calls it
            seen.append(list(kwargs.get("input", args[1] if len(args) > 1 else ())))
            text = ResponseOutputText(text=f"Noted, that was message {len(seen)}.", type="output_text", annotations=[])
            said = ResponseOutputMessage(
                id=f"m{len(seen)}", content=[text], role="assistant", status="completed", type="message"
            )
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # noqa: ANN401, ARG002 - as above
            pytest.fail("nothing is streamed here")

    set_tracing_disabled(True)

    async def use() -> int:
        async with AsyncClient(url) as fleet:
            session = Session(fleet, "agent", limit_tokens=1200, budget=1500)
            agent = Agent(name="helper", model=Scripted())
            for message in [one["content"] for one in TALK if one["role"] == "user"][:6]:
                await Runner.run(agent, message, session=session)
            version = (await fleet.conversation("agent")).boundary_version
            await session.clear_session()
            with pytest.raises(ProblemError):
                await fleet.conversation("agent")
            return version

    assert asyncio.run(use()) >= 1
    longest = max(len(json.dumps(one)) for one in seen)
    everything = sum(len(one["content"]) for one in TALK)
    assert longest < everything + 6000


def test_a_node_of_a_langgraph_graph(url: str) -> None:
    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.graph import END, START, MessagesState, StateGraph

    def answer(_state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(content="Understood.")]}

    with Client(url) as fleet:
        graph: Any = StateGraph(MessagesState)
        graph.add_node("dissolve", dissolving(fleet, "graph", limit_tokens=1500, budget=1200))
        graph.add_node("model", answer)
        graph.add_edge(START, "dissolve")
        graph.add_edge("dissolve", "model")
        graph.add_edge("model", END)
        kinds = {"user": HumanMessage, "assistant": AIMessage}
        whole = [kinds[one["role"]](content=one["content"]) for one in TALK]
        short = graph.compile().invoke({"messages": whole[:2]})
        ended = graph.compile().invoke({"messages": whole})
    assert [one.content for one in short["messages"][:2]] == [one["content"] for one in TALK[:2]]
    assert ended["messages"][-1].content == "Understood."
    assert sum(len(one.content) for one in ended["messages"]) < sum(len(one["content"]) for one in TALK)
