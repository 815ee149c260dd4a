"""Experiment 2: the dissertation's comparison of dissolution and summary prompts, beside its published figures."""

import json
from collections.abc import Mapping, Sequence

from dissolution.values import Measured, NotMeasured
from stability.experiments import grouping
from stability.experiments.prompting import CONDITIONS, Compared, Pairs, compare, conversations_of
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
from stability.experiments.statistics import NOTHING, over_pairs
from stability.experiments.workspace import Choice
from stability.statistics import Interval, bootstrap
from workers.services import Services

ABOVE = 1e-9
"""Above nought: an interval that only touches it shows nothing."""

PUBLISHED: Mapping[str, tuple[str, str]] = {
    "tense": ("0.67", "0.20"),
    "jaccard": ("0.199 to 0.228", "0.256 to 0.283"),
    "tfidf": ("about 0.08", "not given"),
}
"""T. Larcombe, "Conversation Intelligence Architecture" (2026): technical conversation, six models."""

ALL = "all"


def experiment_2(choice: Choice, services: Services) -> ExperimentReport:
    """Ask or replay both prompts on some conversations, and compare tense, agreement and clustering."""
    found = [compare(services, choice, one) for one in conversations_of(choice)]
    labels = {
        file.stem: grouping.compared(
            grouping.labels_of(json.loads(file.read_text(encoding="utf-8")), file.name), services.embedder()
        )
        for file in sorted(choice.data.need("labels").glob("*.json"))
    }
    return ExperimentReport(
        number=2,
        title="Dissolution and summary prompts",
        hypotheses=_hypotheses(found, labels, choice.seed),
        method=(
            (
                "The same members answer the four-part prompt (version 1, the dissertation's words) and “Summarise "
                "it.”. Present-tense share: sentences in present tense among those whose tense the rules tell. "
                "Jaccard: of word sets, each pair of members. TF-IDF cosine: frequencies over the answers to one "
                "prompt. All before any consensus."
            ),
            (
                "Clusters of whole answers by words: average linkage cut at the dissertation's TF-IDF cosine of "
                "0.20; by meaning: at its 0.85 on the mean of the sentences' embeddings. Clusters of claims: the "
                "same thresholds, each claim joining the first group that is near enough, against groups that people "
                "made."
            ),
            "Intervals are 95 % bootstraps over members; members stay together over conversations and prompts.",
        ),
        data=(
            f"{len(found)} planted conversations: {', '.join(one.name for one in found)}.",
            f"{len(labels)} label files with the claims of the same writers, grouped by people.",
        ),
        fleet=choice.name,
        tables=(*_tables(found, choice.seed), _claims_table(labels, choice.seed)),
        row_groups=(*(group for one in found for group in _rows(one)), _claims_rows(labels)),
        limits=_limits(choice, found),
        seed=choice.seed,
        software="",
        command="",
    )


def _per_member(found: Sequence[Compared], condition: str) -> Interval:
    """The mean present-tense share over members, each one's answers staying together."""
    by_member: dict[str, list[float]] = {}
    for one in found:
        for name, share in one.tense.get(condition, {}).items():
            by_member.setdefault(name, []).append(share)
    return bootstrap(list(by_member.values()))


def _paired(values: Sequence[Pairs]) -> Pairs:
    """The mean of each pair of members over conversations."""
    gathered: dict[tuple[str, str], list[float]] = {}
    for pairs in values:
        for pair, value in pairs.items():
            gathered.setdefault(pair, []).append(value)
    return {pair: sum(some) / len(some) for pair, some in gathered.items()}


def _less(one: Compared, measure: str) -> Pairs:
    """Summary less dissolve, pair by pair."""
    both: Mapping[str, Pairs] = getattr(one, measure)
    dissolve, summary = (both.get(condition, {}) for condition in CONDITIONS)
    return {pair: summary[pair] - value for pair, value in dissolve.items() if pair in summary}


def _hypotheses(
    found: Sequence[Compared], labels: Mapping[str, Mapping[str, grouping.PairCount]], seed: int
) -> tuple[Hypothesis, ...]:
    by_member: dict[str, list[float]] = {}
    for one in found:
        dissolve, summary = (one.tense.get(condition, {}) for condition in CONDITIONS)
        for name in dissolve.keys() & summary.keys():
            by_member.setdefault(name, []).append(dissolve[name] - summary[name])
    tense = bootstrap([by_member[name] for name in sorted(by_member)], seed=seed)
    overlap = over_pairs(_paired([_less(one, "jaccard") for one in found]), seed=seed)
    meaning, ours = (
        bootstrap([[one[name].f1 - one["words (TF-IDF 0.20)"].f1] for one in labels.values()], seed=seed)
        for name in ("meaning (embedding 0.85)", "this project")
    )
    return (
        _more("The dissolution prompt is answered in the present tense more than the summary prompt.", tense,
              "dissolve less summary, share of sentences"),
        _more("Answers to the dissolution prompt share fewer words than summaries do (before consensus).", overlap,
              "Jaccard of summaries less that of dissolve answers"),
        Hypothesis(
            text="Clustering by meaning finds the labelled same claims better than clustering by words.",
            conclusion=all_of([at_least(meaning, ABOVE), at_least(ours, ABOVE)]),
            reason=f"pair F1 above that of words: embedding at 0.85 {shown(meaning)}, this project {shown(ours)}",
        ),
    )  # fmt: skip


def _more(text: str, difference: Interval, what: str) -> Hypothesis:
    missing = isinstance(difference.estimate, NotMeasured)
    reason = "only one of the two prompts was answered" if missing else f"{what}: {shown(difference)}"
    conclusion = Conclusion.CANNOT_BE_SAID if missing else at_least(difference, ABOVE)
    return Hypothesis(text=text, conclusion=conclusion, reason=reason)


def _tables(found: Sequence[Compared], seed: int) -> list[Table]:
    return [
        Table(
            name="tense",
            title="Present-tense share",
            caption="Means over members; 95 % bootstrap intervals over members.",
            head="conversation",
            columns=CONDITIONS,
            lines=(
                *(_line(one.domain, [_per_member([one], c) for c in CONDITIONS], one.name) for one in found),
                _line(ALL, [_per_member(found, c) for c in CONDITIONS], *(one.name for one in found)),
                Line(name="dissertation, technical", cells=PUBLISHED["tense"]),
            ),
            plot="bars",
            x_label="prompt",
            y_label="share of sentences",
        ),
        _pair_table(found, "jaccard", "Word overlap of the answers (Jaccard)", seed),
        _pair_table(found, "tfidf", "TF-IDF cosine of the answers", seed),
        _cluster_table(found, seed),
    ]


def _pair_table(found: Sequence[Compared], measure: str, title: str, seed: int) -> Table:
    def values(some: Sequence[Compared], condition: str) -> Interval:
        return over_pairs(_paired([getattr(one, measure).get(condition, {}) for one in some]), seed=seed)

    return Table(
        name=measure,
        title=title,
        caption="Means over pairs of members; 95 % bootstrap intervals over members.",
        head="conversation",
        columns=CONDITIONS,
        lines=(
            *(_line(one.domain, [values([one], c) for c in CONDITIONS], one.name) for one in found),
            _line(ALL, [values(found, c) for c in CONDITIONS], *(one.name for one in found)),
            Line(name="dissertation, technical", cells=PUBLISHED[measure]),
        ),
        plot="bars",
        x_label="prompt",
        y_label="similarity (0 to 1)",
    )


def _line(name: str, values: Sequence[Interval], *conversations: str) -> Line:
    groups = tuple(f"answers-{one}" for one in conversations)
    return Line(name=name, cells=tuple(Figure(value=value, rows=groups) for value in values))


def _cluster_table(found: Sequence[Compared], seed: int) -> Table:
    columns = [(condition, by) for condition in CONDITIONS for by in ("lexical", "embedded")]

    def share(some: Sequence[Compared], condition: str, by: str) -> Interval:
        values: list[float] = [value for one in some if (value := getattr(one, by).get(condition)) is not None]
        if not values:
            return Interval(estimate=NOTHING, low=NOTHING, high=NOTHING, units=0)
        return bootstrap([[value] for value in values], seed=seed)

    return Table(
        name="clusters",
        title="Largest cluster of whole answers",
        caption="Answers in the largest cluster over all answers. One number a conversation; over all of them a 95 % "
        "bootstrap interval over conversations. The dissertation: 0.20 in cycle 1 and 0.60 in cycle 2 of its strategic "
        "conversation, by words.",
        head="conversation",
        columns=tuple(f"{condition}, by {'words' if by == 'lexical' else 'meaning'}" for condition, by in columns),
        lines=(
            *(_line(one.domain, [share([one], *column) for column in columns], one.name) for one in found),
            _line(ALL, [share(found, *column) for column in columns], *(one.name for one in found)),
        ),
    )


def _claims_table(labels: Mapping[str, Mapping[str, grouping.PairCount]], seed: int) -> Table:
    methods = dict.fromkeys(method for counted in labels.values() for method in counted)

    def measured(method: str, measure: str) -> Interval:
        values: list[list[float]] = [[getattr(one[method], measure)] for one in labels.values()]
        return bootstrap(values, seed=seed)

    measures = ("precision", "recall", "f1")
    return Table(
        name="claims",
        title="Same claims by words and by meaning",
        caption=f"Pairs of claims put together, against {len(labels)} label files; 95 % bootstrap intervals over them.",
        head="clusters by",
        columns=measures,
        lines=tuple(
            Line(
                name=method,
                cells=tuple(Figure(value=measured(method, one), rows=("claim-pairs",)) for one in measures),
            )
            for method in methods
        ),
        plot="bars",
        x_label="measure",
        y_label="share of pairs",
    )


def _rows(one: Compared) -> list[RowGroup]:
    listed: list[tuple[Cell, ...]] = []
    for condition in CONDITIONS:
        if condition in one.missing:
            listed.append((condition, "", "answers", NotMeasured(not_measured=one.missing[condition])))
            continue
        for name, share in one.tense[condition].items():
            listed.append((condition, name, "present-tense share", share))
        for measure, pairs in (("Jaccard", one.jaccard[condition]), ("TF-IDF cosine", one.tfidf[condition])):
            listed.extend((condition, f"{a} and {b}", measure, value) for (a, b), value in pairs.items())
        for measure, share in (("words", one.lexical), ("meaning", one.embedded)):
            value: Measured = share.get(condition, NOTHING)
            listed.append((condition, "all", f"largest cluster by {measure}", value))
    about = f"what was measured on each answer and pair of answers to {one.name}"
    columns = ("prompt", "member", "measure", "value")
    return [RowGroup(name=f"answers-{one.name}", about=about, columns=columns, rows=tuple(listed))]


def _claims_rows(labels: Mapping[str, Mapping[str, grouping.PairCount]]) -> RowGroup:
    return RowGroup(
        name="claim-pairs",
        about="pairs of claims by conversation and way of clustering",
        columns=("conversation", "clusters by", "pairs put together", "pairs labelled", "both"),
        rows=tuple(
            (name, method, counted.said, counted.true, counted.both)
            for name, methods in labels.items()
            for method, counted in methods.items()
        ),
    )


def _limits(choice: Choice, found: Sequence[Compared]) -> tuple[str, ...]:
    told = [
        (
            f"{len(found)} conversations of one hand in English; the dissertation's conversations and models are "
            "others, so its figures stand beside ours for orientation and are not tested against them."
        ),
        "Claims of the label files were made to stand alone: they are easier to group than claims parsed from answers.",
    ]
    if choice.is_recorded:
        told.append(
            "Six writers in four families, two of which play weak models. They use more of the same words than the "
            "dissertation's models (Jaccard 0.44 against 0.20 to 0.23)."
        )
    told.extend(dict.fromkeys(f"{reason}." for one in found for reason in one.missing.values()))
    return tuple(told)
