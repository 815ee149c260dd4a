"""One loop for all steps of a process; what interrupts the waiting thread cancels the coroutine first."""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from types import FrameType

import pytest

from dissolution.checking import checked_by
from dissolution.errors import LeaseLost
from workers.concurrency.loop_thread import LoopThread


class Cancellable:
    """A coroutine that waits for ever and says what became of it."""

    def __init__(self) -> None:
        self.running = threading.Event()
        self.cancelled = False

    async def wait(self) -> None:
        self.running.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


def test_all_coroutines_run_on_one_loop_outside_the_calling_thread() -> None:
    async def where() -> tuple[asyncio.AbstractEventLoop, str]:
        return asyncio.get_running_loop(), threading.current_thread().name

    with LoopThread() as run:
        (first, thread), (second, _) = run(where()), run(where())
    assert first is second
    assert thread != threading.current_thread().name
    assert first.is_closed()


def test_an_error_of_the_coroutine_is_raised_where_it_is_waited_for() -> None:
    async def fails() -> None:
        raise LookupError("gone")

    with LoopThread() as run, pytest.raises(LookupError, match="gone"):
        run(fails())


def test_a_lost_lease_ends_what_runs_with_its_own_error() -> None:
    waiting = Cancellable()
    lost = LeaseLost("j1", "fan_out", 1)

    def lose(run: LoopThread) -> None:
        assert waiting.running.wait(30)
        run.abandon(lost)

    with LoopThread() as run:
        thread = threading.Thread(target=lose, args=(run,))
        thread.start()
        with pytest.raises(LeaseLost) as caught:
            run(waiting.wait())
        thread.join()
        assert caught.value is lost
        assert waiting.cancelled
        run.abandon(lost)  # nothing runs: nothing happens, and the next one is not ended by it
        assert run(asyncio.sleep(0, "fine")) == "fine"


def test_an_interruption_while_the_coroutine_is_handed_over_cancels_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal of a time limit may come before there is anything to wait for."""
    waiting = Cancellable()
    hand_over = asyncio.run_coroutine_threadsafe

    def interrupted(main: Coroutine[object, object, object], loop: asyncio.AbstractEventLoop) -> None:
        hand_over(main, loop)
        assert waiting.running.wait(30)
        raise KeyboardInterrupt

    with LoopThread() as run:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "run_coroutine_threadsafe", interrupted)
            with pytest.raises(KeyboardInterrupt):
                run(waiting.wait())
        assert waiting.cancelled
        assert run(asyncio.sleep(0, "fine")) == "fine"


def test_an_interruption_before_the_coroutine_is_handed_over_leaves_nothing_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_main: object, _loop: object) -> None:
        raise KeyboardInterrupt

    waiting = Cancellable()
    with LoopThread() as run:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "run_coroutine_threadsafe", interrupted)
            with pytest.raises(KeyboardInterrupt):
                run(waiting.wait())
        assert not waiting.running.is_set()


def test_a_signal_in_the_waiting_thread_cancels_the_coroutine() -> None:
    """As a soft time limit does."""

    class TooLongError(Exception):
        pass

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError

    waiting = Cancellable()

    def send() -> None:
        assert waiting.running.wait(30)
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with LoopThread() as run:
            thread = threading.Thread(target=send)
            thread.start()
            with pytest.raises(TooLongError):
                run(waiting.wait())
            thread.join()
            assert waiting.cancelled
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_coroutine_that_cancels_itself_is_no_lost_lease() -> None:
    async def cancels_itself() -> None:
        raise asyncio.CancelledError

    with LoopThread() as run, pytest.raises(BaseException) as caught:  # noqa: PT011 - of two libraries, by name
        run(cancels_itself())
    assert type(caught.value).__name__ == "CancelledError"


def test_what_one_thread_waits_for_is_ended_without_a_word_to_another() -> None:
    waiting, lost, ended = Cancellable(), LeaseLost("j1", "fan_out", 1), list[BaseException]()
    go_on = asyncio.Event()

    async def goes_on() -> str:
        await go_on.wait()
        return "fine"

    with LoopThread() as run:

        def waits() -> None:
            try:
                run(waiting.wait())
            except LeaseLost as error:
                ended.append(error)

        thread = threading.Thread(target=waits)
        thread.start()
        assert waiting.running.wait(30)

        def end_it() -> None:
            assert thread.ident is not None
            run.abandon(lost, thread.ident)
            thread.join()
            run(set_it())

        async def set_it() -> None:
            go_on.set()

        ending = threading.Thread(target=end_it)
        ending.start()
        assert run(goes_on()) == "fine"
        ending.join()
    assert ended == [lost]


def test_a_coroutine_that_raises_what_would_end_the_loop_ends_for_who_waits_for_it_alone() -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    with LoopThread() as run:
        with pytest.raises(KeyboardInterrupt):
            run(interrupted())
        assert run(asyncio.sleep(0, "fine")) == "fine"


def test_who_was_ended_just_before_it_waits_does_not_wait() -> None:
    waiting = Cancellable()

    def no_longer_wanted() -> None:
        raise LeaseLost("j1", "fan_out", 1)

    with LoopThread() as run:
        with checked_by(no_longer_wanted), pytest.raises(LeaseLost):
            run(waiting.wait())
        assert run(asyncio.sleep(0, "fine")) == "fine"
