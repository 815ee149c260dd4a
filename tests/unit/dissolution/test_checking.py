"""Work asks between its pieces whether it is still wanted, in its own thread alone."""

import threading

import pytest

from dissolution.checking import check, checked_by, each


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
