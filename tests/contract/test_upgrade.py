"""A database of revision 0001 with real boundaries, brought to the present: every one reads back as it was."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from pydantic import TypeAdapter
from sqlalchemy import Engine, MetaData, create_engine, insert, inspect

from dissolution.claims import Claim, Dissent
from dissolution.conversation import Conversation, chained_digests
from dissolution.findings import GateDecision, Verdict
from dissolution.policy.job_policy import Policy
from store.sql.migrate import expected_revision
from store.sql.places import parse_url
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from tests.databases import revision_of
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, commit, names
from tests.unit.store.ledgers import TALK, a_dissent, a_receipt, later
from tests.unit.store.ledgers import a_job as job_of

REWORDED = OPENS.model_copy(update={"text": "The shop opens at nine."})
SUPPORTED = BUDGET.model_copy(update={"reason": "three families state it"})
ROWS: dict[int, Claim] = {1: OPENS, 2: BUDGET, 3: REWORDED, 4: SUPPORTED, 5: OPENS, 6: OPENS, 7: OPENS}
"""What stood in rows of `claims`, by their number."""
MEMBERS: dict[str, list[list[int]]] = {
    "talk": [[2, 1], [2, 3], [3, 4, 5], [5, 3]],  # at last two rows that stood in the other order
    "twins": [[6, 7], [6, 7]],  # the same id twice, which only the first revision allowed
}
"""The rows of each boundary in their order, by conversation and version."""
CAME = {1: 1, 2: 1, 3: 2, 4: 3, 5: 3, 6: 1, 7: 1}
WENT = {1: 2, 2: 3, 4: 4}
"""The versions at which rows were added and closed."""


def _job(conversation: str, version: int) -> str:
    return f"{conversation}-{version}"


def _json(value: object) -> str:
    return TypeAdapter(type(value)).dump_json(value).decode()


@pytest.fixture(params=("sqlite", "postgresql"))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'old.sqlite3'}"
    return str(request.getfixturevalue("empty_postgresql"))


@pytest.fixture
def upgraded(url: str) -> Iterator[SqlUnitOfWorkFactory]:
    """A database of revision 0001, filled, then opened by this version."""
    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", "store:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    _fill(engine)
    engine.dispose()
    assert revision_of(url) == "0001"
    factory = sql_unit_of_work_factory(url)
    assert revision_of(url) == expected_revision()
    yield factory
    factory.close()


def _fill(engine: Engine) -> None:
    tables = MetaData()
    tables.reflect(engine)

    def add(table: str, **values: object) -> None:
        naive = engine.dialect.name == "sqlite"
        for name, value in values.items():
            if isinstance(value, datetime):
                values[name] = value.astimezone(UTC).replace(tzinfo=None) if naive else value
        connection.execute(insert(tables.tables[table]).values(values))

    with engine.begin() as connection:
        for name, versions in MEMBERS.items():
            talk = TALK.model_copy(update={"id": name})
            _add_conversation(add, talk)
            for version in range(1, len(versions) + 1):
                _add_boundary(add, talk, version)
            for row in sorted({row for members in versions for row in members}):
                _add_claim(add, talk, row)
            for version, members in enumerate(versions, start=1):
                for ordinal, row in enumerate(members):
                    add("boundary_claims", job=_job(name, version), ordinal=ordinal, claim=row)


def _add_conversation(add: Any, talk: Conversation) -> None:  # noqa: ANN401 - the function above
    add("conversations", id=talk.id, title=None, language=_json(talk.language))
    for turn, chained in zip(talk.turns, chained_digests(talk.turns), strict=True):
        facts = turn.model_dump(include={"number", "role", "speaker", "content", "said_at", "recorded_at"})
        add("turns", conversation=talk.id, **facts, quoted="[]", digest=turn.digest, chained=chained)
    for through in range(1, len(talk.turns) + 1):
        digest = chained_digests(talk.turns)[through - 1]
        add("snapshots", conversation=talk.id, through=through, digest=digest)


def _add_boundary(add: Any, talk: Conversation, version: int) -> None:  # noqa: ANN401 - as above
    job = _job(talk.id, version)
    place = {"conversation": talk.id, "through": version, "snapshot_digest": chained_digests(talk.turns)[version - 1]}
    made = {"created_at": later(0), "ended_at": later(version), "expected_version": version - 1}
    policy = Policy().model_dump_json()
    add("jobs", id=job, **place, fleet="extractive", policy=policy, status="committed", reason=None, **made)
    decision = GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("probe not run", f"version {version}"))
    verdict = {"verdict": "commit_degraded", "decision": _json(decision), "committed_at": later(version)}
    add("boundaries", job=job, **place, version=version, **verdict)
    add("receipts", job=job, number=1, ended_at=later(version), document=_json(a_receipt(job_of(job, TALK))))
    for ordinal, dissent in enumerate((AGAINST, a_dissent(f"d-{version}", "Or ten?", TALK))):
        _add_dissent(add, talk.id, job, ordinal, dissent)


def _add_dissent(add: Any, name: str, job: str, ordinal: int, dissent: Dissent) -> None:  # noqa: ANN401 - as above
    row = 10 * (len(job) + int(job[-1]) * 10) + ordinal + (1000 if name == "twins" else 0)
    told = {key: _json(getattr(dissent, key)) for key in ("support", "statements")}
    facts = {"section": dissent.section.value, "text": dissent.text, "reason": dissent.reason.value}
    place = {"row": row, "id": dissent.id, "conversation": name, "job": job, "ordinal": ordinal}
    add("dissent", **place, **facts, **told, detail=dissent.detail, against='["c1"]')
    (piece,) = dissent.evidence
    add("dissent_evidence", dissent=row, ordinal=0, conversation=name, **piece.model_dump())


def _add_claim(add: Any, talk: Conversation, row: int) -> None:  # noqa: ANN401 - as above
    claim, went = ROWS[row], WENT.get(row)
    told = {key: _json(getattr(claim, key)) for key in ("support", "marks")}
    told["statements"] = "[" + ",".join(map(_json, claim.statements)) + "]"
    place = {"row": row, "id": claim.id, "conversation": talk.id, "job": _job(talk.id, CAME[row])}
    facts = {"section": claim.section.value, "text": claim.text, "reason": claim.reason}
    recorded = {"recorded_from": later(CAME[row]), "recorded_to": None if went is None else later(went)}
    valid = {"valid_from_turn": claim.valid.start, "valid_to_turn": None}
    add("claims", **place, **facts, **told, **recorded, **valid)
    for ordinal, piece in enumerate(claim.evidence):
        add("evidence", claim=row, ordinal=ordinal, conversation=talk.id, **piece.model_dump())


def test_every_boundary_of_before_reads_back_as_it_was(upgraded: SqlUnitOfWorkFactory) -> None:
    with upgraded() as unit:
        for name, versions in MEMBERS.items():
            for version, members in enumerate(versions, start=1):
                boundary = unit.ledger.at_version(name, version)
                assert boundary == unit.boundaries.by_job(_job(name, version))
                assert boundary == unit.boundaries.as_recorded(name, later(version))
                held = tuple(ROWS[row].model_copy(update={"affirmed": version}) for row in members)
                assert boundary.claims == held  # what they said, in the order they said it
                dissent = a_dissent(f"d-{version}", "Or ten?", TALK)
                assert boundary.dissent == (AGAINST, dissent)
                assert (boundary.version, boundary.committed_at, boundary.through) == (version, later(version), version)
                assert (boundary.changes, boundary.closed) == ((), ())
                assert boundary.decision.reasons == ("probe not run", f"version {version}")
            current = unit.boundaries.current(name)
            assert current is not None
            assert current.version == len(versions)


def test_what_is_beside_the_ledger_is_as_it_was(upgraded: SqlUnitOfWorkFactory) -> None:
    with upgraded() as unit:
        assert unit.conversations.get("talk") == TALK
        job = unit.jobs.get("talk-2")
        assert (job.hold, job.through, job.expected_version) == (False, 2, 1)
        assert unit.boundaries.receipt("talk-2") == a_receipt(job_of("talk-2", TALK))
        events = unit.ledger.events("talk")
        assert [(event.version, event.kind.value, event.job, event.at) for event in events] == [
            (version, "committed", f"talk-{version}", later(version)) for version in (1, 2, 3, 4)
        ]
        assert events[2].reason == "probe not run; version 3"
    with upgraded.engine.connect() as connection:
        assert not [name for name in inspect(connection).get_table_names() if name.startswith(("old_", "boundary_c"))]


@pytest.mark.parametrize("name", MEMBERS)
def test_the_ledger_goes_on_from_there(upgraded: SqlUnitOfWorkFactory, name: str) -> None:
    talk = TALK.model_copy(update={"id": name})
    versions = len(MEMBERS[name])
    with upgraded() as unit:
        before = unit.boundaries.current(name)
        first = unit.ledger.at_version(name, 1)
    assert before is not None
    once = before.model_copy(update={"claims": tuple({claim.id: claim for claim in before.claims}.values())})
    committed = commit(upgraded, a_cycle(f"new-{name}", once, (REWORDED,), conversation=talk), versions, 50, talk)

    assert names(committed.claims) == ["c1-opens"]  # of rows that shared an id, one goes on
    assert len({one.id for one in committed.dissent}) == len(committed.dissent) == 2
    with upgraded() as unit:
        assert unit.boundaries.current(name) == committed
        unit.ledger.roll_back(name, 1, versions + 1, later(60), actor="ann", reason="undo")
        rolled = unit.boundaries.current(name)
        assert rolled is not None
        assert (rolled.claims, rolled.dissent) == (first.claims, first.dissent)
        unit.ledger.erase(name, later(70), actor="ann", reason="law")
        assert name not in unit.conversations.ids()
