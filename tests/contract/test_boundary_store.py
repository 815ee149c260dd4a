"""BoundaryStore: one suite over every adapter."""

from decimal import Decimal

import pytest

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Section
from dissolution.conversation import Conversation
from dissolution.errors import (
    AlreadyCommitted,
    DissolutionError,
    EvidenceMismatch,
    IllegalMove,
    NotFound,
    SnapshotMismatch,
    TemporalError,
    VersionConflict,
)
from dissolution.excerpts import Excerpt
from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWorkFactory
from tests.factories import a_conversation
from tests.unit.store.cycles import ended
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_dissent, a_job, a_quote, a_receipt, later

OPENS = a_claim("c1-opens", "The shop opens at 9.", TALK)
BUDGET = a_claim("c2-budget", "The budget is 40 EUR.", TALK, Section.DECIDED, turn=3)
AGAINST = a_dissent("d1-edge", "The budget is 50 EUR.", TALK)


def _commit(
    units: UnitOfWorkFactory,
    name: str,
    claims: tuple[Claim, ...],
    at: float,
    conversation: Conversation = TALK,
    *,
    closed: tuple[Claim, ...] = (),
) -> BoundaryState:
    with units() as unit:
        unit.conversations.extend(conversation)
        version = unit.boundaries.version(conversation.id)
        job = a_job(name, conversation)
        unit.jobs.add(job, ())
        candidate = a_boundary(job, claims, (AGAINST,)).model_copy(update={"closed": closed})
        committed = unit.boundaries.commit(candidate, a_receipt(job), version, later(at))
        unit.commit()
    return committed


def test_a_committed_boundary_reads_back_as_it_was_given(units: UnitOfWorkFactory) -> None:
    committed = _commit(units, "j1", (BUDGET, OPENS), 10)

    assert (committed.version, committed.committed_at) == (1, later(10))
    with units() as unit:
        assert unit.boundaries.current("talk") == committed
        assert unit.boundaries.by_job("j1") == committed
        assert unit.boundaries.version("talk") == 1
        assert unit.boundaries.receipt("j1") == a_receipt(a_job("j1", TALK))
        assert unit.jobs.get("j1").status is JobStatus.QUEUED


def test_where_nothing_is_committed_there_is_nothing(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        assert unit.boundaries.current("talk") is None
        assert unit.boundaries.as_recorded("talk", later(0)) is None
        assert unit.boundaries.by_job("j1") is None
        assert unit.boundaries.version("talk") == 0
        assert unit.boundaries.receipt("j1") is None


def test_every_past_boundary_reads_back_as_it_was_known_then(units: UnitOfWorkFactory) -> None:
    reworded = OPENS.model_copy(update={"id": "c3-opens", "text": "The shop opens at nine."})
    supported = BUDGET.model_copy(update={"reason": "three families state it"})  # the same id, more support
    first = _commit(units, "j1", (OPENS, BUDGET), 10)
    second = _commit(units, "j2", (BUDGET, reworded), 20, closed=(ended(OPENS, 4, by=reworded.id),))
    third = _commit(units, "j3", (supported, OPENS), 30, closed=(ended(reworded, 4),))

    with units() as unit:
        known = [unit.boundaries.as_recorded("talk", later(at)) for at in (9.999999, 10, 19.9, 20, 29, 30, 1e6)]
    assert known == [None, first, first, second, second, third, third]


def test_recorded_time_never_runs_backwards(units: UnitOfWorkFactory) -> None:
    _commit(units, "j1", (OPENS,), 100)

    assert _commit(units, "j2", (OPENS, BUDGET), 50).committed_at == later(100)


def test_a_job_commits_at_most_once(units: UnitOfWorkFactory) -> None:
    first = _commit(units, "j1", (OPENS,), 10)
    job = a_job("j1", TALK)
    for expected in (0, 1):
        with units() as unit, pytest.raises(AlreadyCommitted, match="'j1'"):
            unit.boundaries.commit(a_boundary(job, (BUDGET,)), a_receipt(job), expected, later(20))
    with units() as unit:
        assert unit.boundaries.current("talk") == first


@pytest.mark.parametrize("expected", [0, 2])
def test_a_stale_or_early_version_is_refused(units: UnitOfWorkFactory, expected: int) -> None:
    _commit(units, "j1", (OPENS,), 10)
    job = a_job("j2", TALK)
    with units() as unit:
        unit.jobs.add(job, ())
        with pytest.raises(VersionConflict, match=f"1, not {expected}"):
            unit.boundaries.commit(a_boundary(job, (OPENS,)), a_receipt(job), expected, later(20))


def _shifted() -> Claim:
    quote = OPENS.evidence[0].model_copy(update={"start": 1, "end": 13})
    return OPENS.model_copy(update={"evidence": (quote,)})


def _foreign() -> Claim:
    quote = OPENS.evidence[0].model_copy(update={"turn": 99})
    return OPENS.model_copy(update={"evidence": (OPENS.evidence[0], quote)})


@pytest.mark.parametrize("claim", [_shifted(), _foreign()], ids=["shifted", "of no turn"])
def test_a_quote_that_does_not_stand_there_stops_the_commit(units: UnitOfWorkFactory, claim: Claim) -> None:
    with pytest.raises(EvidenceMismatch, match="claim 'c1-opens' quotes turn"):
        _commit(units, "j1", (BUDGET, claim), 10)
    with units() as unit:
        assert unit.boundaries.version("talk") == 0


def test_a_quote_from_after_the_snapshot_stops_the_commit(units: UnitOfWorkFactory) -> None:
    job = a_job("j1", TALK, through=2)
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        with pytest.raises(EvidenceMismatch, match="turn 3"):
            unit.boundaries.commit(a_boundary(job, (BUDGET,)), a_receipt(job), 0, later(1))


def test_a_false_quote_of_dissent_stops_the_commit_too(units: UnitOfWorkFactory) -> None:
    job = a_job("j1", TALK)
    false = AGAINST.model_copy(update={"evidence": (a_quote(a_conversation("made up"), 1),)})
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        with pytest.raises(EvidenceMismatch, match="d1-edge"):
            unit.boundaries.commit(a_boundary(job, (OPENS,), (false,)), a_receipt(job), 0, later(1))


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"claims": ()}, IllegalMove, "is 'empty' and cannot become 'committed'"),
        ({"through": 3}, SnapshotMismatch, "up to turn 3"),
        ({"snapshot_digest": "0" * 64}, SnapshotMismatch, "other turns"),
        ({"job": "j2"}, NotFound, "no job 'j2'"),
    ],
)
def test_what_is_no_candidate_of_its_job_is_refused(
    units: UnitOfWorkFactory, changes: dict[str, object], error: type[DissolutionError], words: str
) -> None:
    job = a_job("j1", TALK)
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        boundary = a_boundary(job, (OPENS,)).model_copy(update=changes)
        with pytest.raises(error, match=words):
            unit.boundaries.commit(boundary, a_receipt(job), 0, later(1))


@pytest.mark.parametrize("verdict", [Verdict.KEEP_HISTORY, Verdict.REPAIR])
def test_a_verdict_that_is_no_commit_commits_nothing(units: UnitOfWorkFactory, verdict: Verdict) -> None:
    job = a_job("j1", TALK)
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        with pytest.raises(IllegalMove, match=f"boundary 'j1' is '{verdict}'"):
            unit.boundaries.commit(a_boundary(job, (OPENS,), verdict=verdict), a_receipt(job), 0, later(1))


@pytest.mark.parametrize("status", [JobStatus.CANCELLED, JobStatus.FAILED])
def test_a_job_that_ended_without_a_boundary_commits_none(units: UnitOfWorkFactory, status: JobStatus) -> None:
    job = a_job("j1", TALK)
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        unit.jobs.move("j1", status, later(1))
        with pytest.raises(IllegalMove, match=f"job 'j1' is '{status}'"):
            unit.boundaries.commit(a_boundary(job, (OPENS,)), a_receipt(job), 0, later(1))


def test_boundary_receipt_and_job_belong_together(units: UnitOfWorkFactory) -> None:
    job = a_job("j1", TALK)
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        with pytest.raises(ValueError, match="belong together"):
            unit.boundaries.commit(a_boundary(job, (OPENS,)), a_receipt(a_job("j2", TALK)), 0, later(1))


def test_a_claim_is_found_by_id_and_unique_prefix_with_its_boundary(units: UnitOfWorkFactory) -> None:
    first = _commit(units, "j1", (OPENS, BUDGET), 10)
    supported = BUDGET.model_copy(update={"reason": "three families state it"})
    second = _commit(units, "j2", (OPENS, supported, OPENS.model_copy(update={"id": "c1"})), 20)

    with units() as unit:
        claim = unit.boundaries.claim
        assert claim("c1-opens") == (second.claims[0], first)  # went on unchanged: it came with the first
        assert claim("c1-") == claim("c1-opens")
        assert claim("c2") == (second.claims[1], first)  # said again, with more support
        assert claim("c1")[0].id == "c1"  # an exact id is never ambiguous
        assert claim("d1") == (AGAINST, first)
        for unknown in ("c", "C1-", "c_", "c%", "", "c3"):
            with pytest.raises(NotFound, match="id alone"):
                claim(unknown)


def test_a_claim_said_in_other_words_comes_with_the_job_that_said_them(units: UnitOfWorkFactory) -> None:
    _commit(units, "j1", (OPENS, BUDGET), 10)
    reworded = OPENS.model_copy(update={"text": "The shop opens at nine."})
    second = _commit(units, "j2", (reworded, BUDGET), 20)

    with units() as unit:
        assert unit.boundaries.claim("c1") == (second.claims[0], second)


def test_a_boundary_that_was_not_reconciled_loses_nothing_that_is_held(units: UnitOfWorkFactory) -> None:
    first = _commit(units, "j1", (OPENS, BUDGET), 10)
    moved = BUDGET.model_copy(update={"section": Section.KNOWN})
    for claims, why in (((BUDGET,), "c1-opens.*would be lost"), ((OPENS, moved), "would be demoted to KNOWN")):
        with pytest.raises(TemporalError, match=why):
            _commit(units, "j2", claims, 20)
    with pytest.raises(TemporalError, match="no turn is cited"):
        _commit(units, "j2", (OPENS,), 20, closed=(ended(BUDGET, 4, cite=None),))

    with units() as unit:
        assert unit.boundaries.current("talk") == first


def test_conversations_have_ledgers_of_their_own(units: UnitOfWorkFactory) -> None:
    other = TALK.model_copy(update={"id": "other"})
    first = _commit(units, "j1", (OPENS,), 10)
    second = _commit(units, "j2", (OPENS,), 20, other)

    with units() as unit:
        assert (unit.boundaries.current("talk"), unit.boundaries.current("other")) == (first, second)
        assert second.version == 1


def test_the_receipt_of_a_job_without_boundary_is_stored_and_added_to(units: UnitOfWorkFactory) -> None:
    job = a_job("j1", TALK)
    first = a_receipt(job)
    second = first.model_copy(update={"cost": first.cost.model_copy(update={"used_usd": Decimal("0.10")})})
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, ())
        unit.boundaries.save_receipt(first)
        assert unit.boundaries.receipt("j1") == first
        unit.boundaries.save_receipt(second)
        assert unit.boundaries.receipt("j1") == second
        assert unit.boundaries.current("talk") is None
        with pytest.raises(NotFound):
            unit.boundaries.save_receipt(first.model_copy(update={"job": "j2"}))


def test_a_boundary_has_its_receipt_and_takes_no_other(units: UnitOfWorkFactory) -> None:
    _commit(units, "j1", (OPENS,), 10)
    with units() as unit, pytest.raises(AlreadyCommitted):
        unit.boundaries.save_receipt(a_receipt(a_job("j1", TALK)))


def _quoted(turn: int) -> Excerpt:
    said = TALK.turn(turn)
    return Excerpt(
        **a_quote(TALK, turn).model_dump(),
        role=said.role,
        speaker=said.speaker,
        quoted=False,
        chosen_by=("extractive-echo", "extractive-values"),
        score=0.75,
    )


def _commit_excerpts(
    units: UnitOfWorkFactory,
    name: str,
    excerpts: tuple[Excerpt, ...],
    claims: tuple[Claim, ...] = (),
    through: int | None = None,
) -> BoundaryState:
    with units() as unit:
        unit.conversations.extend(TALK)
        version = unit.boundaries.version(TALK.id)
        job = a_job(name, TALK, through)
        unit.jobs.add(job, ())
        candidate = a_boundary(job, claims).model_copy(update={"excerpts": excerpts})
        committed = unit.boundaries.commit(candidate, a_receipt(job), version, later(version))
        unit.commit()
    return committed


def test_excerpts_read_back_as_of_any_version(units: UnitOfWorkFactory) -> None:
    first = _commit_excerpts(units, "j1", (_quoted(1), _quoted(3)))
    second = _commit_excerpts(units, "j2", (_quoted(2),))
    third = _commit_excerpts(units, "j3", (), (OPENS,))
    assert [one.turn for one in first.excerpts] == [1, 3]
    with units() as unit:
        assert unit.ledger.at_version("talk", 1) == first
        assert unit.boundaries.by_job("j2") == second
        assert unit.boundaries.current("talk") == third
        assert third.excerpts == ()
        unit.ledger.roll_back("talk", 1, 3, later(9), actor="ann", reason="as before")
        back = unit.boundaries.current("talk")
        assert back is not None
        assert back.excerpts == first.excerpts


def test_an_excerpt_that_does_not_stand_in_its_turn_is_refused(units: UnitOfWorkFactory) -> None:
    wrong = _quoted(1).model_copy(update={"text": "x" * len(_quoted(1).text)})
    with pytest.raises(EvidenceMismatch, match="excerpt of turn 1"):
        _commit_excerpts(units, "j1", (wrong,))


def test_claims_that_models_stated_survive_a_cycle_that_nobody_reads(units: UnitOfWorkFactory) -> None:
    first = _commit_excerpts(units, "j1", (), (BUDGET, OPENS), through=3)
    carried = tuple(claim.model_copy(update={"state": ClaimState.CARRIED, "carried": 1}) for claim in first.claims)
    second = _commit_excerpts(units, "j2", (_quoted(2),), carried)
    assert second.claims == carried
    with units() as unit:
        (event,) = unit.ledger.events("talk", 1)
        assert event.version == 2
        assert [claim.affirmed for claim in unit.ledger.at_version("talk", 2).claims] == [3, 3]
