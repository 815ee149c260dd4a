"""Where a candidate is weak: competence by section, kind, age of evidence and topic, and that in plain words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from dissolution.claims import Section
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import Competence, Diagnosis, ProbeItem, Question, QuestionKind, Third
from language.reading import read
from language.words import STOPWORDS
from probe.drafts import SAID_WITH

WEAK = CALIBRATION.probe.weak_group

LEAST_LOST = 2
"""A single lost question names nothing: it may be chance."""

TOPIC_WORDS = 6
"""Topics shown at most."""

TOPIC_SIZE = 3
"""Questions that must share a word for it to be a topic."""

SHORTEST_TOPIC = 4

KIND_WORDS = {
    QuestionKind.RECALL: "facts",
    QuestionKind.DECISION: "decisions",
    QuestionKind.CORRECTION: "corrected values",
    QuestionKind.COMMITMENT: "commitments",
    QuestionKind.CONSTRAINT: "rules and limits",
    QuestionKind.MULTI_HOP: "conclusions from several turns",
    QuestionKind.OPEN_QUESTION: "open questions",
    QuestionKind.NOT_ANSWERABLE: "refusals to answer what was never said",
}
SECTION_WORDS = {
    Section.KNOWN: "things known",
    Section.DECIDED: "things decided",
    Section.EDGES: "things open",
    Section.IDENTITY: "role and standing instructions",
}
THIRD_WORDS = {
    Third.FIRST.value: "the first third",
    Third.MIDDLE.value: "the middle third",
    Third.LAST.value: "the last third",
}


def diagnose(items: Sequence[ProbeItem]) -> Diagnosis:
    """Competence of both arms by group, and the weak groups in words."""
    dated = [item for item in items if item.question.third is not None]
    return Diagnosis(
        by_section=_grouped(items, lambda item: item.question.section.value),
        by_kind=_grouped(items, lambda item: item.question.kind.value),
        by_third=_grouped(dated, _third),
        by_topic=_by_topic(items),
        words=tuple(_words(items)) or ("no group of questions is weak",),
    )


def _grouped(items: Iterable[ProbeItem], key: Callable[[ProbeItem], str]) -> tuple[Competence, ...]:
    groups: dict[str, list[ProbeItem]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return tuple(competence(group, held) for group, held in sorted(groups.items()))


def competence(group: str, items: Sequence[ProbeItem]) -> Competence:
    """How both arms do on these questions (at least one)."""
    outcomes = [item.outcome for item in items]
    return Competence(
        group=group,
        questions=len(outcomes),
        history_right=sum(outcome.history_right for outcome in outcomes),
        candidate_right=sum(outcome.candidate_right for outcome in outcomes),
        lost=sum(outcome.loss == 1 for outcome in outcomes),
    )


def _by_topic(items: Sequence[ProbeItem]) -> tuple[Competence, ...]:
    """The words that most questions share, those first that lost most."""
    holding: dict[str, list[ProbeItem]] = defaultdict(list)
    for item in items:
        for word in set(read(_subject(item.question)).tokens) - STOPWORDS:
            if len(word) >= SHORTEST_TOPIC and word.isalpha():
                holding[word].append(item)
    shared = [competence(word, held) for word, held in sorted(holding.items()) if len(held) >= TOPIC_SIZE]
    return tuple(sorted(shared, key=lambda one: (-one.lost, -one.questions, one.group))[:TOPIC_WORDS])


def _subject(question: Question) -> str:
    """What a question is about: of one that asks for a value by its company, these words and not the phrase around."""
    before, found, company = question.text.partition(SAID_WITH)
    return company if found and question.item is not None else before + found + company


def _words(items: Sequence[ProbeItem]) -> Iterator[str]:
    """A line for each weak pair of kind and third, then for each weak section, the worst first."""
    dated = [item for item in items if item.question.third is not None]
    by_place = _grouped(dated, lambda item: f"{KIND_WORDS[item.question.kind]} from {THIRD_WORDS[_third(item)]}")
    by_section = _grouped(items, lambda item: SECTION_WORDS[item.question.section])
    undated = [item for item in items if item.question.third is None]
    by_kind = _grouped(undated, lambda item: KIND_WORDS[item.question.kind])
    for groups in (by_place, by_section, by_kind):
        for weak in sorted(filter(_is_weak, groups), key=lambda one: -one.lost):
            yield f"{weak.group} are missing: {weak.lost} of {weak.history_right} that the history answers"


def _third(item: ProbeItem) -> str:
    return item.question.third.value if item.question.third is not None else ""


def _is_weak(group: Competence) -> bool:
    return group.lost >= LEAST_LOST and group.lost >= WEAK * group.history_right
