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


def test_disputed_findings_are_counted_by_themselves_and_are_not_among_the_grave() -> None:
    disputed = a_finding(FindingKind.PROMOTION, action=Action.ANNOTATE).model_copy(update={"disputed": True})
    noted = a_finding(FindingKind.ATTRIBUTION, action=Action.ANNOTATE, words="Another's words.")
    note = frame_note(a_summary(disputed, a_finding(FindingKind.FABRICATION, words="Made up."), noted, disputed))
    assert note.told == "4 findings (promotion 2, attribution 1, fabrication 1; 1 repaired, 1 noted, 2 disputed)"
    assert [one.words for one in note.grave] == ["Made up.", "Another's words."]
    only = frame_note(a_summary(disputed))
    assert only.told == "1 finding (promotion 1; 1 disputed)"
    assert (only.grave, only.more) == ((), 0)


def test_disputed_findings_take_no_place_of_a_grave_one() -> None:
    disputed = a_finding(FindingKind.PROMOTION, action=Action.ANNOTATE).model_copy(update={"disputed": True})
    grave = [a_finding(FindingKind.PROMOTION, words=f"Guess {number}.") for number in range(SHOWN)]
    note = frame_note(a_summary(disputed, *grave, disputed))
    assert [one.words for one in note.grave] == [one.words for one in grave]
    assert note.more == 0
