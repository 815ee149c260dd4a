import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.answers import AnswerClass, FinishReason
from dissolution.claims import HeldAct, HeldMark, Section, StatedClaim
from prompts.catalog import load
from prompts.held_marks import cited, decided, in_fields
from prompts.parse import parse_reply

HELD = {"c3f2a": "c3f2a1b2c3d4", "c9b01": "c9b01a1b2c3d"}
FULL, OTHER = HELD["c3f2a"], HELD["c9b01"]


def read(bullet: str) -> tuple[StatedClaim, tuple[str, ...]]:
    """The one claim of a reply with this bullet, as a member of a cycle is read, and the problems."""
    text = f"KNOWN\n- {bullet}\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
    reply = parse_reply(text, FinishReason.STOP, through=40, held=HELD)
    assert reply.answer_class is AnswerClass.OK, reply.problems
    (claim,) = reply.claims
    if claim.place is not None:
        assert text[claim.place.start : claim.place.end] == claim.text
    return claim, reply.problems


@pytest.mark.parametrize(
    ("bullet", "act"),
    [
        ("We pay in euro [turns 31] [affirms c3f2a]", HeldAct.AFFIRM),
        ("We pay in euro [revises c3f2a] [turn 31]", HeldAct.REVISE),
        ("We pay in euro. [turns 31; closes c3f2a]", HeldAct.CLOSE),
        ("We pay in euro [turns 31] (Revises: c3f2a).", HeldAct.REVISE),
        ("We pay in euro [turns 31] [closed the claim c3f2a1b2c3d4]", HeldAct.CLOSE),
        ("[affirms c3f2a] We pay in euro [turns 31]", HeldAct.AFFIRM),
        ("We pay in euro. [turn 31] [answers c3f2a]", HeldAct.ANSWER),
        ("**We pay in euro** [turns 31] [revised c3f2a]", HeldAct.REVISE),
    ],
)
def test_the_forms_that_name_a_claim(bullet: str, act: HeldAct) -> None:
    claim, problems = read(bullet)
    assert (claim.act, claim.about, claim.turns, problems) == (act, FULL, (31,), ())
    assert claim.text.strip("*. ") == "We pay in euro"


@pytest.mark.parametrize(
    ("bullet", "text", "problem"),
    [
        ("It rains [turns 31] [revises c7777]", "It rains", "unknown_claim: c7777"),
        ("[c3f2a] It rains [turns 31]", "It rains", "claim_without_act: c3f2a"),
        ("It rains [turns 31] [c3f2a]", "It rains", "claim_without_act: c3f2a"),
        ("It rains [turns 99] [c3f2a]", "It rains", "turn_out_of_range: 99"),
    ],
)
def test_what_names_no_claim_is_taken_off_and_counted(bullet: str, text: str, problem: str) -> None:
    claim, problems = read(bullet)
    assert (claim.text, claim.act, claim.about) == (text, None, None)
    assert problem in problems


def test_every_claim_that_is_named_counts_once_and_with_its_first_verb() -> None:
    claim, problems = read("It rains [turns 31] [affirms c3f2a, c9b01]")
    assert (claim.marks, problems) == (
        (HeldMark(act=HeldAct.AFFIRM, about=FULL), HeldMark(act=HeldAct.AFFIRM, about=OTHER)),
        (),
    )
    claim, problems = read("It rains [turns 31] [revises c3f2a] [closes c9b01]")
    assert (claim.act, claim.about) == (HeldAct.REVISE, FULL)
    assert (claim.further, problems) == ((HeldMark(act=HeldAct.CLOSE, about=OTHER),), ())
    claim, problems = read("It rains [turns 31] [affirms c3f2a] [affirms c3f2a]")
    assert (claim.about, claim.further, problems) == (FULL, (), ())
    claim, problems = read("It rains [turns 31] [affirms c3f2a] [closes c3f2a]")
    assert (claim.act, claim.further, problems) == (HeldAct.AFFIRM, (), ("several_acts: c3f2a",))
    claim, problems = read("It rains [turns 31] [affirms c3f2a, cafe12]")
    assert (claim.about, claim.further, problems) == (FULL, (), ("unknown_claim: cafe12",))


@pytest.mark.parametrize(
    "bullet",
    [
        "The shop is open [closes at nine]",
        "The valve is (closed)",
        "It is revised (see the annex)",
        "The array is a[0]",
        "We keep it (affirms the board)",
    ],
)
def test_brackets_of_the_statement_stay(bullet: str) -> None:
    claim, problems = read(bullet)
    assert (claim.text, claim.act, problems) == (bullet, None, ())


def test_without_held_claims_nothing_is_taken_off() -> None:
    text = "KNOWN\n- It rains [affirms c3f2a]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
    (claim,) = parse_reply(text, FinishReason.STOP, through=40).claims
    assert (claim.text, claim.about) == ("It rains [affirms c3f2a]", None)


def test_a_mark_at_the_end_of_the_reply_is_no_sign_that_it_was_cut() -> None:
    text = "KNOWN\n- It rains.\nDECIDED\n- We stay.\nEDGES\nnone\nIDENTITY\n- I advise [affirms c3f2a]"
    assert parse_reply(text, FinishReason.STOP, through=40, held=HELD).answer_class is AnswerClass.OK


def test_statements_in_json_say_it_in_two_fields_or_as_text() -> None:
    text = (
        '{"KNOWN": [{"text": "It rains.", "turns": [31], "quotes": [], "act": "revise", "about": "c3f2a"},'
        '{"text": "It pours.", "turns": [31], "quotes": [], "act": "none", "about": "none"},'
        '{"text": "It drips.", "turns": [31], "act": 3, "about": "c3f2a"},'
        '{"text": "It snows.", "turns": [31], "act": "ends", "about": "c3f2a"}],'
        '"DECIDED": ["We stay [turns 32] [closes c9b01]"], "EDGES": [], "IDENTITY": []}'
    )
    reply = parse_reply(text, FinishReason.STOP, through=40, held=HELD)
    assert [(one.act, one.about) for one in reply.claims] == [
        (HeldAct.REVISE, FULL),
        (None, None),
        (None, None),
        (None, None),
        (HeldAct.CLOSE, HELD["c9b01"]),
    ]
    assert reply.claims[-1].turns == (32,)
    assert reply.problems == ("json", "act_unreadable", "act_unknown: ends")
    passed_over = parse_reply(text, FinishReason.STOP, through=40)
    assert (passed_over.problems, {one.act for one in passed_over.claims}) == (("json",), {None})


@pytest.mark.parametrize(
    ("act", "about", "wanted"),
    [
        ("affirm", "c3f2a", (HeldAct.AFFIRM, FULL, ())),
        ("Closes", FULL, (HeldAct.CLOSE, FULL, ())),
        ("", "", (None, None, ())),
        ("revise", "none", (None, None, ("act_without_claim: revise",))),
        ("none", "c3f2a", (None, None, ("claim_without_act: c3f2a",))),
        ("revise", "c1", (None, None, ("unknown_claim: c1",))),
    ],
)
def test_the_two_fields_of_json(act: str, about: str, wanted: object) -> None:
    marks, problems = decided([(act, about)], HELD)
    assert (*in_fields(marks)[:2], problems) == wanted


def test_a_field_of_json_may_name_several_claims() -> None:
    marks, problems = decided([("closes", "c3f2a, c9b01 and c1")], HELD)
    assert [mark.about for mark in marks] == [FULL, OTHER]
    assert {mark.act for mark in marks} == {HeldAct.CLOSE}
    assert "unknown_claim: c1" in problems


def test_one_statement_revises_one_claim_and_closes_others() -> None:
    held = {**HELD, "cafe1": "cafe1a1b2c3d"}
    text = (
        "KNOWN\nnone\nDECIDED\n- We pay in euro. [turns 31, 32] [revises c3f2a] [closes c9b01, cafe1]\n"
        "EDGES\nnone\nIDENTITY\nnone"
    )
    reply = parse_reply(text, FinishReason.STOP, through=40, held=held)
    (claim,) = reply.claims
    assert (claim.text, claim.turns, reply.problems) == ("We pay in euro.", (31, 32), ())
    assert claim.marks == (
        HeldMark(act=HeldAct.REVISE, about=FULL),
        HeldMark(act=HeldAct.CLOSE, about=OTHER),
        HeldMark(act=HeldAct.CLOSE, about="cafe1a1b2c3d"),
    )


@pytest.mark.parametrize(
    ("acts", "wanted", "problems"),
    [
        (
            [{"act": "revise", "about": ["c3f2a"]}, {"act": "answer", "about": ["c9b01", "c1"]}],
            (HeldMark(act=HeldAct.REVISE, about=FULL), HeldMark(act=HeldAct.ANSWER, about=OTHER)),
            ("unknown_claim: c1",),
        ),
        ({"act": "closes", "about": "c3f2a"}, (HeldMark(act=HeldAct.CLOSE, about=FULL),), ()),
        (["affirms c9b01"], (HeldMark(act=HeldAct.AFFIRM, about=OTHER),), ()),
        ([], (), ()),
        ([{"act": "revise", "about": [3]}], (), ("act_unreadable",)),
        ([["revise"]], (), ("act_unreadable",)),
    ],
)
def test_json_lists_what_a_statement_does_to_several_claims(
    acts: object, wanted: tuple[HeldMark, ...], problems: tuple[str, ...]
) -> None:
    item = {"text": "We pay in euro.", "turns": [31], "quotes": [], "acts": acts}
    text = json.dumps({"KNOWN": [item], "DECIDED": [], "EDGES": [], "IDENTITY": []})
    reply = parse_reply(text, FinishReason.STOP, through=40, held=HELD)
    assert reply.claims[0].marks == wanted
    assert reply.problems == ("json", *problems)


@given(st.text(alphabet="ab [](),;:.c3f2arevisesclosturns 31\n", max_size=80))
def test_any_text_is_read_and_no_claim_is_named_that_was_not_shown(text: str) -> None:
    marks = cited(text, 0, len(text), HELD, 40)
    assert 0 <= marks.start <= marks.end <= len(text)
    assert marks.about is None or marks.about in HELD.values()
    reply = parse_reply(f"KNOWN\n- {text}", FinishReason.STOP, through=40, held=HELD)
    assert all(claim.section is Section.KNOWN for claim in reply.claims)


def test_the_examples_of_the_prompt_are_read_as_they_are_meant() -> None:
    """Every word of the prompt is defined by a bullet that the parser reads so."""
    held = {f"c000{n}": f"c000{n}aaaa" for n in range(1, 6)}
    bullets = re.findall(r"^  - (.+)$", load("rolling", 4).user, re.MULTILINE)
    found = [cited(bullet, 0, len(bullet), held, 40) for bullet in bullets]
    said = [[(one.act, (one.about or "")[:5]), *((m.act, m.about[:5]) for m in one.further)] for one in found]
    assert said == [
        [(HeldAct.AFFIRM, "c0001")],
        [(HeldAct.REVISE, "c0002")],
        [(HeldAct.CLOSE, "c0003")],
        [(HeldAct.ANSWER, "c0005")],
        [(HeldAct.CLOSE, "c0003"), (HeldAct.ANSWER, "c0004")],
    ]
    assert [one.turns for one in found] == [(31,), (33,), (34,), (36,), (34,)]
