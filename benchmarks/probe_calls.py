"""What one verdict of a probe with language models costs: calls, bytes, tokens, and what a shared prefix serves.

usage: python benchmarks/probe_calls.py [--conversations N]

Members by rule stand in for models on the planted conversations: the writer proposes the cloze questions, the reader
retrieves. So the questions, batches and prompts are those of a real job, and the answers' quality is not measured.
A judge by rule calls right what holds the reference word for word: what it is asked counts, and its word means nothing.
Bytes are UTF-8.
A prompt's prefix is shared when an earlier prompt to the same member, the fan-out's among them, began with the same
bytes: that part a provider's cache can serve. A job that repairs gives a verdict on each candidate.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)  # a script's own folder hides rooms of the same name

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Snapshot
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import Question
from dissolution.receipt.job_receipt import Receipt
from dissolution.settings import Settings
from dissolution.values import NotMeasured
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from language.tokens import ApproximateTokenCounter
from probe.cloze import write_cloze_bank
from probe.reading import ArmText, AskedQuestion, RetrievalReader
from store.sql.unit_of_work import sql_unit_of_work_factory
from triggers.submit import Request, submit
from workers.concurrency.loop_thread import LoopThread
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job
from workers.services import Services, Silent

PLANTED = Path(__file__).parent / "data" / "planted"
QUESTIONS = 160
FENCE = "\nEND CONVERSATION "
NO_USAGE = NotMeasured(not_measured="nobody is asked over a wire")


class RuleMember:
    """A member that writes, reads and states by rule, and keeps every prompt it was sent."""

    def __init__(self, name: str, questions: Sequence[Question], snapshot: Snapshot) -> None:
        self.card = MemberCard(name=name, family=name, kind=MemberKind.SCRIPTED, model="rules")
        self.sent: list[tuple[str, str]] = []
        self._questions = questions
        self._snapshot = snapshot

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - nothing is bought
        """Nothing is known of it."""
        return Usage(input_tokens=NO_USAGE, cached_input_tokens=NO_USAGE, output_tokens=NO_USAGE, cost_usd=NO_USAGE)

    async def answer(self, task: MemberTask) -> Reply:
        """The reply by rule."""
        name = task.prompt.stamp.name
        self.sent.append((name, task.prompt.text))
        text = self._said(name, task.prompt.messages[-1].content)
        return Reply(text=text, finish=FinishReason.STOP, usage=self.estimate(task))

    def _said(self, name: str, text: str) -> str:
        if name == "probe_writing":
            return json.dumps({"questions": [proposal(question) for question in self._questions]})
        if name == "probe_further":
            more = write_cloze_bank(self._snapshot, size=QUESTIONS, excluding=self._questions)
            return json.dumps({"questions": [proposal(question) for question in more.questions]})
        if name == "probe_judging":
            shown = re.findall(r"^\[question (\S+)\]\n((?:\| .*\n)*)", text, re.MULTILINE)
            return json.dumps({"verdicts": [{"id": one, "verdict": judged(words)} for one, words in shown]})
        if name == "probe_answers":
            block, asked = text.split("BEGIN QUESTIONS", 1)
            found = re.findall(r"\[question (\S+)\]\n\| (.*)", asked)
            said = read(tuple(re.findall(r"^\| (.*)$", block, re.MULTILINE)), found)
            return json.dumps({"answers": [{"id": one, "answer": answer} for one, answer in said]})
        if name == "probe_evidence":
            turns = dict(re.findall(r"^\[turn (\d+)\].*\n((?:\| .*\n)*)", text, re.MULTILINE))
            found = re.findall(r"\[question (\S+)\]\n\| (.*)\n\| turns: (.*)\n", text)
            said = ["".join(turns[number] for number in named.split(", ")) for _, _, named in found]
            pairs = [read((one,), [(name, words)])[0] for one, (name, words, _) in zip(said, found, strict=True)]
            return json.dumps({"answers": [{"id": one, "answer": answer} for one, answer in pairs]})
        return self._state()

    def _state(self) -> str:
        """Every sentence that a question was made from, as known."""
        lines: list[str] = []
        for question in self._questions:
            for turn, span in question.evidence_spans[:1]:
                sentence = " ".join(self._snapshot.turn(turn).content[span.start : span.end].split())
                lines.append(f"- {sentence} [turn {turn}]")
        known = "\n".join(dict.fromkeys(lines))
        return f"KNOWN\n{known}\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"


def judged(item: str) -> str:
    """The word of the judge by rule on one answer, as it is shown."""
    said = dict(re.findall(r"^\| (reference|answer): (.*)$", item, re.MULTILINE))
    return "right" if said["reference"].casefold() in said["answer"].casefold() else "wrong"


def proposal(question: Question) -> dict[str, object]:
    """A cloze question as a writer would give it."""
    return {
        "question": question.text[:500],
        "kind": "recall" if question.kind.value == "multi_hop" else question.kind.value,
        "section": question.section.value,
        "answer": question.reference,
        "turns": list(question.evidence_turns)[:12],
    }


def read(passages: tuple[str, ...], found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What retrieval answers to questions by id."""
    asked = tuple(AskedQuestion(id=name, text=words) for name, words in found)
    answers = RetrievalReader().read(ArmText(passages=passages), asked)
    return [(name, answer) for (name, _words), answer in zip(found, answers, strict=True)]


def verdict(conversation: Conversation) -> tuple[Receipt, tuple[RuleMember, ...]]:
    """A whole job about a conversation, and what its members were sent."""
    snapshot = conversation.snapshot()
    questions = write_cloze_bank(snapshot, size=QUESTIONS).questions
    members = tuple(RuleMember(name, questions, snapshot) for name in ("writer", "reader", "judge"))
    policy = Policy(probe=ProbePolicy(writer="writer", reader="reader", judge="judge"))
    with tempfile.TemporaryDirectory() as folder, LoopThread() as loop:
        settings = Settings(db=f"sqlite:///{folder}/ledger.sqlite3", embedder="hashing")
        factory = sql_unit_of_work_factory(settings.db, busy_timeout_s=30, installation_key=None)
        with closing(factory):
            services = Services(
                settings=settings,
                unit_of_work=factory,
                clock=SystemClock(),
                embedder=HashingEmbedder,
                fleet=lambda _job: members,
                counter=ApproximateTokenCounter(),
                run_async=loop,
                abandon=loop.abandon,
                progress=Silent(),
                owner="benchmark",
            )
            request = Request(conversation=conversation, through=None, fleet="rules", policy=policy)
            job = submit(request, unit_of_work=factory, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES).job
            run_job(services, job.id)
            with factory() as work:
                receipt = work.boundaries.receipt(job.id)
    if receipt is None:
        message = f"job {job.id!r} has no receipt"
        raise RuntimeError(message)
    return receipt, members


def shared_bytes(earlier: Sequence[str], prompt: str) -> int:
    """Bytes of the longest beginning that an earlier prompt to the same member has."""
    return max((_common(one.encode(), prompt.encode()) for one in earlier), default=0)


def _common(one: bytes, other: bytes) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def figures(conversation: Conversation) -> dict[str, object]:
    """Calls, bytes and tokens of one verdict."""
    receipt, members = verdict(conversation)
    first = f"[turn {len(conversation.turns)}]"
    count = ApproximateTokenCounter().count
    calls: Counter[str] = Counter()
    history = shared = tokens = sendings = 0
    for member in members:
        for place, (name, text) in enumerate(member.sent):
            if name in {"four_part", "repair"}:
                continue
            calls[name] += 1
            tokens += count(text)
            if first in text.split(FENCE, maxsplit=1)[0]:
                sendings += 1
                history += len(text.split(FENCE, maxsplit=1)[0].encode())
                shared += shared_bytes([one for _, one in member.sent[:place]], text.split(FENCE, maxsplit=1)[0])
    return {
        "conversation": conversation.id,
        "verdict": receipt.decision.verdict.value,
        "reason": receipt.decision.reasons[0],
        "candidates": 0 if isinstance(receipt.probe, NotMeasured) else len(receipt.probe.rounds),
        "calls": dict(calls),
        "input_tokens": tokens,
        "history_sent": sendings,
        "history_bytes": history,
        "shared_share": round(shared / history, 3) if history else None,
    }


def main() -> int:
    """Print the figures of each conversation as JSON."""
    parser = argparse.ArgumentParser(description="What a verdict of a probe with language models costs.")
    parser.add_argument("--conversations", type=int, default=8, help="planted conversations to run")
    wanted = parser.parse_args().conversations
    options = ReadingOptions(max_bytes=10**8, max_turn_chars=10**6)
    files = [path for path in sorted(PLANTED.glob("*.json")) if path.stem.count("-") > 0][:wanted]
    rows: list[dict[str, object]] = []
    for path in files:
        rows.append(figures(read_file(path, options, key=bytes(32), clock=SystemClock()).conversation))
        sys.stdout.write(json.dumps(rows[-1]) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
