import numpy as np
import pytest

from consensus.embedding.calibration import calibration_for
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.vectors import unpack
from consensus.evidence import finding as evidence
from consensus.evidence.finding import NOTHING, Ground, Grounding
from consensus.wording.profile import Profile
from dissolution.conversation import Role, Snapshot
from tests.factories import a_snapshot, a_turn
from tests.unit.consensus.made import a_statement

TALK = a_snapshot(
    "Peak ingest is 3,800 events a second according to the slide.",
    "Recovery: the RPO is 15 minutes. We should also talk about lunch.",
    "And the RTO is 4 hours, that is signed as well.",
    "Fine.",
    "Peak ingest is 3,800 events a second, I checked the slide again.",
)


def grounding(
    text: str,
    snapshot: Snapshot = TALK,
    *,
    turns: tuple[int, ...] = (),
    quotes: tuple[str, ...] = (),
    floor: float = 0.45,
    spoken_only: bool = False,
) -> Grounding:
    ground, embedder = Ground(snapshot), HashingEmbedder()
    rows, ground_rows = unpack(embedder.embed([text])), unpack(embedder.embed(ground.texts()))
    scores = ground.scores([Profile(text)], rows, ground_rows, calibration_for("hashing"))
    said = a_statement(text, turns=turns, quotes=quotes)
    found = scores.ground(0, [said], floor=floor, spoken_only=spoken_only)
    assert all(evidence.stands_in(snapshot) for evidence in found.evidence)
    assert 0 <= found.score <= 1
    return found


def test_the_sentence_that_says_it_is_the_evidence_and_every_turn_that_does_is_named() -> None:
    found = grounding("Peak ingest is 3,800 events a second.")
    assert found.evidence[0].turn in {1, 5}
    assert (found.first_turn, found.last_turn) == (1, 5)
    assert found.score > 0.8


def test_figures_spread_over_turns_are_gathered() -> None:
    found = grounding("The RPO is 15 minutes and the RTO is 4 hours.")
    assert {evidence.turn for evidence in found.evidence} == {2, 3}
    assert "lunch" not in " ".join(evidence.text for evidence in found.evidence)


@pytest.mark.parametrize(
    "text", ["Peak ingest is 3,900 events a second.", "Peak ingest is on r418.", "Wombats sleep upside down.", "!?"]
)
def test_what_nobody_said_rests_on_nothing(text: str) -> None:
    assert grounding(text) == NOTHING


def test_cited_turns_decide_between_equals() -> None:
    assert grounding("Peak ingest is 3,800 events a second.", turns=(5,)).evidence[0].turn == 5
    assert grounding("Peak ingest is 3,800 events a second.", turns=(1,)).evidence[0].turn == 1


def test_a_quote_is_kept_verbatim_and_comes_first() -> None:
    found = grounding("The RTO is 4 hours.", quotes=("that is  signed as well",))
    assert found.evidence[0].text == "that is signed as well"
    assert found.score >= 0.9


def test_a_quote_about_something_else_or_of_nothing_does_not_help() -> None:
    assert grounding("Wombats sleep upside down.", quotes=("We should also talk about lunch",)) == NOTHING
    assert grounding("Wombats sleep upside down.", quotes=("never said by anybody here",)) == NOTHING


def test_a_quote_without_the_figure_does_not_carry_it() -> None:
    assert grounding("The RTO is 9 hours.", quotes=("that is signed as well",)) == NOTHING


def test_pasted_text_may_be_kept_out() -> None:
    snapshot = Snapshot(conversation="c", turns=(a_turn(1, "Delete every index on the replica.", Role.TOOL, "tool"),))
    text = "Delete every index on the replica."
    assert grounding(text, snapshot).evidence[0].turn == 1
    assert grounding(text, snapshot, spoken_only=True) == NOTHING


def test_the_sentence_beside_lends_its_subject() -> None:
    snapshot = a_snapshot("We talked about the session store. It has 2048 MB of memory.", "Other matters entirely.")
    with_context = grounding("The session store has 2048 MB of memory.", snapshot)
    alone = grounding("The session store has 2048 MB of memory.", a_snapshot("It has 2048 MB of memory.", "Other."))
    assert with_context.score > alone.score


def test_a_snapshot_without_letters_is_no_ground() -> None:
    assert grounding("Anything at all.", a_snapshot("...", "!!!")) == NOTHING


def test_a_restated_evidence_is_deterministic() -> None:
    assert grounding("The RPO is 15 minutes.") == grounding("The RPO is 15 minutes.")
    assert np.isfinite(grounding("The RPO is 15 minutes.").score)


def test_the_best_stretches_come_best_first() -> None:
    text = "The RTO is 4 hours."
    ground, embedder = Ground(TALK), HashingEmbedder()
    rows, ground_rows = unpack(embedder.embed([text])), unpack(embedder.embed(ground.texts()))
    scores = ground.scores([Profile(text)], rows, ground_rows, calibration_for("hashing"))
    best = scores.best(0, 2)
    assert len(best) == 2
    assert ground.stretches[best[0]].turn == 3


def test_named_turns_come_first_though_another_says_it_better() -> None:
    text = "The archive is moved to the new cluster on Friday."
    talk = a_snapshot(text, "Yes, move the archive on Friday then.")
    assert grounding(text, talk, floor=0.3).evidence[0].turn == 1
    assert grounding(text, talk, turns=(2,), floor=0.3).evidence[0].turn == 2
    far = a_snapshot(text, "Lunch is at noon.")
    assert grounding(text, far, turns=(2,)).turns == (1,)


def test_of_very_many_stretches_only_those_that_words_or_members_point_to_are_embedded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evidence, "MOST_EMBEDDED", 2)
    ground = Ground(TALK)
    claims = [Profile("The RTO is 4 hours.")]
    texts = ground.texts(claims, named=(4,))
    assert "Fine." in texts
    assert any("RTO" in text for text in texts)
    assert not any("lunch" in text for text in texts)
    embedder = HashingEmbedder()
    rows, ground_rows = unpack(embedder.embed([claims[0].text])), unpack(embedder.embed(texts))
    found = ground.scores(claims, rows, ground_rows, calibration_for("hashing"))
    assert found.ground(0, [a_statement(claims[0].text)], floor=0.45).evidence[0].turn == 3
