"""Why triggers fired or held, as one self-contained page: the picture, each signal's measurer, and every turn."""

from collections.abc import Sequence

from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Evaluation, Signal
from dissolution.values import NotMeasured
from reports.stability_page import environment, figure
from reports.trigger_chart import trigger_chart

NAMES = {
    Signal.DRIFT: "drift",
    Signal.TOPIC_SHIFT: "topic shift",
    Signal.SURPRISE: "fall of surprise",
    Signal.BUDGET: "budget",
    Signal.LOCK_IN: "lock-in",
    Signal.SCHEDULE: "schedule",
}
"""Signals with a value after each turn, in the order of the columns."""


def trigger_page(evaluations: Sequence[Evaluation], policy: TriggerPolicy) -> str:
    """An HTML document that loads nothing from elsewhere and holds no words of the conversation.

    Args:
        evaluations: At least one, of one conversation, in order.
        policy: Whose thresholds are drawn.

    Raises:
        ValueError: there is no evaluation to show.
    """
    drawn = trigger_chart(evaluations, policy)
    template = environment().get_template("triggers.html.j2")
    return str(
        template.render(
            conversation=evaluations[0].conversation,
            policy=policy,
            last=evaluations[-1],
            plot=drawn[drawn.index("<svg") :],
            names=list(NAMES.values()),
            fired=[one for one in evaluations if one.decision.fires],
            topics=[one.topic_start for one in evaluations if one.topic_start is not None],
            measurers=measurers(evaluations),
            rows=[(one, [value_of(one, signal) for signal in NAMES], bits_of(one)) for one in evaluations],
        )
    )


def measurers(evaluations: Sequence[Evaluation]) -> list[tuple[str, int, int]]:
    """Who measured, with the first and the last turn of each: values of two are never compared."""
    found: dict[str, tuple[int, int]] = {}
    for one in evaluations:
        used = [value.estimator for value in one.values if not isinstance(value.value, NotMeasured)]
        used += [one.surprise.estimator] if one.surprise is not None else []
        for name in used:
            found[name] = (found.get(name, (one.turn, 0))[0], one.turn)
    return [(name, first, last) for name, (first, last) in found.items()]


def value_of(evaluation: Evaluation, signal: Signal) -> str:
    """A signal's value, with a star where it calls; a dash where it was not measured."""
    for value in evaluation.values:
        if value.signal is signal:
            return figure(value.value) + ("*" if value.score is not None and value.score >= 1 else "")
    return "–"


def bits_of(evaluation: Evaluation) -> str:
    """Bits per token of the turn; an exclamation mark where it is notable, a question mark where it is guarded."""
    surprise = evaluation.surprise
    if surprise is None:
        return "–"
    return f"{figure(surprise.bits_per_token)}{'!' if surprise.notable else ''}{'?' if surprise.guarded else ''}"
