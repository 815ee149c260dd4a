"""Work asks between its pieces whether it is still wanted, in its own thread alone."""

import threading

import pytest

from dissolution.checking import check, checked_by, each, in_thread, unchecked, waited_for
from tests.polling import LONGEST_S


class OverError(Exception):
    """The work is to end."""


def never() -> None:
    raise OverError


def test_outside_of_a_step_nobody_asks() -> None:
    check()
    assert list(each(range(3))) == [0, 1, 2]


def test_what_is_asked_ends_the_work_before_the_next_piece() -> None:
    done: list[int] = []

    def after_two() -> None:
        if len(done) == 2:
            raise OverError

    with checked_by(after_two), pytest.raises(OverError):
        done.extend(each(range(10)))
    assert done == [0, 1]
    check()


def test_other_threads_are_not_asked() -> None:
    ended: list[bool] = []

    def work() -> None:
        check()
        ended.append(True)

    with checked_by(never):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert ended == [True]


def test_who_waits_for_a_thread_is_ended_and_the_thread_goes_on_for_the_next_who_waits() -> None:
    go_on, begun = threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        assert go_on.wait(LONGEST_S)
        return 7

    def no_longer_wanted() -> None:
        if begun.is_set():
            raise InterruptedError

    future = in_thread(work)
    with checked_by(no_longer_wanted), pytest.raises(InterruptedError):
        waited_for(future)
    assert not future.done(), "the wait ended before the work did"
    go_on.set()
    assert waited_for(future) == 7


def test_what_a_thread_raises_is_raised_by_who_waits() -> None:
    def work() -> None:
        message = "cannot be read"
        raise OSError(message)

    with pytest.raises(OSError, match="cannot be read"):
        waited_for(in_thread(work))


def test_what_has_to_be_given_back_is_not_ended() -> None:
    def ends() -> None:
        raise TimeoutError

    with checked_by(ends):
        with unchecked():
            check()
        with pytest.raises(TimeoutError):
            check()
