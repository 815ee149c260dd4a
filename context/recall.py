"""Recall: from words to results, over a conversation's index and the store. No model is asked and nothing is written.

Results stand in the order of their ranks, with one exception: a claim that has ended never stands before the one that
took its place, so the newest state of a thing comes first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from context.passages import quote
from context.search import ConversationIndex, Ranked
from context.vectors import Rows
from dissolution.claims import OPEN_STATES, Claim, Dissent, Evidence
from dissolution.conversation import Turn
from dissolution.ports.recall import RecallStore, TextKey
from dissolution.recall_kinds import RecallKind
from dissolution.recalling import Became, RecallQuery, RecallResult

OPEN = "open"
SAID = "said"
BATCH = 500
"""Texts whose states are looked up by their ids; where more are needed, all that fit are asked for at once."""


class StoredContext(NamedTuple):
    """What the store has of the texts that were found."""

    claims: Mapping[str, Claim]
    dissent: Mapping[str, Dissent]
    turns: Mapping[int, Turn]
    became: Mapping[int, tuple[Became, ...]]


def recalled(
    store: RecallStore, conversation: str, index: ConversationIndex, query: RecallQuery, vector: Rows | None
) -> tuple[RecallResult, ...]:
    """What fits the words of a query, best first, at most its limit.

    Args:
        store: Of the transaction that the index was synced in.
        conversation: Its id.
        index: Of the conversation.
        query: With words.
        vector: Of the words, by the embedder whose vectors the index holds; None compares words alone.

    Raises:
        NotFound: A version that is not there.
    """
    ranked = list(islice(_fitting(store, conversation, index, query, vector), query.fit.limit))
    read = _read(store, conversation, query, ranked)
    made = [one for one in (_result(each, read, query.text or "") for each in ranked) if one is not None]
    ordered = newest_state_first(made)
    return tuple(one.model_copy(update={"rank": rank}) for rank, one in enumerate(ordered, start=1))


def listed(claims: Sequence[Claim]) -> tuple[RecallResult, ...]:
    """Claims as results in the order given: what is listed without words."""
    return tuple(
        of_claim(claim, Ranked(TextKey(RecallKind.CLAIM, claim.id), None, None), rank)
        for rank, claim in enumerate(claims, start=1)
    )


def newest_state_first(results: Sequence[RecallResult]) -> list[RecallResult]:
    """The results, each claim behind the one that took its place, wherever that was found too."""
    places = {one.id: one for one in results if one.kind is RecallKind.CLAIM}
    given: dict[tuple[RecallKind, str], RecallResult] = {}
    for one in results:
        line, seen = [one], {one.id}
        while (later := places.get(line[-1].by or "")) is not None and later.id not in seen:
            line.append(later)
            seen.add(later.id)
        for each in reversed(line):
            given.setdefault((each.kind, each.id), each)
    return list(given.values())


def _fitting(
    store: RecallStore, conversation: str, index: ConversationIndex, query: RecallQuery, vector: Rows | None
) -> Iterator[Ranked]:
    """The ranked texts of claims, dissent and turns that fit all that is asked besides words."""
    fit = query.fit
    last_turn = store.turns_known(conversation, fit) if RecallKind.TURN in query.wanted else 0
    allowed = index.mask(query.wanted, last_turn)
    is_open = index.open(store, conversation)
    if fit.open_only and fit.at.version is None and fit.at.recorded is None:
        allowed &= is_open | index.mask({RecallKind.TURN}, last_turn)
    ranking = index.ranked(query.text or "", allowed, is_open, vector)
    first = list(islice(ranking, BATCH))
    stated = [one.key for one in first if one.key.kind is not RecallKind.TURN]
    fitting = store.fitting(conversation, fit, stated) if stated else frozenset[TextKey]()
    yield from (one for one in first if one.key.kind is RecallKind.TURN or one.key in fitting)
    rest = next(ranking, None)
    if rest is None:
        return
    every = index.fitting(store, conversation, fit)  # few fit, so the texts before one that does may be thousands
    yield from (one for one in chain((rest,), ranking) if one.key.kind is RecallKind.TURN or one.key in every)


def _read(store: RecallStore, conversation: str, query: RecallQuery, ranked: Sequence[Ranked]) -> StoredContext:
    names = {kind: [one.key.name for one in ranked if one.key.kind is kind] for kind in RecallKind}
    turns = [int(name) for name in names[RecallKind.TURN]]
    return StoredContext(
        store.claims(conversation, query.fit, names[RecallKind.CLAIM]),
        store.dissent(conversation, query.fit, names[RecallKind.DISSENT]),
        store.turns(conversation, turns),
        store.resting_on(conversation, turns) if turns else {},
    )


def _result(one: Ranked, read: StoredContext, words: str) -> RecallResult | None:
    kind, name = one.key
    if kind is RecallKind.CLAIM:
        return of_claim(read.claims[name], one, 1) if name in read.claims else None
    if kind is RecallKind.DISSENT:
        return _of_dissent(read.dissent[name], one) if name in read.dissent else None
    number = int(name)
    return _of_turn(read.turns[number], one, read.became.get(number, ()), words) if number in read.turns else None


def of_claim(claim: Claim, one: Ranked, rank: int) -> RecallResult:
    """A claim as a result."""
    return RecallResult(
        rank=rank,
        kind=RecallKind.CLAIM,
        id=claim.id,
        state=OPEN if claim.state in OPEN_STATES else claim.state.value,
        by=claim.closing.by if claim.closing else None,
        section=claim.section,
        text=claim.text,
        words=claim.evidence,
        rank_words=one.by_words,
        rank_meaning=one.by_meaning,
        claim=claim,
    )


def _of_dissent(dissent: Dissent, one: Ranked) -> RecallResult:
    return RecallResult(
        rank=1,
        kind=RecallKind.DISSENT,
        id=dissent.id,
        state=dissent.reason.value,
        section=dissent.section,
        text=dissent.text,
        words=dissent.evidence,
        rank_words=one.by_words,
        rank_meaning=one.by_meaning,
        dissent=dissent,
    )


def _of_turn(turn: Turn, one: Ranked, became: tuple[Became, ...], words: str) -> RecallResult:
    span = quote(turn.content, words)
    text = "" if span is None else turn.content[span.start : span.end]
    piece = () if span is None else (Evidence(turn=turn.number, start=span.start, end=span.end, text=text),)
    return RecallResult(
        rank=1,
        kind=RecallKind.TURN,
        id=str(turn.number),
        state=SAID,
        text=text,
        words=piece,
        role=turn.role,
        speaker=turn.speaker,
        said_at=turn.said_at,
        rank_words=one.by_words,
        rank_meaning=one.by_meaning,
        became=became,
    )
