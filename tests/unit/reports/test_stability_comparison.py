"""Two runs side by side: what is paired, what is refused, and the page in a browser."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.errors import InputError
from dissolution.policy.job_policy import Policy, RenderPolicy
from dissolution.stability import Arm, Cell, CycleFigures, StabilityPlan
from dissolution.values import NotMeasured
from reports.stability_comparison import Compared, ComparisonReport, arms_against_first, compare_runs, is_shown
from reports.stability_comparison_page import markdown, page, write_comparison
from stability.statistics import Interval
from tests.pages import Watched, browser
from tests.unit.reports.runs import a_run, cells


def changed(**plan: object) -> Compared:
    """The run of tests with another plan, and cells that hold a little less."""
    run = a_run()
    other = run.model_copy(update={"id": "run-efgh", "plan": run.plan.model_copy(update=plan)})
    return Compared(other, [less(cell) for cell in cells(other)], Decimal("0.5"))


def less(cell: Cell) -> Cell:
    """The cell with a lower competence: by 0.1, in the second replicate by 0.2."""
    if not isinstance(cell.figures, CycleFigures):
        return cell
    figures = cell.figures.model_copy(update={"competence": 0.8 - 0.1 * cell.key.replicate})
    return cell.model_copy(update={"figures": figures})


@pytest.fixture(scope="module")
def report() -> ComparisonReport:
    run = a_run()
    policy = Policy(name="small", render=RenderPolicy(budget_tokens=500))
    return compare_runs(Compared(run, cells(run), Decimal(1)), changed(policy=policy))


@pytest.fixture(scope="module")
def html(report: ComparisonReport) -> str:
    return page(report)


def test_cells_are_paired_by_replicate_and_cycle(report: ComparisonReport) -> None:
    """Four cycles by two replicates: 0.1 less in one, 0.2 in the other, so 0.15 in the mean."""
    rows = {(row.measure.name, row.right_arm): row for row in report.rows}
    row = rows["competence", Arm.LEDGER]
    assert (row.left, row.paired.pairs) == (pytest.approx(0.8), 8)
    assert row.paired.difference.estimate == pytest.approx(-0.15)
    assert (row.paired.difference.low, row.paired.difference.high) == (pytest.approx(-0.2), pytest.approx(-0.1))
    assert "ledger, questions answered (share): B is lower by 0.15." in report.summary
    assert rows["truth_recall", Arm.LEDGER].paired.difference.estimate == 0
    assert ("competence", Arm.SUMMARY) not in rows  # it has no cells


def test_it_says_in_what_the_plans_differ(report: ComparisonReport) -> None:
    assert report.differs == ("policy.name: default / small", "policy.render.budget_tokens: 4000 / 500")


def test_arms_of_one_run_are_held_against_its_first() -> None:
    run = a_run()
    rows = arms_against_first(cells(run), run.plan.arms)
    survival = next(row for row in rows if row.measure.name == "commitment_survival")
    assert (survival.left_arm, survival.right_arm) == (Arm.LEDGER, Arm.REWRITE)
    assert survival.paired.difference.estimate == pytest.approx(-0.375)  # a quarter lost in one replicate, half in one


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"conversation": "another"}, "different conversations"),
        ({"checkpoints": (10, 20, 30, 41)}, "differ"),
        ({"arms": (Arm.SINGLE,)}, "no arm in common"),
    ],
)
def test_what_does_not_belong_together_is_refused(plan: dict[str, object], told: str) -> None:
    run = a_run()
    other = StabilityPlan.model_validate(run.plan.model_copy(update=plan).model_dump())
    with pytest.raises(InputError, match=told):
        compare_runs(Compared(run, (), Decimal(0)), Compared(run.model_copy(update={"plan": other}), (), Decimal(0)))


def test_a_difference_is_shown_when_its_interval_leaves_out_nothing() -> None:
    none = NotMeasured(not_measured="one replicate")
    ends = [(0.1, 0.3), (-0.3, -0.1), (-0.1, 0.1), (0.0, 0.2), (none, none)]
    shown = [is_shown(Interval(estimate=0.1, low=low, high=high, units=2)) for low, high in ends]
    assert shown == [True, True, False, False, False]


def test_the_page_loads_nothing_and_escapes_words(html: str) -> None:
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', html) == []
    assert "<script" not in html
    assert "<i>talk</i>" not in html
    assert html.index("<svg") < html.index("<table")


def test_markdown_and_json_say_the_same(report: ComparisonReport, tmp_path: Path) -> None:
    written = write_comparison(report, tmp_path / "new")
    assert [path.name for path in written] == ["comparison.html", "comparison.md", "comparison.json"]
    assert ComparisonReport.model_validate_json(written[2].read_text(encoding="utf-8")) == report
    assert re.search(
        r"^\| questions answered \(share\) \| ledger \| 0\.8 \| 0\.65 \| 8 \| -0\.15 ", markdown(report), re.MULTILINE
    )


@pytest.mark.usefixtures("processes")
def test_in_a_browser_it_fits_a_phone_and_complains_of_nothing(html: str, tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    path.write_text(html, encoding="utf-8")
    with browser() as opened:
        context = opened.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark", offline=True)
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        width = watched.page.evaluate("document.documentElement.scrollWidth")
        picture = watched.page.screenshot(full_page=True)
    assert (watched.complaints, watched.loaded) == ([], [path.as_uri()])
    assert width <= 360
    assert len(picture) > 10_000  # something was drawn
