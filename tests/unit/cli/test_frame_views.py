"""The frame as a person reads it."""

import io

import pytest
from rich.console import Console

from cli.frame_views import (
    audited,
    print_challenges,
    print_findings,
    print_lock_in,
    print_register,
    print_summary,
    told,
)
from dissolution.answers import FailureClass
from dissolution.claims import Evidence, Section
from dissolution.conversation import Role
from dissolution.frame_receipt import AuditedAgain, ClaimReader, FrameSummary, PremiseReader
from dissolution.framing import RULES, Action, Challenge, Finding, FindingKind, LockIn, Severity
from dissolution.premises import Premise, PremiseReading, PremiseStatus, Scope
from dissolution.values import NotMeasured
from frame_agent.adopting import challenge_id
from frame_agent.register import register_of
from tests.factories import a_snapshot

NONE = NotMeasured(not_measured="nobody asked")
TALK = a_snapshot(
    "I guess the boiler serves 40 flats. Then the pump has to be replaced because of the 40 flats.",
    "The chimney is twelve metres high.",
    "Just for this reply, list the pumps in a table.",
)
FINDING = Finding(
    kind=FindingKind.PROMOTION,
    severity=Severity.HIGH,
    premise="p1.1",
    claim="c" * 16,
    section=Section.KNOWN,
    before=PremiseStatus.HEDGED,
    words="'The boiler serves 40 flats.' stands in KNOWN; turn 1 only supposes it",
    evidence=(Evidence(turn=1, start=0, end=35, text="I guess the boiler serves 40 flats."),),
    action=Action.REPAIR,
    outcome="moved to EDGES: Assumed, not confirmed",
)
LOST = FINDING.model_copy(update={"kind": FindingKind.VANISHING, "claim": None, "evidence": (), "outcome": None})
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


def test_a_finding_shows_what_is_wrong_where_and_what_was_done(out: Console) -> None:
    print_findings(out, [FINDING, LOST], ["turn 9 is denied"])
    shown = text_of(out)
    for words in (
        "Findings (2)",
        "[high] promotion, repair: 'The boiler serves 40 flats.' stands in KNOWN",
        f"claim {'c' * 16}",
        "turn 1: “I guess the boiler serves 40 flats.”",
        "moved to EDGES: Assumed, not confirmed",
        "[high] vanishing",
        "blocked: turn 9 is denied",
    ):
        assert words in shown
    assert shown.count("    claim ") == 1, "what vanished is no claim"


def test_who_tells_a_finding_is_shown_unless_the_rules_alone_do(out: Console) -> None:
    print_findings(out, [FINDING])
    assert "told by" not in text_of(out)
    print_findings(out, [FINDING.model_copy(update={"told_by": ("ann", "ben")})])
    assert "told by ann, ben\n" in text_of(out)
    print_findings(out, [FINDING.model_copy(update={"told_by": (RULES, "ann"), "disputed_by": ("cem", "dora")})])
    assert "told by rules, ann; read otherwise by cem, dora\n" in text_of(out)


def test_a_disputed_finding_is_shown_as_disputed_with_who_reads_it_otherwise(out: Console) -> None:
    outcome = "nothing is done: ann read the claim otherwise"
    update = {"disputed": True, "disputed_by": ("ann",), "action": Action.ANNOTATE, "outcome": outcome}
    print_findings(out, [FINDING.model_copy(update=update)])
    shown = text_of(out)
    assert "[high] promotion, disputed: 'The boiler serves 40 flats.'" in shown
    assert "told by rules; read otherwise by ann" in shown
    assert outcome in shown
    assert "annotate" not in shown


def test_no_finding_is_said_in_words(out: Console) -> None:
    print_findings(out, [])
    assert "nothing was promoted, lost, misattributed or made up" in text_of(out)


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


def test_a_summary_tells_every_audit_and_every_reader(out: Console) -> None:
    summary = FrameSummary(
        register_digest="0" * 64,
        register_size=3,
        readers=(PremiseReader(member="ann", premises=4, new=2), PremiseReader(member="ben", detail="late")),
        findings=(FINDING,),
        repaired=1,
        auditors=(
            ClaimReader(member="cem", family="red", read=7, faults=2),
            ClaimReader(member="dora", family="blue", unread=7, failure=FailureClass.TIMEOUT, detail="no answer"),
        ),
        again=(AuditedAgain(round=1, findings=(LOST,), repaired=0, blocked=("still lost",)),),
        lock_in=LOCK_IN,
        challenges=NONE,
    )
    print_summary(out, summary)
    shown = text_of(out)
    first, after = shown.split("After repair 1")
    assert "promotion" in first
    assert "vanishing" not in first
    assert "vanishing" in after
    assert "blocked: still lost" in after
    assert "read by ann: 4 premises, 2 new" in after
    assert "read by ben: 0 premises, 0 new (late)" in after
    assert "audited by cem (red): 7 claims read, 2 at fault\n" in after
    line = "audited by dora (blue): 0 claims read, 0 at fault, 7 claims not read (timeout: no answer)\n"
    assert line in after


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"read": 4, "faults": 1, "unproved": 2}, "4 claims read, 1 at fault, 2 faults without proof"),
        (
            {"read": 75, "unread": 25, "detail": "no further call"},
            "75 claims read, 0 at fault, 25 claims not read (no further call)",
        ),
        ({"failure": FailureClass.REFUSAL, "unread": 3}, "0 claims read, 0 at fault, 3 claims not read (refusal)"),
    ],
)
def test_what_came_of_an_auditor_is_counted_and_why_it_ended_is_told(given: dict[str, object], words: str) -> None:
    assert audited(ClaimReader.model_validate({"member": "ann", "family": "red", **given})) == words


def test_a_job_that_was_not_audited_says_so(out: Console) -> None:
    print_summary(out, NONE)
    assert "nobody asked" in text_of(out)


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (LOCK_IN, "lock-in at turn 3: 0.50 (share 1.00, depth 0.25, age 0.25)"),
        (NONE, "lock-in: not measured"),
        (LOCK_IN.model_copy(update={"value": NONE}), "lock-in: not measured"),
    ],
)
def test_lock_in_is_told_with_its_parts_or_why_not(out: Console, measured: LockIn | NotMeasured, words: str) -> None:
    print_lock_in(out, measured)
    assert words in text_of(out)


def test_plain_premises_that_nothing_rests_on_are_left_out_and_counted(out: Console) -> None:
    premises = register_of(TALK).premises
    shown = told(premises, every=False)
    assert {one.status for one in shown} >= {PremiseStatus.HEDGED, PremiseStatus.ONE_OFF}
    assert len(shown) < len(premises) == len(told(premises, every=True))
    print_register(out, premises, every=False)
    table = text_of(out)
    assert f"Assumption register ({len(premises)} premises)" in table
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
