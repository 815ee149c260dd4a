from pathlib import Path

import pytest

from devtools.scripted import Hang, Say
from dissolution.answers import FailureClass
from dissolution.policy.job_policy import Policy, QuorumPolicy
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.execution.steps import run_step
from workers.stages.early_stop import agreeing, agreement, same

FOUR = "KNOWN\n{}\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("The launch is on March 15.", "The launch is on March 15.", True),
        ("The launch is on March 15.", "The launch was set for March 15.", True),
        ("The launch is on March 15.", "The launch is on March 30.", False),
        ("We use Postgres for storage.", "We do not use Postgres for storage.", False),
        ("We use Postgres for storage.", "The office closes at noon.", False),
        ("It is.", "It is.", False),
    ],
)
def test_statements_are_one_when_words_agree_and_no_guard_parts_them(one: str, other: str, *, alike: bool) -> None:
    assert same(one, other) is alike
    assert same(other, one) is alike


def test_agreement_is_that_of_the_two_who_agree_least() -> None:
    a, b = ["The launch is on March 15.", "We use Postgres for storage."], ["The launch is on March 15."]
    assert agreement([a, a]) == 1
    assert agreement([a, b]) == agreement([b, a]) == 0.5  # half of a's statements are in b, all of b's in a
    assert agreement([a, a, ["The office closes at noon."]]) == 0
    assert agreement([a, []]) == agreement([a]) == agreement([]) == 0


def test_a_member_that_hangs_is_not_waited_for_when_the_others_agree(tmp_path: Path) -> None:
    said = Say(FOUR.format("- The launch is on March 15. [turn 1]\n- We use Postgres for storage. [turn 1]"))
    members = (a_member("a", said), a_member("b", said), a_member("c", Hang()))
    quorum = QuorumPolicy(soft_deadline_s=30, hard_deadline_s=30, enough_agreement=0.8)
    with running(tmp_path, members) as services:
        job = a_job(
            services, a_conversation("The launch is on March 15. We use Postgres for storage."), Policy(quorum=quorum)
        )
        assert run_step(services, job.id, "fan_out")
        with services.unit_of_work() as work:
            calls = {call.member.name: call for call in work.jobs.calls(job.id, "fan_out")}
    failure = calls["c"].failure
    assert failure is not None
    assert failure.error_class is FailureClass.CANCELLED
    assert calls["a"].reply
    assert calls["b"].reply
    assert agreeing(job.model_copy(update={"policy": Policy()}), None) is None
