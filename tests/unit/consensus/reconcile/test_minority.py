"""Dissent across cycles."""

from consensus.reconcile.minority import joined, promotion
from dissolution.claims import DissentReason, Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_dissent, a_space

TEXT, OTHER = "The portal keeps sessions in Redis.", "Deploys happen on Tuesday."
SNAPSHOT = a_snapshot(TEXT, OTHER)
SPACE = a_space(TEXT, OTHER)


def test_a_branch_gathers_families_and_counts_a_cycle_once() -> None:
    old = a_dissent(TEXT, SNAPSHOT, 1)
    again = [a_dissent(TEXT, SNAPSHOT, 1, (who,), name=f"d{who}") for who in ("bea", "cid")]
    found = joined([old], again, SPACE)
    assert [(item.id, item.cycles, item.support.families) for item in found] == [("d1", 2, ("alpha", "beta", "gamma"))]


def test_other_meanings_and_questions_are_branches_of_their_own() -> None:
    question = a_dissent(TEXT, SNAPSHOT, 1, name="d2").model_copy(update={"section": Section.EDGES})
    found = joined([a_dissent(TEXT, SNAPSHOT, 1)], [question, a_dissent(OTHER, SNAPSHOT, 2, name="d3")], SPACE)
    assert [item.id for item in found] == ["d1", "d2", "d3"]


def test_what_was_dismissed_stays_dismissed() -> None:
    out = a_dissent(TEXT, SNAPSHOT, 1, reason=DissentReason.DISMISSED)
    assert (
        joined([out], [a_dissent(TEXT, SNAPSHOT, 1, ("bea",), name="d2")], SPACE)[0].reason is DissentReason.DISMISSED
    )


def test_a_branch_is_promoted_by_families_and_evidence_alone() -> None:
    branch = a_dissent(TEXT, SNAPSHOT, 1, ("ann", "bea"))
    found = promotion(branch, 2, 2, job="job-2")
    assert found is not None
    assert (found.text, found.valid.start) == (TEXT, 1)
    assert found.id != branch.id
    no_room = branch.model_copy(update={"reason": DissentReason.SIZE})
    assert promotion(no_room, 2, 2, job="job-2") is not None, "what two families state has room"
    for other, least in (
        (branch, 3),
        (branch.model_copy(update={"evidence": ()}), 2),
        (branch.model_copy(update={"reason": DissentReason.UNSUPPORTED}), 2),
        (branch.model_copy(update={"reason": DissentReason.DISMISSED}), 2),
    ):
        assert promotion(other, least, 2, job="job-2") is None
