"""Who begins next in a process of many threads, and when."""

import threading

from workers import pace
from workers.pace import BURST, FIRST_COST_S, PROMPT_S, SEEN, Pace


class Process:
    """A clock, processor time and a delay that are set by hand."""

    def __init__(self) -> None:
        self.now, self.used, self.delay = 0.0, 0.0, 0.0
        self.pace = Pace(lambda: self.delay, now=lambda: self.now, used=lambda: self.used)

    def begun(self, within_s: float, step_s: float = 0.01) -> int:
        """How many begin in so long."""
        begun = 0
        for _ in range(round(within_s / step_s)):
            self.now += step_s
            while self.pace.may_begin():
                begun += 1
        return begun

    def jobs(self, count: int, *, every_s: float, used_s: float) -> None:
        for _ in range(count):
            self.now, self.used = self.now + every_s, self.used + used_s
            self.pace.over()


def emptied() -> Process:
    process = Process()
    assert [process.pace.may_begin() for _ in range(BURST + 1)] == [True] * BURST + [False]
    return process


def test_a_rested_process_begins_with_a_few_at_once_and_then_as_fast_as_it_gets_done() -> None:
    assert abs(emptied().begun(20 * FIRST_COST_S) - 20) <= 1
    process = emptied()
    process.jobs(SEEN, every_s=0, used_s=0.5)
    assert abs(process.begun(10) - 20) <= 1


def test_nobody_begins_while_the_loop_is_late_and_the_line_goes_on_afterwards() -> None:
    process = Process()
    process.delay = 2 * PROMPT_S
    assert process.begun(5) == 0
    process.delay = 0
    assert process.pace.may_begin()


def test_a_process_that_gets_little_of_the_processor_makes_room_as_slowly_as_it_gets_done() -> None:
    process = emptied()
    process.jobs(SEEN, every_s=1, used_s=0.1)
    while process.pace.may_begin():
        pass
    process.delay = 2 * PROMPT_S
    assert process.begun(2) == 0
    process.delay = 0
    assert process.begun(0.02) == 2  # of two seconds, not the twenty that its processor time would allow


def test_they_begin_in_the_order_in_which_they_came() -> None:
    process = emptied()
    begun: list[int] = []
    threads: list[threading.Thread] = []
    for number in range(4):
        here = threading.Event()

        def wait(number: int = number, here: threading.Event = here) -> None:
            here.set()
            process.pace.wait(lambda: False)
            begun.append(number)

        threads.append(threading.Thread(target=wait, daemon=True))
        threads[-1].start()
        here.wait(10)
        while process.pace.waiting <= number:
            threading.Event().wait(0.001)
    for count in range(1, 5):
        process.now += FIRST_COST_S * 1.001
        threads[count - 1].join(10)
        assert begun == list(range(count))


def test_a_process_that_ends_lets_all_of_them_go() -> None:
    process = emptied()
    over = threading.Event()
    threads = [threading.Thread(target=process.pace.wait, args=(over.is_set,), daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    over.set()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert process.pace.waiting == 0
    assert pace.STOP_LOOK_S < 10
