from dissolution.frame_receipt import FrameSummary
from dissolution.framing import Action, Finding, FindingKind, Severity
from dissolution.values import NotMeasured
from prompts.export.frame_notes import SHOWN, frame_note

NONE = NotMeasured(not_measured="no reason")


def a_finding(
    kind: FindingKind, severity: Severity = Severity.HIGH, action: Action = Action.REPAIR, words: str = "A guess."
) -> Finding:
    return Finding(kind=kind, severity=severity, premise=None, claim=None, words=words, action=action)


def a_summary(*findings: Finding, blocked: tuple[str, ...] = ()) -> FrameSummary:
    return FrameSummary(
        register_digest="0" * 64,
        register_size=3,
        findings=findings,
        repaired=0,
        blocked=blocked,
        lock_in=NONE,
        challenges=NONE,
    )


def test_what_was_not_looked_for_and_what_was_not_found_differ() -> None:
    unread = frame_note(NotMeasured(not_measured="the policy has no audit"))
    assert "the policy has no audit" in unread.told
    clean = frame_note(a_summary(blocked=("an order was held",)))
    assert clean.told.startswith("no finding")
    assert clean.blocked == ("an order was held",)


def test_findings_are_counted_by_kind_and_by_what_was_done() -> None:
    note = frame_note(
        a_summary(
            a_finding(FindingKind.VANISHING, Severity.LOW, Action.ANNOTATE),
            a_finding(FindingKind.PROMOTION),
            a_finding(FindingKind.PROMOTION, Severity.MEDIUM, Action.BLOCK),
        )
    )
    assert note.told == "3 findings (promotion 2, vanishing 1; 1 repaired, 1 noted, 1 blocking)"
    assert [one.kind for one in note.grave] == [FindingKind.PROMOTION]
    assert note.more == 0


def test_only_the_first_grave_ones_are_named() -> None:
    many = [a_finding(FindingKind.PROMOTION, words=f"Guess {number}.") for number in range(SHOWN + 2)]
    note = frame_note(a_summary(*many))
    assert [one.words for one in note.grave] == [one.words for one in many[:SHOWN]]
    assert note.more == 2
    assert frame_note(a_summary(many[0])).told == "1 finding (promotion 1; 1 repaired)"
