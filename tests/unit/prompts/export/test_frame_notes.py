from dissolution.claims import Section
from dissolution.framing import Action, Finding
from dissolution.receipt.frame import FrameSummary, ReviewReader
from dissolution.reviewing import Fault, Hint, ReviewedClaim
from dissolution.values import NotMeasured
from prompts.export.frame_notes import SHOWN, frame_note

NONE = NotMeasured(not_measured="no reason")


def a_finding(fault: Fault, action: Action = Action.REPAIR, words: str = "It rains.") -> Finding:
    claim = ReviewedClaim(claim="c1", section=Section.KNOWN, text=words)
    return Finding(fault=fault, claims=(claim,), told_by=("ann",), action=action)


def a_summary(*findings: Finding, **more: object) -> FrameSummary:
    plain = {"register_digest": "0" * 64, "register_size": 3, "findings": findings, "repaired": 0}
    reviewers = (ReviewReader(member="ann", family="red"),)
    return FrameSummary.model_validate({**plain, "lock_in": NONE, "challenges": NONE, "reviewers": reviewers, **more})


def test_what_was_not_looked_for_and_what_was_not_found_differ() -> None:
    assert "the policy has no audit" in frame_note(NotMeasured(not_measured="the policy has no audit")).told
    clean = frame_note(a_summary(blocked=("an order was held",)))
    assert clean.told.startswith("no finding")
    assert clean.blocked == ("an order was held",)
    assert frame_note(a_summary(reviewers=(), nobody="no model")).told.startswith("nobody was asked")


def test_findings_are_counted_by_fault_and_by_what_was_done_and_hints_apart() -> None:
    hint = Hint(suspects=Fault.GUESS, probability=0.5, basis="wording/1")
    note = frame_note(
        a_summary(
            a_finding(Fault.GUESS),
            a_finding(Fault.ONE_ANSWER_ONLY, Action.BLOCK),
            a_finding(Fault.GUESS, Action.ANNOTATE),
            hints=(hint,),
        )
    )
    assert note.told == (
        "3 findings (guess 2, one answer only 1; 1 repaired, 1 noted, 1 blocking); 1 hint, on which nothing rests"
    )
    assert [one.fault for one in note.done] == [Fault.GUESS, Fault.ONE_ANSWER_ONLY], "what was only said is counted"
    assert note.more == 0


def test_only_the_first_that_changed_something_are_named() -> None:
    many = [a_finding(Fault.GUESS, words=f"Guess {number}.") for number in range(SHOWN + 2)]
    note = frame_note(a_summary(*many))
    assert list(note.done) == many[:SHOWN]
    assert note.more == 2
    assert frame_note(a_summary(many[0])).told == "1 finding (guess 1; 1 repaired)"
