"""So many threads compute at a time, and none has a permit while it waits for models."""

import asyncio
import threading

import pytest

from dissolution.checking import checked_by
from dissolution.job import Lease
from tests.factories import INSTANT
from workers.concurrency.in_flight import FIRST, IN_HAND, InFlight
from workers.concurrency.loop_thread import LoopThread
from workers.concurrency.parallel import at_once
from workers.execution.compute_permits import Permits


async def nothing() -> str:
    return "fine"


def test_who_waits_for_models_leaves_the_turn_to_others() -> None:
    permits = Permits(1)
    waiting, go_on, order = threading.Event(), asyncio.Event(), list[str]()

    async def model() -> None:
        waiting.set()
        await go_on.wait()

    with LoopThread() as loop:
        run = permits.around(loop)

        def asks() -> None:
            with permits.taking():
                run(model())
                order.append("goes on")

        async def answer() -> None:
            go_on.set()

        thread = threading.Thread(target=asks)
        thread.start()
        assert waiting.wait(30)
        with permits.taking():  # the only permit there is
            loop(answer())
            order.append("computes")
        thread.join(30)
        assert run(nothing()) == "fine"  # who has no permit keeps none back
    assert order == ["computes", "goes on"]


def test_who_goes_on_after_its_models_comes_before_all_that_begin() -> None:
    permits, order = Permits(1), list[str]()
    asked, go_on = threading.Event(), asyncio.Event()

    async def model() -> None:
        asked.set()
        await go_on.wait()

    async def answer() -> None:
        go_on.set()

    with LoopThread() as loop:
        run = permits.around(loop)

        def asks() -> None:
            with permits.taking():
                run(model())
                order.append("goes on")

        def begins() -> None:
            with permits.taking():
                order.append("begins")

        first = threading.Thread(target=asks)
        first.start()
        assert asked.wait(30)
        with permits.taking():
            second = threading.Thread(target=begins)
            second.start()
            while permits.waiting < 1:
                threading.Event().wait(0.001)
            loop(answer())
            while permits.waiting < 2:
                threading.Event().wait(0.001)
        first.join(30)
        second.join(30)
    assert order == ["goes on", "begins"]


def test_a_thread_that_does_not_return_costs_no_turn() -> None:
    permits, stuck, end = Permits(1), threading.Event(), threading.Event()

    def never_returns() -> None:
        with permits.taking():
            stuck.set()
            end.wait(30)

    thread = threading.Thread(target=never_returns)
    thread.start()
    assert stuck.wait(30)
    permits.end(thread.ident or 0)
    with permits.taking():
        end.set()
    thread.join(30)


def test_who_waits_for_pieces_of_its_own_leaves_the_turn_to_others() -> None:
    permits = Permits(1)

    def computes_elsewhere() -> str:
        with permits.taking():
            return "computed"

    with permits.taking():  # the only permit there is
        assert at_once(lambda _error, _thread: None, [computes_elsewhere, computes_elsewhere]) == ["computed"] * 2


def test_who_lets_the_fan_out_count_first_leaves_its_permit_to_it() -> None:
    permits, flight, job = Permits(1), InFlight(), "job whose fan-out needs a permit"

    def fan_out() -> None:
        with permits.taking():
            flight.first_asked(job)

    lease = Lease(job=job, stage=FIRST, epoch=1, owner="w", until=INSTANT)
    IN_HAND.add(lease)
    try:
        with permits.taking():  # the only permit there is
            thread = threading.Thread(target=fan_out)
            thread.start()
            flight.await_first(job)
        thread.join(30)
    finally:
        IN_HAND.discard(lease)
    assert not thread.is_alive()


def test_who_stands_in_line_is_ended_when_it_is_not_wanted() -> None:
    permits = Permits(1)

    def not_wanted() -> None:
        raise TimeoutError

    def stands_in_line() -> None:
        with checked_by(not_wanted), permits.taking():
            pass

    with permits.taking():
        with pytest.raises(TimeoutError):
            stands_in_line()
        assert permits.waiting == 0
