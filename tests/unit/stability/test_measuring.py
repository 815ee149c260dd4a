"""What became of dissent, counted by hand; and what an unmeasured cell leaves to the next."""

from dissolution.ledger import Change, ChangeKind
from dissolution.stability import NO_TRUTH
from stability.measuring import Past, Yardsticks, dropped, gone_on
from stability.state import state_of_text
from stability.truth import Truth
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_dissent, a_job

JOB = a_job("j1", TALK)


def test_dissent_is_dropped_when_it_neither_stands_nor_became_a_claim() -> None:
    """Four before: d1 stands still, d2 was promoted to c9, d3 stands as a claim, d4 is gone."""
    before = a_boundary(JOB, (), tuple(a_dissent(f"d{n}", f"Perhaps {n}.", TALK) for n in range(1, 5)))
    promoted = Change(kind=ChangeKind.PROMOTED, claim="c9", other="d2", reason="two families state it now")
    other = Change(kind=ChangeKind.CARRIED, claim="c9", other="d4", reason="held before")
    now = a_boundary(
        JOB,
        (a_claim("c9", "It is 2.", TALK), a_claim("d3", "It is 3.", TALK)),
        (a_dissent("d1", "Perhaps 1.", TALK), a_dissent("d5", "Perhaps 5.", TALK)),
    ).model_copy(update={"changes": (promoted, other)})
    assert dropped(before, now) == 1
    assert dropped(now, now) == 0


def test_going_on_remembers_the_first_state_and_all_truth_ever_held() -> None:
    truth = Truth.model_validate(
        {
            "claims": [
                {"id": "K1", "kind": "decision", "established_turn": 1, "must_have": ["oslo"]},
                {"id": "K2", "kind": "fact", "established_turn": 1, "must_have": ["40"]},
            ]
        }
    )
    first, second = state_of_text("We launch in Oslo."), state_of_text("The budget is 40 EUR.")
    figures, past = gone_on(Past(), first, 2, Yardsticks(truth=truth))
    assert (past.first, past.before, past.held) == (first, first, {"K1"})
    figures, past = gone_on(past, second, 4, Yardsticks(truth=truth))
    assert (past.first, past.before, past.held) == (first, second, {"K1", "K2"})
    assert figures.model_dump()["commitments_lost"] == 1
    assert gone_on(past, second, 4, Yardsticks())[0] == NO_TRUTH
