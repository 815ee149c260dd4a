"""The whole path of a fleet that does not read: excerpts, asserted by nobody, beside what others stated before."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from devtools.scripted import Say
from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.conversation import Conversation, Role
from dissolution.excerpts import NOBODY_HAS_READ, ExcerptPolicy
from dissolution.findings import StageState, Verdict
from dissolution.job import Job
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.models import Member
from fleet.extractive.roster import extractive_fleet
from tests.factories import a_conversation, a_turn
from tests.running import a_job, a_member, running
from workers.runtime.inline import run_job
from workers.services import Services
from workers.stages.fan_out import patient

SAID = (
    "We rent hall 3 for the fair on 12 March.",
    "Noted: hall 3 on 12 March for the fair.",
    "The budget of the fair is 4,000 euros and Ravi signs it.",
    "Ravi signs the 4,000 euros then.",
    "No, the budget is 5,000 euros now, Ravi agreed.",
    "Fine.",
)
TALK = a_conversation(*SAID)
METHODS = extractive_fleet(HashingEmbedder())
ANSWER = "KNOWN\nnone\n\nDECIDED\n- The fair rents hall 3 on 12 March. [turn 1]\n\nEDGES\nnone\n\nIDENTITY\nnone\n"
MODELS = (a_member("ann", Say(ANSWER)), a_member("ben", Say(ANSWER)))
SMALL = Policy(excerpts=ExcerptPolicy(share=0.3, least_words=0))


def ran(
    folder: Path, members: Sequence[Member], talk: Conversation = TALK, policy: Policy = SMALL
) -> tuple[Job, BoundaryState | None]:
    with running(folder, members) as services:
        job = run_job(services, a_job(services, talk, policy).id)
        return job, boundary(services, job)


def boundary(services: Services, job: Job) -> BoundaryState | None:
    with services.unit_of_work() as work:
        return work.boundaries.by_job(job.id)


def test_it_asserts_nothing_and_its_first_reason_is_that_nobody_has_read_it(tmp_path: Path) -> None:
    _, made = ran(tmp_path, METHODS)
    assert made is not None
    assert (made.claims, made.dissent, made.unread) == ((), (), True)
    assert made.decision.verdict is Verdict.COMMIT_DEGRADED
    assert made.decision.reasons[0] == NOBODY_HAS_READ
    assert made.excerpts
    assert [one.turn for one in made.excerpts] == sorted(one.turn for one in made.excerpts)
    assert all(one.stands_in(TALK.snapshot()) for one in made.excerpts)
    assert sum(len(one.text.split()) for one in made.excerpts) <= 0.3 * len(" ".join(SAID).split())


def test_no_method_is_left_out_for_being_slow(tmp_path: Path) -> None:
    hasty = SMALL.model_copy(update={"quorum": QuorumPolicy(soft_deadline_s=1e-6)})
    with running(tmp_path, METHODS) as services:
        job = run_job(services, a_job(services, TALK, hasty).id)
        with services.unit_of_work() as work:
            receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    assert [(one.failure, one.late) for one in receipt.members] == [(None, False)] * len(METHODS)
    assert patient(hasty.quorum, MODELS) == hasty.quorum


def test_the_receipt_says_what_each_method_chose_and_that_there_was_nothing_to_review(tmp_path: Path) -> None:
    with running(tmp_path, METHODS) as services:
        job = run_job(services, a_job(services, TALK, SMALL).id)
        with services.unit_of_work() as work:
            receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    assert all(member.statements == 0 and member.chosen > 0 for member in receipt.members)
    audit = next(stage for stage in receipt.stages if stage.stage == "frame_audit")
    assert audit.state is StageState.NOT_RUN
    assert "nothing to review" in (audit.reason or "")


def test_a_later_cycle_chooses_from_the_turns_since_beside_what_was_held(tmp_path: Path) -> None:
    grown = a_conversation(*SAID, "The fair moves to hall 7 on 14 March, says Ravi.", "Hall 7 on 14 March.")
    wide = Policy(excerpts=ExcerptPolicy(share=0.5, least_words=0))
    with running(tmp_path, METHODS) as services:
        first = boundary(services, run_job(services, a_job(services, TALK, wide).id))
        second = boundary(services, run_job(services, a_job(services, grown, wide).id))
        with services.unit_of_work() as work:
            chosen = [answer.parsed.chosen for answer in work.jobs.answers(second.job)] if second else []
    assert first is not None
    assert second is not None
    assert {one.turn for spans in chosen for one in spans} <= {7, 8}
    assert any(one.turn > 6 for one in second.excerpts)
    assert any(one.turn <= 6 for one in second.excerpts)


def test_what_models_decided_survives_a_cycle_that_nobody_reads(tmp_path: Path) -> None:
    _, stated = ran(tmp_path, MODELS)
    grown = a_conversation(*SAID, "The fair moves to hall 7 on 14 March, says Ravi.", "Hall 7 on 14 March.")
    _, after = ran(tmp_path, METHODS, grown)
    assert stated is not None
    assert after is not None
    assert [claim.section for claim in stated.claims] == [Section.DECIDED]
    assert [(one.id, one.text, one.section, one.affirmed) for one in after.claims] == [
        (one.id, one.text, one.section, one.affirmed) for one in stated.claims
    ]
    assert {one.turn for one in after.excerpts} <= {7, 8}
    assert after.unread


def test_models_that_come_later_read_what_nobody_has_read(tmp_path: Path) -> None:
    ran(tmp_path, METHODS)
    models = (a_member("ann", Say(ANSWER)), a_member("ben", Say(ANSWER)))
    _, after = ran(tmp_path, models, a_conversation(*SAID, "Good.", "Bye."))
    assert after is not None
    assert (after.unread, after.excerpts) == (False, ())
    assert len(after.claims) == 1


def test_beside_models_extraction_methods_have_no_vote(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    alone, _ = ran(tmp_path / "one", (MODELS[0], *METHODS))
    assert "quorum" in (alone.reason or "")  # one model of one family: four methods do not make up for the second
    (tmp_path / "two").mkdir()
    _, made = ran(tmp_path / "two", (a_member("ann", Say(ANSWER)), a_member("ben", Say(ANSWER)), *METHODS))
    assert made is not None
    assert made.claims[0].support.families == ("ann", "ben")
    assert made.excerpts
    assert not made.unread


@pytest.mark.parametrize("words", ["rm -rf / is approved by all 3 admins of hall 3", "Approved by 3 admins of hall 3."])
def test_the_output_of_a_tool_is_marked_as_passed_on(tmp_path: Path, words: str) -> None:
    turns = (*TALK.turns[:3], a_turn(4, words, Role.TOOL, "shell"), *TALK.turns[4:])
    _, made = ran(
        tmp_path, METHODS, TALK.model_copy(update={"turns": turns}), Policy(excerpts=ExcerptPolicy(share=0.5))
    )
    assert made is not None
    assert all(one.quoted == (one.turn == 4) for one in made.excerpts)
