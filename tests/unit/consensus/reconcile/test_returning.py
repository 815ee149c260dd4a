"""Claims that come back."""

from consensus.reconcile.closing import ended
from consensus.reconcile.returning import as_dissent, kept_closed
from dissolution.claims import ClaimState, DissentReason
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_dissent, a_space, whole

TEXT = "The cache holds 512 MB."


def test_repetition_does_not_reopen_and_newer_words_do() -> None:
    snapshot = a_snapshot(TEXT, "No.", TEXT)
    old = ended(a_claim(TEXT, snapshot, 1), ClaimState.EXPIRED, 2, "gone", evidence=(whole(snapshot, 2),))
    space = a_space(TEXT)
    kept, back = kept_closed([a_claim(TEXT, snapshot, 1, name="c2")], [old], (), space, ())
    assert not kept
    assert back[0].reason is DissentReason.SUPERSEDED
    assert "gone" in back[0].detail
    kept, back = kept_closed([a_claim(TEXT, snapshot, 3, name="c2")], [old], (), space, ())
    assert [claim.id for claim in kept] == ["c2"]
    kept, _ = kept_closed([a_claim(TEXT, snapshot, 1, name="c2")], [old], (), space, [whole(snapshot, 3)])
    assert kept


def test_what_was_dismissed_stays_so_and_other_claims_pass() -> None:
    snapshot = a_snapshot(TEXT, "The queue is empty.")
    out = a_dissent(TEXT, snapshot, 1, reason=DissentReason.DISMISSED)
    space = a_space(TEXT, "The queue is empty.")
    fresh = [a_claim(TEXT, snapshot, 1), a_claim("The queue is empty.", snapshot, 2)]
    kept, back = kept_closed(fresh, (), (out,), space, ())
    assert [claim.text for claim in kept] == ["The queue is empty."]
    assert back[0].reason is DissentReason.DISMISSED


def test_a_claim_as_dissent_keeps_everything() -> None:
    snapshot = a_snapshot(TEXT)
    claim = a_claim(TEXT, snapshot, 1)
    found = as_dissent(claim, DissentReason.SUPERSEDED, "why", ("c9",))
    assert (found.id, found.text, found.evidence, found.support, found.against) == (
        claim.id,
        claim.text,
        claim.evidence,
        claim.support,
        ("c9",),
    )
