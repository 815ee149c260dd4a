import stat
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dissolution.errors import StoreUnavailable
from store.sql.places import masked, parse_url, sqlite_file


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////var/lib/x.db", "sqlite:////var/lib/x.db"),
        ("postgresql://ann:s3cr3t@db/x", "postgresql://ann:***@db/x"),
        ("postgresql://ann:s3:c@r/3t@db/x", "postgresql://ann:***@db/x"),
        (
            "postgresql://db/x?user=a&password=s3cr3t&sslmode=require",
            "postgresql://db/x?user=a&password=***&sslmode=require",
        ),
        ("postgresql://db/x?sslpassword=s3cr3t", "postgresql://db/x?sslpassword=***"),
        ("nonsense://:s3cr3t@", "nonsense://:***@"),
        ("no url at all", "no url at all"),
    ],
)
def test_passwords_are_masked_whatever_the_rest_is(url: str, shown: str) -> None:
    assert masked(url) == shown


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_by_psycopg(scheme: str) -> None:
    assert parse_url(f"{scheme}://u:p@h/d").drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    "url", ["mysql://u:hush@h/d", "postgresql+asyncpg://u:hush@h/d", "ledger.sqlite3", "", "sqlite"]
)
def test_other_urls_are_refused_with_the_forms_that_work(url: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"use sqlite:///FILE or postgresql://") as caught:
        parse_url(url)
    assert "hush" not in str(caught.value)


def test_a_port_that_is_no_number_is_refused() -> None:
    with pytest.raises(StoreUnavailable, match="is no database URL"):
        parse_url("postgresql://u:p@h:port/d")


def test_new_folders_and_files_are_the_owners_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    path = sqlite_file(make_url(f"sqlite:///{tmp_path}/a/b/ledger.sqlite3"), "shown")

    modes = [stat.S_IMODE(place.stat().st_mode) for place in (tmp_path, tmp_path / "a", tmp_path / "a/b", path)]
    assert modes == [0o755, 0o700, 0o700, 0o600]


def test_an_existing_file_keeps_its_content_and_mode(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    path.write_bytes(b"here")
    path.chmod(0o640)

    assert sqlite_file(make_url(f"sqlite:///{path}"), "shown") == path
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"here", 0o640)


def test_a_tilde_is_the_home_folder(own_home: Path) -> None:
    assert sqlite_file(make_url("sqlite:///~/x.sqlite3"), "shown") == own_home / "x.sqlite3"


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
def test_a_database_that_keeps_nothing_is_refused(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="would keep nothing"):
        sqlite_file(make_url(url), url)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file" / "x.sqlite3", Path("/proc/none/x.sqlite3"), tmp_path / ("x" * 300)):
        with pytest.raises(StoreUnavailable, match=r"cannot be opened.*writable"):
            sqlite_file(make_url(f"sqlite:///{place}"), "shown")
    with pytest.raises(StoreUnavailable, match="null byte"):
        sqlite_file(make_url("sqlite:///x").set(database="a\0b"), "shown")


def test_an_existing_file_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.sqlite3"
    path.write_bytes(b"")

    def no(_path: Path, _mode: int) -> bool:
        return False  # root may write anything, so the system's answer is given here

    monkeypatch.setattr("os.access", no)

    with pytest.raises(StoreUnavailable, match="Permission denied"):
        sqlite_file(make_url(f"sqlite:///{path}"), "shown")
