"""A job's probe for a person: the bank, both arms, the arithmetic, every question, and what repairs changed."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from dissolution.cross_examining import CrossExamined
from dissolution.errors import InputError
from dissolution.ids import JobId
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.probing import BankOrigin, Diagnosis, GateState, ProbeItem
from dissolution.receipt.probe import PrecisionShares, ProbeRound, ProbeSummary, RepairLine
from dissolution.values import Measured, NotMeasured
from probe.diagnosis import diagnose
from probe.gate import VETO_WORDS
from workers.probe.summary import items_of, probe_summary

ORIGINS = {
    BankOrigin.CLOZE: "made of sentences with a gap, without a model, by",
    BankOrigin.WRITTEN: "written by",
    BankOrigin.READY_MADE: "given by",
}
STATES = {
    GateState.ACCEPT: "passed: no more is lost than the policy allows",
    GateState.REJECT: "failed: more is lost than the policy allows",
    GateState.OPEN: "not settled: the questions were too few to be sure",
}


@dataclass(frozen=True, kw_only=True)
class JobProbe:
    """The probe of one job: its summary, and the questions of each candidate in turn."""

    job: JobId
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
    bank = f"{summary.held_out} to test with, {summary.train} for repairs, {summary.refused} not fit to ask"
    again = "" if summary.bank_of is None else f"; those of job {summary.bank_of}"
    yield f"questions {ORIGINS[summary.origin]} {summary.writer}: {bank}{again}"
    yield f"          fixed before there was anything to test; fingerprint {summary.seal[:12]}"
    yield from (f"          {line}" for line in need_lines(summary))
    judge = "none" if summary.judge is None else summary.judge
    state = "decides" if summary.enforced else "is told, and decides nothing"
    yield f"reader    {summary.reader}; judge {judge}; preset {summary.policy}; the result {state}"
    kept = "" if summary.history_of is None else f"; answers of job {summary.history_of}"
    yield f"history   {share(summary.history_share)} right{kept}; without any text {share(summary.floor_share)}"
    if summary.cross_examined.both:
        yield f"agreement {agreed(summary.cross_examined)}"


def need_lines(summary: ProbeSummary) -> Iterator[str]:
    """What the gate needs of questions where policy asks for fewer, and what was written on."""
    if summary.need is not None and summary.need.short:
        yield summary.need.words
    if summary.topped_up:
        yield f"{summary.topped_up} of them were asked for again, since too few were fit to ask"


def round_lines(one: ProbeRound) -> Iterator[str]:
    """What one candidate met."""
    reading = one.reading
    loss = reading.observed_loss
    shown = str(loss) if isinstance(loss, NotMeasured) else f"{100 * loss:+.1f} points"
    left_out = f", {one.unanswered} left out" if one.unanswered else ""
    yield f"result    {STATES[reading.state]}"
    yield f"questions {one.asked} asked of {one.claims} claims, {reading.used} until it was settled{left_out}"
    yield f"lost      {reading.lost} answers lost, {reading.gained} gained: {shown} beside the full text"
    yield from (f"          question {name}: {VETO_WORDS[kind]}" for name, kind in reading.vetoes)
    yield (
        f"evidence  to pass {reading.accept_evidence:.2f} of {reading.accept_bound:.2f}, "
        f"to fail {reading.reject_evidence:.2f} of {reading.reject_bound:.2f} (natural logarithm)"
    )
    yield f"values    {checked_in_words(one.precision)}"
    if one.cross_examined.both:
        yield f"agreement {agreed(one.cross_examined)}"
    yield from (f"weak      {line}" for line in one.weak)


def checked_in_words(precision: PrecisionShares) -> str:
    """How far the conversation bears out the values of a sample of claims."""
    if not precision.checked:
        return "no claim was looked up in the conversation"
    return (
        f"of {precision.checked} claims looked up, the conversation bears out {share(precision.supported)}, "
        f"says otherwise of {share(precision.contradicted)} and nothing of {share(precision.absent)}"
    )


def agreed(crossed: CrossExamined) -> str:
    """How far rules and judge say the same, where both were asked."""
    told = f"rules and judge agree on {share(crossed.share)} of {crossed.both} answers that both scored"
    if crossed.alike == crossed.both:
        return told
    return f"{told}; {crossed.rules_alone} are right by the rules alone, {crossed.judge_alone} by the judge alone"


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
            yield f"{title:<9} {group.group.replace('_', ' ')}: {right}"


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
        yield f"  {VETO_WORDS[item.outcome.veto]}"


def repair_line(line: RepairLine) -> str:
    """What one repair asked for and brought."""
    turns = ", ".join(map(str, line.turns))
    heard = f"{line.statements} remarks of {line.answered} members, {line.taken_up} taken up"
    claims = f"claims {line.claims_before} → {line.claims_after}"
    more = "" if line.further_seal is None else f", {line.further} of them written for it"
    fresh = f"{line.fresh} new questions{more}"
    return f"repair    turns {turns} for {line.questions} questions: {heard}; {claims}; {fresh}"


def receipt_lines(probe: ProbeSummary | NotMeasured) -> Iterator[str]:
    """The probe in a receipt: a few lines."""
    if isinstance(probe, NotMeasured):
        yield f"not tested: {probe.not_measured}"
        return
    yield (
        f"{probe.held_out} questions {ORIGINS[probe.origin]} {probe.writer}, answered by {probe.reader}: "
        f"{share(probe.history_share)} right from the full text"
    )
    yield from (f"  {line}" for line in need_lines(probe))
    if probe.cross_examined.both:
        yield f"  {agreed(probe.cross_examined)}"
    for number, one in enumerate(probe.rounds):
        name = "first candidate" if number == 0 else f"after repair {number}"
        reading = one.reading
        told = (
            f"{reading.used} questions, {reading.lost} answers lost, {reading.gained} gained: {STATES[reading.state]}"
        )
        yield f"  {name}: {told}; {checked_in_words(one.precision)}"
    yield from (f"  {repair_line(line)}" for line in probe.repairs)


def share(value: Measured) -> str:
    """A share for a person."""
    return str(value) if isinstance(value, NotMeasured) else f"{value:.0%}"
