"""A long snapshot through short windows."""

import tempfile
from functools import partial
from pathlib import Path

from benchmarks.giants import conversation_of, reply_about
from benchmarks.scale_run.members import CountingMember
from benchmarks.scale_run.stages import Clocked, peak_mb, run_staged, services_over
from dissolution.answers import MemberTask
from dissolution.conversation import Conversation, Turn
from language.tokens import ApproximateTokenCounter

CHARS = 256
"""Characters of a turn."""

STATEMENTS = 60
"""What a member states of all that it has read so far: some 2,000 tokens, which the next window carries."""


def windows(tokens: int, window: int, embedder: str) -> dict[str, object]:
    """One whole job about a conversation of so many tokens, read through windows of so many."""
    counter = ApproximateTokenCounter()
    talk = talk_of(tokens, counter)
    members = [CountingMember(name, partial(about, talk), window=window) for name in ("ann", "ben", "cem")]
    clock = Clocked()
    with tempfile.TemporaryDirectory() as folder, services_over(Path(folder), embedder, members) as services:
        job, stages = run_staged(services, talk)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, "fan_out")
            boundary = work.boundaries.current(talk.id)
    claims = () if boundary is None else boundary.claims
    cited = sorted(piece.turn for one in claims for piece in one.evidence)
    return {
        "snapshot_tokens": sum(counter.count(turn.content) for turn in talk.turns),
        "turns": len(talk.turns),
        "window_tokens": window,
        "ended": job.status.value,
        "members": {one.card.name: {"calls": len(one.read), "tokens_read": sum(one.read)} for one in members},
        "calls": len(calls),
        "longest_prompt_tokens": max(max(one.read) for one in members),
        "claims": len(claims),
        "turns_cited": [cited[0], cited[-1]] if cited else [],
        "stages": {name: spent._asdict() for name, spent in stages.items()},
        "all": clock.spent()._asdict(),
        "peak_mb": round(peak_mb()),
    }


def talk_of(tokens: int, counter: ApproximateTokenCounter) -> Conversation:
    """A generated conversation of as many turns as have so many tokens between them."""
    turns: list[Turn] = []
    each = counter.count(conversation_of(100, CHARS).turns[-1].content)
    whole = conversation_of(2 * tokens // each + 1, CHARS)
    left = tokens
    for turn in whole.turns:
        if left <= 0:
            break
        turns.append(turn)
        left -= counter.count(turn.content)
    return whole.model_copy(update={"id": "windows", "turns": tuple(turns)})


def about(talk: Conversation, task: MemberTask) -> str:
    """Statements of all turns read so far: what the windows before gave is not lost."""
    return reply_about(talk.model_copy(update={"turns": talk.turns[: task.snapshot.through]}), STATEMENTS)
