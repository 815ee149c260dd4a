"""What no claim holds: taken up when two families say the same of it."""

from dissolution.claims import DissentReason, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault
from tests.unit.frame_agent.review.made import MILL, after, by, remark, words

TEXT = "The wheel comes later."
QUOTE, LONGER = "the wheel comes", "Then the sluice is oak, and the wheel comes later"


def test_two_families_take_up_what_is_missing_in_the_words_of_one_on_the_words_of_both() -> None:
    said = [by("c", remark(Fault.MISSING, (), QUOTE, text=TEXT, section=Section.DECIDED))]
    said += [by("d", remark(Fault.MISSING, (), LONGER, text=TEXT.upper(), section=Section.DECIDED))]
    found = after([MILL], said)
    (new,) = [one for one in found.claims.values() if one.id != "mill"]
    assert (new.section, new.text, new.support.families) == (Section.DECIDED, TEXT.upper(), ("c", "d"))
    assert new.evidence == (words(QUOTE), words(LONGER))
    assert {one.claim.text for one in new.statements} == {TEXT, TEXT.upper()}
    assert (found.finding.action, new.id in found.changes) == (Action.REPAIR, True)


def test_what_one_family_misses_is_dissent() -> None:
    found = after([MILL], [by("c", remark(Fault.MISSING, (), QUOTE, text=TEXT, section=Section.DECIDED))])
    assert set(found.claims) == {"mill"}
    assert [(one.text, one.reason) for one in found.dissent.values()] == [(TEXT, DissentReason.FEW_FAMILIES)]
    assert (found.finding.action, found.finding.needed) == (Action.ANNOTATE, 2)


def test_other_sections_and_other_meanings_are_not_the_same() -> None:
    apart = [by("c", remark(Fault.MISSING, (), QUOTE, text=TEXT, section=Section.DECIDED))]
    apart += [by("d", remark(Fault.MISSING, (), QUOTE, text=TEXT, section=Section.EDGES))]
    apart += [by("e", remark(Fault.MISSING, (), QUOTE, text="The wheel is oak.", section=Section.DECIDED))]
    found = after([MILL], apart)
    assert set(found.claims) == {"mill"}
    assert len(found.report.findings) == 3


def test_what_a_claim_says_already_is_not_missing() -> None:
    said = [
        by(one, remark(Fault.MISSING, (), "The mill stands", text=MILL.text, section=Section.KNOWN)) for one in "de"
    ]
    found = after([MILL], said)
    assert not found.changed
    assert "mill says it already" in found.finding.outcome
