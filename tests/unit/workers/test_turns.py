"""So many threads compute at a time, and none has a turn while it waits for models."""

import asyncio
import threading

from workers.loop_thread import LoopThread
from workers.turns import Turns


async def nothing() -> str:
    return "fine"


def test_who_waits_for_models_leaves_the_turn_to_others() -> None:
    turns = Turns(1)
    waiting, go_on, order = threading.Event(), asyncio.Event(), list[str]()

    async def model() -> None:
        waiting.set()
        await go_on.wait()

    with LoopThread() as loop:
        run = turns.around(loop)

        def asks() -> None:
            with turns.taking():
                run(model())
                order.append("goes on")

        async def answer() -> None:
            go_on.set()

        thread = threading.Thread(target=asks)
        thread.start()
        assert waiting.wait(30)
        with turns.taking():  # the only turn there is
            loop(answer())
            order.append("computes")
        thread.join(30)
        assert run(nothing()) == "fine"  # who has no turn keeps none back
    assert order == ["computes", "goes on"]


def test_who_goes_on_after_its_models_comes_before_all_that_begin() -> None:
    turns, order = Turns(1), list[str]()
    asked, go_on = threading.Event(), asyncio.Event()

    async def model() -> None:
        asked.set()
        await go_on.wait()

    async def answer() -> None:
        go_on.set()

    with LoopThread() as loop:
        run = turns.around(loop)

        def asks() -> None:
            with turns.taking():
                run(model())
                order.append("goes on")

        def begins() -> None:
            with turns.taking():
                order.append("begins")

        first = threading.Thread(target=asks)
        first.start()
        assert asked.wait(30)
        with turns.taking():
            second = threading.Thread(target=begins)
            second.start()
            while turns.waiting < 1:
                threading.Event().wait(0.001)
            loop(answer())
            while turns.waiting < 2:
                threading.Event().wait(0.001)
        first.join(30)
        second.join(30)
    assert order == ["goes on", "begins"]


def test_a_thread_that_does_not_return_costs_no_turn() -> None:
    turns, stuck, end = Turns(1), threading.Event(), threading.Event()

    def never_returns() -> None:
        with turns.taking():
            stuck.set()
            end.wait(30)

    thread = threading.Thread(target=never_returns)
    thread.start()
    assert stuck.wait(30)
    turns.end(thread.ident or 0)
    with turns.taking():
        end.set()
    thread.join(30)
