"""The frame as a person reads it."""

import io

import pytest
from rich.console import Console

from cli.frame.frame_views import (
    print_challenges,
    print_findings,
    print_hints,
    print_lock_in,
    print_register,
    print_summary,
    reviewed,
    shown_premises,
)
from dissolution.answers import FailureClass
from dissolution.claims import Evidence, Section
from dissolution.conversation import Role
from dissolution.framing import Action, Challenge, Finding, LockIn
from dissolution.premises import Premise, PremiseReading, PremiseStatus, Scope
from dissolution.receipt.frame import AuditedAgain, FrameSummary, PremiseReader, ReviewReader
from dissolution.reviewing import Fault, Hint, ReviewedClaim
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import challenge_id
from frame_agent.register.fold import register_of
from tests.factories import a_snapshot

NONE = NotMeasured(not_measured="nobody asked")
TALK = a_snapshot(
    "I guess the boiler serves 40 flats. The chimney is twelve metres high.",
    "We decided to replace the pump of the boiler for the 40 flats.",
    "Just for this reply, list the pumps in a table.",
)
WORDS = Evidence(turn=1, start=0, end=35, text="I guess the boiler serves 40 flats.")
FINDING = Finding(
    fault=Fault.GUESS,
    claims=(ReviewedClaim(claim="c" * 16, section=Section.KNOWN, text="The boiler serves 40 flats."),),
    evidence=(WORDS,),
    told_by=("ann", "ben"),
    families=("blue", "red"),
    action=Action.REPAIR,
    outcome="moved to EDGES",
)
MISSED = Finding(fault=Fault.MISSING, told_by=("ann",), families=("red",), outcome="kept as dissent: Rents rise.")
CHALLENGE = Challenge(
    premise="p1.1",
    proposition="the boiler serves 40 flats",
    turn=1,
    alternative="The flats could heat themselves.",
    leads_to="No pump would be needed.",
    test="Ask how many flats have stoves.",
    leverage=1.5,
    member="critic",
)
LOCK_IN = LockIn(turn=3, value=0.5, share=1.0, depth=0.25, age=0.25)


@pytest.fixture
def out() -> Console:
    return Console(file=io.StringIO(), width=200)


def text_of(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_a_finding_shows_what_is_wrong_who_says_so_on_which_words_and_what_was_done(out: Console) -> None:
    print_findings(out, [FINDING, MISSED], ["turn 9 is denied"])
    shown = text_of(out)
    for words in (
        "Findings (2)",
        "only guessed, put right: KNOWN: The boiler serves 40 flats.",
        f"claim {'c' * 16}",
        "turn 1: “I guess the boiler serves 40 flats.”",
        "said by ann, ben (2 families)",
        "moved to EDGES",
        "missing, noted\n",
        "said by ann (1 family)",
        "kept as dissent: Rents rise.",
        "keeps it from being committed: turn 9 is denied",
    ):
        assert words in shown
    assert shown.count("    claim ") == 1, "what is missing is no claim"


def test_hints_stand_apart_and_are_called_suspicions(out: Console) -> None:
    one = Hint(suspects=Fault.ONE_ANSWER_ONLY, claims=("c1",), evidence=WORDS, probability=0.61, basis="wording/1")
    print_hints(out, [one, one.model_copy(update={"probability": NONE, "claims": ()})])
    shown = text_of(out)
    assert "Hints (2): suspicions of a machine, on which nothing rests" in shown
    assert "asked for one answer only? c1 (probability 0.61; wording/1)" in shown
    assert "asked for one answer only? no claim (probability not measured; wording/1)" in shown
    assert "turn 1: “I guess the boiler" in shown
    empty = Console(file=io.StringIO())
    print_hints(empty, [])
    assert text_of(empty) == ""


def test_challenges_show_what_would_tell_and_the_id_to_adopt(out: Console) -> None:
    print_challenges(out, (CHALLENGE,))
    shown = text_of(out)
    for words in (
        "Challenges (1)",
        "The flats could heat themselves.",
        "instead of: the boiler serves 40 flats (accepted at turn 1)",
        "leads to: No pump would be needed.",
        "what would tell: Ask how many flats have stoves.",
        f"{challenge_id(CHALLENGE)}, leverage 1.5, by critic",
    ):
        assert words in shown


def test_why_nobody_challenged_is_told(out: Console) -> None:
    print_challenges(out, NONE)
    assert "nobody asked" in text_of(out)


def a_summary(**more: object) -> FrameSummary:
    plain = {"register_digest": "0" * 64, "register_size": 3, "findings": (), "repaired": 0}
    return FrameSummary.model_validate({**plain, "lock_in": LOCK_IN, "challenges": NONE, **more})


def test_a_summary_tells_every_review_and_every_reader(out: Console) -> None:
    summary = a_summary(
        readers=(PremiseReader(member="ann", premises=4, new=2), PremiseReader(member="ben", detail="late")),
        findings=(FINDING,),
        repaired=1,
        reviewers=(
            ReviewReader(member="cem", family="red", remarks=2),
            ReviewReader(member="dora", family="blue", unread=7, failure=FailureClass.TIMEOUT, detail="no answer"),
        ),
        again=(AuditedAgain(round=1, findings=(MISSED,), repaired=0, blocked=("still lost",)),),
    )
    print_summary(out, summary)
    shown = text_of(out)
    first, after = shown.split("After repair 1")
    assert "only guessed, put right" in first
    assert "missing" not in first
    assert "missing" in after
    assert "keeps it from being committed: still lost" in after
    assert "read by ann: 4 premises, 2 new" in after
    assert "read by ben: 0 premises, 0 new (late)" in after
    assert "reviewed by cem (red): 2 remarks\n" in after
    assert "reviewed by dora (blue): 0 remarks, 7 claims not read (timeout: no answer)\n" in after


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "no reviewer says that anything is not as it should be"),
        ({"nobody": "the fleet has no language model"}, "nobody was asked to review the candidate: the fleet has no"),
        (
            {"reviewers": (ReviewReader(member="cem", family="red", failure=FailureClass.TIMEOUT),)},
            "no reviewer answered",
        ),
    ],
)
def test_why_there_is_no_finding_is_said(out: Console, given: dict[str, object], words: str) -> None:
    print_summary(out, a_summary(**given))
    assert words in text_of(out)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"remarks": 1, "unproved": 2}, "1 remark, 2 without proof"),
        ({"remarks": 5, "unread": 25, "detail": "no call left"}, "5 remarks, 25 claims not read (no call left)"),
        ({"failure": FailureClass.REFUSAL, "unread": 3}, "0 remarks, 3 claims not read (refusal)"),
    ],
)
def test_what_came_of_a_reviewer_is_counted_and_why_it_ended_is_told(given: dict[str, object], words: str) -> None:
    assert reviewed(ReviewReader.model_validate({"member": "ann", "family": "red", **given})) == words


def test_a_job_that_was_not_audited_says_so(out: Console) -> None:
    print_summary(out, NONE)
    assert "nobody asked" in text_of(out)


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (LOCK_IN, "(share 1.00, depth 0.25, age 0.25)"),
        (NONE, "lock-in: not measured"),
        (LOCK_IN.model_copy(update={"value": NONE}), "lock-in: not measured"),
    ],
)
def test_lock_in_is_told_with_its_parts_or_why_not(out: Console, measured: LockIn | NotMeasured, words: str) -> None:
    print_lock_in(out, measured)
    assert words in text_of(out)


def test_plain_premises_that_nothing_rests_on_are_left_out_and_counted(out: Console) -> None:
    premises = register_of(TALK).premises
    shown = shown_premises(premises, every=False)
    assert {one.status for one in shown} >= {PremiseStatus.HEDGED, PremiseStatus.ONE_OFF}
    assert len(shown) < len(premises) == len(shown_premises(premises, every=True))
    print_register(out, premises, every=False)
    table = text_of(out)
    assert f"Taken for granted ({len(premises)} premises)" in table
    assert "one off" in table
    assert "chimney" not in table
    assert f"{len(premises) - len(shown)} plain premises that nothing rests on are left out: --all" in table


def test_the_whole_register_leaves_nothing_out(out: Console) -> None:
    print_register(out, register_of(TALK).premises, every=True)
    table = text_of(out)
    assert "chimney" in table
    assert "left out" not in table
    assert "1 of 1" in table, "what rests on the guess is counted"


def test_readers_that_disagree_are_named(out: Console) -> None:
    words = Evidence(turn=1, start=0, end=5, text="maybe")
    premise = Premise(
        id="p1.1",
        proposition="the boiler serves 40 flats",
        status=PremiseStatus.HEDGED,
        scope=Scope.STANDING,
        role=Role.USER,
        speaker="user",
        turn=1,
        changed=1,
        evidence=words,
        readings=(
            PremiseReading(reader="rules", status=PremiseStatus.HEDGED),
            PremiseReading(reader="ann", status=PremiseStatus.ASSERTED),
        ),
    )
    print_register(out, [premise], every=True)
    assert "readers disagree on p1.1: rules hedged, ann asserted" in text_of(out)
