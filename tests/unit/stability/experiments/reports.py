"""A small report with figures made up, for tests."""

from dissolution.values import NotMeasured
from stability.experiments.report import Conclusion, ExperimentReport, Figure, Hypothesis, Line, RowGroup, Table
from stability.statistics import Interval

NONE = NotMeasured(not_measured="no <b>summary</b> was recorded")


def a_report() -> ExperimentReport:
    """Two tables, one drawn, with words of hostile make."""
    known = Figure(value=Interval(estimate=0.5, low=0.25, high=0.75, units=4), rows=("rows-a", "rows-b"))
    open_ended = Figure(value=Interval(estimate=0.25, low=NONE, high=NONE, units=1), rows=("rows-b",))
    absent = Figure(value=Interval(estimate=NONE, low=NONE, high=NONE, units=0), rows=("rows-b",))
    return ExperimentReport(
        number=2,
        title="<i>Made up</i> & more",
        hypotheses=(
            Hypothesis(text="It holds.", conclusion=Conclusion.SUPPORTED, reason="0.5"),
            Hypothesis(text="It grows.", conclusion=Conclusion.CANNOT_BE_SAID, reason="too few"),
        ),
        method=("counted",),
        data=("two conversations",),
        fleet="recorded",
        tables=(
            Table(
                name="drawn",
                title="Drawn",
                caption="over members",
                head="arm",
                columns=("one", "two"),
                lines=(
                    Line(name="here", cells=(known, open_ended)),
                    Line(name="there", cells=(known, known)),
                    Line(name="nowhere", cells=(absent, absent)),
                    Line(name="published", cells=("0.67", "0.20")),
                ),
                plot="bars",
                x_label="prompt",
                y_label="share",
            ),
            Table(
                name="told", title="Told", caption="c", head="h", columns=("a",), lines=(Line(name="l", cells=("",)),)
            ),
        ),
        row_groups=(
            RowGroup(
                name="rows-a",
                about="of <b>a</b>",
                columns=("name", "count", "share", "held", "why not"),
                rows=(("x & y", 3, 0.5, True, NONE),),
            ),
            RowGroup(name="rows-b", about="of b", columns=("name",), rows=(("z",),)),
        ),
        limits=("one hand",),
        seed=0,
        software="1",
        command="dissolve experiment 2",
        seconds=1.5,
    )
