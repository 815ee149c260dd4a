import pytest

from dissolution.claims import ClaimState, Closing
from dissolution.errors import ChangedPast, EvidenceMismatch, IllegalMove, SnapshotMismatch
from dissolution.job import JobStatus
from dissolution.ledger import Change, ChangeKind
from store.rules.checks import check_call, check_candidate, check_evidence, check_job, new_turns, quotes
from tests.factories import a_conversation
from tests.unit.store.ledgers import (
    REPLY,
    TALK,
    a_boundary,
    a_call,
    a_claim,
    a_dissent,
    a_job,
    a_quote,
    a_receipt,
    later,
)

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
    pieces = quotes(BOUNDARY)
    assert [(owner, piece.turn) for owner, piece in pieces] == [("c1", 3), ("d1", 1)]
    check_evidence(pieces, 4, CONTENTS.get)
    for turn, words in ((1, "we open at 10"), (3, "The budget is 40 EUR"), (3, "")):
        with pytest.raises(EvidenceMismatch, match=f"turn {turn}"):
            check_evidence(pieces, 4, {**CONTENTS, turn: words}.get)
    with pytest.raises(EvidenceMismatch, match="turn 3"):
        check_evidence(pieces, 2, CONTENTS.get)


def test_only_quotes_that_are_new_are_looked_up_again() -> None:
    more = CLAIM.model_copy(update={"evidence": (*CLAIM.evidence, a_quote(TALK, 4))})
    closing = Closing(state=ClaimState.EXPIRED, evidence=(a_quote(TALK, 2),), reason="turn 2 ends it")
    ended = CLAIM.model_copy(update={"id": "c0", "state": ClaimState.EXPIRED, "closing": closing})
    change = Change(kind=ChangeKind.CLOSED, claim="c0", reason="over", evidence=(a_quote(TALK, 2),))
    changed = BOUNDARY.model_copy(update={"claims": (more,), "closed": (ended,), "changes": (change,)})

    known = (CLAIM, CLAIM.model_copy(update={"id": "c0"}))
    assert [(owner, piece.turn) for owner, piece in quotes(changed, known)] == [("c1", 4), ("d1", 1), ("c0", 2)]
    assert ("c0", CLAIM.evidence[0]) in quotes(changed, (CLAIM,))  # what ends keeps no words that never stood there


def test_a_call_to_begin_carries_no_result() -> None:
    check_call(a_call("j1"))
    for changes in ({"reply": REPLY}, {"landed_at": later(1)}):
        with pytest.raises(IllegalMove, match=r"'landed'.*'asked'"):
            check_call(a_call("j1").model_copy(update=changes))
