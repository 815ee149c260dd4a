"""What each member said that is true, counted by hand."""

from dissolution.answers import Answer, MemberCard, MemberKind
from dissolution.claims import Section, StatedClaim
from stability.true_contributions import KnownJob, TrueScore, true_contributions
from stability.truth import Truth
from tests.unit.store.ledgers import an_answer

TRUTH = Truth.model_validate(
    {
        "claims": [
            {"id": "K1", "kind": "fact", "established_turn": 1, "must_have": ["postgres"]},
            {"id": "K2", "kind": "decision", "established_turn": 2, "must_have": ["oslo"]},
            {"id": "K3", "kind": "decision", "established_turn": 1, "closed_turn": 4, "must_have": ["bergen"]},
            {"id": "K4", "kind": "fact", "established_turn": 9, "must_have": ["march"]},
        ],
        "superseded": [
            {"id": "S1", "corrected_turn": 3, "wrong_must_not_match": ["9090"], "right_must_match": ["9091"]}
        ],
    }
)


def said(name: str, *texts: str, section: Section = Section.DECIDED) -> Answer:
    answer = an_answer(MemberCard(name=name, family=f"of {name}", kind=MemberKind.RECORDED, model="m"))
    claims = tuple(StatedClaim(section=section, text=text) for text in texts)
    return answer.model_copy(update={"parsed": answer.parsed.model_copy(update={"claims": claims})})


def test_truths_said_alone_and_faults_are_counted_over_jobs() -> None:
    """Turn 5: K1 and K2 are true, S1 and K3 are over; turn 2: K1, K2 and K3 are true and nothing is over."""
    late = KnownJob(
        5,
        (
            said("ann", "We use Postgres.", "We launch in Oslo.", "March is near."),
            said("bob", "We use Postgres.", "We launch in Bergen.", "The port is 9090."),
            said("cid"),
        ),
        TRUTH,
    )
    early = KnownJob(2, (said("bob", "We launch in Bergen."),), TRUTH)
    assert true_contributions([late, early]) == (
        TrueScore(member="ann", family="of ann", jobs=1, said=2, of=2, only=1, faults=0, of_over=2),
        TrueScore(member="bob", family="of bob", jobs=2, said=2, of=5, only=1, faults=2, of_over=2),
    )


def test_nothing_is_said_of_nobody() -> None:
    assert true_contributions([]) == ()
