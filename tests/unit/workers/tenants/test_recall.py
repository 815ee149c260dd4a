"""Recall in one process: what is found, in which order, and what it says about how."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from context.recall import newest_state_first
from dissolution.errors import ModelAssetError, NotFound
from dissolution.findings import EmbeddingStamp, Vectors
from dissolution.intervals import Moment
from dissolution.ledger import Query
from dissolution.ports.models import Embedder
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.recalling import Recalled, RecallQuery, RecallResult
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import a_conversation
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, commit, ended
from tests.unit.store.ledgers import TALK, a_claim, later
from workers.tenants import recall as recalling
from workers.tenants.recall import Recall

TEN = a_claim("c3-opens", "The shop opens at 10.", TALK, turn=3)


class Named(HashingEmbedder):
    """The hashing embedder under another name, which need be loaded first."""

    def __init__(self) -> None:
        self.ready = False
        self.embedded = 0

    @property
    def stamp(self) -> EmbeddingStamp:
        return super().stamp.model_copy(update={"model": "named", "digest": "c" * 64})

    def embed(self, texts: Any) -> Vectors:  # noqa: ANN401 - as the port has it
        self.ready = True
        self.embedded += len(texts)
        return super().embed(texts).model_copy(update={"stamp": self.stamp})


class Missing(HashingEmbedder):
    """One whose weights are not there."""

    def embed(self, texts: Any) -> Vectors:  # noqa: ANN401 - as the port has it
        raise ModelAssetError("named", f"weights are missing for {len(texts)} texts")


@pytest.fixture
def units() -> UnitOfWorkFactory:
    """A ledger of two versions: at turn 3 the opening hour changed."""
    made = memory_unit_of_work_factory()
    first = commit(made, a_cycle("j1", None, (OPENS, BUDGET), dissent=(AGAINST,)), 0, 10)
    commit(made, a_cycle("j2", first, (TEN,), (ended(OPENS, 3, by="c3-opens", cite=3),)), 1, 20)
    return made


@pytest.fixture
def recall_with(units: UnitOfWorkFactory) -> Iterator[Callable[..., Recall]]:
    made: list[Recall] = []

    def make(embedder: Embedder | None = None, *, waits: bool = False) -> Recall:
        made.append(Recall(units, lambda: embedder or HashingEmbedder(), most_bytes=10**8, waits=waits))
        return made[-1]

    yield make
    for one in made:
        one.close()


def query(text: str | None = None, match: RecallBy = RecallBy.AUTO, **fit: object) -> RecallQuery:
    return RecallQuery(text=text, match=match, fit=Query.model_validate(fit))


def ids(found: Recalled) -> list[tuple[str, str]]:
    return [(one.kind.value, one.id) for one in found.results]


def test_claims_dissent_and_turns_are_found_with_turn_and_words(recall_with: Callable[..., Recall]) -> None:
    found = recall_with()("talk", query("budget EUR"))

    assert {one.kind for one in found.results} == set(RecallKind)
    assert [one.rank for one in found.results] == list(range(1, len(found.results) + 1))
    by_id = {one.id: one for one in found.results}
    claim, dissent = by_id["c2-budget"], by_id["d1-edge"]
    assert (claim.state, claim.section, claim.text) == ("open", BUDGET.section, BUDGET.text)
    assert claim.claim in found.claims
    assert dissent.state == AGAINST.reason.value
    for one in found.results:
        for piece in one.words:
            assert TALK.turn(piece.turn).content[piece.start : piece.end] == piece.text
    turn = next(one for one in found.results if one.kind is RecallKind.TURN)
    assert turn.turns == (int(turn.id),)
    assert turn.text in TALK.turn(int(turn.id)).content
    assert turn.speaker == TALK.turn(int(turn.id)).speaker


def test_what_fits_is_found_however_far_down_it_stands(
    recall_with: Callable[..., Recall], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [
        query("shop opens at 9 or budget EUR", RecallBy.WORDS, **fit)
        for fit in ({"section": BUDGET.section}, {"open_only": False, "at": {"turn": 1}}, {"at": {"version": 1}}, {})
    ]
    at_once = [ids(recall_with()("talk", one)) for one in asked]
    monkeypatch.setattr("context.recall.BATCH", 1)
    recall = recall_with()
    assert [ids(recall("talk", one)) for one in (*asked, *asked)] == [*at_once, *at_once]
    assert all(at_once)


def test_what_took_a_claims_place_stands_before_it(recall_with: Callable[..., Recall]) -> None:
    recall = recall_with()
    kinds = frozenset({RecallKind.CLAIM})
    asked = RecallQuery(text="shop opens at 9", kinds=kinds, fit=Query(open_only=False))

    found = recall("talk", asked)

    assert [(one.id, one.state, one.by) for one in found.results] == [
        ("c3-opens", "open", None),
        ("c1-opens", "superseded", "c3-opens"),
    ]
    assert ids(recall("talk", asked.model_copy(update={"fit": Query()}))) == [("claim", "c3-opens")]


def test_a_ring_of_successors_ends() -> None:
    one = RecallResult(rank=1, kind=RecallKind.CLAIM, id="a", by="b", state="superseded", text="a")
    two = RecallResult(rank=2, kind=RecallKind.CLAIM, id="b", by="a", state="superseded", text="b")

    assert [each.id for each in newest_state_first([one, two])] == ["b", "a"]


def test_a_turn_says_what_became_of_the_claims_that_rest_on_it(recall_with: Callable[..., Recall]) -> None:
    at = OPENS.evidence[0].turn
    found = recall_with()("talk", query(TALK.turn(at).content))

    turn = next(one for one in found.results if (one.kind, one.id) == (RecallKind.TURN, str(at)))
    assert ("c1-opens", "superseded", "c3-opens") in {(one.claim, one.state.value, one.by) for one in turn.became}


def test_filters_are_about_claims_and_sections_leave_turns_out(recall_with: Callable[..., Recall]) -> None:
    recall = recall_with()
    assert all(kind != "turn" for kind, _ in ids(recall("talk", query("budget shop", section="DECIDED"))))
    assert ids(recall("talk", query("budget shop", section="DECIDED"))) == [("claim", "c2-budget")]
    assert ("claim", "c1-opens") in ids(recall("talk", query("shop", at=Moment(version=1))))
    assert ("claim", "c3-opens") not in ids(recall("talk", query("shop", at=Moment(version=1))))
    early = ids(recall("talk", query("shop", at=Moment(turn=1), open_only=False)))
    assert {name for kind, name in early if kind == "turn"} <= {"1"}
    assert len(recall("talk", query("shop budget opens", limit=2)).results) == 2
    assert recall("talk", query("shop", at=Moment(recorded=later(-(10**6))))).results == ()


def test_without_words_claims_are_listed(recall_with: Callable[..., Recall]) -> None:
    recall = recall_with()
    assert ids(recall("talk", query())) == [("claim", "c2-budget"), ("claim", "c3-opens")]
    assert recall("talk", RecallQuery(kinds=frozenset({RecallKind.TURN}))).results == ()


@pytest.mark.parametrize("asked", [query("shop"), query()], ids=["words", "none"])
def test_a_conversation_or_version_that_is_not_there_is_told(
    recall_with: Callable[..., Recall], asked: RecallQuery
) -> None:
    recall = recall_with()
    with pytest.raises(NotFound, match="no conversation 'none'"):
        recall("none", asked)
    with pytest.raises(NotFound, match="version"):
        recall("talk", asked.model_copy(update={"fit": Query(at=Moment(version=9))}))


def test_what_is_appended_and_committed_later_is_found(
    units: UnitOfWorkFactory, recall_with: Callable[..., Recall]
) -> None:
    recall = recall_with()
    assert recall("talk", query("pelican")).results == ()
    with units() as unit:
        more = a_conversation(*(turn.content for turn in TALK.turns), "A pelican!", name="talk")
        unit.conversations.append("talk", more.turns[-1:])
        unit.commit()
    assert ids(recall("talk", query("pelican"))) == [("turn", str(len(TALK.turns) + 1))]


def test_an_erased_conversation_is_found_no_more(units: UnitOfWorkFactory, recall_with: Callable[..., Recall]) -> None:
    recall = recall_with()
    assert recall("talk", query("shop")).results
    with units() as unit:
        unit.ledger.erase("talk", later(30), actor="ann", reason="asked")
        unit.commit()
    recall.forget("talk")
    with pytest.raises(NotFound):
        recall("talk", query("shop"))


@pytest.mark.parametrize(
    ("embedder", "match", "told"),
    [
        (HashingEmbedder(), RecallBy.AUTO, "sees spelling, not meaning"),
        (Named(), RecallBy.AUTO, "is not loaded; match `meaning` loads it"),
        (Missing(), RecallBy.MEANING, "weights are missing"),
    ],
    ids=["spelling", "not loaded", "missing"],
)
def test_words_alone_are_compared_where_no_embedder_is_at_hand(
    recall_with: Callable[..., Recall], embedder: Embedder, match: RecallBy, told: str
) -> None:
    found = recall_with(embedder)("talk", query("budget", match))

    assert found.matched_by is RecallBy.WORDS
    assert told in found.notes[0]
    assert found.results


def test_an_answer_that_waits_makes_a_bounded_number_of_vectors_first(
    units: UnitOfWorkFactory, recall_with: Callable[..., Recall], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalling, "AT_ONCE", 3)
    monkeypatch.setattr(recalling, "BATCH", 1)
    embedder = Named()
    recall = recall_with(embedder, waits=True)

    found = recall("talk", query("budge", RecallBy.MEANING))

    assert found.matched_by is RecallBy.MEANING
    assert embedder.embedded == 1 + 3
    assert "texts have no vector yet and were found by words alone; ask again for more" in found.notes[0]
    for _ in range(3):
        found = recall("talk", query("budge", RecallBy.MEANING))
    assert found.notes == ()
    assert found.results[0].rank_meaning == 1
    assert found.results[0].rank_words is None  # "budge" is spelled alike and is another word
    with units() as unit:
        assert len(unit.recall.vectors("talk", embedder.stamp, 0)[1]) >= len(TALK.turns) + 3


def test_vectors_are_made_beside_the_answers(recall_with: Callable[..., Recall]) -> None:
    embedder = Named()
    embedder.ready = True
    recall = recall_with(embedder)

    first = recall("talk", query("budge"))
    assert "they are being made" in first.notes[0]
    filling = recall._filling
    assert filling is not None
    filling.result(timeout=60)

    assert recall("talk", query("budge")).notes == ()
    assert recall("talk", query("budge")).results[0].rank_meaning == 1


def test_vectors_of_before_are_used_by_another_process(
    units: UnitOfWorkFactory, recall_with: Callable[..., Recall]
) -> None:
    first, second = Named(), Named()
    recall_with(first, waits=True)("talk", query("budge", RecallBy.MEANING))

    found = recall_with(second, waits=True)("talk", query("budge", RecallBy.MEANING))

    assert found.results
    assert second.embedded == 1  # the query
    other = HashingEmbedder()
    recall_with(other, waits=True)("talk", query("budge", RecallBy.MEANING))
    with units() as unit:  # the stamp has changed: what was stored is made again
        assert unit.recall.vectors("talk", first.stamp, 0) == (0, [])
        assert unit.recall.vectors("talk", other.stamp, 0)[1]


def test_a_failure_beside_the_answers_is_told_and_harms_none(
    recall_with: Callable[..., Recall], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Named()
    embedder.ready = True
    recall = recall_with(embedder)

    def fail(*_: object) -> None:
        raise ModelAssetError("named", "the disk is gone")

    monkeypatch.setattr(recalling, "vectors_of", fail)
    recall("talk", query("budget"))
    filling = recall._filling
    assert filling is not None
    filling.result(timeout=60)

    found = recall("talk", query("budget"))
    assert found.results
    assert "the disk is gone" in found.notes[-1]


def test_a_claim_that_no_version_has_any_more_gets_no_vector(
    units: UnitOfWorkFactory, recall_with: Callable[..., Recall]
) -> None:
    with units() as unit:
        unit.ledger.roll_back("talk", 1, 2, later(30), actor="ann", reason="went wrong")
        unit.commit()
    recall = recall_with(Named(), waits=True)

    assert recall("talk", query("budge", RecallBy.MEANING)).notes == ()
