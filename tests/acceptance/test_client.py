"""The client against the real service: alone, and inside the frameworks it is for. Nothing leaves the machine."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest

from dissolution_client import AsyncClient, Client, ClientError, NotCommitted, ProblemError
from dissolution_client.agents_session import Session
from dissolution_client.langgraph_messages import dissolving, dissolving_messages
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
    assert found.claims == found.dissent == ()  # nobody asserts anything: the words are quoted in the context
    assert [one.kind for one in found.results] == ["turn"] * 3
    assert found.turns[0].words[0].text in TALK[found.turns[0].turns[0] - 1]["content"]
    assert "Nobody has read this" in context.messages[0].content.splitlines()[0]
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
            recalled = await fleet.recall("awaited", "stream shards", kinds=["turn"], match="words", limit=1)
            assert [one.rank for one in recalled.turns] == [1]
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
    system = {"role": "system", "content": "You are the pipeline's planner. Answer in metric units."}
    history = [system, *TALK]
    with Client(url) as fleet:
        compact = Compactor(fleet, "compacted", limit_tokens=1500, budget=1200)
        assert compact(history[:3]) == history[:3]
        short = compact(history)
        again = compact([*history, {"role": "user", "content": "And what about the launch on 14 June 2027?"}])
        version = fleet.conversation("compacted").boundary_version
        restarted = Compactor(fleet, "compacted", limit_tokens=1500, budget=1200)(history)
        stored = fleet.conversation("compacted").turns
        with pytest.raises(ValueError, match="whole history"):
            compact(short[:1])
        with pytest.raises(ClientError, match="not these messages"):
            Compactor(fleet, "compacted", limit_tokens=100)(history[:6])
    assert sum(len(one["content"]) for one in short) < sum(len(one["content"]) for one in TALK)
    assert version == 1  # the one new message did not make it dissolve again
    assert again == [*short, {"role": "user", "content": "And what about the launch on 14 June 2027?"}]
    assert short[0] == system
    last = max(n for n, one in enumerate(history) if one["role"] == "user")
    assert short[-len(history[last:]) :] == history[last:]  # what is asked now stands as it is
    assert restarted[-len(history[last:]) :] == history[last:]
    assert stored == last  # nothing was sent twice


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


def graph_of(reducer: Any, node: Any = None) -> Any:  # noqa: ANN401 - LangGraph's own types are open
    """A graph that answers every message, with a checkpointer."""
    from langchain_core.messages import AIMessage, AnyMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, StateGraph

    class State(TypedDict):
        messages: Annotated[list[AnyMessage], reducer]

    def answer(_state: State) -> dict[str, Any]:
        return {"messages": [AIMessage(content="Understood.")]}

    graph: Any = StateGraph(State)
    graph.add_node("model", answer)
    graph.add_edge("model", END)
    if node is not None:
        graph.add_node("dissolve", node)
        graph.add_edge("dissolve", "model")
    graph.add_edge(START, "model" if node is None else "dissolve")
    return graph.compile(checkpointer=InMemorySaver())


def spoken(talk: list[dict[str, Any]]) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage

    kinds: dict[str, Any] = {"user": HumanMessage, "assistant": AIMessage}
    return [kinds[one["role"]](content=one["content"]) for one in talk]


def words(messages: list[Any]) -> int:
    return sum(len(one.content) for one in messages)


def test_a_node_of_a_langgraph_graph(url: str) -> None:
    from langgraph.graph.message import add_messages

    thread = {"configurable": {"thread_id": "1"}}
    with Client(url) as fleet:
        app = graph_of(add_messages, dissolving(fleet, limit_tokens=1500, budget=1200))
        short = app.invoke({"messages": spoken(TALK[:2])}, thread)["messages"]
        ended = app.invoke({"messages": spoken(TALK[2:])}, thread)["messages"]
    assert [one.content for one in short] == [*(one["content"] for one in TALK[:2]), "Understood."]
    assert ended[-1].content == "Understood."
    assert words(ended) < words(spoken(TALK))


def test_a_reducer_keeps_what_is_checkpointed_short_and_each_thread_apart(url: str) -> None:
    from langchain_core.messages import HumanMessage, SystemMessage

    from dissolution_client.langgraph_messages import MARK

    first, second = ({"configurable": {"thread_id": name}} for name in ("1", "2"))
    system = SystemMessage(content="You are the pipeline's planner.")
    with Client(url) as fleet:
        app = graph_of(dissolving_messages(fleet, limit_tokens=1500, budget=1200))
        app.invoke({"messages": [system, *spoken(TALK)]}, first)
        kept = app.get_state(first).values["messages"]
        app.invoke({"messages": [HumanMessage(content="Another thread.")]}, second)
        apart = app.get_state(second).values["messages"]
        # A second process, with no memory but the checkpointed state, goes on with the same conversation.
        later = dissolving_messages(fleet, limit_tokens=200, budget=1200)
        grown = later(
            kept, [HumanMessage(content="We decided to keep the raw files for 90 days. " * 20), *spoken(TALK[-2:])]
        )
        name = grown[0].response_metadata[MARK]["conversation"]
        conversation = fleet.conversation(name)
    assert kept[0].content == grown[0].content == system.content
    assert words(kept) < words(spoken(TALK))
    assert [one.content for one in apart] == ["Another thread.", "Understood."]
    assert conversation.boundary_version == 2
    marks = [one.response_metadata.get(MARK, {}).get("conversation") for one in grown]
    assert set(marks) <= {name, None}
    assert conversation.turns == grown[0].response_metadata[MARK]["turns"] or grown[0].response_metadata[MARK]["kept"]


def test_a_session_in_another_process_begins_with_what_the_service_has(url: str) -> None:
    async def use() -> tuple[list[Any], list[Any]]:
        async with AsyncClient(url) as fleet:
            session = Session(fleet, "resumed", limit_tokens=10_000)
            assert await session.get_items() == []
            await session.add_items([{"role": "user", "content": "The launch is on 14 June 2027."}])
            await session.save()
            other = Session(fleet, "resumed", limit_tokens=10_000)
            return await session.get_items(), await other.get_items()

    here, there = asyncio.run(use())
    assert here == there == [{"role": "user", "content": "The launch is on 14 June 2027."}]
