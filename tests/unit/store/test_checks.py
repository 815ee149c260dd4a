import pytest

from dissolution.errors import ChangedPast, EvidenceMismatch, IllegalMove, SnapshotMismatch
from dissolution.job import JobStatus
from store.checks import check_call, check_candidate, check_evidence, check_job, new_turns, quoted_turns
from tests.factories import a_conversation
from tests.unit.store.ledgers import REPLY, TALK, a_boundary, a_call, a_claim, a_dissent, a_job, a_receipt, later

JOB = a_job("j1", TALK)
CLAIM = a_claim("c1", "The budget is 40 EUR.", TALK, turn=3)
BOUNDARY = a_boundary(JOB, (CLAIM,), (a_dissent("d1", "Or 50?", TALK),))
CONTENTS = {turn.number: turn.content for turn in TALK.turns}


def test_the_first_turn_that_differs_is_named() -> None:
    digests = [turn.digest for turn in a_conversation("a", "b", "c").turns]

    assert [turn.number for turn in new_turns(a_conversation("a", "b", "c", "d"), digests)] == [4]
    assert new_turns(a_conversation("a"), digests) == ()
    with pytest.raises(ChangedPast) as caught:
        new_turns(a_conversation("a", "x", "y"), digests)
    assert caught.value.turn == 2


def test_a_job_is_about_what_is_stored() -> None:
    check_job(JOB, JOB.snapshot_digest)
    for digest in (None, "0" * 64):
        with pytest.raises(SnapshotMismatch, match="start a new job"):
            check_job(JOB, digest)


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.COMMITTED])
def test_a_job_under_way_may_commit_before_or_after_it_is_moved(status: JobStatus) -> None:
    check_candidate(BOUNDARY, a_receipt(JOB), JOB.model_copy(update={"status": status}))


def test_quotes_of_claims_and_dissent_are_read_in_their_turns() -> None:
    assert quoted_turns(BOUNDARY) == {1, 3}
    check_evidence(BOUNDARY, CONTENTS.get)
    for turn, words in ((1, "we open at 10"), (3, "The budget is 40 EUR"), (3, "")):
        with pytest.raises(EvidenceMismatch, match=f"turn {turn}"):
            check_evidence(BOUNDARY, {**CONTENTS, turn: words}.get)


def test_a_call_to_begin_carries_no_result() -> None:
    check_call(a_call("j1"))
    for changes in ({"reply": REPLY}, {"landed_at": later(1)}):
        with pytest.raises(IllegalMove, match="'landed' and cannot become 'asked'"):
            check_call(a_call("j1").model_copy(update=changes))
