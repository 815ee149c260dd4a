"""Topics over the claims of a tenant's conversations, with vectors that are made once."""

from collections.abc import Sequence

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.errors import InputError
from dissolution.findings import EmbeddingStamp, Vectors
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.tenancy import scoped
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import a_conversation
from tests.unit.store.ledgers import STAGES, a_boundary, a_claim, a_job, a_receipt, later
from workers.tenants.topics import SPELLING, FoundTopics, find_topics

MATTERS = ("The invoice service runs on Postgres", "Nobody restarts the primary during office hours")


class Counting:
    """The hashing embedder, and what it was given."""

    def __init__(self) -> None:
        self._embedder = HashingEmbedder()
        self.given: list[str] = []

    @property
    def stamp(self) -> EmbeddingStamp:
        return self._embedder.stamp

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.given += texts
        return self._embedder.embed(texts)


def commit(units: UnitOfWorkFactory, conversation: str, *texts: str) -> None:
    """A conversation whose boundary has these claims."""
    talk = a_conversation("One.", "Two.", "Three.", name=conversation)
    job = a_job(f"job-{conversation}", talk)
    claims = tuple(a_claim(f"{conversation}-{place}", text, talk) for place, text in enumerate(texts))
    with units() as work:
        work.conversations.extend(talk)
        work.jobs.add(job, STAGES)
        work.jobs.move(job.id, JobStatus.RUNNING, later(0))
        work.boundaries.commit(a_boundary(job, claims), a_receipt(job), 0, later(1))
        work.commit()


@pytest.fixture
def units() -> UnitOfWorkFactory:
    """Two conversations with three claims about each of two matters, and one claim about something else."""
    made = memory_unit_of_work_factory()
    for name, numbers in (("a", "123"), ("b", "456")):
        commit(made, name, *(f"{matter} {number}." for matter in MATTERS for number in numbers))
    commit(made, "c", "Zebras graze quietly beyond every fjord.")
    return made


def found_in(units: UnitOfWorkFactory, embedder: Counting, *, tenant: str = "default", name: str = "") -> FoundTopics:
    return find_topics(units, embedder, tenant=tenant, containing=name, least=4, most=100)


def test_claims_of_several_conversations_about_one_matter_are_a_topic(units: UnitOfWorkFactory) -> None:
    found = found_in(units, Counting())
    assert found.conversations == 3
    assert [topic.conversations for topic in found.topics] == [("a", "b"), ("a", "b")]
    said = [{claim.text.rsplit(" ", 1)[0] for claim in topic.claims} for topic in found.topics]
    assert sorted(map(sorted, said)) == sorted([matter] for matter in MATTERS)
    assert [claim.conversation for claim in found.outside] == ["c"]
    assert found.notes == (SPELLING,)


def test_a_vector_is_made_once(units: UnitOfWorkFactory) -> None:
    first, again = Counting(), Counting()
    assert found_in(units, first) == found_in(units, again)
    assert (len(first.given), again.given) == (13, [])


def test_another_tenant_s_claims_are_in_no_topic(units: UnitOfWorkFactory) -> None:
    commit(units, scoped("acme", "talk"), *(f"{MATTERS[0]} {number}." for number in "12345"))
    assert {claim.conversation for topic in found_in(units, Counting()).topics for claim in topic.claims} == {"a", "b"}
    assert found_in(units, Counting(), tenant="acme").conversations == 1


def test_without_claims_there_is_nothing(units: UnitOfWorkFactory) -> None:
    assert found_in(units, Counting(), name="no such name") == FoundTopics(
        conversations=0, topics=(), outside=(), notes=(SPELLING,)
    )


def test_a_light_installation_says_what_it_lacks(units: UnitOfWorkFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_package: str) -> bool:
        return False

    monkeypatch.setattr("workers.tenants.topics.is_installed", absent)
    with pytest.raises(InputError, match="install the project whole"):
        found_in(units, Counting())
