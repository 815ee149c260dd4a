"""Experiment 5: do rules that read wording alone tell when a sentence holds?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from dissolution.errors import InputError
from dissolution.temporal import TemporalClass
from dissolution.values import Frozen
from language.temporal import classify
from stability.experiments.data import DataFolder
from stability.experiments.report import (
    Cell,
    Conclusion,
    ExperimentReport,
    Figure,
    Hypothesis,
    Line,
    RowGroup,
    Table,
    all_of,
    at_least,
    shown,
)
from stability.experiments.statistics import wilson
from stability.experiments.workspace import Choice
from stability.statistics import Interval

PRECISION, RECALL = 0.9, 0.8
"""The goal for the two classes that close or bind claims of the ledger (docs/temporal.md)."""

GOAL_CLASSES = (TemporalClass.FORWARD_OPEN, TemporalClass.BACKWARD_MUTATION)


class Sentence(Frozen):
    """One annotated sentence of benchmarks/data/temporal.jsonl."""

    id: str
    text: str
    label: TemporalClass
    domain: str
    source: str
    split: str
    note: str
    drawn_as: str = ""


class Judged(NamedTuple):
    """A sentence with the class it was given."""

    sentence: Sentence
    found: TemporalClass


def sentences(data: DataFolder, name: str = "temporal.jsonl") -> list[Sentence]:
    """The annotated sentences of a file. Raises InputError."""
    try:
        return [Sentence.model_validate(line) for line in data.lines(name)]
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{name!r}, a sentence: {place}: {first['msg']}", "correct the file") from error


def judged(given: Iterable[Sentence]) -> list[Judged]:
    """Each sentence with the class that its wording gives it."""
    return [Judged(sentence, classify(sentence.text).temporal_class) for sentence in given]


def precision(rows: Sequence[Judged], name: TemporalClass) -> Interval:
    """Of the sentences given a class, the share labelled so."""
    hits = sum(row.found is name is row.sentence.label for row in rows)
    return wilson(hits, sum(row.found is name for row in rows))


def recall(rows: Sequence[Judged], name: TemporalClass) -> Interval:
    """Of the sentences labelled a class, the share given it."""
    hits = sum(row.found is name is row.sentence.label for row in rows)
    return wilson(hits, sum(row.sentence.label is name for row in rows))


def right(rows: Sequence[Judged]) -> Interval:
    """Share of sentences given the class they are labelled."""
    return wilson(sum(row.found is row.sentence.label for row in rows), len(rows))


def experiment_5(choice: Choice) -> ExperimentReport:
    """Measure the temporal classes on the frozen half, and on sentences drawn from running talk. Asks no member."""
    found = judged(sentences(choice.data))
    natural = judged(sentences(choice.data, "temporal_natural.jsonl"))
    halves = {
        "frozen": [row for row in found if row.sentence.split == "test"],
        "tuning": [row for row in found if row.sentence.split == "tune"],
        "running": [row for row in natural if row.sentence.split == "test"],
    }
    frozen = halves["frozen"]
    return ExperimentReport(
        number=5,
        title="The temporal classifier",
        hypotheses=_hypotheses(frozen, halves["running"]),
        method=(
            (
                "Each sentence is classified from its wording alone (language.temporal). Shares have 95 % Wilson "
                "intervals over sentences."
            ),
            f"Supported means: precision at least {PRECISION} and recall at least {RECALL} with the whole interval.",
        ),
        data=(
            (
                f"benchmarks/data/temporal.jsonl: {len(frozen)} sentences of the frozen half, "
                f"{len(halves['tuning'])} of the half the rules were written on."
            ),
            f"benchmarks/data/temporal_natural.jsonl: {len(halves['running'])} sentences of running talk.",
        ),
        fleet="none: no member is asked",
        tables=tuple(_tables(halves)),
        row_groups=tuple(_rows(name, rows) for name, rows in halves.items()),
        limits=(
            "One person wrote the sentences, the labels and the rules: there is no agreement of annotators to report.",
            "Sentences written as examples have denser cues than talk; the table of running talk says by how much.",
            "Rows of the frozen half are counts, not sentences, so that no rule can be fitted to its errors.",
            "English only.",
        ),
        seed=choice.seed,
        software="",
        command="",
    )


def _hypotheses(frozen: Sequence[Judged], running: Sequence[Judged]) -> tuple[Hypothesis, ...]:
    written, said = (
        {name: (precision(rows, name), recall(rows, name)) for name in GOAL_CLASSES} for rows in (frozen, running)
    )
    return (
        Hypothesis(
            text=f"On sentences the rules were not written on, forward_open and backward_mutation have precision "
            f"of at least {PRECISION} and recall of at least {RECALL}.",
            conclusion=_reached(written),
            reason=_words(written),
        ),
        Hypothesis(
            text="forward_open reaches the same on running talk.",
            conclusion=_reached({TemporalClass.FORWARD_OPEN: said[TemporalClass.FORWARD_OPEN]}),
            reason=_words({TemporalClass.FORWARD_OPEN: said[TemporalClass.FORWARD_OPEN]}),
        ),
    )


def _reached(found: Mapping[TemporalClass, tuple[Interval, Interval]]) -> Conclusion:
    return all_of(
        [one for exact, whole in found.values() for one in (at_least(exact, PRECISION), at_least(whole, RECALL))]
    )


def _words(found: Mapping[TemporalClass, tuple[Interval, Interval]]) -> str:
    return "; ".join(
        f"{name.value}: precision {shown(exact)}, recall {shown(whole)}" for name, (exact, whole) in found.items()
    )


def _tables(halves: Mapping[str, Sequence[Judged]]) -> list[Table]:
    titles = {
        "frozen": "The frozen half",
        "tuning": "The half the rules were written on",
        "running": "Running talk",
    }
    return [
        Table(
            name=f"classes-{name}",
            title=titles[name],
            caption=f"{len(rows)} sentences; 95 % Wilson intervals over sentences. A dash: no such sentence.",
            head="class",
            columns=("precision", "recall"),
            lines=(
                *(
                    Line(
                        name=one.value,
                        cells=(
                            Figure(value=precision(rows, one), rows=(f"confusion-{name}",)),
                            Figure(value=recall(rows, one), rows=(f"confusion-{name}",)),
                        ),
                    )
                    for one in TemporalClass
                ),
                Line(
                    name="all: right",
                    cells=(
                        Figure(value=right(rows), rows=(f"confusion-{name}",)),
                        Figure(value=right(rows), rows=(f"confusion-{name}",)),
                    ),
                ),
            ),
            plot="bars" if name == "frozen" else None,
            x_label="measure",
            y_label="share of sentences",
        )
        for name, rows in halves.items()
    ]


def _rows(name: str, rows: Sequence[Judged]) -> RowGroup:
    counts = Counter((row.sentence.label.value, row.found.value, row.sentence.domain) for row in rows)
    listed: list[tuple[Cell, ...]] = [(*key, count) for key, count in sorted(counts.items())]
    return RowGroup(
        name=f"confusion-{name}",
        about="how often sentences of a label and domain were given each class",
        columns=("label", "found", "domain", "sentences"),
        rows=tuple(listed),
    )
