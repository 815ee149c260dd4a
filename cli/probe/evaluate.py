"""`dissolve probe`: the evaluator on its own, for any history and any context. Nothing is stored."""

import json
import secrets
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.run.probe_views import STATES, checked_in_words, group_lines
from cli.shared.exits import Exit
from cli.shared.output import say
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.errors import InputError
from dissolution.findings import Verdict
from dissolution.policy.gate import PRESETS
from dissolution.probing import ProbeReport
from dissolution.receipt.probe import PrecisionShares
from dissolution.settings import load_settings
from dissolution.values import NotMeasured
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from language.intake.text import decode
from probe.evaluate import lines_of, probe, shown_share
from probe.gate import VETO_WORDS
from probe.precision import Precision, check_precision
from probe.reading import sentences_of
from probe.ready_made import read_bank

KEY_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class ProbeOptions:
    """What was given on the command line of `dissolve probe`."""

    history: Path
    context: Path
    bank: Path | None = None
    conversation: str | None = None
    through: int | None = None
    preset: str = "balanced"
    questions: bool = False
    ask_all: bool = False
    as_json: bool = False


def probe_files(options: ProbeOptions) -> Exit:
    """Probe a context against a history and print the report, or one JSON document.

    OK when the context passes, HISTORY_KEPT when it does not. Raises InvalidConversation and InputError for what
    cannot be read.
    """
    snapshot = _history(options)
    text = lines_of(_context(options.context))
    bank = None if options.bank is None else read_bank(options.bank, snapshot)
    report = probe(snapshot, text, bank, policy=PRESETS[options.preset], ask_all=options.ask_all)
    precision = check_precision(snapshot, sentences_of(text))
    if options.as_json:
        document = {"report": report.model_dump(mode="json"), "precision": precision.model_dump(mode="json")}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(report, precision, questions=options.questions)) + "\n")
    return Exit.OK if report.decision.verdict is Verdict.COMMIT else Exit.HISTORY_KEPT


def _history(options: ProbeOptions) -> Snapshot:
    settings = load_settings()
    reading_options = ReadingOptions(
        conversation=options.conversation,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    key = secrets.token_bytes(KEY_BYTES)  # placeholders of secrets last as long as this output
    reading = read_file(options.history, reading_options, key=key, clock=SystemClock())
    for warning in reading.warnings:
        say(warning)
    return reading.conversation.snapshot(options.through)


def _context(path: Path) -> str:
    limit = load_settings().max_file_mb * 1_000_000
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"context {str(path)!r} cannot be read ({error.strerror})", "check the path") from error
    if len(data) > limit:
        raise InputError(f"context {path.name!r} is larger than {limit} bytes", "raise the setting max_file_mb")
    text = decode(data, path.name) if data.strip() else ""
    if not text.strip():
        raise InputError(f"context {path.name!r} holds no text", "give what is to replace the history")
    return text


def _lines(report: ProbeReport, precision: Precision, *, questions: bool) -> Iterator[str]:
    reading = report.reading
    right = sum(item.outcome.candidate_right for item in report.items)
    shares = PrecisionShares(
        checked=len(precision.checked),
        supported=precision.supported,
        contradicted=precision.contradicted,
        absent=precision.absent,
    )
    yield f"result    {STATES[reading.state]}"
    yield f"          no language model was asked; {right} of {len(report.items)} answered right from the context"
    yield from (f"          question {name}: {VETO_WORDS[kind]}" for name, kind in reading.vetoes)
    asked = f"{report.asked} made, {len(report.items)} asked of the context, {reading.used} until it was settled"
    yield f"questions {asked} (fingerprint {report.seal[:12]})"
    yield f"reader    {report.reader}, preset {report.policy}"
    yield f"history   {shown_share(report.history_share)} right; without any text {shown_share(report.floor_share)}"
    loss = reading.observed_loss
    shown = str(loss) if isinstance(loss, NotMeasured) else f"{100 * loss:+.1f} points"
    yield f"lost      {reading.lost} answers lost, {reading.gained} gained: {shown} beside the full text"
    yield (
        f"evidence  to pass {reading.accept_evidence:.2f} of {reading.accept_bound:.2f}, "
        f"to fail {reading.reject_evidence:.2f} of {reading.reject_bound:.2f} (natural logarithm)"
    )
    yield f"values    {checked_in_words(shares)}"
    yield from (f"weak      {line}" for line in report.diagnosis.words)
    yield from group_lines(report.diagnosis, "context")
    if questions:
        yield from _questions(report)


def _questions(report: ProbeReport) -> Iterator[str]:
    for item in report.items:
        marks = {True: "right", False: "wrong"}
        yield ""
        yield f"[{item.question.id}] {item.question.text}"
        turns = ", ".join(map(str, item.question.evidence_turns)) or "–"
        yield f"  reference: {item.question.reference} (turns {turns})"
        yield f"  history ({marks[item.outcome.history_right]}): {item.history.text}"
        yield f"  context ({marks[item.outcome.candidate_right]}): {item.candidate.text}"
