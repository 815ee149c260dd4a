"""How conversations stand, many at once; one suite over every adapter."""

from datetime import timedelta

import pytest
from sqlalchemy import event

from dissolution.boundary_size import BoundarySize
from dissolution.conversation import Conversation
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.receipt.job_receipt import Receipt
from dissolution.service import NO_BOUNDARY, ConversationStanding
from dissolution.tenancy import scoped
from store.sql.conversation_states import NOT_TOLD, SIZE
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import INSTANT, a_conversation
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_job, a_receipt, later

MEASURED = BoundarySize(before_tokens=900, after_tokens=90, share=0.1, left_for_size=2, counter="approximate-1")


def store(units: UnitOfWorkFactory, conversation: Conversation, job: str | None = None, *, at: float = 0) -> None:
    with units() as work:
        work.conversations.extend(conversation)
        if job is not None:
            work.jobs.add(a_job(job, conversation).model_copy(update={"created_at": later(at)}), ())
        work.commit()


def commit(units: UnitOfWorkFactory, job: str, receipt: Receipt) -> None:
    with units() as work:
        version = work.boundaries.version(TALK.id)
        candidate = a_boundary(work.jobs.get(job), (a_claim("c1-opens", "The shop opens at 9.", TALK),))
        work.boundaries.commit(candidate, receipt, version, later(30))
        work.jobs.move(job, JobStatus.CANCELLED, later(31))
        work.commit()


def standings(units: UnitOfWorkFactory, *names: str) -> dict[str, ConversationStanding]:
    with units() as work:
        return dict(work.service.listing.standings(names))


def newest(units: UnitOfWorkFactory, tenant: str | None = None, containing: str = "", limit: int = 9) -> list[str]:
    with units() as work:
        return [one.id for one in work.service.listing.newest(tenant, containing, limit)]


def test_what_stands_is_told_with_the_newest_job_and_the_size_it_measured(units: UnitOfWorkFactory) -> None:
    store(units, TALK, "j1", at=10)
    characters = sum(len(turn.content) for turn in TALK.turns)
    (before,) = standings(units, TALK.id, "nobody").values()
    assert (before.version, before.characters, before.size) == (0, characters, NO_BOUNDARY)
    assert before.last_job is not None
    assert (before.last_job.id, before.last_job.status, before.last_job.ended_at) == ("j1", JobStatus.QUEUED, None)

    commit(units, "j1", a_receipt(a_job("j1", TALK)).model_copy(update={"size": MEASURED}))
    store(units, TALK, "j2", at=40)
    stands = standings(units, TALK.id)[TALK.id]
    assert (stands.version, stands.size) == (1, MEASURED)
    assert stands.last_job is not None
    assert (stands.last_job.id, stands.last_job.created_at) == ("j2", later(40))

    commit(units, "j2", a_receipt(a_job("j2", TALK)))  # a receipt without a size
    stands = standings(units, TALK.id)[TALK.id]
    assert (stands.version, stands.size) == (2, NOT_TOLD)
    assert stands.last_job is not None
    assert (stands.last_job.status, stands.last_job.ended_at) == (JobStatus.CANCELLED, later(31))


def test_words_of_a_receipt_are_not_taken_for_its_size(units: UnitOfWorkFactory) -> None:
    store(units, TALK, "j1")
    posing = f'{SIZE}1,"after_tokens":1,"share":1,"left_for_size":0,"counter":"x"}}'
    given = a_receipt(a_job("j1", TALK))
    policy = given.policy.model_copy(update={"name": posing})
    commit(units, "j1", given.model_copy(update={"fleet": posing, "policy": policy, "size": MEASURED}))
    assert standings(units, TALK.id)[TALK.id].size == MEASURED


def test_the_newest_come_first_of_one_tenant_or_of_all(units: UnitOfWorkFactory) -> None:
    for name in ("a", "b", scoped("acme", "c")):
        store(units, a_conversation("We use Postgres.", name=name))
    assert sorted(newest(units)) == ["a", scoped("acme", "c"), "b"]
    store(units, a_conversation("We use Postgres.", name="b"), "jb", at=50)
    assert newest(units, "default") == ["b", "a"]
    assert newest(units)[0] == "b"
    assert newest(units, "acme") == [scoped("acme", "c")]
    assert newest(units, "nobody") == []
    assert len(newest(units, limit=2)) == 2
    grown = a_conversation("We use Postgres.", "Since when?", name="a")
    said = grown.turns[1].model_copy(update={"recorded_at": INSTANT + timedelta(days=1)})
    store(units, grown.model_copy(update={"turns": (grown.turns[0], said)}))
    assert newest(units, "default") == ["a", "b"]


@pytest.mark.parametrize(
    ("containing", "found"),
    [("LAUNCH", ["launch-1"]), ("offsite", ["talk_2"]), ("k_", ["talk_2"]), ("%", []), ("Café", ["talk_2"])],
)
def test_a_part_of_the_id_or_the_title_chooses(units: UnitOfWorkFactory, containing: str, found: list[str]) -> None:
    store(units, a_conversation("Hello.", name="launch-1"))
    store(units, a_conversation("Hello.", name="talk_2").model_copy(update={"title": "Offsite at the Café"}))
    assert newest(units, containing=containing) == found


def test_many_take_as_few_queries_as_one(sql: SqlUnitOfWorkFactory) -> None:
    names = [f"talk-{number:03}" for number in range(300)]
    with sql() as work:
        for name in names:
            work.conversations.extend(a_conversation("Hello.", name=name))
        work.commit()
    asked: list[str] = []
    event.listen(sql.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    with sql() as work:
        found = work.service.listing.newest(None, "", 1000)
        assert len(work.service.listing.standings([one.id for one in found])) == 300
    assert len([one for one in asked if one.startswith("SELECT")]) <= 4
