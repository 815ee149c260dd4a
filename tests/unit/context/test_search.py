"""The index of a conversation follows the store, and answers as one built at once."""

from hypothesis import given
from hypothesis import strategies as st

from context.search import ConversationIndex
from dissolution.conversation import Conversation
from dissolution.findings import EmbeddingStamp
from dissolution.ports.recall import StoredVector, TextKey
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.recall_kinds import RecallKind
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import a_conversation
from tests.unit.store.cycles import BUDGET, OPENS, a_cycle, commit, ended
from tests.unit.store.ledgers import TALK, a_claim, later

STAMP = EmbeddingStamp(model="one", digest="a" * 64, dimension=64)


def synced(units: UnitOfWorkFactory, index: ConversationIndex | None = None, name: str = "talk") -> ConversationIndex:
    made = index or ConversationIndex()
    with units() as unit:
        made.sync(unit.recall, name)
    return made


def found(units: UnitOfWorkFactory, index: ConversationIndex, query: str) -> list[str]:
    with units() as unit:
        is_open = index.open(unit.recall, "talk")
    allowed = index.mask(RecallKind, 10**6)
    return [one.key.name for one in index.ranked(query, allowed, is_open, None)]


def stored(units: UnitOfWorkFactory, conversation: Conversation) -> None:
    with units() as unit:
        unit.conversations.extend(conversation)
        unit.commit()


TEXTS = st.lists(st.text(alphabet="abcde .-1", min_size=1, max_size=15), min_size=1, max_size=6)


@given(TEXTS, st.text(alphabet="abcde .-1", max_size=15))
def test_turns_added_one_by_one_are_found_as_those_added_at_once(texts: list[str], query: str) -> None:
    units, grown = memory_unit_of_work_factory(), ConversationIndex()
    for number in range(1, len(texts) + 1):
        stored(units, a_conversation(*texts[:number], name="talk"))
        synced(units, grown)
    at_once = synced(units)

    assert found(units, grown, query) == found(units, at_once, query)
    assert grown.texts == at_once.texts == len(texts)


@given(st.lists(st.text(max_size=40), max_size=8), st.data())
def test_a_rare_word_of_a_turn_finds_it(others: list[str], data: st.DataObject) -> None:
    word = data.draw(st.from_regex(r"qx[a-z]{2,6}(?:[-_./][a-z0-9]{2,5})?", fullmatch=True))
    place = data.draw(st.integers(0, len(others)))
    texts = [text.replace("qx", "") or "-" for text in others]
    texts.insert(place, f"They said {word}, and went on")
    units = memory_unit_of_work_factory()
    stored(units, a_conversation(*texts, name="talk"))

    assert found(units, synced(units), word)[0] == str(place + 1)


def test_claims_are_found_once_and_open_ones_first_among_equals() -> None:
    units = memory_unit_of_work_factory()
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 10)
    index = synced(units)
    again = a_claim("c3-opens", OPENS.text, TALK, turn=3)
    commit(units, a_cycle("j2", first, (again,), (ended(OPENS, 3, by="c3-opens", cite=3),)), 1, 20)
    synced(units, index)

    names = [name for name in found(units, index, OPENS.text) if not name.isdigit()]
    assert names[:2] == ["c3-opens", "c1-opens"]
    assert len(names) == len(set(names))


def test_another_conversation_of_the_same_name_is_read_anew() -> None:
    units = memory_unit_of_work_factory()
    stored(units, a_conversation("The harbour is closed.", "Yes, indeed.", name="talk"))
    index = synced(units)
    with units() as unit:
        unit.ledger.erase("talk", later(1), actor="ann", reason="asked")
        unit.commit()
    stored(units, a_conversation("A garden.", "With roses.", "And a pond.", name="talk"))
    synced(units, index)

    assert found(units, index, "harbour") == []
    assert found(units, index, "roses pond") == ["3", "2"]


def test_texts_without_a_vector_are_named_the_newest_first() -> None:
    units = memory_unit_of_work_factory()
    stored(units, a_conversation("one", "two", "three", name="talk"))
    index = synced(units)
    assert (index.bare, index.without_vector(9)) == (3, tuple(TextKey(RecallKind.TURN, name) for name in "321"))

    with units() as unit:
        index.sync_vectors(unit.recall, "talk", STAMP)
        vector = StoredVector(TextKey(RecallKind.TURN, "2"), 0, b"\0" * 128)
        index.add_vectors([vector, StoredVector(TextKey(RecallKind.TURN, "99"), 0, b"\0" * 128)])
        assert [key.name for key in index.without_vector(9)] == ["3", "1"]
        index.pass_over([TextKey(RecallKind.TURN, "3")])
        assert [key.name for key in index.without_vector(9)] == ["1"]
        before = index.nbytes
        index.sync_vectors(unit.recall, "talk", STAMP.model_copy(update={"digest": "b" * 64}))
        assert (index.bare, index.nbytes <= before) == (3, True)
