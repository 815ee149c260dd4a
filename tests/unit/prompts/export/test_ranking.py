import pytest

from dissolution.claims import Claim, Mark, Section
from dissolution.intervals import TurnInterval
from prompts.export.ranking import Ranking, is_kept
from tests.factories import a_conversation, a_turn
from tests.unit.prompts.export.boundaries import a_claim, evidence_in

CONVERSATION = a_conversation(*(f"This is what turn {n} says." for n in range(1, 31)))


def known(name: str, text: str, turn: int, families: int = 1, affirmed: int | None = None) -> Claim:
    quote = (evidence_in(CONVERSATION, turn, "turn"),)
    claim = a_claim(name, Section.KNOWN, text, quote, families=tuple("abcd"[:families]))
    return claim.model_copy(update={"affirmed": affirmed})


def decided(name: str, text: str) -> Claim:
    return a_claim(name, Section.DECIDED, text, (evidence_in(CONVERSATION, 1, "turn"),), families=("a", "b", "c", "d"))


def test_the_four_parts_of_the_value_by_hand() -> None:
    claim = known("k", "Nightly backups reach Hamburg in 40 minutes.", turn=5, families=3, affirmed=20)
    claims = (
        claim,
        decided("d1", "Backups go to Hamburg."),  # shares the name
        decided("d2", "The job stops after 40 minutes."),  # shares the figure
        decided("d3", "The logo stays green."),  # shares neither
    )
    latest = (a_turn(30, "Did the backups reach us?"),)
    value = Ranking(claims, through=30, latest=latest).value(claim)
    assert value.support == 3 / 4  # three families, the widest claim has four
    assert value.recency == 0.5  # 30 - 20 = 10 turns: one half-life
    # Content words: nightly, backup, reach, hamburg, 40, minute; the latest turn uses two of them.
    assert value.relevance == pytest.approx(2 / 6)
    assert value.dependants == pytest.approx(2 / 3)
    assert value.total == pytest.approx((3 / 4 + 1 / 2 + 2 / 6 + 2 / 3) / 4)


def test_without_an_affirmation_the_latest_evidence_counts_and_an_edge_counts_from_its_start() -> None:
    claim = known("k", "Backups run.", turn=10)
    edge = a_claim("e", Section.EDGES, "Who owns it?", valid=TurnInterval(start=20))
    ranking = Ranking((claim, edge), through=30, latest=())
    assert ranking.value(claim).recency == 0.25  # 20 turns: two half-lives
    assert ranking.value(edge).recency == 0.5


def test_a_claim_is_no_dependant_of_itself_and_words_that_carry_nothing_are_not_relevant() -> None:
    edge = a_claim("e", Section.EDGES, "Is it so?", families=("a",))
    commitment = decided("d", "Hamburg it is.")
    ranking = Ranking((edge, commitment), through=30, latest=(a_turn(30, "Is it so? Hamburg?"),))
    assert ranking.value(edge).relevance == 0
    assert ranking.value(commitment).dependants == 0


def test_no_more_than_three_dependants_count() -> None:
    claims = (known("k", "It takes 40 minutes.", 1), *(decided(f"d{n}", f"Rule {n}: 40 minutes.") for n in range(5)))
    assert Ranking(claims, through=30, latest=()).value(claims[0]).dependants == 1


def test_what_no_longer_holds_comes_last_and_ties_keep_their_order() -> None:
    over = known("over", "It was so.", 29, families=4, affirmed=30).model_copy(
        update={"valid": TurnInterval(start=1, end=20)}
    )
    first, second, later = known("first", "One.", 3), known("second", "Two.", 3), known("later", "Three.", 9)
    ranking = Ranking((over, first, second, later), through=30, latest=())
    assert [one.id for one in ranking.ranked([over, first, second, later])] == ["later", "first", "second", "over"]


@pytest.mark.parametrize("section", list(Section))
def test_commitments_and_what_is_pinned_are_kept(section: Section) -> None:
    claim = a_claim("c", section, "It is.", (evidence_in(CONVERSATION, 1, "turn"),))
    assert is_kept(claim) is (section in {Section.DECIDED, Section.IDENTITY})
    assert is_kept(claim.model_copy(update={"marks": (Mark.PINNED,)}))


def test_a_claim_of_a_surprising_turn_is_worth_more_and_one_that_was_not_measured_is_not_worth_less() -> None:
    plain, notable = known("k", "Nightly backups reach Hamburg.", turn=5), known("n", "The mail server moves.", turn=6)
    unmeasured = Ranking((plain, notable), through=30, latest=())
    measured = Ranking((plain, notable), through=30, latest=(), notable=(6, 9))
    assert unmeasured.value(notable).surprise is None
    assert (measured.value(plain).surprise, measured.value(notable).surprise) == (0.0, 1.0)
    four = unmeasured.value(notable).total * 4
    assert measured.value(notable).total == pytest.approx((four + 1) / 5)
    assert [claim.id for claim in unmeasured.ranked((plain, notable))] == ["n", "k"]  # the later evidence
    later = known("l", "The mail server moves.", turn=7)
    assert [claim.id for claim in measured.ranked((later, notable))] == ["n", "l"]
