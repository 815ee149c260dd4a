"""Reading a host's lines: whole, whatever pieces they come in, and without holding up the end."""

import asyncio
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from pydantic_core import from_json

from api.mcp.stdio import CHUNK, Lines, lines_of, mended, refusal_of, set_apart


async def nothing_refused(answer: SessionMessage) -> None:
    pytest.fail(f"refused: {answer}")


def jsonrpc_text(line: str) -> str:
    """The text of a message, as the protocol's library reads JSON."""
    return from_json(line)["text"]


def piped(*pieces: bytes) -> list[bytes]:
    out, into = os.pipe()

    def write() -> None:
        for piece in pieces:
            os.write(into, piece)
        os.close(into)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return list(lines_of(out))
    finally:
        writer.join()
        os.close(out)


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=10))
def test_lines_are_whole_whatever_pieces_they_come_in(pieces: list[bytes]) -> None:
    wanted = [line.strip() for line in b"".join(pieces).split(b"\n") if line.strip()]
    assert piped(*pieces) == wanted


def test_a_long_line_is_one_line() -> None:
    assert piped(b"x" * (3 * CHUNK), b"y\nz") == [b"x" * (3 * CHUNK) + b"y", b"z"]


def test_a_descriptor_that_is_closed_is_an_end() -> None:
    out, into = os.pipe()
    os.close(out)
    os.close(into)
    assert list(lines_of(out)) == []


def test_lines_come_in_order_and_odd_bytes_disturb_nothing() -> None:
    async def read() -> list[str]:
        return [line async for line in Lines(out, nothing_refused)]

    out, into = os.pipe()
    os.write(into, b"".join(b'{"n": %d}\n' % number for number in range(100)) + b"\xff\xfe\n")
    os.close(into)
    lines = asyncio.run(read())
    os.close(out)
    assert lines[:100] == [f'{{"n": {number}}}' for number in range(100)]
    assert lines[100] == "\ufffd\ufffd"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('{"text": "half \\ud83d end"}', "half ? end"),
        ('{"text": "whole \\ud83d\\ude00"}', "whole \U0001f600"),
        ('{"text": "plain \\u00e9 é"}', "plain é é"),
    ],
)
def test_half_characters_do_not_lose_a_message(line: str, wanted: str) -> None:
    assert jsonrpc_text(mended(line)) == wanted


def test_what_is_no_message_stays_as_it_is() -> None:
    for line in ('{"text": "\\ud83d', "[" * 100_000 + '"\\ud83d"'):
        assert mended(line) == line


@pytest.mark.parametrize(
    ("line", "identity"),
    [
        ('{"id": 7, "method": "tools/list", "method": "ping"}', 7),
        ('{"id": "seven", "params": {"arguments": {"content": "x", "c\\u006fntent": "y"}}}', "seven"),
        ('{"id": 7, "method": "ping", "id": 8}', None),
        ('{"id": true, "method": "ping", "method": "ping"}', None),
        ('[{"id": 7, "method": "ping", "method": "ping"}]', None),
    ],
)
def test_a_key_that_is_given_twice_is_refused_under_the_only_id(line: str, identity: str | int | None) -> None:
    refusal = refusal_of(line)
    assert refusal is not None
    assert refusal.id == identity
    assert "given twice" in refusal.error.message


def test_what_has_no_key_twice_is_refused_by_nobody_here() -> None:
    for line in ('{"id": 1, "params": {"id": 2}}', "no message", "[" * 100_000):
        assert refusal_of(line) is None


def test_a_line_that_is_refused_does_not_come_out_whatever_odd_bytes_it_has() -> None:
    refused = list[SessionMessage]()

    async def note(answer: SessionMessage) -> None:
        refused.append(answer)

    async def read() -> list[str]:
        return [line async for line in Lines(out, note)]

    out, into = os.pipe()
    os.write(into, b'{"id": 1}\n{"id": 2, "a": "\xff", "a": "\\ud83d"}\n{"id": 3}\n')
    os.close(into)
    assert asyncio.run(read()) == ['{"id": 1}', '{"id": 3}']
    os.close(out)
    assert [answer.message.id for answer in refused if answer.message] == [2]  # type: ignore[union-attr]


def test_a_host_that_says_nothing_does_not_hold_up_the_end() -> None:
    async def read() -> None:
        async for _ in Lines(out, nothing_refused):
            pass

    async def impatient() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(read(), 0.05)

    out, into = os.pipe()
    asyncio.run(impatient())
    os.write(into, b"too late\n")  # the reader finds that nobody listens any more, and ends without a word
    os.close(into)
    for thread in threading.enumerate():
        if thread.name == "stdin":
            thread.join(5)
            assert not thread.is_alive()
    os.close(out)


def test_what_is_read_elsewhere_is_empty_meanwhile(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.write_bytes(b"said")
    number = os.open(place, os.O_RDONLY)
    with set_apart(number) as wire:
        assert os.read(number, 10) == b""
        assert os.read(wire, 2) == b"sa"
    assert os.read(number, 10) == b"id"
    os.close(number)
    os.close(wire)
