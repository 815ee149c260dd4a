"""The page as text and in a browser: self-contained, escaped, every number with its rows."""

import json
import re
from pathlib import Path

import pytest

from dissolution.values import NotMeasured
from reports.experiment_page import cell, markdown, page, plot, write_experiment
from stability.experiments.report import ExperimentReport
from tests.pages import Watched, browser
from tests.unit.stability.experiments.reports import a_report

REPORT = a_report()


@pytest.fixture(scope="module")
def html() -> str:
    return page(REPORT)


def test_values_of_rows_for_people() -> None:
    assert [cell(one) for one in (True, False, 3, 0.12345, "x")] == ["yes", "no", "3", "0.123", "x"]
    assert cell(NotMeasured(not_measured="why")) == "not measured: why"


def test_words_are_escaped(html: str) -> None:
    assert "<i>" not in html
    assert "<b>" not in html
    assert "&lt;i&gt;Made up&lt;/i&gt; &amp; more" in html


def test_nothing_is_loaded_from_elsewhere(html: str) -> None:
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', html) == []
    assert "default-src 'none'" in html
    assert "<script" not in html


def test_every_number_leads_to_its_rows(html: str) -> None:
    targets = re.findall(r'\bid="([^"]+)"', html)
    links = re.findall(r'href="#([^"]+)"', html)
    assert set(links) <= set(targets)
    assert {"rows-a", "rows-b"} <= set(links)
    figures = REPORT.figures()
    assert len([link for link in links if link.startswith("rows-")]) >= sum(len(one.rows) for one in figures)


def test_verdict_limits_and_the_command_are_told(html: str) -> None:
    assert "Verdict: cannot be said" in html
    assert "dissolve experiment 2" in html
    assert "one hand" in html


def test_a_plot_shows_what_is_measured_with_its_axes() -> None:
    drawn = plot(REPORT.tables[0])
    assert drawn.startswith("<svg")
    for words in ("prompt", "share", "here", "there", "one", "two"):
        assert f">{words}<" in drawn
    assert ">nowhere<" not in drawn
    assert ">published<" not in drawn


def test_the_same_report_gives_the_same_page(html: str) -> None:
    assert page(REPORT) == html


def test_markdown_and_json_say_the_same(tmp_path: Path) -> None:
    written = write_experiment(REPORT, tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["experiment-2.html", "experiment-2.md", "experiment-2.json"]
    assert ExperimentReport.model_validate(json.loads(written[2].read_text(encoding="utf-8"))) == REPORT
    told = markdown(REPORT)
    assert "Verdict: **cannot be said**" in told
    assert "| here | 0.5 (0.25 to 0.75) | 0.25 |" in told
    assert "| nowhere | – | – |" in told
    assert "| published | 0.67 | 0.20 |" in told


@pytest.mark.usefixtures("processes")
def test_in_a_browser_it_fits_a_phone_and_complains_of_nothing(tmp_path: Path, html: str) -> None:
    path = tmp_path / "experiment-2.html"
    path.write_text(html, encoding="utf-8")
    with browser() as opened:
        context = opened.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark", offline=True)
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        width = watched.page.evaluate("document.documentElement.scrollWidth")
        paper = watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
        box = watched.page.locator("figure svg").first.bounding_box()
    assert watched.complaints == []
    assert watched.loaded == [path.as_uri()]
    assert width <= 360
    assert sum(map(int, re.findall(r"\d+", paper)[:3])) < 100
    assert box is not None
    assert 200 < box["width"] <= 360
