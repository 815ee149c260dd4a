"""The question bank of a watched conversation: turns that were far more surprising than the rest weigh in it."""

from pathlib import Path

import pytest

from dissolution.conversation import Conversation
from dissolution.job import Job
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import Split
from dissolution.triggering import TriggerState, TurnSurprise
from dissolution.written_questions import ProposedQuestion
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.store.evaluations import an_evaluation
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember, proposals
from workers.probe.outcomes import SealedBank
from workers.probe.question_writer import sampled
from workers.services import Services
from workers.stages.question_bank import bank_size, notable_in, write_bank

SMALL = GatePolicy(name="small", questions=10)
TALK = a_conversation(
    *(
        f"Remember: the {subject} of hall {number} must stay under {number + 3} crates of {value} at all times."
        for number, (_, _, value, subject) in enumerate(FACTS[:30], start=1)
    )
)
"""Thirty standing rules, one as good as another."""


def watched(services: Services, conversation: Conversation, *notable: int) -> None:
    """What triggers found surprising in a conversation that is stored."""
    found = [
        an_evaluation(turn.number, conversation=conversation.id).model_copy(
            update={
                "surprise": TurnSurprise(
                    bits_per_token=8.5, tokens=20, estimator="words", notable=turn.number in notable
                )
            }
        )
        for turn in conversation.turns
    ]
    with services.unit_of_work() as work:
        work.triggers.save(TriggerState(conversation=conversation.id, through=len(conversation.turns)), found)
        work.commit()


def asked_about(services: Services, job: Job) -> set[int]:
    """The turns that the held-out questions of a job's bank rest on."""
    sealed = write_bank(services, job).output
    assert isinstance(sealed, SealedBank)
    return {turn for question in sealed.bank.split(Split.HELD_OUT) for turn in question.evidence_turns}


def test_masked_questions_are_drawn_from_notable_turns_first(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK, Policy(probe=ProbePolicy(gate=SMALL)))
        plain = asked_about(services, job)
        assert len(plain) < len(TALK.turns)
        left_out = sorted(set(range(1, len(TALK.turns) + 1)) - plain)[-3:]
        watched(services, TALK, *left_out)
        assert set(left_out) <= asked_about(services, job)


def test_turns_behind_the_snapshot_weigh_nothing(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK, Policy(probe=ProbePolicy(gate=SMALL)), through=20)
        with services.unit_of_work() as work:
            assert notable_in(work, job) == ()
        watched(services, TALK, 5, 20, 21, 30)
        with services.unit_of_work() as work:
            assert notable_in(work, job) == (5, 20)


@pytest.mark.parametrize(("notable", "asked", "holds"), [((), 13, False), ((10,), 16, True)])
def test_a_writer_is_asked_for_more_and_what_is_notable_stays(
    tmp_path: Path, notable: tuple[int, ...], asked: int, *, holds: bool
) -> None:
    talk = a_conversation(*TURNS)
    writer, reader = ProbingMember("ann"), ProbingMember("ben")
    policy = Policy(probe=ProbePolicy(writer="ann", reader="ben", gate=SMALL))
    with running(tmp_path, [writer, reader]) as services:
        job = a_job(services, talk, policy)
        assert bank_size(job, talk.snapshot()) == 13
        watched(services, talk, *notable)
        sealed = write_bank(services, job).output
    assert isinstance(sealed, SealedBank)
    assert (10 in {turn for question in sealed.bank.questions for turn in question.evidence_turns}) is holds
    assert f" {asked} " in writer.asked("probe_writing")[0]


def test_questions_without_an_answer_give_way_to_nothing() -> None:
    proposed = [ProposedQuestion.model_validate(one) for one in proposals()]
    assert sampled(proposed, 13, ()) == proposed[:13]
    chosen = sampled(proposed, 6, (10,))
    assert chosen == [proposed[0], *proposed[36:]]
    assert sampled(proposed, 100, (10,)) == proposed
