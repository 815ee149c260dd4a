"""Which held claims an item of a cycle says again."""

import pytest

from consensus.reconcile.matching import ClaimMatch, match, retells
from dissolution.claims import Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_space, acting, affirms, closes, revises

SHORT = "The portal keeps sessions in Redis."
OTHER = "Where users are logged in is remembered there."
SNAPSHOT = a_snapshot(SHORT, OTHER)


@pytest.mark.parametrize(
    ("held", "said", "expected"),
    [
        (SHORT, SHORT, ClaimMatch.SAME),
        ("The portal keeps sessions in Redis on port 6379.", SHORT, ClaimMatch.SAME),
        (SHORT, "The portal keeps its sessions in Redis, on port 6379.", ClaimMatch.MORE),
        (SHORT, "The portal does not keep sessions in Redis.", None),
        ("The cache holds 512 MB.", "The cache holds 1024 MB.", None),
        (SHORT, "Deploys happen on Tuesday.", None),
    ],
)
@pytest.mark.parametrize("anew", [True, False])
def test_meaning_matches_above_the_typed_floor(
    held: str, said: str, expected: ClaimMatch | None, *, anew: bool
) -> None:
    space = a_space(held, said)
    assert match(a_claim(held, SNAPSHOT, 1), a_claim(said, SNAPSHOT, 2), space, anew=anew) is expected


def test_near_words_of_a_new_turn_stand_beside_unless_members_name_the_claim() -> None:
    held = a_claim("All code of the portal and of its workers is indented with tabs.", SNAPSHOT, 1, name="c1")
    text = "All code of the portal and of its workers is indented with spaces."
    said, space = a_claim(text, SNAPSHOT, 2, name="c2"), a_space(held.text, text)
    assert match(held, said, space, anew=True) is ClaimMatch.MORE
    assert match(held, said, space, anew=False) is ClaimMatch.SAME
    naming = said.model_copy(update={"statements": acting(text, affirms(held), turn=2)})
    assert match(held, naming, space, anew=True) is ClaimMatch.SAME
    ending = said.model_copy(update={"statements": acting(text, revises(held), turn=2)})
    assert match(held, ending, space, anew=True) is None


def test_a_question_says_no_statement_again() -> None:
    question = a_claim(SHORT, SNAPSHOT, 1, Section.EDGES)
    assert match(question, a_claim(SHORT, SNAPSHOT, 2, name="c2"), a_space(SHORT), anew=True) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OTHER, ClaimMatch.SAME),
        ("They stay there for 30 minutes.", ClaimMatch.MORE),
        ("The portal does not keep sessions in Redis.", None),
    ],
)
def test_a_member_that_affirms_an_id_bridges_any_distance_and_no_floor(text: str, expected: ClaimMatch | None) -> None:
    held = a_claim(SHORT, SNAPSHOT, 1, name="c1")
    said = a_claim(text, SNAPSHOT, 2, name="c2")
    naming = said.model_copy(update={"statements": acting(text, affirms(held), turn=2)})
    ending = said.model_copy(update={"statements": acting(text, closes(held), turn=2)})
    space = a_space(held.text, text)
    assert match(held, naming, space, anew=True) is expected
    assert match(held, ending, space, anew=True) is None


def test_other_words_on_the_same_old_turns_tell_nothing_new() -> None:
    held = a_claim("The portal keeps its sessions in Redis and nowhere else.", SNAPSHOT, 1, name="c1")
    text = "Sessions of the portal stand in Redis."
    space = a_space(held.text, text, "Sessions of the portal stand in Redis on port 6379.")
    assert space.same_claim < space.distance(held.text, text) <= space.retold
    assert retells(a_claim(text, SNAPSHOT, 1), held, space)
    assert not retells(a_claim(text, SNAPSHOT, 2), held, space)
    assert not retells(a_claim(text, SNAPSHOT, 1, Section.DECIDED), held, space)
    assert not retells(a_claim("Sessions of the portal stand in Redis on port 6379.", SNAPSHOT, 1), held, space)
