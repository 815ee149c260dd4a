"""What no claim holds: taken up when two families say the same of it."""

from dissolution.claims import DissentReason, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault
from tests.unit.frame_agent.review.made import MILL, after, by, by_all, claim, remark, report_of, words

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


def test_paraphrases_on_the_same_words_of_a_turn_say_the_same() -> None:
    told = {
        "c": "The wheel comes later.",
        "d": "The wheel comes after the sluice.",
        "e": "The wheel comes last of all.",
    }
    said = [
        by(one, remark(Fault.MISSING, (), LONGER, text=text, section=Section.DECIDED)) for one, text in told.items()
    ]
    found = after([MILL], said)
    (new,) = [one for one in found.claims.values() if one.id != "mill"]
    assert new.support.families == ("c", "d", "e")
    assert {one.claim.text for one in new.statements} == set(told.values())
    elsewhere = [by(one, remark(Fault.MISSING, (), f"the {word}", text=told[one], section=Section.DECIDED))
                 for one, word in (("c", "wheel"), ("d", "sluice"))]  # fmt: skip
    assert set(after([MILL], elsewhere).claims) == {"mill"}, "other words of the turn may say something else"


def test_what_two_families_miss_is_not_parted_because_one_of_them_misses_something_near_as_well() -> None:
    first, second = (QUOTE, "The wheel comes later."), (LONGER, "The wheel comes by itself.")
    own = [remark(Fault.MISSING, (), words_, text=text, section=Section.DECIDED) for words_, text in (first, second)]
    other = remark(Fault.MISSING, (), "the sluice is oak", text="The wheel comes at last.", section=Section.DECIDED)
    found = after([MILL], [by("c", *own), by("d", other)])
    (new,) = [one for one in found.claims.values() if one.id != "mill"]
    assert new.support.families == ("c", "d")


def test_what_a_claim_says_in_the_same_words_is_not_missing() -> None:
    for text in (MILL.text, MILL.text.upper(), f"  {MILL.text.replace(' ', '  ')}"[:-1]):
        found = after(
            [MILL], by_all("de", remark(Fault.MISSING, (), "The mill stands", text=text, section=Section.KNOWN))
        )
        assert not found.changed
        assert "mill says it already" in found.finding.outcome


NEAR = "The mill stands at the pond."
NEARLY = remark(Fault.MISSING, (), "The mill stands", text=NEAR, section=Section.KNOWN)


def test_what_two_families_miss_is_taken_up_beside_what_is_merely_near_with_a_hint() -> None:
    report = report_of([MILL], by_all("de", NEARLY))
    assert report.amended is not None
    assert {one.text for one in report.amended.claims} == {MILL.text, NEAR}
    (hint,) = report.amended.hints
    new = next(one for one in report.amended.claims if one.text == NEAR)
    assert (hint.suspects, hint.claims) == (Fault.SAME_AS, ("mill", new.id))


def test_what_one_family_misses_and_a_near_claim_stands_for_is_dissent() -> None:
    found = after([MILL], [by("d", NEARLY)])
    assert set(found.claims) == {"mill"}
    (kept,) = found.dissent.values()
    assert (kept.text, kept.reason, kept.against) == (NEAR, DissentReason.FEW_FAMILIES, ("mill",))


def test_an_open_question_does_not_stand_for_a_fact() -> None:
    asked = claim("asked", NEAR, "The mill stands at the weir", "a", "b", section=Section.EDGES)
    assert len(after([asked], by_all("de", NEARLY)).claims) == 2
