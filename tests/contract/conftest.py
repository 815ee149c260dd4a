"""Every adapter of the store, PostgreSQL included: one suite runs over all of them."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from dissolution.ports.store import UnitOfWorkFactory
from store.sql.places import parse_url
from store.sql.unit_of_work import SqlUnitOfWorkFactory, memory_unit_of_work_factory, sql_unit_of_work_factory
from tests.databases import migrated

ADAPTERS = ("memory", "sqlite", "postgresql")


def _administer(url: str, statement: str) -> None:
    engine = create_engine(parse_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql_server: str) -> Iterator[str]:
    """Name of a migrated database that others are copied from."""
    name = f"dissolve_test_{secrets.token_hex(4)}"
    _administer(postgresql_server, f"CREATE DATABASE {name}")
    sql_unit_of_work_factory(_named(postgresql_server, name)).close()
    yield name
    _administer(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


def _named(server: str, name: str) -> str:
    return parse_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def empty_postgresql(postgresql_server: str) -> Iterator[str]:
    """URL of a new, empty database."""
    name = f"dissolve_test_{secrets.token_hex(4)}"
    _administer(postgresql_server, f"CREATE DATABASE {name}")
    yield _named(postgresql_server, name)
    _administer(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def copied_postgresql(postgresql_server: str, migrated_postgresql: str) -> Iterator[str]:
    """URL of a new, migrated database."""
    name = f"dissolve_test_{secrets.token_hex(4)}"
    _administer(postgresql_server, f"CREATE DATABASE {name} TEMPLATE {migrated_postgresql}")
    yield _named(postgresql_server, name)
    _administer(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=("sqlite", "postgresql"))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a new, migrated database of each kind."""
    if request.param == "sqlite":
        return migrated(tmp_path / "ledger.sqlite3")
    return str(request.getfixturevalue("copied_postgresql"))


@pytest.fixture
def sql(url: str) -> Iterator[SqlUnitOfWorkFactory]:
    """Units of work of each SQL adapter."""
    factory = sql_unit_of_work_factory(url, busy_timeout_s=20)
    yield factory
    factory.close()


@pytest.fixture(params=ADAPTERS)
def units(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[UnitOfWorkFactory]:
    """Units of work of each adapter."""
    if request.param == "memory":
        yield memory_unit_of_work_factory()
        return
    places: dict[str, Callable[[], str]] = {
        "sqlite": lambda: migrated(tmp_path / "ledger.sqlite3"),
        "postgresql": lambda: str(request.getfixturevalue("copied_postgresql")),
    }
    factory = sql_unit_of_work_factory(places[request.param]())
    yield factory
    factory.close()


@pytest.fixture(params=ADAPTERS)
def make_impatient(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], UnitOfWorkFactory]]:
    """Makes units of work of each adapter that wait 50 ms for another."""
    opened: list[SqlUnitOfWorkFactory] = []

    def make() -> UnitOfWorkFactory:
        if request.param == "memory":
            return memory_unit_of_work_factory(busy_timeout_s=0.05)
        of_file = migrated(tmp_path / "ledger.sqlite3")
        place = of_file if request.param == "sqlite" else str(request.getfixturevalue("copied_postgresql"))
        opened.append(sql_unit_of_work_factory(place, busy_timeout_s=0.05))
        return opened[-1]

    yield make
    for factory in opened:
        factory.close()
