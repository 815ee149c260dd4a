"""Rule 12 through every table: what was not measured comes back as not measured, with its reason."""

import itertools
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dissolution.answers import FailureClass, MemberFailure, Reply, Usage
from dissolution.findings import AgreementMeasures, EmbeddingStamp
from dissolution.receipt.job_receipt import ConsensusReport, MemberReport
from dissolution.values import NotMeasured
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from store.tables.schema import metadata
from tests.factories import a_conversation
from tests.unit.store.ledgers import (
    CARD,
    REPLY,
    STAGES,
    TALK,
    a_boundary,
    a_call,
    a_claim,
    a_job,
    a_receipt,
    an_answer,
    later,
)

_REASONS = st.text(min_size=1, max_size=20).map(lambda words: NotMeasured(not_measured=words))
_SHARES = st.one_of(_REASONS, st.floats(0, 1))
_COUNTS = st.one_of(_REASONS, st.integers(0, 2**60))
_MONEY = st.one_of(_REASONS, st.decimals(0, 10**6, places=6, allow_nan=False))
_USAGES = st.builds(Usage, input_tokens=_COUNTS, cached_input_tokens=_COUNTS, output_tokens=_COUNTS, cost_usd=_MONEY)
_names = (f"n{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def factory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlUnitOfWorkFactory]:
    made = sql_unit_of_work_factory(f"sqlite:///{tmp_path_factory.mktemp('db') / 'ledger.sqlite3'}")
    yield made
    made.close()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(confidence=_SHARES, usage=_USAGES, wait=_SHARES, share=_SHARES, cost=_MONEY, whole=st.one_of(_REASONS, _USAGES))
def test_absence_is_not_zero_in_any_table(  # noqa: PLR0917 - one argument a kind of figure
    factory: SqlUnitOfWorkFactory,
    confidence: float | NotMeasured,
    usage: Usage,
    wait: float | NotMeasured,
    share: float | NotMeasured,
    cost: Decimal | NotMeasured,
    whole: Usage | NotMeasured,
) -> None:
    name = next(_names)
    talk = a_conversation("hello", name=name)
    talk = talk.model_copy(update={"language": talk.language.model_copy(update={"confidence": confidence})})
    job = a_job(name, talk)
    reply = REPLY.model_copy(update={"usage": usage})
    failure = MemberFailure(error_class=FailureClass.RATE_LIMIT, detail="slow down", retry_after_s=wait)
    answer = an_answer(reply=reply)
    parsed = answer.parsed.model_copy(
        update={"signature": answer.parsed.signature.model_copy(update={"first_person_share": share})}
    )
    answer = answer.model_copy(update={"parsed": parsed})
    receipt = a_receipt(job)
    measures = AgreementMeasures(
        claim_agreement=share,
        dominant_cluster_share=wait,
        mean_pairwise_jaccard=share,
        mean_tfidf_cosine=confidence,
        mean_embedding_cosine=share,
    )
    receipt = receipt.model_copy(
        update={
            "cost": receipt.cost.model_copy(update={"used_usd": cost}),
            "members": (MemberReport(card=CARD, latency_s=wait, usage=whole, signature=parsed.signature),),
            "consensus": ConsensusReport(
                statements=0,
                groups=0,
                kept={},
                single_source=0,
                contested=0,
                dissent={},
                measures=measures,
                embedding=EmbeddingStamp(model="hashing", digest="0", dimension=1),
                method="average linkage 1",
            ),
        }
    )

    results: tuple[Reply | MemberFailure, ...] = (reply, failure)
    with factory() as unit:
        unit.conversations.extend(talk)
        unit.jobs.add(job, STAGES)
        for ordinal, result in enumerate(results):
            unit.jobs.begin_call(a_call(name, ordinal=ordinal))
            unit.jobs.land_call(
                job=name, stage="fan_out", member=CARD.name, ordinal=ordinal, at=later(1), result=result, late=False
            )
        unit.jobs.save_answers(name, (answer,))
        unit.boundaries.save_receipt(receipt)
        unit.commit()

    with factory() as unit:
        assert unit.conversations.get(name).language.confidence == confidence
        calls = unit.jobs.calls(name, "fan_out")
        assert (calls[0].reply, calls[1].failure) == results
        assert unit.jobs.answers(name) == (answer,)
        assert unit.boundaries.receipt(name) == receipt


PAGE = (Path(__file__).parents[4] / "docs" / "store.md").read_text(encoding="utf-8")


def test_the_documentation_names_every_table() -> None:
    assert [name for name in metadata.tables if f"- `{name}`: " not in PAGE] == []


def test_the_documented_queries_lead_from_a_claim_to_its_words(factory: SqlUnitOfWorkFactory) -> None:
    job = a_job("j-doc", TALK)
    claim = a_claim("c0ffee", "The shop opens at 9.", TALK)
    with factory() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, STAGES)
        unit.jobs.begin_call(a_call("j-doc"))
        unit.jobs.land_call(
            job="j-doc", stage="fan_out", member=CARD.name, ordinal=0, at=later(1), result=REPLY, late=False
        )
        unit.boundaries.commit(a_boundary(job, (claim,)), a_receipt(job), 0, later(2))
        unit.commit()
    block = PAGE.split("```sql\n")[1].split("```")[0]
    queries = [query for query in block.split(";") if query.strip()]

    with factory.engine.connect() as connection:
        found = [connection.exec_driver_sql(query).all() for query in queries]

    assert [tuple(row[1:4]) for row in found[0]] == [("c0ffee", "KNOWN", "The shop opens at 9.")]
    assert [tuple(row) for row in found[1]] == [(1, "we open at 9", "we open at 9")]
    assert [tuple(row) for row in found[2]] == [("alpha", "writer-a", "The shop opens at 9.")]
    assert [row[3] for row in found[3]] == [REPLY.text]
