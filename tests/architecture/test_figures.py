"""Every published figure has its command: scripts that pages name exist, and sections have their markers."""

import re
from pathlib import Path

from benchmarks.figures import PAGE, PAGES, SECTIONS, SHARE, experiment_words, overall, replaced, selection, steepest
from tests.architecture.project import ROOT, shown

SCRIPT = re.compile(r"\b(?:benchmarks|examples)/[\w/]+\.(?:py|sh|ts)\b|python -m (?:[a-z_]+\.)+[a-z_]+")
TEXTS = (ROOT / "README.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def path_of(named: str) -> Path:
    """The file that a command names."""
    if named.startswith("python -m "):
        return ROOT / (named.removeprefix("python -m ").replace(".", "/") + ".py")
    return ROOT / named


def is_ours(named: str) -> bool:
    """Whether a command names a file that should be in the project, rather than a module of somebody else."""
    return not named.startswith("python -m ") or (ROOT / named.split()[2].split(".", maxsplit=1)[0]).is_dir()


def test_every_script_that_a_page_names_is_there() -> None:
    named = {(shown(page), one) for page in TEXTS for one in SCRIPT.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert sorted((page, one) for page, one in named if is_ours(one) and not path_of(one).is_file()) == []


def test_every_section_has_its_markers_and_something_between() -> None:
    pages = {section: PAGES.get(section, PAGE).read_text(encoding="utf-8") for section in SECTIONS}
    assert [section for section, page in pages.items() if replaced(page, section, "nothing") == page] == []
    between = {
        section: page.partition(f"<!-- {section} -->")[2].partition(f"<!-- /{section} -->")[0]
        for section, page in pages.items()
    }
    assert [section for section, text in between.items() if len(text.strip()) <= 80] == []


def test_all_five_experiments_and_every_page_with_figures_are_listed() -> None:
    table = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8").partition("## Every published figure")[2]
    named = {
        link
        for page in (ROOT / "docs").glob("*.md")
        if re.search(r"`?python benchmarks/", page.read_text(encoding="utf-8"))
        for link in [page.name]
    }
    assert [page for page in sorted(named - {"experiments.md"}) if f"({page}" not in table] == []
    assert "`dissolve experiment 1` to `dissolve experiment 5`" in table


def test_a_report_is_cut_to_its_verdicts_and_its_first_table() -> None:
    told = (
        "# Experiment 9: Title\n\nVerdict: **supported**. Fleet none: nobody, seed 0, version 0.1.0; 2 s. `x`\n\n"
        "| hypothesis |\n|---|\n| 0.2 (0.1 to 0.3) |\n\n"
        "Method and data:\n\n- method\n\n## One\n\ncaption\n\n| a | -0.2 (-0.3 to 0.1) |\n\n"
        "## Two\n\ncaption\n\n| b |\n\n## Limits\n\n- limit\n"
    )
    assert experiment_words(told) == (
        "Verdict: **supported**. 2 s. `x`\n\n| hypothesis |\n|---|\n| 0.2 (0.1 to 0.3) |\n\n**One**\n\n| a | -0.2 |"
    )


def test_of_tense_all_classes_together_are_shown() -> None:
    assert overall("test:\n| label |\n|---|\n| all |\n| present |\n") == "| label |\n|---|\n| all |"


def test_of_times_the_steepest_are_shown() -> None:
    told = "tool  exponent\nslow 'a b'  1.26\nflat ' '  0.35\nworst '1,'  1.36"
    assert steepest(told, 2) == "tool  exponent\nworst '1,'  1.36\nslow 'a b'  1.26"


def test_selection_is_shown_at_one_share_of_the_words() -> None:
    shares = {"10%": {"turns": 0.1}, SHARE: {"turns": 0.2}, "40%": {"turns": 0.4}}
    assert selection({"random": shares}).splitlines() == [f"| | turns at {SHARE} |", "|---|---|", "| random | 0.20 |"]
