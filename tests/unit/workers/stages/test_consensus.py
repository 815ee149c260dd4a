"""The consensus step: counted answers become a candidate that rests on quotes, reconciled with what is held."""

from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.claims import Section
from dissolution.errors import BehindBoundary
from dissolution.findings import Consensus
from dissolution.ledger import ChangeKind
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.workers.stages.driving import a_job_before
from workers.runtime.inline import run_job
from workers.stages.consensus import changes_in_words, reach_consensus
from workers.step_results import StepResult

TALK = a_conversation("We deploy on Tuesday.", "We use Postgres.", "The office closes at noon.", "Noted.")


def four(*known: str, decided: str = "none") -> Say:
    lines = "\n".join(f"- {one}" for one in known) or "none"
    return Say(f"KNOWN\n{lines}\n\nDECIDED\n{decided}\n\nEDGES\nnone\n\nIDENTITY\nnone\n")


def consensus_in(result: StepResult) -> Consensus:
    assert isinstance(result.output, Consensus)
    return result.output


def test_what_two_families_state_is_one_claim_with_both_and_the_words_of_its_turn(tmp_path: Path) -> None:
    said = four("We deploy on Tuesday. [turn 1]", decided="- We use Postgres. [turn 2]")
    with running(tmp_path, (a_member("a", said), a_member("b", said))) as services:
        result = reach_consensus(services, a_job_before("consensus", services, TALK))
    found = consensus_in(result)
    assert {(claim.section, claim.text) for claim in found.claims} == {
        (Section.KNOWN, "We deploy on Tuesday."),
        (Section.DECIDED, "We use Postgres."),
    }
    assert all(claim.support.families == ("a", "b") for claim in found.claims)
    assert {(one.turn, one.text) for claim in found.claims for one in claim.evidence} == {
        (1, "We deploy on Tuesday."),
        (2, "We use Postgres."),
    }
    assert (found.statements, found.groups, found.prior_version) == (4, 2, 0)
    assert result.note == "2 meanings, 2 claims, 0 in dissent"


def test_what_no_turn_says_is_dissent(tmp_path: Path) -> None:
    said = four("We deploy on Tuesday. [turn 1]", "The moon is made of green cheese. [turn 2]")
    with running(tmp_path, (a_member("a", said), a_member("b", said))) as services:
        found = consensus_in(reach_consensus(services, a_job_before("consensus", services, TALK)))
    assert [claim.text for claim in found.claims] == ["We deploy on Tuesday."]
    assert [one.text for one in found.dissent] == ["The moon is made of green cheese."]


def test_opposites_share_no_claim(tmp_path: Path) -> None:
    talk = a_conversation("We deploy on Tuesday.", "We deploy on Friday.")
    members = (
        a_member("a", four("We deploy on Tuesday. [turn 1]")),
        a_member("b", four("We deploy on Friday. [turn 2]")),
    )
    with running(tmp_path, members) as services:
        found = consensus_in(reach_consensus(services, a_job_before("consensus", services, talk)))
    assert found.groups == 2
    assert all(len(claim.support.families) == 1 for claim in found.claims)


def test_a_cycle_is_reconciled_with_the_version_that_stands(tmp_path: Path) -> None:
    first = four("We deploy on Tuesday. [turn 1]")
    with running(tmp_path, (a_member("a", first), a_member("b", first))) as services:
        run_job(services, a_job(services, TALK, through=2).id)
    then = four("The office closes at noon. [turn 3]")
    with running(tmp_path, (a_member("a", then), a_member("b", then))) as services:
        result = reach_consensus(services, a_job_before("consensus", services, TALK))
    found = consensus_in(result)
    assert found.prior_version == 1
    assert {claim.text for claim in found.claims} == {"We deploy on Tuesday.", "The office closes at noon."}
    assert [change.kind for change in found.changes].count(ChangeKind.ADDED) == 1
    assert "against version 1: 1 added" in result.note
    assert changes_in_words(found.model_copy(update={"prior_version": 0})) == ""


def test_a_job_that_a_later_boundary_has_overtaken_is_refused(tmp_path: Path) -> None:
    said = four("We deploy on Tuesday. [turn 1]")
    with running(tmp_path, (a_member("a", said), a_member("b", said))) as services:
        early = a_job(services, TALK, through=2)
        run_job(services, a_job(services, TALK).id)
        with pytest.raises(BehindBoundary):
            reach_consensus(services, early)
