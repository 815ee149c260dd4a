"""What is measured after each cycle, one function a measure. Formula and source stand with each."""

from collections.abc import Iterable, Sequence

import numpy as np

from consensus.reconcile.comparison import Space
from consensus.wording import lexical
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.claims import BINDING_SECTIONS, Section
from dissolution.stability import FIRST, SectionFlow
from dissolution.values import Measured, NotMeasured
from language.words import content_words, words
from stability.state import Item, State

EMPTY = NotMeasured(not_measured="a state without words")
CONTAINED = 0.85  # share of one statement's words that another must have to say all of it
NO_SECTIONS = NotMeasured(not_measured="a text has no sections")


def says_again(item: Item, others: Iterable[Item], space: Space) -> Item | None:
    """The statement among `others` that says `item`, or None; the same for every arm.

    That is: it has the same id or words; or it lies within the consensus's distance of one claim and nothing typed
    keeps them apart (figures, names, denials); or it has nearly all words of `item` and all its figures, and nothing
    keeps them apart. One of the same section is preferred.
    """
    ranked = sorted(others, key=lambda other: other.section is not item.section)
    for other in ranked:
        if (item.id is not None and item.id == other.id) or item.text == other.text:
            return other
    return next((other for other in ranked if _one_meaning(item.text, other.text, space)), None)


def _one_meaning(one: str, other: str, space: Space) -> bool:
    if space.same(one, other):
        return True
    if not space.on_topic(one, other) or not _contained(one, other):
        return False
    return not vetoes(profile_of(one), profile_of(other))


def _contained(one: str, other: str) -> bool:
    """Whether a text has nearly all words of another, and all its figures: an arm without claims says it at length."""
    own, profile = content_words(one), profile_of(one)
    return len(own & content_words(other)) >= CONTAINED * len(own) and not profile.lacking(profile_of(other))


def flows(before: State, now: State, space: Space) -> tuple[SectionFlow, ...]:
    """What became of each section's statements: survived, moved, ended (closed with a reason) or lost."""
    found: list[SectionFlow] = []
    for section in Section:
        counts = {"survived": 0, "moved": 0, "ended": 0, "lost": 0}
        held = [item for item in before.items if item.section is section]
        for item in held:
            counts[_fate(item, now, space)] += 1
        open_now = sum(item.section is section for item in now.items)
        found.append(SectionFlow(section=section, before=len(held), now=open_now, **counts))
    return tuple(found)


def _fate(item: Item, now: State, space: Space) -> str:
    other = says_again(item, now.items, space)
    if other is not None:
        return "survived" if other.section is item.section else "moved"
    return "ended" if item.id in now.ended else "lost"


def survival(flow: SectionFlow) -> Measured:
    """Share of a section's claims that are open still, those that were closed with a reason left out, 0..1."""
    open_to_loss = flow.before - flow.ended
    if open_to_loss == 0:
        return NotMeasured(not_measured="no claim could survive")
    return (flow.survived + flow.moved) / open_to_loss


def commitment_survival(before: State, now: State, space: Space) -> Measured:
    """Share of DECIDED and IDENTITY claims still in one of the two, or closed with a reason (rule 5: must be 1)."""
    if not before.has_sections or not now.has_sections:
        return NO_SECTIONS
    held = [item for item in before.items if item.section in BINDING_SECTIONS]
    if not held:
        return NotMeasured(not_measured="no commitment stood before")
    binding = [item for item in now.items if item.section in BINDING_SECTIONS]
    kept = sum(says_again(item, binding, space) is not None or item.id in now.ended for item in held)
    return kept / len(held)


def status_flips(before: State, now: State, space: Space) -> int:
    """Statements whose section changed, and closed ones that stand open again."""
    moved = sum(flow.moved for flow in flows(before, now, space))
    returned = {item.id for item in now.items} & before.ended
    return moved + len(returned)


def jaccard(one: str, other: str) -> Measured:
    """|A and B| / |A or B| of two word sets, case ignored, 0..1 (Jaccard 1901)."""
    left, right = ({word.casefold() for word in words(text)} for text in (one, other))
    return len(left & right) / len(left | right) if left and right else EMPTY


def tfidf_cosine(one: str, other: str) -> Measured:
    """Cosine of two states' TF-IDF vectors, 0..1; frequencies are counted over the two, as the dissertation does."""
    documents = [[word.casefold() for word in words(text)] for text in (one, other)]
    if not all(documents):
        return EMPTY
    return float(lexical.cosines(lexical.tfidf_rows(documents))[0, 1])


def drift(one: State, other: State, space: Space) -> Measured:
    """Cosine distance between the mean vectors of two states' statements, 0..2."""
    means = [_mean_vector(state, space) for state in (one, other)]
    lengths = [float(np.linalg.norm(mean)) for mean in means]
    if min(lengths) == 0:
        return EMPTY
    cosine = float(means[0] @ means[1]) / (lengths[0] * lengths[1])
    return max(0.0, min(2.0, 1.0 - cosine))


def _mean_vector(state: State, space: Space) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    places = [space.places[item.text] for item in state.items if item.text in space.places]
    if not places:
        return np.zeros(space.rows.shape[1] if space.rows.size else 1, dtype=np.float64)
    return space.rows[places].astype(np.float64).mean(axis=0)


def compression(conversation_tokens: int, state_tokens: int) -> Measured:
    """Tokens of the conversation so far over tokens of the state; above 1 the state is smaller."""
    return conversation_tokens / state_tokens if state_tokens else EMPTY


def overall_survival(found: Sequence[SectionFlow] | NotMeasured) -> Measured:
    """Survival over all sections together, 0..1."""
    if isinstance(found, NotMeasured):
        return FIRST
    open_to_loss = sum(flow.before - flow.ended for flow in found)
    kept = sum(flow.survived + flow.moved for flow in found)
    return kept / open_to_loss if open_to_loss else NotMeasured(not_measured="no claim could survive")
