"""The recorded answers of one planted conversation, and what the consensus makes of them with the hashing embedder."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from consensus.build import build_consensus
from consensus.embedding.hashing_embedder import HashingEmbedder
from devtools.clock import FixedClock
from dissolution.answers import FinishReason
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy.job_policy import ConsensusPolicy
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply
from tests.factories import INSTANT

DATA = Path(__file__).parents[3] / "benchmarks" / "data"


@cache
def snapshot_of(conversation: str) -> Snapshot:
    """The whole conversation."""
    path = DATA / "planted" / f"{conversation}.json"
    return read_file(path, ReadingOptions(), key=bytes(32), clock=FixedClock(INSTANT)).conversation.snapshot()


@cache
def statements_of(conversation: str) -> tuple[Statement, ...]:
    """Every statement of every usable answer."""
    found: list[Statement] = []
    for path in sorted((DATA / "recordings" / conversation).glob("*.dissolve.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        parsed = parse_reply(record["answer"], FinishReason.STOP, through=snapshot_of(conversation).through)
        found += [
            Statement(member=record["writer"], family=record["family"], ordinal=place, claim=claim)
            for place, claim in enumerate(parsed.claims if parsed.usable else ())
        ]
    return tuple(found)


@cache
def consensus_of_recordings(conversation: str) -> Consensus:
    """The consensus of the recorded answers."""
    return of_statements(conversation, statements_of(conversation))


def of_statements(conversation: str, statements: Iterable[Statement], job: str = "recorded") -> Consensus:
    """The consensus of some of the statements, in the order given."""
    said = tuple(statements)
    answers: dict[str, str] = {}
    for statement in said:
        answers[statement.member] = f"{answers.get(statement.member, '')}{statement.claim.text}\n"
    return build_consensus(
        said, snapshot_of(conversation), HashingEmbedder(), ConsensusPolicy(), job=job, answers=answers
    )


def renamed(statements: Iterable[Statement], name: Callable[[str], str]) -> list[Statement]:
    """The statements with other names for their members and families."""
    return [said.model_copy(update={"member": name(said.member), "family": name(said.family)}) for said in statements]
