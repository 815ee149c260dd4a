"""What a report refuses, and how conclusions are drawn from intervals."""

import pytest
from pydantic import ValidationError

from dissolution.values import NotMeasured
from stability.experiments.report import (
    Conclusion,
    ExperimentReport,
    Figure,
    Hypothesis,
    Line,
    RowGroup,
    Table,
    all_of,
    at_least,
    number,
    shown,
)
from stability.statistics import Interval
from tests.unit.stability.experiments.reports import a_report

NONE = NotMeasured(not_measured="why")
YES, NO, OPEN = Conclusion.SUPPORTED, Conclusion.NOT_SUPPORTED, Conclusion.CANNOT_BE_SAID


def interval(low: float | NotMeasured, high: float | NotMeasured) -> Interval:
    return Interval(estimate=0.5, low=low, high=high, units=3)


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [(0.4, 0.6, YES), (0.1, 0.3, NO), (0.3, 0.5, OPEN), (0.1, 0.4, OPEN), (NONE, NONE, OPEN), (0.5, NONE, OPEN)],
)
def test_a_goal_is_reached_missed_or_open(low: float, high: float, found: Conclusion) -> None:
    assert at_least(interval(low, high), 0.4) is found


def test_one_failure_fails_all_and_one_open_leaves_all_open() -> None:
    assert all_of([YES, YES]) is YES
    assert all_of([YES, OPEN]) is OPEN
    assert all_of([OPEN, NO, YES]) is NO
    assert all_of([]) is OPEN


@pytest.mark.parametrize(("given", "found"), [([YES, YES], YES), ([YES, OPEN], OPEN), ([OPEN, NO], NO)])
def test_the_verdict_is_that_of_all_hypotheses(given: list[Conclusion], found: Conclusion) -> None:
    hypotheses = tuple(Hypothesis(text="t", conclusion=one, reason="r") for one in given)
    assert a_report().model_copy(update={"hypotheses": hypotheses}).conclusion is found


def test_numbers_for_people() -> None:
    assert [number(one) for one in (0.12345, 12.0, 5046.7, NONE)] == ["0.123", "12", "5047", "–"]
    assert shown(interval(0.4, 0.625)) == "0.5 (0.4 to 0.625)"
    assert shown(interval(NONE, NONE)) == "0.5"


def test_a_figure_without_its_rows_is_refused() -> None:
    lost = Figure(value=interval(0.1, 0.2), rows=("nowhere",))
    table = Table(name="t", title="T", caption="c", head="h", columns=("a",), lines=(Line(name="l", cells=(lost,)),))
    with pytest.raises(ValidationError, match="'nowhere'"):
        ExperimentReport.model_validate({**dict(a_report()), "tables": (table,)})


def test_a_name_that_is_given_twice_is_refused() -> None:
    report = a_report()
    with pytest.raises(ValidationError, match="given twice"):
        ExperimentReport.model_validate({**dict(report), "row_groups": report.row_groups * 2})


def test_ragged_tables_and_rows_are_refused() -> None:
    with pytest.raises(ValidationError, match="2 values"):
        RowGroup(name="r", about="a", columns=("a", "b"), rows=((1,),))
    with pytest.raises(ValidationError, match="2 cells"):
        Table(name="t", title="T", caption="c", head="h", columns=("a", "b"), lines=(Line(name="l", cells=("x",)),))
    with pytest.raises(ValidationError, match="axes"):
        Table(name="t", title="T", caption="c", head="h", columns=(), lines=(), plot="bars")


def test_values_keep_their_kind_through_json() -> None:
    report = a_report()
    assert ExperimentReport.model_validate_json(report.model_dump_json()) == report
    row = report.row_groups[0].rows[0]
    again = ExperimentReport.model_validate_json(report.model_dump_json()).row_groups[0].rows[0]
    assert [type(one) for one in again] == [type(one) for one in row]
