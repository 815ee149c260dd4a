from consensus.hashing import HashingEmbedder
from consensus.hints import opposed_values
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
    claims = consensus_of(said, talk).claims
    assert {OLD, NEW} <= {claim.text for claim in claims}, "both of two families stand"
    (hint,) = opposed_values(claims, HashingEmbedder())
    assert hint.suspects is Fault.CONTRADICTS
    assert set(hint.claims) == {claim.id for claim in claims if claim.text in {OLD, NEW}}
    assert isinstance(hint.probability, NotMeasured)
    assert hint.basis == "typed values: number"
    assert opposed_values(claims[:1], HashingEmbedder()) == ()
