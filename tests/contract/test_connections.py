"""PostgreSQL connections: one that the server has ended is never given to anybody, and a good one costs no question."""

import os

import pytest
from sqlalchemy import create_engine, event, text

from store.sql import engine as store_engine
from store.sql.places import parse_url
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory


def server_process(sql: SqlUnitOfWorkFactory) -> int:
    """The process at the other end of the connection that the next unit of work uses."""
    with sql.engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())


def end(url: str, process: int) -> None:
    """End a connection from the server's side, and wait until it is gone."""
    other = create_engine(parse_url(url))
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:process, 300000)"), {"process": process})
    other.dispose()


def test_a_connection_that_the_server_ended_is_replaced_unseen(copied_postgresql: str) -> None:
    sql = sql_unit_of_work_factory(copied_postgresql)
    before = server_process(sql)
    assert server_process(sql) == before, "the pool keeps a connection"
    end(copied_postgresql, before)
    with sql() as work:
        assert work.jobs.unfinished() == ()
    assert server_process(sql) != before
    sql.close()


def test_a_connection_in_use_is_asked_nothing_and_one_after_a_long_rest_is(
    copied_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = sql_unit_of_work_factory(copied_postgresql)
    first = server_process(sql)
    asked: list[int] = []
    look = store_engine._ask

    def told(driver: store_engine._Driver) -> None:
        asked.append(driver.fileno())
        look(driver)

    monkeypatch.setattr(store_engine, "_ask", told)
    assert server_process(sql) == first
    assert asked == []
    monkeypatch.setattr(store_engine, "IDLE_S", 0.0)
    assert server_process(sql) == first
    assert len(asked) == 1
    sql.close()


def test_a_connection_whose_socket_is_closed_here_is_replaced_too(copied_postgresql: str) -> None:
    sql = sql_unit_of_work_factory(copied_postgresql)
    first = server_process(sql)

    def close_socket(connection: store_engine._Driver, *_: object) -> None:
        os.close(connection.fileno())

    event.listen(sql.engine, "checkin", close_socket, once=True)
    assert server_process(sql) == first
    assert server_process(sql) != first
    sql.close()
