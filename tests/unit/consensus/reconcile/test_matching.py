"""Which held claims a claim of a cycle says again."""

import numpy as np
import pytest

from consensus.contested import both_sides
from consensus.reconcile.matching import Match, acts, match, says_all, together
from consensus.reconcile.space import Space
from dissolution.claims import HeldAct, HeldMark, Mark, Section, StatedClaim
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement
from tests.unit.consensus.reconcile.made import a_claim, a_space

SHORT = "The portal keeps sessions in Redis."
LONG = "The portal keeps sessions in Redis on port 6379 with a prefix."
SNAPSHOT = a_snapshot(SHORT, LONG)


@pytest.mark.parametrize(
    ("held", "said", "expected"),
    [
        (SHORT, SHORT, Match.SAME),
        (LONG, "The portal keeps its sessions in Redis, port 6379, with a prefix.", Match.SAME),
        (
            "The portal keeps sessions in Redis and the queue in Kafka.",
            SHORT,
            Match.SAME,
        ),
        (
            SHORT,
            "The portal keeps sessions in Redis and the queue in Kafka.",
            Match.MORE,
        ),
        (SHORT, "The portal does not keep sessions in Redis.", None),
        ("The cache holds 512 MB.", "The cache holds 1024 MB.", None),
        ("The table is for 5 people.", "The train is for 5 people.", None),
        (SHORT, "Deploys happen on Tuesday.", None),
    ],
)
def test_meaning_matches_under_the_guards(held: str, said: str, expected: Match | None) -> None:
    assert match(a_claim(held, SNAPSHOT, 1), a_claim(said, SNAPSHOT, 2), a_space(held, said)) is expected


def test_questions_and_contested_claims_match_no_statement() -> None:
    space = a_space(SHORT, LONG)
    assert match(a_claim(SHORT, SNAPSHOT, 1, Section.EDGES), a_claim(LONG, SNAPSHOT, 2), space) is None
    contested = a_claim(LONG, SNAPSHOT, 2, Section.EDGES).model_copy(update={"marks": (Mark.CONTESTED,)})
    assert match(a_claim(SHORT, SNAPSHOT, 1, Section.EDGES), contested, space) is None


def test_an_id_matches_unless_a_guard_forbids() -> None:
    held = a_claim("The cache holds 512 MB.", SNAPSHOT, 1, name="c1")

    def naming(text: str) -> Match | None:
        cited = StatedClaim(section=Section.KNOWN, text=text, act=HeldAct.AFFIRM, about="c1")
        said = a_claim(text, SNAPSHOT, 2).model_copy(
            update={"statements": (a_statement(text).model_copy(update={"claim": cited}),)}
        )
        assert acts(said, HeldAct.AFFIRM) == {"c1"}
        assert acts(said, HeldAct.CLOSE) == frozenset()
        return match(held, said, a_space(held.text, text))

    assert naming("Half a gigabyte is what is kept in memory.") is Match.SAME
    assert naming("The cache holds 1024 MB.") is None


def test_two_held_claims_may_say_a_third() -> None:
    one, two = "The portal keeps sessions in Redis.", "The portal keeps jobs in Kafka."
    both = "The portal keeps sessions in Redis, jobs in Kafka."
    held = [a_claim(one, SNAPSHOT, 1), a_claim(two, SNAPSHOT, 1)]
    space = a_space(one, two, both)
    assert {claim.text for claim in together(held, a_claim(both, SNAPSHOT, 2), space)} == {one, two}
    assert together(held, a_claim(both, SNAPSHOT, 2, Section.EDGES), space) == []
    assert together(held, a_claim(both, SNAPSHOT, 2, Section.DECIDED), space) == []
    assert together(held[:1], a_claim(both, SNAPSHOT, 2), space) == []


def test_all_of_a_text_means_its_figures_and_polarity_too() -> None:
    assert says_all(SHORT, [LONG])
    assert not says_all("The portal keeps sessions in Redis on port 6380.", [LONG])
    assert not says_all("Yes.", [LONG])


def test_a_text_of_few_words_is_said_by_a_sentence_of_just_these() -> None:
    assert says_all("EKS is out.", ["Hm. As for the rest, fine. EKS  is out!"])
    assert not says_all("EKS is out.", ["It is not true that EKS is out."])
    assert not says_all("EKS is out.", ["The lead says EKS is out."])


def test_contested_edges_match_by_their_sides_in_either_order_and_not_by_other_words() -> None:
    one, two, other = "The cache holds 512 MB.", "The cache holds 1024 MB.", "The cache holds 64 MB."
    texts = (both_sides(one, 2, two, 2), both_sides(two, 3, one, 2), both_sides(one, 2, other, 2), "Contested: who?")
    edges = [
        a_claim(text, SNAPSHOT, 1, Section.EDGES, name=f"c{n}").model_copy(update={"marks": (Mark.CONTESTED,)})
        for n, text in enumerate(texts)
    ]
    space = a_space(*texts, one, two, other)
    assert [match(edges[0], edge, space) for edge in edges[1:]] == [Match.SAME, None, None]


def test_a_table_for_five_is_no_train_for_five() -> None:
    one, two = "The table in the restaurant is for five people.", "The train is for five people."
    assert match(a_claim(one, SNAPSHOT, 1), a_claim(two, SNAPSHOT, 1), a_space(one, two)) is None


def test_a_hint_of_a_member_matches_what_words_do_not() -> None:
    other = "Where users are logged in is remembered by Redis."
    said = StatedClaim(section=Section.KNOWN, text=other, act=HeldAct.AFFIRM, about="c1")
    item = a_claim(other, SNAPSHOT, 2, name="c2")
    hinted = item.model_copy(
        update={"statements": tuple(one.model_copy(update={"claim": said}) for one in item.statements)}
    )
    held = a_claim("Nobody deploys on Fridays.", SNAPSHOT, 1, name="c1")
    space = a_space(held.text, other)
    assert match(held, item, space) is None
    assert match(held, hinted, space) is Match.SAME


def test_every_claim_that_a_statement_names_is_affirmed_by_it() -> None:
    one, two = (a_claim(text, SNAPSHOT, 1, name=name) for text, name in ((SHORT, "c1"), ("Nothing of it.", "c2")))
    said = StatedClaim(
        section=Section.KNOWN,
        text="It stands.",
        act=HeldAct.AFFIRM,
        about="c1",
        further=(HeldMark(act=HeldAct.AFFIRM, about="c2"), HeldMark(act=HeldAct.CLOSE, about="c3")),
    )
    item = one.model_copy(update={"statements": (one.statements[0].model_copy(update={"claim": said}),)})
    assert acts(item, HeldAct.AFFIRM) == {"c1", "c2"}
    assert acts(item, HeldAct.CLOSE) == {"c3"}
    assert acts(two, HeldAct.AFFIRM) == frozenset()
    with pytest.raises(ValueError, match="give the first as act and about"):
        StatedClaim(section=Section.KNOWN, text="It stands.", further=said.further)


def test_a_sentence_about_another_thing_as_well_is_no_fuller_wording() -> None:
    hotel, cab = "Their hotel is University Arms hotel.", "The cab collects them at University Arms hotel at noon."
    snapshot = a_snapshot(hotel, cab)
    near = Space({hotel: 0, cab: 1}, np.zeros((2, 1), np.float32), np.zeros((2, 2)), a_space().calibration, 0.5)
    assert match(a_claim(hotel, snapshot, 1), a_claim(cab, snapshot, 2), near) is None
