"""The page as text and in a browser: self-contained, escaped, readable on a phone and in the dark."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.values import NotMeasured
from reports.stability_figures import StabilityReport, report_on
from reports.stability_page import figure, markdown, page, write_report
from tests.pages import Watched, browser
from tests.unit.reports.runs import a_run, cells


@pytest.fixture(scope="module")
def report() -> StabilityReport:
    run = a_run()
    return report_on(run, cells(run), Decimal("1.5"))


@pytest.fixture(scope="module")
def html(report: StabilityReport) -> str:
    return page(report)


def test_numbers_are_short_and_absence_is_no_number() -> None:
    assert [figure(one) for one in (0.123456, 2.0, 1234.5, -0.00456)] == ["0.123", "2", "1234", "-0.00456"]
    assert figure(NotMeasured(not_measured="why")) == "–"


def test_words_of_a_conversation_are_escaped(html: str) -> None:
    assert "<i>talk</i>" not in html
    assert "&lt;i&gt;talk&lt;/i&gt; &amp; more" in html
    assert "<b>" not in html


def test_nothing_is_loaded_from_elsewhere(html: str) -> None:
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', html) == []
    assert "default-src 'none'" in html
    assert "<script" not in html


def test_every_number_leads_to_its_cells(html: str) -> None:
    targets = set(re.findall(r'\bid="([^"]+)"', html))
    links = set(re.findall(r'href="#([^"]+)"', html))
    assert links <= targets
    assert {"ledger-r1-c1", "rewrite-r2-c4"} <= links


def test_each_picture_has_a_table_beside_it(html: str, report: StabilityReport) -> None:
    assert html.count("<figure") == len(report.measures)
    for found in report.measures:
        section = html[html.index(f'id="{found.measure.name}"') :]
        assert section.index("<svg") < section.index("<table")


def test_the_same_run_gives_the_same_page(html: str, report: StabilityReport) -> None:
    assert page(report) == html


def test_markdown_and_json_say_the_same(tmp_path: Path, report: StabilityReport) -> None:
    written = write_report(report, tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["stability.html", "stability.md", "stability.json"]
    assert StabilityReport.model_validate(json.loads(written[2].read_text(encoding="utf-8"))) == report
    told = markdown(report)
    assert all(line in told for line in report.summary)
    assert re.search(r"^\| truth held \(share\) \| 1 \| 0\.\d+ \| – \|$", told, re.MULTILINE)


def test_markdown_shows_a_name_as_it_is_and_has_no_markup_of_it(report: StabilityReport) -> None:
    plan = report.run.plan.model_copy(update={"conversation": "a\n# b [c](https://evil.example) <img src=x>"})
    run = report.run.model_copy(update={"plan": plan})
    told = markdown(report.model_copy(update={"run": run}))
    assert "<img" not in told
    assert told.splitlines()[0] == "# Stability of a ⏎ # b \\[c\\](https://evil.example) &lt;img src=x&gt;"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.usefixtures("processes")
def test_in_a_browser_it_fits_a_phone_and_complains_of_nothing(tmp_path: Path, html: str, scheme: str) -> None:
    path = tmp_path / "stability.html"
    path.write_text(html, encoding="utf-8")
    with browser() as opened:
        context = opened.new_context(
            viewport={"width": 360, "height": 740}, color_scheme="dark" if scheme == "dark" else "light", offline=True
        )
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        width = watched.page.evaluate("document.documentElement.scrollWidth")
        colours = watched.page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        )
        plots = watched.page.locator("figure svg")
        wide = [plots.nth(place).bounding_box() for place in range(plots.count())]
    assert watched.complaints == []
    assert watched.loaded == [path.as_uri()]
    assert width <= 360
    assert all(box is not None and 200 < box["width"] <= 360 and box["height"] > 80 for box in wide)
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]
    assert light[0] - light[1] > 300 if scheme == "dark" else light[1] - light[0] > 300
