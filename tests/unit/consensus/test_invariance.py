"""Renaming and reordering writers changes nothing, over recorded answers: a property of the whole consensus."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.claims import Claim, Dissent, Statement
from dissolution.findings import Consensus
from tests.unit.consensus.recorded import (
    consensus_of_recordings,
    of_statements,
    renamed,
    statements_of,
)

CONVERSATIONS = ("co-ecology-model", "op-flask-sessions")
NAMES = sorted({name for c in CONVERSATIONS for s in statements_of(c) for name in (s.member, s.family)})


def shape(consensus: Consensus, back: dict[str, str] | None = None) -> object:
    """What the consensus comes to, with the names that `back` gives; who said what is compared too."""
    own = {name: name for name in NAMES} if back is None else back

    def said(item: Claim | Dissent) -> list[tuple[str, str, str]]:
        return sorted((own[one.member], own[one.family], one.claim.text) for one in item.statements)

    claims = [
        (c.id, c.section, c.text, c.evidence, sorted(own[f] for f in c.support.families), c.valid, c.marks, said(c))
        for c in consensus.claims
    ]
    dissent = [
        (d.id, d.text, d.reason, d.against, sorted(own[f] for f in d.support.families), said(d))
        for d in consensus.dissent
    ]
    measures = consensus.measures.model_copy(update={"members": (), "family_coverage": ()})
    added = sorted((own[one.member], one.alone, one.pivotal) for one in consensus.measures.members)
    return claims, dissent, measures, added


@pytest.mark.parametrize("conversation", CONVERSATIONS)
@settings(max_examples=3, deadline=None)
@given(st.permutations(NAMES), st.integers(0, 9))
@pytest.mark.slow  # whole recorded conversations
def test_writers_may_be_renamed_and_reordered(conversation: str, names: list[str], seed: int) -> None:
    given_names = {old: f"n-{new}" for old, new in zip(NAMES, names, strict=True)}
    mixed: list[Statement] = renamed(statements_of(conversation), lambda name: given_names[name])
    random.Random(seed).shuffle(mixed)  # noqa: S311 - an order, not a secret
    back = {new: old for old, new in given_names.items()}
    assert shape(of_statements(conversation, mixed), back) == shape(consensus_of_recordings(conversation))
