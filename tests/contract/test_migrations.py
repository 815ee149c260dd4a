"""Migrations: they build the tables, once, under a lock, and never touch a database that is not ours."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text

from dissolution.errors import SchemaMismatch
from store.sql.migrate import expected_revision
from store.sql.places import parse_url
from store.sql.unit_of_work import sql_unit_of_work_factory
from store.tables.jobs import VERSION_TABLE
from store.tables.schema import metadata
from tests.databases import revision_of


@pytest.fixture(params=("sqlite", "postgresql"))
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite3'}"
    return str(request.getfixturevalue("empty_postgresql"))


@pytest.fixture
def engine(empty: str) -> Iterator[Engine]:
    """A plain engine on the empty database."""
    made = create_engine(parse_url(empty))
    yield made
    made.dispose()


def _plain(value: object) -> str:
    """What a reflected value says: some are expressions whose repr is an address."""
    if isinstance(value, dict):
        return str({str(key): str(part) for key, part in cast("dict[object, object]", value).items()})
    return str(value)


def _shape(engine: Engine) -> dict[str, Any]:
    """Columns, keys, checks and indexes of every table, as the database itself tells them."""
    look = inspect(engine)

    def sorted_by_name(found: list[Any]) -> list[str]:
        return sorted(repr(sorted((key, _plain(value)) for key, value in one.items())) for one in found)

    return {
        name: (
            sorted_by_name(cast("list[Any]", look.get_columns(name))),
            look.get_pk_constraint(name),
            sorted_by_name(cast("list[Any]", look.get_foreign_keys(name))),
            sorted_by_name(cast("list[Any]", look.get_unique_constraints(name))),
            sorted_by_name(cast("list[Any]", look.get_check_constraints(name))),
            sorted_by_name(cast("list[Any]", look.get_indexes(name))),
        )
        for name in look.get_table_names()
        if name != VERSION_TABLE
    }


def test_migrations_and_tables_do_not_differ(empty: str, engine: Engine) -> None:
    sql_unit_of_work_factory(empty).close()

    with engine.connect() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    migrated = _shape(engine)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        metadata.create_all(connection)
    assert _shape(engine) == migrated
    assert set(migrated) == set(metadata.tables)


def test_the_expected_revision_is_the_newest_there_is() -> None:
    config = Config()
    config.set_main_option("script_location", "store:migrations")

    assert ScriptDirectory.from_config(config).get_heads() == [expected_revision()]


def test_opening_migrates_once_and_keeps_what_is_there(empty: str) -> None:
    assert revision_of(empty) is None
    keys: list[bytes] = []
    for _ in range(2):
        factory = sql_unit_of_work_factory(empty)
        with factory() as unit:
            keys.append(unit.installation_key())
        factory.close()
        assert revision_of(empty) == expected_revision()
    assert keys[0] == keys[1]


def test_a_newer_database_is_refused_with_both_revisions(empty: str, engine: Engine) -> None:
    sql_unit_of_work_factory(empty).close()
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_revision SET version_num = '9999'"))

    with pytest.raises(SchemaMismatch, match=rf"'9999'.*'{expected_revision()}'"):
        sql_unit_of_work_factory(empty)
    assert revision_of(empty) == "9999"


def test_a_table_of_ours_without_a_revision_is_refused(empty: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE claims (id integer)"))

    with pytest.raises(SchemaMismatch, match=r"\('claims'\)"):
        sql_unit_of_work_factory(empty)
    assert inspect(engine).get_table_names() == ["claims"]


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'places.sqlite'}"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE bookmarks (id integer)"))
    engine.dispose()

    with pytest.raises(SchemaMismatch, match="bookmarks"):
        sql_unit_of_work_factory(url)


def test_a_migration_that_fails_half_way_leaves_nothing(
    empty: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_table = op.create_table

    def fail_late(name: str, *columns: Any) -> object:  # noqa: ANN401 - Alembic's own type
        if name == "dissent":
            raise ZeroDivisionError
        return create_table(name, *columns)

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_table", fail_late)
        with pytest.raises(ZeroDivisionError):
            sql_unit_of_work_factory(empty)
    assert inspect(engine).get_table_names() == []
    sql_unit_of_work_factory(empty).close()
    assert revision_of(empty) == expected_revision()


def test_many_may_open_a_new_database_at_once(empty: str) -> None:
    keys: set[bytes] = set()
    start = threading.Barrier(6)
    failures: list[BaseException] = []

    def open_it() -> None:
        start.wait()
        try:
            factory = sql_unit_of_work_factory(empty)
            with factory() as unit:
                keys.add(unit.installation_key())
            factory.close()
        except BaseException as error:  # noqa: BLE001 - a thread's failure must reach the assertion below
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(keys) == 1
