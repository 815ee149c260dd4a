"""The picture of why triggers fired or held: signals over turns, their thresholds, firings and topic boundaries."""

from collections.abc import Iterable, Sequence

from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Evaluation, Signal
from dissolution.values import NotMeasured
from reports.drawing import Marker, Panel, Series, draw_svg

HEIGHT_IN = 11.0


def trigger_chart(evaluations: Sequence[Evaluation], policy: TriggerPolicy) -> str:
    """An SVG document: drift, topic shift, surprise and context over turns, one panel each.

    Args:
        evaluations: At least one, of one conversation, in order.
        policy: Whose thresholds are drawn.

    Raises:
        ValueError: there is no evaluation to draw.
    """
    if not evaluations:
        message = "no evaluation to draw; evaluate the conversation first"
        raise ValueError(message)
    return draw_svg(trigger_panels(evaluations, policy), width_in=9.0, height_in=HEIGHT_IN)


def trigger_panels(evaluations: Sequence[Evaluation], policy: TriggerPolicy) -> tuple[Panel, ...]:
    """The panels, for a page that draws more than this. A turn without a value has no point."""
    happened = _happened(evaluations)
    return (
        _drift(evaluations, policy, happened),
        _gaps(evaluations, policy, happened),
        _surprise(evaluations, happened),
        _context(evaluations, policy, happened),
    )


def _happened(evaluations: Sequence[Evaluation]) -> tuple[Marker, ...]:
    fired = [
        Marker(name="would have fired" if one.shadow else "fired", at=one.turn, dashed=False)
        for one in evaluations
        if one.decision.fires
    ]
    topics = [Marker(name="topic begins", at=one.topic_start) for one in evaluations if one.topic_start is not None]
    return (*fired, *topics)


def _series(evaluations: Iterable[Evaluation], signal: Signal, name: str) -> Series:
    found = [
        (float(one.turn), value.value)
        for one in evaluations
        for value in one.values
        if value.signal is signal and not isinstance(value.value, NotMeasured)
    ]
    return Series(name=name, x=tuple(turn for turn, _ in found), y=tuple(value for _, value in found))


def _drift(evaluations: Sequence[Evaluation], policy: TriggerPolicy, happened: tuple[Marker, ...]) -> Panel:
    levels: tuple[Marker, ...] = ()
    if policy.drift.distance is not None:
        levels = (
            Marker(name=f"calls from {policy.drift.distance:g}", at=policy.drift.distance, axis="y"),
            Marker(name=f"released below {policy.drift.release:g}", at=policy.drift.release, axis="y"),
        )
    return Panel(
        title="Drift from the last boundary",
        x_label="turn",
        y_label="cosine distance",
        series=(_series(evaluations, Signal.DRIFT, "drift"),),
        markers=(*levels, *happened),
    )


def _gaps(evaluations: Sequence[Evaluation], policy: TriggerPolicy, happened: tuple[Marker, ...]) -> Panel:
    depth = policy.drift.shift_depth
    levels = () if depth is None else (Marker(name=f"a change from {depth:g}", at=depth, axis="y"),)
    return Panel(
        title="Topic shift",
        x_label="turn",
        y_label="depth of the best split",
        series=(_series(evaluations, Signal.TOPIC_SHIFT, "depth"),),
        markers=(*levels, *happened),
    )


def _surprise(evaluations: Sequence[Evaluation], happened: tuple[Marker, ...]) -> Panel:
    found = [
        (float(one.turn), one.surprise.bits_per_token, one.surprise.notable)
        for one in evaluations
        if one.surprise is not None and not isinstance(one.surprise.bits_per_token, NotMeasured)
    ]
    series = [
        Series(name="turn", x=tuple(x for x, _, _ in found), y=tuple(float(y) for _, y, _ in found), shape="points")
    ]
    notable = [(x, float(y)) for x, y, is_notable in found if is_notable]
    if notable:
        x, y = zip(*notable, strict=True)
        series.append(Series(name="notable turn", x=x, y=y, shape="points"))
    return Panel(
        title="Surprise of each turn",
        x_label="turn",
        y_label="bits per token",
        series=tuple(series),
        markers=happened,
    )


def _context(evaluations: Sequence[Evaluation], policy: TriggerPolicy, happened: tuple[Marker, ...]) -> Panel:
    budget = policy.budget
    soft, hard = budget.soft_share * budget.context_tokens, budget.hard_share * budget.context_tokens
    line = Series(
        name="context",
        x=tuple(float(one.turn) for one in evaluations),
        y=tuple(float(one.context_tokens) for one in evaluations),
        shape="step",
    )
    return Panel(
        title="What the reader is given",
        x_label="turn",
        y_label="tokens",
        series=(line,),
        markers=(
            Marker(name=f"soft level {soft:.0f}", at=soft, axis="y"),
            Marker(name=f"hard level {hard:.0f}", at=hard, axis="y"),
            *happened,
        ),
    )
