"""Who begins next in a process of many threads, and when."""

import threading

from workers.execution import fan_out_pace as pace
from workers.execution.fan_out_pace import BURST, FIRST_COST_S, LEAST, PROMPT_S, SEEN, Pace


class Process:
    """A clock, processor time and a delay that are set by hand."""

    def __init__(self, most_waiting: int = 100) -> None:
        self.now, self.used, self.delay = 0.0, 0.0, 0.0
        self.pace = Pace(lambda: self.delay, now=lambda: self.now, used=lambda: self.used, most_waiting=most_waiting)

    def begun(self, within_s: float, step_s: float = 0.01) -> int:
        """How many begin in so long."""
        begun = 0
        for _ in range(round(within_s / step_s)):
            self.now += step_s
            while self.pace.begin():
                begun += 1
        return begun

    def over(self, count: int, *, used_s: float = 0.0) -> None:
        for _ in range(count):
            self.used += used_s
            self.pace.over()


def emptied() -> Process:
    process = Process()
    assert [process.pace.begin() for _ in range(BURST + 1)] == [True] * BURST + [False]
    return process


def test_a_rested_process_begins_with_a_few_at_once_and_then_as_fast_as_it_gets_done() -> None:
    process = emptied()
    assert abs(process.begun(30 * FIRST_COST_S) - 30) <= 1  # also where none of them is over: their models are slow
    process = emptied()
    process.begun(SEEN * FIRST_COST_S)
    process.over(SEEN, used_s=0.5)
    assert abs(process.begun(10) - 20) <= 1


def test_nobody_begins_while_the_loop_is_late_but_a_few_at_a_time() -> None:
    process = Process()
    process.delay = 2 * PROMPT_S
    assert process.begun(5) == LEAST
    process.over(1)
    assert process.begun(5) == 1
    process.delay = 0
    assert process.begun(0.1) > 1


def test_those_that_were_over_while_the_loop_was_late_leave_room_for_fewer() -> None:
    process = emptied()
    process.delay = 2 * PROMPT_S
    process.over(BURST)
    process.delay = PROMPT_S  # prompt enough to begin, too late for more than before
    assert process.begun(10) == LEAST


def test_they_begin_in_the_order_in_which_they_came() -> None:
    process = emptied()
    begun: list[int] = []
    threads: list[threading.Thread] = []
    for number in range(4):
        here = threading.Event()

        def wait(number: int = number, here: threading.Event = here) -> None:
            here.set()
            process.pace.wait(f"j{number}", lambda: False)
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


def in_line(process: Process, job: str, queue: str, begun: list[str]) -> threading.Thread:
    """A fan-out that has taken its place in line."""
    before = process.pace.waiting

    def wait() -> None:
        if process.pace.wait(job, lambda: False, queue):
            begun.append(job)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    while process.pace.waiting == before and thread.is_alive():
        threading.Event().wait(0.001)
    return thread


def test_an_urgent_one_begins_before_all_that_still_wait() -> None:
    process, begun = emptied(), list[str]()
    queues = {"b1": "io.1-batch", "b2": "io.1-batch", "now": "io.0-interactive", "soon": "io.0-interactive"}
    threads = {job: in_line(process, job, queue, begun) for job, queue in queues.items()}
    for job in ("now", "soon", "b1", "b2"):
        process.now += FIRST_COST_S * 1.001
        threads[job].join(10)
        assert begun[-1] == job


def test_a_full_line_sends_away_what_is_not_more_urgent() -> None:
    process = Process(most_waiting=2)
    while process.pace.begin():
        pass
    begun: list[str] = []
    for job in ("b1", "b2"):
        in_line(process, job, "io.1-batch", begun)
    assert not process.pace.wait("b3", lambda: False, "io.1-batch")  # the relay sends it again
    thread = in_line(process, "now", "io.0-interactive", begun)
    process.now += FIRST_COST_S * 1.001
    thread.join(10)
    assert begun == ["now"]


def test_a_process_that_ends_lets_all_of_them_go() -> None:
    process = emptied()
    over = threading.Event()
    threads = [
        threading.Thread(target=process.pace.wait, args=(f"j{number}", over.is_set), daemon=True) for number in range(3)
    ]
    for thread in threads:
        thread.start()
    while process.pace.waiting < len(threads):
        threading.Event().wait(0.001)
    assert not process.pace.wait("j1", lambda: False)  # a second message of one that waits
    over.set()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert process.pace.waiting == 0
    assert pace.STOP_LOOK_S < 10
