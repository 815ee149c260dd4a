"""Statements and consensus runs with defaults, so that a test names only what it is about."""

import math
from collections.abc import Sequence

from consensus.build import build_consensus
from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.claims import Section, StatedClaim, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy.job_policy import ConsensusPolicy

FAMILIES = {"ann": "alpha", "abe": "alpha", "bea": "beta", "cid": "gamma", "dan": "delta"}


def a_statement(
    text: str,
    member: str = "ann",
    section: Section = Section.KNOWN,
    *,
    ordinal: int = 0,
    turns: tuple[int, ...] = (),
    quotes: tuple[str, ...] = (),
) -> Statement:
    """What one member states; the family follows from the member."""
    claim = StatedClaim(section=section, text=text, turns=turns, quotes=quotes)
    return Statement(member=member, family=FAMILIES[member], ordinal=ordinal, claim=claim)


def consensus_of(
    statements: Sequence[Statement],
    snapshot: Snapshot,
    policy: ConsensusPolicy | None = None,
    job: str = "job-1",
    naming: Sequence[str] = (),
    *,
    showing: Sequence[str] = (),
    most_words: float = math.inf,
    to_be_reviewed: bool = False,
) -> Consensus:
    """The consensus with the hashing embedder; each member's raw answer is its statements."""
    answers: dict[str, str] = {}
    for statement in statements:
        answers[statement.member] = f"{answers.get(statement.member, '')}{statement.claim.text}\n"
    return build_consensus(
        statements,
        snapshot,
        HashingEmbedder(),
        ConsensusPolicy() if policy is None else policy,
        job=job,
        answers=answers,
        naming=naming,
        showing=showing,
        most_words=most_words,
        to_be_reviewed=to_be_reviewed,
    )
