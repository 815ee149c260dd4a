"""Commitments of several clauses of which a turn ends one: the rest is held, with its evidence and where it is from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.reconcile.preview import what_is_contested, what_would_close
from dissolution.claims import Mark, Section
from dissolution.findings import Consensus
from dissolution.ledger import ChangeKind
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_cycle, held, of_kind, said_by

STREAM = "The stream is Kinesis, provisioned, 8 shards, 7 days of retention."
MORE = "The stream now has 20 shards instead of 8 shards."


def after(old: str, new: str, *also: str, section: Section = Section.DECIDED) -> Consensus:
    """The cycle in which a turn says `new` of what was decided in `old`; `also` is what members say besides."""
    snapshot = a_snapshot(old, "Fine.", new)
    heard = [said_by(text, section, place=n) for n, text in enumerate((new, *also))]
    return a_cycle(held(a_snapshot(old), *said_by(old, section)), snapshot, *(one for said in heard for one in said))


def test_the_rest_of_a_decision_is_held_with_evidence_validity_and_lineage() -> None:
    found = after(STREAM, MORE)
    (closed,) = found.closed
    rest = next(claim for claim in found.claims if claim.text.startswith("The stream is Kinesis"))
    assert rest.text == "The stream is Kinesis, provisioned, 7 days of retention."
    assert (rest.section, rest.evidence, rest.support) == (Section.DECIDED, closed.evidence, closed.support)
    assert rest.valid.start == closed.valid.start
    assert rest.valid.end is None
    (told,) = (change for change in of_kind(found, ChangeKind.REVISED) if change.claim == rest.id)
    assert told.other == closed.id
    assert "what is left of" in told.reason
    (entry,) = what_would_close(found)
    assert entry["goes_on"] == [{"claim": rest.id, "text": rest.text}]
    assert any(claim.text == MORE for claim in found.claims)


def test_what_others_say_of_the_rest_is_not_held_twice() -> None:
    found = after(STREAM, MORE, "The stream is Kinesis, provisioned, 7 days of retention.")
    assert sum("Kinesis" in claim.text for claim in found.claims) == 1


def test_a_commitment_that_cannot_be_parted_is_contested_and_stays() -> None:
    stack = "The stack is Python 3.11, chosen by Ada, Flask 2.3 behind nginx."
    found = after(stack, "The stack is Python 3.12 instead of Python 3.11.")
    assert not found.closed
    kept = next(claim for claim in found.claims if claim.text == stack)
    assert Mark.CONTESTED in kept.marks
    assert any("would take" in str(entry["reason"]) for entry in what_is_contested(found))


def test_what_is_merely_known_ends_whole_unless_it_has_parts() -> None:
    found = after(STREAM, MORE, section=Section.KNOWN)
    assert [claim.text for claim in found.closed] == [STREAM]
    assert [claim.text for claim in found.claims] == [MORE]


def test_what_is_said_of_an_ended_claim_but_did_not_end_is_held() -> None:
    old = "The lake is S3 with Iceberg and Athena; the replica goes to us-east-2."
    found = after(
        old, "The replica goes to eu-central-1 instead of us-east-2.", "The lake is S3 with Iceberg and Athena."
    )
    assert sum("Iceberg" in claim.text for claim in found.claims) == 1
    assert not any("us-east-2" in claim.text and "instead" not in claim.text for claim in found.claims)


NAMED = ("shards", "replicas", "workers", "queues", "tenants")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(11, 99), min_size=2, max_size=5, unique=True), st.data())
def test_no_clause_of_a_commitment_is_lost_but_the_one_that_a_turn_replaces(
    figures: list[int], data: st.DataObject
) -> None:
    items = [f"{figure} {name}" for figure, name in zip(figures, NAMED, strict=False)]
    place = data.draw(st.integers(0, len(items) - 1))
    joint = data.draw(st.sampled_from([" and ", ", "]))
    old = f"The platform has {', '.join(items[:-1])}{joint}{items[-1]}."
    found = after(old, f"The platform has 500 {NAMED[place]} instead of {items[place]}.")
    texts = [claim.text for claim in found.claims if claim.section is Section.DECIDED]
    for n, item in enumerate(items):
        said = [text for text in texts if item in text and "instead" not in text]
        if n == place:
            assert not said or Mark.CONTESTED in next(c.marks for c in found.claims if c.text == said[0])
        else:
            assert said
    assert all(claim.closing is not None and claim.closing.evidence for claim in found.closed)


@pytest.mark.parametrize("pronoun", ["it", "this"])
def test_what_points_back_to_what_ended_goes_with_it(pronoun: str) -> None:
    old = f"The freeze starts on Monday; the author has not confirmed {pronoun}."
    found = after(old, "The freeze starts on Thursday instead of Monday.")
    assert not any(claim.text.startswith("the author") for claim in found.claims)
