import stat
from pathlib import Path

import pytest

from dissolution.errors import InputError
from dissolution.settings import Settings
from workers.runtime.flower_server import flower_options, password_in


def test_a_password_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "flower-password"
    password, made = password_in(file)
    assert made
    assert len(password) >= 20
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert password_in(file) == (password, False)
    assert password_in(tmp_path / "other")[0] != password


def test_a_password_that_others_may_read_is_refused_without_repeating_it(tmp_path: Path) -> None:
    file = tmp_path / "flower-password"
    file.write_text("q7Xw-very-private\n", encoding="utf-8")
    file.chmod(0o640)
    with pytest.raises(InputError, match="others") as caught:
        password_in(file)
    assert "q7Xw" not in str(caught.value)


def test_an_empty_password_and_a_place_that_cannot_be_are_refused(tmp_path: Path) -> None:
    (empty := tmp_path / "empty").touch(mode=0o600)
    with pytest.raises(InputError, match="is empty"):
        password_in(empty)
    with pytest.raises(InputError, match="choose another with --password-file"):
        password_in(empty / "below-a-file")


def test_flower_is_private_signed_in_to_and_read_only_unless_told_otherwise() -> None:
    options = flower_options(Settings(), "pw", read_only=True)
    assert (options["address"], options["read_only"]) == ("127.0.0.1", True)
    assert options["basic_auth"] == ["operator:pw"]
    assert (options["persistent"], options["debug"], options["enable_events"]) == (False, False, False)
    assert flower_options(Settings(), "pw", read_only=False)["read_only"] is False
