"""Branches of a job count what the others have in flight, and the fan-out is the first to count."""

import threading
from decimal import Decimal

import pytest

from dissolution.answers import Usage
from dissolution.checking import checked_by
from dissolution.job import Lease
from tests.factories import INSTANT
from tests.polling import LONGEST_S
from workers.concurrency.in_flight import IN_HAND, InFlight, InHand


def used(usd: int) -> Usage:
    return Usage(input_tokens=1, cached_input_tokens=0, output_tokens=1, cost_usd=Decimal(usd))


def claim_of(job: str, epoch: int = 1) -> Lease:
    return Lease(job=job, stage="fan_out", epoch=epoch, owner="w", until=INSTANT)


def no_longer_wanted() -> None:
    raise LookupError


def test_what_others_have_in_flight_counts_until_their_stage_is_cleared() -> None:
    calls = InFlight()
    calls.put("j1", ("register", "ann", 7), used(1))
    calls.put("j1", ("register", "ann", 8), used(2))
    calls.put("j2", ("register", "ann", 7), used(3))
    calls.replace("j1", "fan_out", {("ben", 0): used(4)})
    assert calls.beside("j1", "fan_out") == (used(1), used(2))
    calls.clear("j1", "register", 7)
    assert calls.beside("j1", "fan_out") == (used(2),)
    calls.replace("j1", "fan_out", {("ben", 0): used(5)})
    assert calls.beside("j1", "register") == (used(5),)
    calls.clear("j1", "register")
    calls.clear("j1", "fan_out")
    assert calls.of("j1") == {}
    assert calls.of("j2") == {("register", "ann", 7): used(3)}


def test_a_branch_waits_until_the_fan_out_that_is_at_work_here_has_counted_its_calls() -> None:
    calls, over = InFlight(), threading.Event()
    calls.await_first("j1")  # nobody works at it here
    IN_HAND.add(claim_of("j1"))
    try:
        with checked_by(no_longer_wanted), pytest.raises(LookupError):
            calls.await_first("j1")
        waiting = threading.Thread(target=lambda: (calls.await_first("j1"), over.set()))
        waiting.start()
        calls.first_asked("j1")
        assert over.wait(LONGEST_S)
        waiting.join()
    finally:
        IN_HAND.discard(claim_of("j1"))


def test_a_claim_that_ends_late_leaves_the_mark_of_a_newer_one() -> None:
    held = InHand()
    held.add(claim_of("j1", 1))
    held.add(claim_of("j1", 2))  # taken over by this process, whose first thread has not returned
    held.discard(claim_of("j1", 1))
    assert ("j1", "fan_out") in held
    held.discard(claim_of("j1", 1))
    assert ("j1", "fan_out") in held
    held.discard(claim_of("j1", 2))
    assert ("j1", "fan_out") not in held
