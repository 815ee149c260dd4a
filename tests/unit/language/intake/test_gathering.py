"""Files, folders and archives: what is looked at, what is passed over and why, and what hostile archives cannot do."""

import os
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from dissolution.errors import InvalidConversation
from language.intake import gathering
from language.intake.gathering import gathered

MB = 1_000_000


def taken(path: Path, max_bytes: int = MB) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files with their bytes, and what was passed over with the reason."""
    with gathered(path, max_bytes) as found:
        return {name: found.files[name].data for name in found.files}, dict(found.passed_over)


def packed(folder: Path, members: Mapping[str, str]) -> Path:
    """A zip with these members."""
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_one_file_is_taken_whatever_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "talk.bin"
    path.write_bytes(b"x")
    with gathered(path, MB) as found:
        assert (list(found.files), found.alone) == (["talk.bin"], True)
        with pytest.raises(KeyError):
            found.files["other"]


def test_a_folder_gives_its_files_of_known_endings_in_order(tmp_path: Path) -> None:
    for name in ("b.json", "a.jsonl", "deep/er/c.TXT", "pic.png", ".hidden.json", ".git/d.json"):
        path = tmp_path / "talks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "secret.json").write_text("outside")
    (tmp_path / "talks" / "link.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "talks" / "loop").symlink_to(tmp_path / "talks")
    (tmp_path / "talks" / "odd\nname.json").write_text("x")

    files, passed = taken(tmp_path / "talks")
    assert list(files) == ["a.jsonl", "b.json", "deep/er/c.TXT"]
    assert passed == {"link.json": "it is a link", repr("odd\nname.json"): "its name holds control characters"}


def test_an_archive_gives_its_files_without_unpacking_them_onto_the_disk(tmp_path: Path) -> None:
    files, passed = taken(packed(tmp_path, {"a.json": "{}", "deep/b.json": "[]", "pic": "x", "__MACOSX/a.json": "x"}))
    assert (files, passed) == ({"a.json": b"{}", "deep/b.json": b"[]"}, {})
    assert [path.name for path in tmp_path.iterdir()] == ["export.zip"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../up.json", "its name leads out of the archive"),
        ("a/../../up.json", "its name leads out of the archive"),
        ("/etc/x.json", "its name leads out of the archive"),
        ("C:/x.json", "its name leads out of the archive"),
        ("a\\x.json", "its name leads out of the archive"),
        ("a\x1b[2Jx.json", "its name is too long or holds control characters"),
        ("x" * 600 + ".json", "its name is too long or holds control characters"),
        ("inner.zip", "archives in an archive are not opened"),
    ],
)
def test_a_member_with_an_unsafe_name_is_passed_over(tmp_path: Path, name: str, reason: str) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, "{}")
        archive.writestr("good.json", "{}")
    files, passed = taken(path)
    assert (list(files), list(passed.values())) == (["good.json"], [reason])
    assert all(shown.isprintable() for shown in passed)


def test_links_second_copies_and_encrypted_members_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    link, locked = zipfile.ZipInfo("link.json"), zipfile.ZipInfo("locked.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr(locked, "{}")
        archive.writestr("twice.json", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("twice.json", "2")
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)  # of the second member, in the list at the end
    path.write_bytes(data[: at + 8] + b"\x01" + data[at + 9 :])

    files, passed = taken(path)
    assert files == {"twice.json": b"1"}
    assert passed == {
        "link.json": "it is a link",
        "locked.json": "it is encrypted",
        "twice.json": "a file of that name stands before it",
    }


def test_a_member_that_unpacks_to_more_than_a_file_may_have_is_refused_however_small_it_says_it_is(
    tmp_path: Path,
) -> None:
    path = packed(tmp_path, {"bomb.json": "0" * 5 * MB})
    assert path.stat().st_size < 50_000
    with pytest.raises(InvalidConversation, match=r"'bomb\.json'.* 1\.0 MB"):
        taken(path)


def test_all_members_together_are_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "TIMES_ALL", 2)
    members = {f"n{number}.json": "0" * MB for number in range(3)}
    with pytest.raises(InvalidConversation, match=r"'export\.zip'.* 2 MB"):
        taken(packed(tmp_path, members))
    with gathered(packed(tmp_path, members), MB) as found:
        for _ in range(3):  # the same file again counts once
            assert len(found.files["n0.json"].data) == len(found.files["n1.json"].data) == MB


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "MOST_FILES", 2)
    for name in "abc":
        (tmp_path / f"{name}.json").write_text("{}")
    with pytest.raises(InvalidConversation, match="2 files"):
        taken(tmp_path)
    with pytest.raises(InvalidConversation, match=r"'export\.zip'.* 2 files"):
        taken(packed(tmp_path, {"a.json": "", "b.json": "", "c.json": ""}))


def test_a_broken_archive_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path, {"a.json": "{}" * 1000})
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(InvalidConversation, match=r"'export\.zip'"):
        taken(path)
    path.write_bytes(whole[:45] + b"\xff\xff\xff" + whole[48:])
    with pytest.raises(InvalidConversation, match=r"'a\.json'.*'export\.zip'"):
        taken(path)


def test_what_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidConversation, match="does not exist"):
        taken(tmp_path / "none")
    with pytest.raises(InvalidConversation, match="cannot be read"):
        taken(Path("a\0b"))
    (tmp_path / "big.json").write_bytes(b"x" * 11)
    with pytest.raises(InvalidConversation, match=r"0\.0 MB"):
        taken(tmp_path / "big.json", 10)
    with pytest.raises(InvalidConversation, match="is no regular file"):
        taken(Path(os.devnull))


def test_what_fails_inside_the_block_stays_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(PermissionError), gathered(tmp_path / "a.json", MB):
        raise PermissionError
