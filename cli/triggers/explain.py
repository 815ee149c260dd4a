"""`dissolve triggers explain`: why triggers fired or held, turn by turn, and a chart of it."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from cli.shared.exits import Exit
from cli.shared.naming import check_conversation
from cli.shared.output import ResultConsole, hint, printing, say
from dissolution.errors import InputError
from dissolution.policy.triggers import TriggerPolicy
from dissolution.settings import load_settings
from dissolution.triggering import Evaluation, ReasonCode, Signal
from dissolution.values import NotMeasured
from workers.bootstrap import open_services

NOT_MEASURED = "–"


def explain_conversation(
    conversation: str, *, chart: Path | None, every: bool, db: str | None, as_json: bool, report: Path | None = None
) -> Exit:
    """Print the table; draw chart and report if wanted. Raises NotFound, InputError without an evaluation."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        evaluations = work.triggers.evaluations(conversation)
        watch = work.triggers.watched(conversation)
    if not evaluations:
        remedy = f"watch it: `{hint('triggers', 'watch', conversation, db=db)}`"
        raise InputError(f"conversation {conversation!r} was never evaluated", remedy)
    policy = TriggerPolicy() if watch is None else watch.policy.triggers
    if chart is not None:
        from reports.trigger_chart import trigger_chart

        chart.write_text(trigger_chart(evaluations, policy), encoding="utf-8")
        say(f"the chart is in {chart}")
    if report is not None:
        from reports.trigger_page import trigger_page

        report.write_text(trigger_page(evaluations, policy), encoding="utf-8")
        say(f"the report is in {report}")
    with printing(Exit.OK):
        if as_json:
            documents = [one.model_dump(mode="json") for one in evaluations]
            sys.stdout.write(json.dumps(documents, ensure_ascii=False, indent=1) + "\n")
        else:
            shown = evaluations if every else where_something_changed(evaluations)
            ResultConsole(file=sys.stdout, highlight=False).print(table(shown))
            if len(shown) < len(evaluations):
                sys.stdout.write(f"{len(shown)} of {len(evaluations)} evaluations shown; --all shows every one\n")
    return Exit.OK


def where_something_changed(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Firings, found topics, evaluations with other reasons than the one before, and the last one."""
    shown: list[Evaluation] = []
    before: tuple[ReasonCode, ...] | None = None
    for one in evaluations:
        codes = tuple(reason.code for reason in one.decision.reasons)
        if codes != before or one.decision.fires or one.topic_start is not None or one is evaluations[-1]:
            shown.append(one)
        before = codes
    return shown


def table(evaluations: Sequence[Evaluation]) -> Table:
    """One row an evaluation: what was measured, what was decided, why."""
    made = Table(box=None, pad_edge=False)
    for name in ("turn", "context", "drift", "gap", "bits", "fall"):
        made.add_column(name, justify="right", no_wrap=True)
    made.add_column("decision", no_wrap=True)
    made.add_column("why", overflow="fold")
    for one in evaluations:
        made.add_row(
            str(one.turn),
            str(one.context_tokens),
            value_of(one, Signal.DRIFT),
            value_of(one, Signal.TOPIC_SHIFT),
            bits_of(one),
            value_of(one, Signal.SURPRISE),
            decision_of(one),
            "; ".join(reason.words for reason in one.decision.reasons),
        )
    return made


def value_of(evaluation: Evaluation, signal: Signal) -> str:
    """A signal's value with two decimals; a star where it calls."""
    for value in evaluation.values:
        if value.signal is signal and not isinstance(value.value, NotMeasured):
            return f"{value.value:.2f}{'*' if value.score is not None and value.score >= 1 else ''}"
    return NOT_MEASURED


def bits_of(evaluation: Evaluation) -> str:
    """Bits per token of the turn; an exclamation mark where it is notable, a question mark where it is guarded."""
    surprise = evaluation.surprise
    if surprise is None or isinstance(surprise.bits_per_token, NotMeasured):
        return NOT_MEASURED
    return f"{surprise.bits_per_token:.1f}{'!' if surprise.notable else ''}{'?' if surprise.guarded else ''}"


def decision_of(evaluation: Evaluation) -> str:
    """In a word or two."""
    if not evaluation.decision.fires:
        return "hold"
    return "would fire" if evaluation.shadow else "FIRE"
