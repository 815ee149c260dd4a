from dissolution.claims import Section
from dissolution.reviewing import Fault
from dissolution.values import NotMeasured
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

OLD, NEW = "The session store rds-sess-01 has 512 MB of memory.", "The session store rds-sess-01 has 2048 MB of memory."


def test_values_of_one_matter_that_differ_are_a_hint_and_decide_nothing() -> None:
    talk = a_snapshot(OLD, NEW, "The report is due on 14 June.")
    said = [a_statement(text, member, Section.KNOWN) for text in (OLD, NEW) for member in ("ann", "bea")]
    said += [a_statement("The report is due on 14 June.", member, ordinal=1) for member in ("ann", "bea")]
    found = consensus_of(said, talk)
    assert {OLD, NEW} <= {claim.text for claim in found.claims}, "both of two families stand"
    (hint,) = found.hints
    assert hint.suspects is Fault.CONTRADICTS
    assert set(hint.claims) == {claim.id for claim in found.claims if claim.text in {OLD, NEW}}
    assert isinstance(hint.probability, NotMeasured)
    assert hint.basis == "typed values: number"


def test_two_values_within_one_claim_are_no_pair() -> None:
    talk = a_snapshot(OLD, NEW)
    said = [a_statement(f"{OLD} {NEW}", "ann", Section.KNOWN), a_statement(OLD, "bea"), a_statement(NEW, "cid")]
    found = consensus_of(said, talk)
    assert [claim.text for claim in found.claims] == [f"{OLD} {NEW}"]
    assert found.hints == ()
