"""The docs as a reader walks them: every page is in the index, and links to a heading lead to one."""

import re
from functools import cache
from pathlib import Path

from tests.architecture.project import ROOT, shown
from workers.checks.doctor import SUPPORTED_REDIS

DOCS = sorted((ROOT / "docs").glob("*.md"))
LINKED = re.compile(r"\[[^\]]*\]\(([^)\s#]*)#([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The headings of a page as forges make links of them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", one) for one in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return frozenset(re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS if page.name != "README.md" and f"({page.name})" not in index] == []


def test_links_to_a_heading_lead_to_one() -> None:
    assert [
        f"{shown(page)}: {target}#{heading}"
        for page in (*DOCS, ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "clients" / "python" / "README.md")
        for target, heading in LINKED.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
        if not re.match(r"[a-z]+:", target)
        and (file := (page.parent / target).resolve() if target else page).suffix == ".md"
        and heading not in anchors(file)
    ] == []


def test_whoever_finds_a_hole_is_told_a_way_and_no_address_that_nobody_reads() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "private vulnerability reporting" in text
    assert re.findall(r"[\w.+-]+@[\w-]+|https?://\S+", text) == []
    supported = ".".join(map(str, SUPPORTED_REDIS))
    assert f"Redis from {supported}" in text
    assert f"Redis {supported} and newer" in (ROOT / "docs" / "workers.md").read_text(encoding="utf-8")


def test_the_check_can_fail() -> None:
    assert "exit-codes" in anchors(ROOT / "docs" / "cli.md")
    assert "dissolve-show-jobconversation" in anchors(ROOT / "docs" / "cli.md")
    assert "exit-code" not in anchors(ROOT / "docs" / "cli.md")
