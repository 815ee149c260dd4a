import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from dissolution_fleet import start
from dissolution_fleet.start import HERE, ROOMS, OwnRooms, become, command, own_rooms_first
from tests.architecture.project import ROOT, roots
from tests.polling import LONGEST_S


def test_the_names_are_those_that_are_installed() -> None:
    assert set(roots()) == ROOMS
    assert Path(HERE) == ROOT


def test_only_our_top_level_names_are_decided() -> None:
    found = OwnRooms().find_spec("workers", None)
    assert found is not None
    assert found.origin == str(ROOT / "workers" / "__init__.py")
    assert OwnRooms().find_spec("json", None) is None
    assert OwnRooms().find_spec("workers.pipeline", [str(ROOT / "workers")]) is None


def test_it_is_put_first_once() -> None:
    with patch.object(sys, "meta_path", list(sys.meta_path)):
        own_rooms_first()
        own_rooms_first()
        assert [isinstance(one, OwnRooms) for one in sys.meta_path].count(True) == 1
        assert isinstance(sys.meta_path[0], OwnRooms)


@pytest.mark.usefixtures("processes")
def test_a_program_gets_its_words_and_a_foreign_folder_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "workers.py").write_text("raise SystemExit('foreign')", encoding="utf-8")
    ended = subprocess.run(
        command("workers.pipeline"), cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, timeout=LONGEST_S, check=False
    )
    assert ended.returncode == 0
    told = subprocess.run(
        command("cli.main", "--version"),
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=True,
    )
    assert told.stdout.strip()


def test_a_program_takes_the_place_of_this_one() -> None:
    with patch.object(os, "execv", side_effect=SystemExit) as execv, pytest.raises(SystemExit):
        become("api", "--help")
    assert execv.call_args.args == (sys.executable, command("api", "--help"))


@pytest.mark.usefixtures("processes")
def test_where_a_process_cannot_become_another_it_waits_and_ends_with_its_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (program := tmp_path / "told.py").write_text("import sys; sys.exit(len(sys.argv))", encoding="utf-8")

    def here(*words: str) -> list[str]:
        return [sys.executable, str(program), *words]

    monkeypatch.setattr(start, "command", here)
    with patch.object(start.os, "name", "nt"), pytest.raises(SystemExit) as ended:
        become("api.mcp", "--http")
    assert ended.value.code == 3  # its own name and two words
