import json

import pytest
from pydantic import ValidationError

from dissolution.claims import Evidence, Section
from dissolution.framing import Action, Challenge, Finding, FramePolicy, FrameReport, LockIn
from dissolution.policy.job_policy import Policy
from dissolution.receipt.frame import FrameSummary
from dissolution.reviewing import Fault, ReviewedClaim
from dissolution.values import NotMeasured

NONE = NotMeasured(not_measured="nothing rests on anything")


def test_a_report_without_a_challenger_says_so() -> None:
    report = FrameReport(register_digest="0" * 64, register_size=0, lock_in=NONE)
    assert isinstance(report.challenges, NotMeasured)
    assert FrameReport.model_validate_json(report.model_dump_json()) == report
    with pytest.raises(ValidationError):
        FrameReport(register_digest="short", register_size=0, lock_in=NONE)


def test_leverage_is_never_below_nothing() -> None:
    with pytest.raises(ValidationError):
        Challenge(
            premise="p", proposition="x", turn=1, alternative="y", leads_to="z", test="t", leverage=-1, member="m"
        )
    assert LockIn(turn=1, value=0.0, share=0.0, depth=0.0, age=0.0).turn == 1


def test_a_reviewer_is_named_once() -> None:
    with pytest.raises(ValidationError, match="'ann' is named twice"):
        FramePolicy(reviewers=("ann", "ben", "ann"))


def test_a_finding_says_what_is_wrong_with_what_by_which_words() -> None:
    claim = ReviewedClaim(claim="c1", section=Section.KNOWN, text="The tank holds 400 litres.")
    words = Evidence(turn=3, start=0, end=5, text="guess")
    one = Finding(fault=Fault.ONE_ANSWER_ONLY, claims=(claim,), evidence=(words,), told_by=("ann",))
    assert one.words == "one answer only: 'The tank holds 400 litres.' (turn 3: “guess”)"
    assert Finding(fault=Fault.MISSING, told_by=("ann",)).words == "missing"
    with pytest.raises(ValidationError):
        Finding(fault=Fault.MISSING, told_by=())


OLD_POLICY = {
    "frame": {
        "audit": True,
        "promotion": "annotate",
        "injection": "block",
        "vanishing": "repair",
        "demotion": "repair",
        "attribution": "repair",
        "fabrication": "repair",
        "auditor": ["ann"],
        "auditor_calls": 8,
        "challenger": "cem",
    }
}
OLD_FINDING = {
    "kind": "promotion",
    "severity": "high",
    "premise": "p1.1",
    "claim": "c1",
    "section": "DECIDED",
    "before": "proposed",
    "words": "'We use oak.' stands in DECIDED; turn 1 only proposes it",
    "evidence": [{"turn": 1, "start": 0, "end": 3, "text": "Oak"}],
    "action": "repair",
    "outcome": "moved to EDGES",
    "told_by": ["rules", "ann"],
    "disputed_by": [],
    "disputed": False,
}
OLD_RECEIPT = {
    "register_digest": "0" * 64,
    "register_size": 3,
    "auditors": [{"member": "ann", "family": "red", "read": 7, "faults": 2}],
    "findings": [OLD_FINDING],
    "repaired": 1,
    "lock_in": {"not_measured": "none"},
    "challenges": {"not_measured": "none"},
}


def test_policies_reports_and_receipts_of_earlier_versions_can_be_read() -> None:
    policy = Policy.model_validate_json(json.dumps(OLD_POLICY))
    assert policy.frame == FramePolicy(challenger="cem")
    (found,) = FrameSummary.model_validate_json(json.dumps(OLD_RECEIPT)).findings
    assert (found.fault, found.action, found.outcome) == (Fault.PROPOSAL, Action.REPAIR, "moved to EDGES")
    assert (found.told_by, [one.claim for one in found.claims]) == (("rules", "ann"), ["c1"])
    assert "turn 1 only proposes it" in found.words
    old = {name: value for name, value in OLD_RECEIPT.items() if name != "repaired"}
    report = FrameReport.model_validate_json(json.dumps({**old, "auditors": [{"member": "ann"}]}))
    assert report.findings == (found,)


@pytest.mark.parametrize(
    ("kind", "before", "fault"),
    [
        ("promotion", "hedged", Fault.GUESS),
        ("promotion", "injected", Fault.NOT_AGREED),
        ("promotion", "rejected", Fault.REFUSED),
        ("promotion", "one_off", Fault.ONE_ANSWER_ONLY),
        ("vanishing", None, Fault.MISSING),
        ("demotion", None, Fault.FALSE),
        ("attribution", None, Fault.WRONG_SPEAKER),
        ("fabrication", None, Fault.FALSE),
    ],
)
def test_what_rules_once_called_a_fault_has_its_name_of_now(kind: str, before: str | None, fault: Fault) -> None:
    assert Finding.model_validate({**OLD_FINDING, "kind": kind, "before": before}).fault is fault


def test_a_field_that_never_was_is_refused() -> None:
    with pytest.raises(ValidationError):
        FramePolicy.model_validate({"reviewer": ["ann"]})
