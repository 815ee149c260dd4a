from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.errors import InvalidSettings
from dissolution.secret_values import password_of, why_placeholder, with_password
from dissolution.settings import load_settings

REAL = "9f2c41d07be8a35416cb0d72e9a4f813"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("changeme-changeme-changeme", "is a placeholder"),
        ("CHANGE_ME", "is a placeholder"),
        ("<your key here, 32 bytes>", "is a placeholder"),
        ("${REDIS_PASSWORD}", "is a placeholder"),
        ("a-very-secret-thing-of-mine", "is a placeholder"),
        ("x7Gq2", "has 5 characters; a deployment wants 16 or more"),
        ("k" * 40, "has only 1 different characters"),
        (REAL, None),
    ],
)
def test_placeholders_are_known_and_never_repeated(value: str, why: str | None) -> None:
    assert why_placeholder(value) == why


@given(st.binary(min_size=16, max_size=32))
def test_what_openssl_makes_is_no_placeholder_by_its_words(made: bytes) -> None:
    why = why_placeholder(made.hex())
    assert why is None or "different" in why or "123456" in made.hex() or "abcdef" in made.hex()


@pytest.mark.parametrize(
    ("url", "filled"),
    [
        ("redis://redis:6379/0", "redis://:p%40ss%2F@redis:6379/0"),
        ("redis://app@redis:6379/0", "redis://app:p%40ss%2F@redis:6379/0"),
        ("redis://:own@redis:6379/0", "redis://:own@redis:6379/0"),
        ("postgresql+psycopg://dissolve@db/ledger", "postgresql+psycopg://dissolve:p%40ss%2F@db/ledger"),
        ("sqlite:////data/ledger.sqlite3", "sqlite:////data/ledger.sqlite3"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_password_goes_into_a_url_that_has_none(url: str, filled: str) -> None:
    assert with_password(url, "p@ss/") == filled
    assert password_of(filled) in {None, "p@ss/", "own"}


@given(st.text(min_size=1).filter(lambda text: not any("\ud800" <= sign <= "\udfff" for sign in text)))
def test_any_password_survives_its_url(password: str) -> None:
    assert password_of(with_password("redis://host:1/0", password)) == password


def test_a_url_that_is_none_has_no_password() -> None:
    assert password_of("http://[::1") is None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DISSOLVE_SECRETS", str(tmp_path))
    for name in ("redis_password", "db_password", "installation_key", "flower_password"):
        (tmp_path / name).write_text(f"{name[0]}{REAL}\n", encoding="utf-8")
    return tmp_path


def test_secrets_come_from_files_and_stay_out_of_what_is_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_ENVIRONMENT", "deployment")
    settings = load_settings(db="postgresql+psycopg://dissolve@db/ledger", redis_url="redis://redis:6379/0")
    assert settings.redis_url.get_secret_value() == f"redis://:r{REAL}@redis:6379/0"
    assert settings.db == f"postgresql+psycopg://dissolve:d{REAL}@db/ledger"
    assert settings.flower_password is not None
    assert settings.flower_password.get_secret_value() == f"f{REAL}"


@pytest.mark.parametrize("name", ["redis_password", "db_password", "installation_key", "flower_password"])
def test_a_deployment_refuses_a_placeholder_without_repeating_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (folder / name).write_text("changeme-changeme-changeme-changeme", encoding="utf-8")
    given = {"db": "postgresql+psycopg://dissolve@db/ledger", "redis_url": "redis://redis:6379/0"}
    assert load_settings(**given).environment == "local"
    monkeypatch.setenv("DISSOLVE_ENVIRONMENT", "deployment")
    with pytest.raises(InvalidSettings, match=f"{name} is a placeholder") as caught:
        load_settings(**given)
    assert "changeme-changeme" not in str(caught.value)


def test_a_deployment_refuses_a_redis_without_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_REDIS_URL", "redis://redis:6379/0")
    assert load_settings().environment == "local"
    with pytest.raises(InvalidSettings, match="redis_password is empty"):
        load_settings(environment="deployment")


def test_a_folder_of_secrets_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISSOLVE_SECRETS", str(tmp_path / "nowhere"))
    with pytest.raises(InvalidSettings, match="is no folder"):
        load_settings()
