"""Experiment 1: what can still be answered once a conversation is dissolved, over three domains."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from dissolution.policy.gate import BALANCED
from dissolution.probing import Question
from dissolution.values import NotMeasured
from stability.experiments import surprise
from stability.experiments.answering import (
    ARMS,
    BOUNDARY,
    HISTORY,
    NOTHING_GIVEN,
    SUMMARY,
    TRUNCATION,
    Answered,
    answered,
)
from stability.experiments.report import (
    Cell,
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
from stability.experiments.statistics import NOTHING
from stability.experiments.workspace import Choice
from stability.statistics import Interval, bootstrap
from workers.services import Services

MARGIN = BALANCED.accept_loss
"""What a boundary may lose against the history and still count as no worse: the gate's own margin."""

ABOVE = 1e-9
"""Above nought: an interval that only touches it shows nothing."""

ALL = "all"


def experiment_1(choice: Choice, services: Services) -> ExperimentReport:
    """Dissolve planted conversations by the whole path, and put their questions to every way of keeping them."""
    found = [answered(services, choice, one) for one in choice.data.planted(choice.conversations)]
    return ExperimentReport(
        number=1,
        title="Generative competence",
        hypotheses=_hypotheses(found, choice.seed),
        method=(
            (
                "Each conversation is dissolved by the whole path (fan-out, consensus, frame audit, probe, gate). "
                "Then the questions planted with it are read from each of: the boundary, the whole history, one "
                "member's answer, one member's prose summary, the last turns that fit into the boundary's tokens, "
                "and nothing. The same retrieval reader reads every text and knows none of the answers; answers are "
                "judged by rules. Competence is the share of answerable questions answered rightly; where members "
                "each give a text, the mean over them."
            ),
            (
                f"No worse than the history means a loss of at most {MARGIN:g} with the whole interval. Intervals "
                "are 95 % bootstraps: by domain over questions, over all conversations over whole conversations."
            ),
            (
                "Surprise-retention coupling: Spearman's correlation of a turn's surprise (bits a token, back-off "
                "model of words) with whether the boundary holds the true claim it established, conversations drawn."
            ),
        ),
        data=(
            "Planted conversations with their questions: "
            + ", ".join(f"{one.one.name} ({one.one.domain}, {len(one.one.questions)})" for one in found)
            + ".",
        ),
        fleet=choice.name,
        tables=(_competence(found, choice.seed), _differences(found, choice.seed), _others(found, choice.seed)),
        row_groups=(*(group for one in found for group in _rows(one)),),
        limits=_limits(choice, found),
        seed=choice.seed,
        software="",
        command="",
    )


def _domains(found: Sequence[Answered]) -> list[tuple[str, list[Answered]]]:
    ordered = sorted(found, key=lambda one: one.one.domain)
    return [(domain, list(some)) for domain, some in groupby(ordered, key=lambda one: one.one.domain)]


Values = Callable[[Answered], Sequence[float] | None]


def _over(found: Sequence[Answered], values: Values, *, conversations: bool, seed: int) -> Interval:
    """A mean over questions; drawn are whole conversations, or questions."""
    given = [one for of_one in found if (one := values(of_one)) is not None]
    if len(given) < len(found) or not given:
        return Interval(estimate=NOTHING, low=NOTHING, high=NOTHING, units=0)
    return bootstrap(given if conversations else [[value] for group in given for value in group], seed=seed)


def _of_arm(arm: str) -> Values:
    return lambda of_one: list(of_one.right[arm].values()) if arm in of_one.right else None


def _less(arm: str) -> Values:
    """What the boundary answers more than an arm does, question by question."""

    def read(of_one: Answered) -> Sequence[float] | None:
        if arm not in of_one.right or BOUNDARY not in of_one.right:
            return None
        return [value - of_one.right[arm][name] for name, value in of_one.right[BOUNDARY].items()]

    return read


def _having(found: Sequence[Answered], arm: str) -> list[Answered]:
    return [one for one in found if arm in one.right and BOUNDARY in one.right]


def _hypotheses(found: Sequence[Answered], seed: int) -> tuple[Hypothesis, ...]:
    by_domain = {
        domain: _over(some, _less(HISTORY), conversations=False, seed=seed) for domain, some in _domains(found)
    }
    others = {
        arm: _over(_having(found, arm), _less(arm), conversations=True, seed=seed)
        for arm in (TRUNCATION, SUMMARY, NOTHING_GIVEN)
    }
    pairs = [[(one.bits, float(one.held)) for one in of_one.kept] for of_one in found if of_one.kept]
    coupled = surprise.coupling(pairs, seed=seed)
    return (
        Hypothesis(
            text=f"In every domain a boundary answers at most {MARGIN:g} fewer of the questions than the history.",
            conclusion=all_of([at_least(one, -MARGIN) for one in by_domain.values()]),
            reason="boundary less history: " + _listed(by_domain),
        ),
        Hypothesis(
            text="A boundary answers more than the last turns of its own length, than a prose summary, than nothing.",
            conclusion=all_of([at_least(one, ABOVE) for one in others.values()]),
            reason="boundary less " + _listed(others),
        ),
        Hypothesis(
            text="What is established in surprising turns is kept more (surprise-retention coupling).",
            conclusion=at_least(coupled, ABOVE),
            reason=f"rank correlation {shown(coupled)} over {sum(map(len, pairs))} true claims",
        ),
    )


def _listed(found: Mapping[str, Interval]) -> str:
    return "; ".join(f"{name} {shown(value)}" for name, value in found.items())


def _table(name: str, title: str, caption: str, lines: Sequence[Line], columns: Sequence[str]) -> Table:
    return Table(
        name=name,
        title=title,
        caption=caption,
        head="text",
        columns=tuple(columns),
        lines=tuple(lines),
        plot="bars",
        x_label="domain",
        y_label="share of answerable questions",
    )


def _cells(found: Sequence[Answered], arm: str, values: Values, seed: int) -> list[Figure]:
    cells: list[Figure] = []
    for some, conversations in (*((some, False) for _, some in _domains(found)), (list(found), True)):
        used = _having(some, arm)
        rows = tuple(f"questions-{one.one.name}" for one in used)
        cells.append(Figure(value=_over(used, values, conversations=conversations, seed=seed), rows=rows))
    return cells


def _competence(found: Sequence[Answered], seed: int) -> Table:
    lines = [Line(name=arm, cells=tuple(_cells(found, arm, _of_arm(arm), seed))) for arm in ARMS]
    caption = (
        "Answerable questions answered rightly, over the conversations that have the text. 95 % bootstrap intervals, "
        "by domain over questions, over all over conversations."
    )
    return _table("competence", "Competence by domain", caption, lines, [*(d for d, _ in _domains(found)), ALL])


def _differences(found: Sequence[Answered], seed: int) -> Table:
    lines = [Line(name=arm, cells=tuple(_cells(found, arm, _less(arm), seed))) for arm in ARMS if arm != BOUNDARY]
    caption = "What the boundary answers rightly more than each other text, question by question; intervals as above."
    columns = [*(d for d, _ in _domains(found)), ALL]
    return _table("differences", "The boundary less each other text", caption, lines, columns)


def _others(found: Sequence[Answered], seed: int) -> Table:
    """Unanswerable questions declined, sizes, and the coupling with surprise."""

    def mean_of(arm: str, read: Callable[[Answered], Sequence[float]]) -> Figure:
        used = [one for one in found if arm in one.right]
        rows = tuple(f"questions-{one.one.name}" for one in used)
        groups = [list(read(one)) for one in used]
        return Figure(value=bootstrap(groups, seed=seed), rows=rows)

    lines = [
        Line(
            name=arm,
            cells=(
                mean_of(arm, lambda one, arm=arm: list(one.declined[arm].values())),
                mean_of(arm, lambda one, arm=arm: [one.words[arm]]),
                _coupled(found, seed, by_claim=True) if arm == BOUNDARY else "",
                _coupled(found, seed, by_claim=False) if arm == BOUNDARY else "",
            ),
        )
        for arm in ARMS
    ]
    return Table(
        name="others",
        title="Declined questions, size, and surprise",
        caption="Share of questions without an answer that were declined; words of the text; Spearman's correlation of "
        "a turn's surprise with its claims being held, and with the number of claims that rest on it. 95 % bootstrap "
        "intervals over conversations.",
        head="text",
        columns=("declined", "words", "surprise and held", "surprise and cited"),
        lines=tuple(lines),
    )


def _coupled(found: Sequence[Answered], seed: int, *, by_claim: bool) -> Figure:
    used = [one for one in found if one.kept]
    held = [[(each.bits, float(each.held)) for each in one.kept] for one in used]
    rest = [[(each.bits, float(each.claims)) for each in one.cited] for one in used]
    kind = "claims" if by_claim else "turns"
    value = surprise.coupling(held if by_claim else rest, seed=seed)
    return Figure(value=value, rows=tuple(f"{kind}-{one.one.name}" for one in used))


def _rows(of_one: Answered) -> list[RowGroup]:
    name = of_one.one.name
    questions: list[tuple[Cell, ...]] = [
        (question.id, question.kind.value, question.third is not None, *(_value(of_one, arm, question) for arm in ARMS))
        for question in of_one.one.questions
    ]
    return [
        RowGroup(
            name=f"questions-{name}",
            about=f"each question about {name}: 1 where it was answered rightly (0 to 1 over several texts)",
            columns=("question", "kind", "has an answer", *ARMS),
            rows=(*questions, ("words", "", "", *(of_one.words.get(arm, _why(of_one, arm)) for arm in ARMS))),
        ),
        RowGroup(
            name=f"claims-{name}",
            about=f"each true claim of {name}: the surprise of its turn and whether the boundary holds it",
            columns=("claim", "turn", "bits a token", "held"),
            rows=tuple((one.claim, one.turn, round(one.bits, 4), one.held) for one in of_one.kept),
        ),
        RowGroup(
            name=f"turns-{name}",
            about=f"each turn of {name}: its surprise and how many claims of the boundary rest on it",
            columns=("turn", "bits a token", "claims"),
            rows=tuple((one.turn, round(one.bits, 4), one.claims) for one in of_one.cited),
        ),
    ]


def _value(of_one: Answered, arm: str, question: Question) -> Cell:
    shares = of_one.right if question.third is not None else of_one.declined
    return shares[arm][question.id] if arm in shares else _why(of_one, arm)


def _why(of_one: Answered, arm: str) -> NotMeasured:
    return NotMeasured(not_measured=of_one.missing.get(arm, "not measured"))


def _limits(choice: Choice, found: Sequence[Answered]) -> tuple[str, ...]:
    told = [
        (
            "The reader retrieves sentences and is no language model: it sets a ceiling for the history as well, and "
            "short texts are easier for it than long ones. A difference says which text it can find answers in."
        ),
        f"{len(found)} conversations of one hand in English, with their questions.",
        "Surprise is of words: it measures how unexpected a turn is said, not what it changes.",
    ]
    if choice.is_recorded:
        told.append("Recorded writers, two of whom play weak models; they say nothing about a named product.")
    told.extend(dict.fromkeys(f"{arm}: {reason}." for one in found for arm, reason in one.missing.items()))
    return tuple(told)
