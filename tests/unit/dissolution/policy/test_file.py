from pathlib import Path

import pytest

from dissolution.errors import InvalidPolicy
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy


def write(folder: Path, text: str) -> Path:
    file = folder / "strict.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_is_left_out_keeps_its_default(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, "[quorum]\nmin_members = 3\n"))
    assert policy.name == "strict"
    assert policy.quorum.min_members == 3
    assert policy.consensus == Policy().consensus
    assert load_policy(write(tmp_path, 'name = "mine"')).name == "mine"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[quorum]\nmin_member = 3",
            "field 'quorum.min_member', value 3: there is no such field; did you mean 'min_members'",
        ),
        ("[qorum]\nmin_members = 3", "field 'qorum', .* did you mean 'quorum'"),
        ("min_members = 3", "field 'min_members', value 3: .* did you mean 'quorum.min_members'"),
        ("[triggers.drfit]\nx = 1", "field 'triggers.drfit', .* did you mean 'drift'"),
        ("[quorum]\nzzzzz = 3", r"value 3: there is no such field \(see docs/policy.md\)"),
        ("[render]\nbudget_tokens = 5", r"field 'render.budget_tokens', value 5: .*\(see docs/policy.md\)"),
        ("[quorum]\nmin_families = 9", "min_families 9 exceeds min_members 2; lower it"),
        ("quorum = = 3", "is not valid TOML"),
        (f'calibration = "{"0" * 64}"', "field 'calibration': nobody sets it"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InvalidPolicy, match=words) as caught:
        load_policy(write(tmp_path, text))
    assert str(tmp_path / "strict.toml") in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match="No such file"):
        load_policy(tmp_path / "none.toml")
    with pytest.raises(InvalidPolicy, match="Is a directory"):
        load_policy(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(InvalidPolicy, match="is not valid TOML"):
        load_policy(tmp_path / "latin.toml")
