"""A job's probe for a person: the bank, both arms, the arithmetic, every question, and what repairs changed."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from dissolution.cross_examining import CrossExamined
from dissolution.errors import InputError
from dissolution.job import Job
from dissolution.probe_receipt import ProbeRound, ProbeSummary, RepairLine
from dissolution.probing import Diagnosis, ProbeItem
from dissolution.store_ports import UnitOfWork
from dissolution.values import Measured, NotMeasured
from probe.diagnosis import diagnose
from workers.probe_summary import items_of, probe_summary


@dataclass(frozen=True, kw_only=True)
class JobProbe:
    """The probe of one job: its summary, and the questions of each candidate in turn."""

    job: str
    summary: ProbeSummary
    items: tuple[tuple[ProbeItem, ...], ...]


def probe_of(work: UnitOfWork, job: Job) -> JobProbe:
    """The probe of a job. Raises InputError when it has none (yet)."""
    summary = probe_summary(work, job)
    if isinstance(summary, NotMeasured):
        remedy = "see `dissolve show --receipt` for what ran, or `dissolve probe` for a context of your own"
        raise InputError(f"job {job.id!r} has no probe: {summary.not_measured}", remedy)
    return JobProbe(job=job.id, summary=summary, items=items_of(work, job))


def print_probe(out: Console, probe: JobProbe, *, as_json: bool) -> None:
    """Print it, or one JSON document."""
    if as_json:
        document = {
            "job": probe.job,
            "probe": probe.summary.model_dump(mode="json"),
            "diagnosis": [diagnose(items).model_dump(mode="json") for items in probe.items],
            "questions": [[item.model_dump(mode="json") for item in items] for items in probe.items],
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
        return
    for line in lines(probe):
        out.print(Text(line), soft_wrap=True)


def lines(probe: JobProbe) -> Iterator[str]:
    """The whole account in lines."""
    yield f"PROBE of job {probe.job}"
    yield from summary_lines(probe.summary)
    for number, one in enumerate(probe.summary.rounds):
        yield ""
        yield "FIRST CANDIDATE" if number == 0 else f"AFTER REPAIR {number}"
        if number > 0:
            yield repair_line(probe.summary.repairs[number - 1])
        yield from round_lines(one)
        yield from group_lines(diagnose(probe.items[number]), "candidate")
        for item in probe.items[number]:
            yield ""
            yield from item_lines(item)


def summary_lines(summary: ProbeSummary) -> Iterator[str]:
    """The bank and the history arm."""
    bank = f"{summary.held_out} held out, {summary.train} for repair, {summary.refused} refused"
    again = "" if summary.bank_of is None else f"; the bank of job {summary.bank_of}"
    yield f"bank      {summary.origin.value} by {summary.writer}: {bank}; sealed {summary.seal[:12]}{again}"
    yield from (f"          {line}" for line in need_lines(summary))
    judge = "none" if summary.judge is None else summary.judge
    state = "enforced" if summary.enforced else "reported, not enforced"
    yield f"reader    {summary.reader}; judge {judge}; policy {summary.policy}, {state}"
    kept = "" if summary.history_of is None else f"; answers of job {summary.history_of}"
    yield f"history   {share(summary.history_share)} right{kept}; without any text {share(summary.floor_share)}"
    if summary.cross_examined.both:
        yield f"agreement {agreed(summary.cross_examined)}"


def need_lines(summary: ProbeSummary) -> Iterator[str]:
    """What the gate needs of questions where policy asks for fewer, and what was written on."""
    if summary.need is not None and summary.need.short:
        yield summary.need.words
    if summary.topped_up:
        yield f"{summary.topped_up} of them by a second request, since too few passed their checks"


def round_lines(one: ProbeRound) -> Iterator[str]:
    """What one candidate met."""
    reading = one.reading
    loss = reading.observed_loss
    shown = str(loss) if isinstance(loss, NotMeasured) else f"{100 * loss:+.1f} points"
    left_out = f", {one.unanswered} left out" if one.unanswered else ""
    yield f"verdict   {one.decision.verdict.value}"
    yield from (f"          {reason}" for reason in one.decision.reasons)
    yield f"questions {one.asked} asked of {one.claims} claims, {reading.used} until settled{left_out}"
    yield f"loss      {shown} ({reading.lost} lost, {reading.gained} gained)"
    yield (
        f"evidence  to accept {reading.accept_evidence:.2f} of {reading.accept_bound:.2f}, "
        f"to reject {reading.reject_evidence:.2f} of {reading.reject_bound:.2f} (log)"
    )
    precision = one.precision
    yield (
        f"precision {share(precision.supported)} of {precision.checked} claims supported, "
        f"{share(precision.contradicted)} contradicted, {share(precision.absent)} absent"
    )
    if one.cross_examined.both:
        yield f"agreement {agreed(one.cross_examined)}"
    yield from (f"weak      {line}" for line in one.weak)


def agreed(crossed: CrossExamined) -> str:
    """How far rules and judge say the same, where both were asked."""
    told = f"rules and judge agree on {share(crossed.share)} of {crossed.both} answers that both scored"
    if crossed.alike == crossed.both:
        return told
    return f"{told}; {crossed.rules_alone} right by the rules alone, {crossed.judge_alone} by the judge alone"


def group_lines(diagnosis: Diagnosis, name: str) -> Iterator[str]:
    """How both arms do by section, kind, age of the evidence and topic; `name` is that of the shorter arm."""
    for title, groups in (
        ("section", diagnosis.by_section),
        ("kind", diagnosis.by_kind),
        ("third", diagnosis.by_third),
        ("topic", diagnosis.by_topic),
    ):
        for group in groups:
            right = f"history {group.history_right}, {name} {group.candidate_right} of {group.questions}"
            yield f"{title:<9} {group.group}: {right}"


def item_lines(item: ProbeItem) -> Iterator[str]:
    """One question with both answers."""
    marks = {True: "right", False: "wrong"}
    question, turns = item.question, ", ".join(map(str, item.question.evidence_turns)) or "–"
    yield f"[{question.id}] {question.text}"
    yield f"  {question.kind.value}, {question.section.value}; reference: {question.reference} (turns {turns})"
    for name, answer, told in (
        ("history", item.history, item.history_score),
        ("candidate", item.candidate, item.candidate_score),
    ):
        beside = "" if told.by_rules is None else f"; rules: {marks[told.by_rules]}"
        beside += "" if told.by_judge is None else f"; judge: {marks[told.by_judge.right]}, {told.by_judge.reason}"
        yield f"  {name} ({marks[told.right]} by {told.by.value}: {told.reason}{beside}): {answer.text}"
    if item.outcome.veto is not None:
        yield f"  veto: {item.outcome.veto.value}"


def repair_line(line: RepairLine) -> str:
    """What one repair asked for and brought."""
    turns = ", ".join(map(str, line.turns))
    heard = f"{line.statements} remarks of {line.answered} members, {line.taken_up} taken up"
    claims = f"claims {line.claims_before} → {line.claims_after}"
    sealed = "" if line.further_seal is None else f", {line.further} of a further bank, sealed {line.further_seal[:12]}"
    return f"repair    turns {turns} for {line.questions} questions: {heard}; {claims}; {line.fresh} fresh ones{sealed}"


def receipt_lines(probe: ProbeSummary | NotMeasured) -> Iterator[str]:
    """The probe in a receipt: a few lines."""
    if isinstance(probe, NotMeasured):
        yield f"probe: {probe}"
        return
    yield (
        f"probe: {probe.held_out} questions {probe.origin.value}, sealed {probe.seal[:12]}; reader {probe.reader}: "
        f"history {share(probe.history_share)} right"
    )
    yield from (f"  {line}" for line in need_lines(probe))
    if probe.cross_examined.both:
        yield f"  {agreed(probe.cross_examined)}"
    for number, one in enumerate(probe.rounds):
        name = "first candidate" if number == 0 else f"after repair {number}"
        reading = one.reading
        told = f"{reading.used} questions, {reading.lost} lost, {reading.gained} gained: {reading.state.value}"
        yield f"  {name}: {told}; {share(one.precision.supported)} of {one.precision.checked} claims supported"
    yield from (f"  {repair_line(line)}" for line in probe.repairs)


def share(value: Measured) -> str:
    """A share for a person."""
    return str(value) if isinstance(value, NotMeasured) else f"{value:.0%}"
