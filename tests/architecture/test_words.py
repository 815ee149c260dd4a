"""What is written twice is compared: words in code and glossary; the path; links; generated pages; commands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown, tracked

WORDS = (
    "conversation",
    "turn",
    "snapshot",
    "section",
    "claim",
    "evidence",
    "member",
    "family",
    "answer",
    "support",
    "dissent",
    "candidate",
    "assumption register",
    "promotion",
    "vanishing",
    "probe",
    "question bank",
    "gate",
    "verdict",
    "receipt",
    "policy",
    "ledger",
    "stage",
    "step",
    "relay",
    "finding",
    "cycle",
    "stability run",
)
PAGES = sorted(file for file in {*tracked(), *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} if file.suffix == ".md")
OWN_PAGES = [page for page in PAGES if "data" not in page.parts[len(ROOT.parts) : -1] or page.name == "README.md"]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_glossary_has_every_word_once() -> None:
    rows = re.findall(r"^- \*\*([a-z ]+)\*\*: (.+)$", read("docs/glossary.md"), re.MULTILINE)
    words = [word for word, _ in rows]
    assert [word for word in WORDS if words.count(word) != 1] == []
    assert len(set(words)) == len(words)


def test_the_picture_of_the_path_is_the_same_everywhere() -> None:
    pictures = {
        re.findall(r"```\n(trigger .*?)```", read(page), re.DOTALL)[0] for page in ("README.md", "docs/architecture.md")
    }
    assert len(pictures) == 1


def test_links_lead_somewhere() -> None:
    assert [
        f"{shown(page)}: {target}"
        for page in OWN_PAGES
        for target in (link.split("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")))
        if target and not re.match(r"[a-z]+:", target) and not (page.parent / target).exists()
    ] == []


@pytest.mark.usefixtures("processes")
def test_generated_pages_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("processes")
def test_a_stale_page_is_found(tmp_path: Path) -> None:
    script = tmp_path / "docs" / "generate.py"
    script.parent.mkdir()
    script.write_text(read("docs/generate.py"), encoding="utf-8")
    command = [sys.executable, str(script)]
    pages = ["docs/settings.md", "docs/policy.md"]  # the OpenAPI document needs the application, which takes seconds
    stale = subprocess.run([*command, "--check", *pages], cwd=ROOT, capture_output=True, text=True, check=False)
    assert stale.returncode == 1
    assert "docs/settings.md differs from the code; run `make docs`" in stale.stderr
    assert subprocess.run([*command, *pages], cwd=ROOT, check=False).returncode == 0
    assert subprocess.run([*command, "--check", *pages], cwd=ROOT, check=False).returncode == 0
    assert (tmp_path / "docs" / "policy.md").read_text(encoding="utf-8") == read("docs/policy.md")
    unknown = subprocess.run([*command, "--chek"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (unknown.returncode, "usage" in unknown.stderr) == (2, True)


def test_make_targets_named_in_pages_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = {
        target
        for page in OWN_PAGES
        for target in re.findall(r"(?:^|`)make ([a-z-]+)\b", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named <= targets
    assert {"demo", "test", "test-all", "check", "lint", "bench", "docs", "help", "install", "clean"} <= targets


def test_make_alone_lists_every_target() -> None:
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607 - found by name
    documented = re.findall(r"^  make ([a-z-]+) +\S", done.stdout, re.MULTILINE)
    phony = re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)[0].split()
    assert sorted(documented) == sorted(phony)


def test_constraints_are_exact_and_hold_what_is_pinned() -> None:
    text = re.sub(r"^ *#.*\n| ;.*$", "", read("constraints.txt"), flags=re.MULTILINE)  # who asks, and where
    lines = text.splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.]+", line) for line in lines), "no local versions, no ranges"
    pinned = set(re.findall(r'"([\w-]+==[\w.]+)"', read("pyproject.toml")))
    assert {pin.lower() for pin in pinned} <= {line.lower() for line in lines}
