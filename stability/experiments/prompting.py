"""Both prompts put to the same members: what experiment 2 measures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from dissolution.ports.models import Embedder
from dissolution.values import NotMeasured
from language.signature import signature
from stability.experiments import grouping
from stability.experiments.data import Planted
from stability.experiments.workspace import Choice, answers_to_dissolve, summaries
from stability.measures import jaccard
from workers.services import Services

CONDITIONS = ("dissolve", "summary")
Pairs = dict[tuple[str, str], float]


@dataclass
class Compared:
    """What was measured on one conversation, by condition."""

    name: str
    domain: str
    tense: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    jaccard: dict[str, Pairs] = field(default_factory=dict[str, Pairs])
    tfidf: dict[str, Pairs] = field(default_factory=dict[str, Pairs])
    lexical: dict[str, float] = field(default_factory=dict[str, float])
    embedded: dict[str, float] = field(default_factory=dict[str, float])
    missing: dict[str, str] = field(default_factory=dict[str, str])


def conversations_of(choice: Choice) -> tuple[Planted, ...]:
    """Those that were named, or all that summaries were recorded of."""
    every = choice.data.planted(choice.conversations)
    return every if choice.conversations else tuple(o for o in every if choice.data.has_recorded(o.name, "summarise"))


def compare(services: Services, choice: Choice, one: Planted) -> Compared:
    """Ask or replay both prompts about a conversation, and measure the answers to each."""
    found = Compared(name=one.name, domain=one.domain)
    choice.told(f"{one.name}: both prompts, fleet {choice.name}")
    for condition, said in zip(
        CONDITIONS, (answers_to_dissolve(services, choice, one), summaries(services, choice, one)), strict=True
    ):
        if isinstance(said, NotMeasured):
            found.missing[condition] = said.not_measured
            continue
        _measure(found, condition, said, services.embedder())
    return found


def _measure(found: Compared, condition: str, said: Mapping[str, str], embedder: Embedder) -> None:
    names = sorted(name for name, text in said.items() if text.strip())
    texts = [said[name] for name in names]
    shares = {name: signature(said[name]).present_tense_share for name in names}
    found.tense[condition] = {name: one for name, one in shares.items() if not isinstance(one, NotMeasured)}
    overlaps = {(a, b): jaccard(said[a], said[b]) for a, b in combinations(names, 2)}
    found.jaccard[condition] = {pair: one for pair, one in overlaps.items() if not isinstance(one, NotMeasured)}
    cosines = grouping.tfidf(texts)
    found.tfidf[condition] = grouping.by_pair(names, cosines)
    if len(names) > 1:
        found.lexical[condition] = grouping.largest_share(cosines, grouping.TFIDF_COSINE)
        meanings = grouping.answer_cosines(texts, embedder)
        found.embedded[condition] = grouping.largest_share(meanings, grouping.GREEDY_COSINE)
