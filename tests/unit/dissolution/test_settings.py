import ast
import inspect
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from dissolution.errors import InvalidSettings
from dissolution.settings import Settings, home, load_settings, settings_file


def write(text: str) -> Path:
    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_stand_when_nothing_is_given(own_home: Path) -> None:
    settings = load_settings()
    assert settings.db == f"sqlite:///{own_home}/.dissolution/ledger.sqlite3"
    assert settings.lease_s == 60.0
    assert settings.installation_key is None
    assert not home().exists()


def test_file_beats_default() -> None:
    write("lease_s = 11.0")
    assert load_settings().lease_s == 11.0


def test_environment_beats_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("lease_s = 11.0\nmax_attempts = 9")
    monkeypatch.setenv("DISSOLVE_LEASE_S", "12")
    settings = load_settings()
    assert (settings.lease_s, settings.max_attempts) == (12.0, 9)


def test_flags_beat_environment_and_none_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    write("lease_s = 11.0")
    monkeypatch.setenv("DISSOLVE_LEASE_S", "12")
    assert load_settings(lease_s=13).lease_s == 13.0
    assert load_settings(lease_s=None).lease_s == 12.0


def test_another_file_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("lease_s = 11.0")
    other = tmp_path / "other.toml"
    other.write_text("lease_s = 14.0", encoding="utf-8")
    monkeypatch.setenv("DISSOLVE_SETTINGS", str(other))
    assert load_settings().lease_s == 14.0


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"lease_s": 4}, r"setting 'lease_s': Input should be greater than or equal to 5 \(see docs/settings.md\)"),
        ({"lease_s": "soon"}, "setting 'lease_s': Input should be a valid number"),
        ({"leese": 5}, "setting 'leese': there is no such setting; did you mean 'lease_s'"),
        ({"environment": "moon"}, "setting 'environment': Input should be 'local' or 'deployment'"),
        ({"installation_key": "k" * 31}, "setting 'installation_key': .*shorter than 32 bytes; make one with"),
        ({"max_file_mb": 0}, "setting 'max_file_mb'"),
        ({"embedder": ""}, "setting 'embedder'"),
    ],
)
def test_values_out_of_range_are_named(flags: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidSettings, match=words):
        load_settings(**flags)


def test_unknown_names_in_the_file_are_refused() -> None:
    write("leese = 5")
    with pytest.raises(InvalidSettings, match="setting 'leese'"):
        load_settings()


def test_broken_toml_names_the_file() -> None:
    file = write("lease_s = = 5")
    with pytest.raises(InvalidSettings, match="is not valid TOML") as caught:
        load_settings()
    assert str(file) in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xff\xfe")
    monkeypatch.setenv("DISSOLVE_SETTINGS", str(file))
    with pytest.raises(InvalidSettings, match="is not valid TOML"):
        load_settings()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InvalidSettings, match="Permission denied"):
        load_settings()


def test_keys_are_measured_in_bytes_and_never_shown() -> None:
    key = "ü" * 16  # 32 bytes
    settings = load_settings(installation_key=key)
    assert settings.installation_key is not None
    assert settings.installation_key.get_secret_value() == key
    assert key not in repr(settings)
    assert key not in settings.model_dump_json()


def test_a_refused_key_is_not_in_the_message() -> None:
    with pytest.raises(InvalidSettings) as caught:
        load_settings(installation_key="hunter2hunter2")
    assert "hunter2" not in str(caught.value)


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load_settings().lease_s = 5.0  # pyright: ignore[reportAttributeAccessIssue] - the refusal is tested


def test_every_field_has_its_reason() -> None:
    (body,) = ast.parse(inspect.getsource(Settings)).body
    assert isinstance(body, ast.ClassDef)
    told = {
        field.target.id
        for field, below in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr)
    }
    assert told == set(Settings.model_fields)
