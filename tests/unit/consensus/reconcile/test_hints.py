"""What a cycle suspects of held claims."""

from consensus.reconcile.hints import hints_about, of_doubts, of_more, of_opposites, of_values
from consensus.reconcile.votes import Doubt
from dissolution.claims import Section
from dissolution.reviewing import Fault
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_space, whole

OLD, NEW, FAR = "The cache holds 512 MB.", "The cache holds 1024 MB.", "Nobody deploys on Fridays."
SNAPSHOT = a_snapshot(OLD, FAR, NEW)
SPACE = a_space(OLD, NEW, FAR)
HELD, OTHER = a_claim(OLD, SNAPSHOT, 1, name="c1"), a_claim(FAR, SNAPSHOT, 2, name="c2")
LATER = a_claim(NEW, SNAPSHOT, 3, name="c3")
QUESTION = a_claim("What does the cache hold?", SNAPSHOT, 1, Section.EDGES, name="c4")


def test_a_newer_value_about_the_same_makes_the_older_claim_suspect() -> None:
    (hint,) = of_values([HELD, OTHER], [(LATER, LATER.evidence)], SPACE)
    assert (hint.suspects, hint.claims, hint.evidence) == (Fault.STALE, ("c1",), whole(SNAPSHOT, 3))
    assert of_values([LATER], [(HELD, HELD.evidence)], SPACE) == []


def test_a_question_beside_which_a_fact_is_said_may_be_answered() -> None:
    space = a_space(QUESTION.text, NEW, FAR)
    assert space.on_topic(QUESTION.text, NEW)
    (hint,) = of_values([QUESTION, OTHER], [(LATER, LATER.evidence)], space)
    assert (hint.suspects, hint.claims) == (Fault.ANSWERED, ("c4",))


def test_of_several_newer_claims_the_nearest_is_named() -> None:
    far = a_claim("The cache on the second node holds 2048 MB of sessions.", SNAPSHOT, 3, name="c5")
    space = a_space(OLD, NEW, far.text)
    (hint,) = of_values([HELD], [(far, far.evidence), (LATER, LATER.evidence)], space)
    assert hint.basis.startswith("c3 ")


def test_doubts_pairs_and_opposites_are_told_of_claims_that_stand() -> None:
    doubts = of_doubts([Doubt(HELD, LATER.evidence, "1 family says so"), Doubt(QUESTION, (), "no words")])
    assert [(hint.suspects, hint.evidence) for hint in doubts] == [
        (Fault.STALE, LATER.evidence[0]),
        (Fault.ANSWERED, None),
    ]
    pairs = of_more([(HELD, LATER)])
    opposites = of_opposites([LATER], [HELD, OTHER, LATER], SPACE)
    assert [(hint.suspects, hint.claims) for hint in (*pairs, *opposites)] == [
        (Fault.SAME_AS, ("c1", "c3")),
        (Fault.CONTRADICTS, ("c1", "c3")),
    ]
    again = of_values([HELD], [(LATER, LATER.evidence)], SPACE)
    found = hints_about([*doubts, *pairs, *opposites, *again], [HELD, LATER])
    assert [hint.suspects for hint in found] == [Fault.STALE, Fault.SAME_AS, Fault.CONTRADICTS]
    assert found[0].basis == "1 family says so", "what members say goes before what values suggest"
