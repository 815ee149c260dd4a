"""Pieces of work side by side: what comes of them, and that none is left when one breaks or the step is to end."""

import asyncio
import threading

import pytest

from dissolution.checking import check, checked_by
from tests.polling import LONGEST_S
from workers.concurrency.loop_thread import LoopThread
from workers.concurrency.parallel import Interrupted, SideBySide, at_once, both


class OverError(Exception):
    """The step is to end."""


def test_pieces_run_at_the_same_time_and_come_in_their_order() -> None:
    meeting = threading.Barrier(3)
    with LoopThread() as loop:
        works = [lambda number=number: (meeting.wait(LONGEST_S), number)[1] for number in range(3)]
        assert at_once(loop.abandon, works) == [0, 1, 2]
        assert both(loop.abandon, lambda: 1, lambda: "two") == (1, "two")
        assert at_once(loop.abandon, []) == []


def test_a_piece_that_breaks_ends_those_that_wait_and_those_that_compute() -> None:
    ended: list[str] = []
    begun = threading.Barrier(3)

    def waits(loop: LoopThread) -> None:
        async def for_ever() -> None:
            begun.wait(LONGEST_S)
            await asyncio.get_running_loop().create_future()

        try:
            loop(for_ever())
        except Interrupted:
            ended.append("waits")
            raise

    def computes() -> None:
        begun.wait(LONGEST_S)
        try:
            while True:
                check()
        except Interrupted:
            ended.append("computes")
            raise

    def breaks() -> None:
        begun.wait(LONGEST_S)
        raise LookupError

    with LoopThread() as loop, pytest.raises(LookupError):
        at_once(loop.abandon, [lambda: waits(loop), computes, breaks])
    assert sorted(ended) == ["computes", "waits"]


def test_a_step_that_is_no_longer_wanted_ends_with_the_pieces_it_waits_for() -> None:
    begun = threading.Event()

    def no_longer_wanted() -> None:
        if begun.is_set():
            raise OverError

    def waits(loop: LoopThread) -> None:
        async def for_ever() -> None:
            begun.set()
            await asyncio.get_running_loop().create_future()

        loop(for_ever())

    with LoopThread() as loop, checked_by(no_longer_wanted), pytest.raises(OverError):
        at_once(loop.abandon, [lambda: waits(loop), lambda: waits(loop)])
    assert begun.is_set()


def test_what_is_left_when_the_block_ends_is_ended() -> None:
    begun, ended = threading.Event(), threading.Event()

    def computes() -> None:
        begun.set()
        try:
            while True:
                check()
        except Interrupted:
            ended.set()

    with LoopThread() as loop, SideBySide[str](loop.abandon) as pieces:
        pieces.begin("one", computes)
        assert begun.wait(LONGEST_S)
        assert pieces.running == {"one"}
        assert pieces.next(0) is None
    assert ended.is_set()
