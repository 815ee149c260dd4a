"""Server-sent events: read line by line, resumed where a connection breaks, given up when it breaks again and again."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from dissolution_client import AsyncClient, Client, ConnectionLost, Event, ProblemError, WaitedTooLong
from dissolution_client import requests as built
from dissolution_client.requests import look_s
from dissolution_client.streams import OVER, EventReader

AT = "2026-01-01T00:00:00+00:00"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(*_: object) -> float:
        return 0.0

    monkeypatch.setattr(built, "pause_s", at_once)
    monkeypatch.setattr(built, "look_s", at_once)


def told(number: int, kind: str = "step_done") -> str:
    return f'id: {number}\nevent: {kind}\ndata: {{"at": "{AT}", "kind": "{kind}", "detail": "parse"}}\n\n'


END = 'event: end\ndata: {"status": "committed"}\n\n'


class Cut(httpx.AsyncByteStream, httpx.SyncByteStream):
    """A body whose connection breaks after its words."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()

    def __iter__(self):  # noqa: ANN204 - as the base has it
        yield self._text
        message = "cut"
        raise httpx.ReadError(message)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


def streaming(*parts: str | int) -> tuple[Callable[[httpx.Request], httpx.Response], list[str]]:
    """Answers each request with the next part: a whole stream, one that is cut (`…` at its end), or a status."""
    asked: list[str] = []
    waiting = list(parts)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["last-event-id"])
        part = waiting.pop(0)
        if isinstance(part, int):
            return httpx.Response(part)
        headers = {"content-type": "text/event-stream; charset=utf-8"}
        if part.endswith("…"):
            return httpx.Response(200, headers=headers, stream=Cut(part.removesuffix("…")))
        return httpx.Response(200, headers=headers, text=part)

    return answer, asked


def numbers(answer: Callable[[httpx.Request], httpx.Response], after: int = 0) -> list[int]:
    with Client("http://service", attempts=3, transport=httpx.MockTransport(answer)) as client:
        return [event.number for event in client.events("j1", after=after)]


def test_a_broken_stream_goes_on_behind_the_last_event() -> None:
    answer, asked = streaming(f"retry: 2000\n\n{told(1)}: still here\n\n{told(2)}…", 503, told(3) + END)
    assert numbers(answer) == [1, 2, 3]
    assert asked == ["0", "2", "2"]


def test_the_same_awaited() -> None:
    answer, asked = streaming(told(5) + "…", told(6), 204)

    async def use() -> list[Event]:
        async with AsyncClient("http://service", attempts=3, transport=httpx.MockTransport(answer)) as client:
            return [event async for event in client.events("j1", after=4)]

    assert [(event.number, event.kind, event.detail) for event in asyncio.run(use())] == [
        (5, "step_done", "parse"),
        (6, "step_done", "parse"),
    ]
    assert asked == ["4", "5", "6"]


def test_what_breaks_again_and_again_is_given_up() -> None:
    answer, asked = streaming("…", "…", "…")
    with pytest.raises(ConnectionLost, match="3 times"):
        numbers(answer)
    assert len(asked) == 3


@pytest.mark.parametrize("status", [401, 404])
def test_a_refusal_is_not_asked_again(status: int) -> None:
    answer, asked = streaming(status, told(1))
    with pytest.raises(ProblemError) as raised:
        numbers(answer)
    assert raised.value.status == status
    assert len(asked) == 1


def test_an_erased_conversation_ends_the_stream() -> None:
    answer, _ = streaming(told(1) + "event: gone\ndata: {}\n\n")
    assert numbers(answer) == [1]


@pytest.mark.parametrize("data", ["no json", "[]", '{"kind": 1}', "{}"])
def test_an_event_of_another_form_is_told(data: str) -> None:
    reader = EventReader()
    assert reader.line("id: 1") is None
    assert reader.line(f"data: {data}") is None
    with pytest.raises(ProblemError, match="this client"):
        reader.line("")


def test_comments_and_lone_fields_say_nothing() -> None:
    reader = EventReader()
    assert [reader.line(line) for line in ("", ": still here", "", "retry: 2000", "", "event: end", "data:{}")] == [
        None
    ] * 7
    assert reader.line("") is OVER


def test_waiting_ends_when_the_callers_time_is_over() -> None:
    job = {"id": "j1", "conversation": "c", "through": 1, "status": "running", "created_at": AT}
    looked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        looked.append(request.url.path)
        ended = {"status": "history_kept", "reason": "said so"} if len(looked) > 3 else {}
        return httpx.Response(200, json={**job, **ended})

    with Client("http://service", transport=httpx.MockTransport(answer)) as client:
        one = client.dissolution("j1")
        with pytest.raises(WaitedTooLong, match="after 0 s"):
            client.wait(one, timeout_s=0)
        assert client.wait(one, committed=False).reason == "said so"


def test_looks_become_rarer() -> None:
    assert [look_s(0), look_s(1), look_s(2), look_s(1000)] == [0.25, 0.375, 0.5625, 5.0]
