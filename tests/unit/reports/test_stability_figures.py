"""The values of a report, worked out by hand from a small run."""

from decimal import Decimal

import pytest

from dissolution.stability import Arm
from dissolution.values import NotMeasured
from reports.stability_figures import StabilityReport, report_on
from reports.stability_measures import MEASURES
from reports.stability_series import Line
from tests.unit.reports.runs import a_run, cells


@pytest.fixture(scope="module")
def report() -> StabilityReport:
    run = a_run()
    return report_on(run, cells(run), Decimal("1.5"))


def line(report: StabilityReport, name: str, arm: Arm) -> Line:
    found = next(one for one in report.measures if one.measure.name == name)
    return next(one for one in found.lines if one.arm is arm)


def test_every_figure_of_a_cell_has_one_place() -> None:
    names = [measure.name for measure, _ in MEASURES]
    assert len(set(names)) == len(names)


def test_a_point_is_the_mean_over_replicates_with_its_cells(report: StabilityReport) -> None:
    point = line(report, "commitment_survival", Arm.REWRITE).points[0]
    assert (point.cycle, point.through) == (2, 20)  # the first cycle has none before it
    assert point.interval.estimate == pytest.approx((0.75 + 0.5) / 2)
    assert (point.interval.low, point.interval.high) == (0.5, 0.75)
    assert point.cells == ("rewrite-r1-c2", "rewrite-r2-c2")


def test_replicates_that_differ_are_told_apart(report: StabilityReport) -> None:
    found = line(report, "commitment_survival", Arm.REWRITE)
    assert found.ratio == pytest.approx(0.75 / 0.5)
    assert found.spread == pytest.approx(0.25 / 2**0.5)
    assert line(report, "commitment_survival", Arm.LEDGER).spread == 0.0


def test_p_is_corrected_for_all_that_was_tested(report: StabilityReport) -> None:
    found = line(report, "truth_recall", Arm.REWRITE).trend
    assert not isinstance(found.p, NotMeasured)
    assert found.p_corrected == min(1.0, found.p * len(MEASURES) * 3)
    assert found.slope < 0 if not isinstance(found.slope, NotMeasured) else False


def test_claims_live_as_long_as_their_rate_says(report: StabilityReport) -> None:
    lives = {(one.arm, one.section): one for one in report.lives}
    assert isinstance(lives[Arm.LEDGER, "DECIDED"].half_life_cycles, NotMeasured)
    half = lives[Arm.REWRITE, "DECIDED"].half_life_cycles
    assert not isinstance(half, NotMeasured)
    assert 1 < half < 2.5


def test_an_arm_without_figures_has_no_line_and_its_reason_is_told(report: StabilityReport) -> None:
    arms = {found.arm for one in report.measures for found in one.lines}
    assert arms == {Arm.LEDGER, Arm.REWRITE}
    assert any("no summary" in line for line in report.limits)


def test_the_summary_says_what_was_lost_and_the_limits_what_was_not_shown(report: StabilityReport) -> None:
    told = " ".join(report.summary)
    assert "ledger: 0 of 24 true commitments lost" in told
    assert "rewrite: 9 of 24 true commitments lost" in told
    assert "After the last cycle: ledger 1.00" in told
    limits = " ".join(report.limits)
    assert "draw members" in limits
    assert "2 replicates" in limits
    assert "One conversation" in limits


def test_a_run_that_has_only_begun_says_so() -> None:
    run = a_run(replicates=1, truth=None)
    begun = tuple(one.model_copy(update={"figures": None}) for one in cells(run))
    report = report_on(run, begun, Decimal(0))
    assert report.measures == ()
    assert report.summary == ("Nothing has been measured yet.",)
    limits = " ".join(report.limits)
    assert "12 of 12 cells have not run" in limits
    assert "One replicate" in limits
    assert "No truth is known" in limits


def test_each_member_has_a_line_and_each_further_arm_is_held_against_the_first() -> None:
    run = a_run()
    report = report_on(run, cells(run), Decimal(0))
    lines = {(line.arm, line.member): line for line in report.members}
    assert set(lines) == {(arm, name) for arm in (Arm.LEDGER, Arm.REWRITE) for name in ("writer-a", "writer-b")}
    rising = lines[Arm.LEDGER, "writer-b"]
    assert [point.interval.estimate for point in rising.points] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert rising.trend.slope == pytest.approx(0.1)
    assert {(row.left_arm, row.right_arm) for row in report.against} == {(Arm.LEDGER, Arm.REWRITE)}
