"""Prompt files: pinned, complete, and readable only in their form."""

import hashlib
import json
from pathlib import Path

import pytest

from dissolution.errors import InvalidPrompt
from prompts.catalog import FOLDER, SLOT, load, names, read_prompt, versions

ROOT = Path(__file__).parents[3]
PINNED: dict[str, str] = json.loads((ROOT / "tests/golden/prompt_digests.json").read_text("utf-8"))


def verbatim() -> str:
    """Version 1 as the recordings document quotes it, without the quote marks."""
    lines = (ROOT / "benchmarks/data/recordings/PROMPTS.md").read_text("utf-8").splitlines()
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines if line.startswith(">"))


def test_released_files_are_immutable_and_all_pinned() -> None:
    found = {f"{name}/v{version}": load(name, version).digest for name in names() for version in versions(name)}
    assert found == PINNED


def test_names_and_versions() -> None:
    several = {"carried": (1, 2), "four_part": (1, 2, 3, 4), "probe_evidence": (1, 2), "rolling": (1, 2, 3, 4, 5, 6)}
    several |= {"repair": (1, 2, 3), "review": (1, 2, 3)}
    assert {"challenge", "four_part", "premises", "rolling", "summary"} <= set(names())
    assert list(names()) == sorted(names())
    assert {name: versions(name) for name in names()} == {name: several.get(name, (1,)) for name in names()}
    assert versions("../prompts") == versions("export") == versions("no_such") == ()


def test_digest_is_of_the_file_and_stamped() -> None:
    file = load("four_part", 2)
    assert file.digest == hashlib.sha256((FOLDER / "four_part" / "v2.md").read_bytes()).hexdigest()
    assert (file.stamp.name, file.stamp.version, file.stamp.digest) == ("four_part", 2, file.digest)


def test_version_1_is_word_for_word() -> None:
    assert load("four_part", 1).user == f"{verbatim()}\n\n{{{{conversation}}}}"
    first, rest = load("rolling", 1).user.split("\n\n", 1)
    assert first == "The following is the boundary state held so far, and the conversation since."
    assert rest == f"{{{{prior}}}}\n\n{{{{conversation}}}}\n\n{verbatim()}"
    assert load("summary", 1).user == "The following is a conversation. Summarise it.\n\n{{conversation}}"
    source = (ROOT / "benchmarks/data/recordings/PROMPTS.md").read_text("utf-8")
    assert first in source
    assert "The following is a conversation. Summarise it." in source


def test_version_2_shares_one_system_text_and_one_form() -> None:
    four_part, rolling = load("four_part", 2), load("rolling", 2)
    assert four_part.system == rolling.system
    assert four_part.user.partition("Do not summarise")[2] == rolling.user.partition("Do not summarise")[2] != ""
    assert all(file.user.startswith("{{conversation}}") for file in (four_part, rolling))


def test_an_unknown_prompt_names_what_exists() -> None:
    with pytest.raises(InvalidPrompt, match=r"'five_part'.* 3.*v1, v2, v3, v4.*summary"):
        load("five_part", 3)
    with pytest.raises(InvalidPrompt, match="'summary' in version 2"):
        load("summary", 2)


GOOD = "---\nname: a\nversion: 1\nasks: x\nslots: s\n---\n<<user>>\nsay {{s}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("<<user>>", "<<users>>"), "begin with a header"),
        (GOOD.replace("name: a", "name: b"), "matching the path"),
        (GOOD.replace("asks: x\n", ""), "matching the path"),
        (GOOD.replace("slots: s", "slots: s, t"), "name exactly the slots"),
        (GOOD.replace("<<user>>", "<<system>>\nyou {{s}}\n<<user>>"), "the system has none"),
    ],
)
def test_a_file_out_of_form_is_refused(text: str, told: str) -> None:
    assert read_prompt("a", 1, GOOD.encode()).system is None
    with pytest.raises(InvalidPrompt, match=told):
        read_prompt("a", 1, text.encode())


def test_slots_are_all_used() -> None:
    for name in names():
        for version in versions(name):
            file = load(name, version)
            assert set(SLOT.findall(file.user)) == set(file.slots)
