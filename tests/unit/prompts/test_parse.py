"""The golden corpus, the recordings, and what must hold for any text."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.answers import AnswerClass, FinishReason, ParsedReply
from dissolution.claims import Section
from prompts.parse import MAX_PROBLEMS, PARSER_VERSION, parse_reply

ROOT = Path(__file__).parents[3]
CORPUS: list[dict[str, Any]] = [
    case
    for path in sorted((ROOT / "tests/golden/replies").glob("*.json"))
    for case in json.loads(path.read_text("utf-8"))
]
RECORDINGS = sorted((ROOT / "benchmarks/data/recordings").glob("*/*.json"))
WHOLE = "KNOWN\n- A holds.\n\nDECIDED\n- B goes.\n\nEDGES\n- C?\n\nIDENTITY\n- I am D.\n"


def parsed(text: str, finish: FinishReason = FinishReason.STOP, through: int | None = None) -> ParsedReply:
    return parse_reply(text, finish, through=through)


def test_the_corpus_is_large_and_names_are_unique() -> None:
    assert len(CORPUS) >= 60
    assert len({case["name"] for case in CORPUS}) == len(CORPUS)
    assert {case["expected"]["class"] for case in CORPUS} == {each.value for each in AnswerClass}


def seen_in(case: dict[str, Any]) -> dict[str, Any]:
    """What is made of a case, in the words of what it expects."""
    reply = parsed(case["text"], FinishReason(case["finish"]), case["through"])
    claims = [
        {"section": c.section.value, "text": c.text, "turns": list(c.turns), "quotes": list(c.quotes)}
        for c in reply.claims
    ]
    told = {"counts": Counter(claim["section"] for claim in claims)} if "counts" in case["expected"] else {}
    return {
        "class": reply.answer_class.value,
        "sections_found": sorted(section.value for section in reply.sections_found),
        "problems": sorted(reply.problems),
        **(told or {"claims": claims}),
    }


def expected_in(case: dict[str, Any]) -> dict[str, Any]:
    """The same, as it is written down."""
    told = dict(case["expected"])
    told["sections_found"], told["problems"] = sorted(set(told["sections_found"])), sorted(told["problems"])
    return {**told, "counts": Counter(told["counts"])} if "counts" in told else told


def test_golden() -> None:
    assert {case["name"]: seen for case in CORPUS if (seen := seen_in(case)) != expected_in(case)} == {}


def test_every_recorded_answer_is_classed_as_its_writer_wrote_it() -> None:
    classes: Counter[tuple[str, str]] = Counter()
    for path in RECORDINGS:
        recording = json.loads(path.read_text("utf-8"))
        reply = parsed(recording["answer"], FinishReason.UNKNOWN, int(recording["through"]))
        classes[recording["condition"], reply.answer_class.value] += 1
        for claim in reply.claims:
            if claim.place is not None:
                assert recording["answer"][claim.place.start : claim.place.end] == claim.text
        if recording["writer"] != "writer-f" and recording["condition"] != "summarise":
            assert reply.answer_class is AnswerClass.OK, path
    assert classes == {
        ("dissolve", "ok"): 31,
        ("dissolve", "partial"): 3,
        ("dissolve", "truncated"): 1,
        ("dissolve", "refused"): 1,
        ("roll", "ok"): 68,
        ("roll", "partial"): 1,
        ("roll", "truncated"): 2,
        ("roll", "garbage"): 1,
        ("summarise", "garbage"): 18,
    }


def test_only_ok_and_partial_are_usable() -> None:
    for case in CORPUS:
        reply = parsed(case["text"], FinishReason(case["finish"]), case["through"])
        assert reply.usable == (reply.answer_class in {AnswerClass.OK, AnswerClass.PARTIAL})


def test_signature_is_measured_on_the_claims_and_on_the_text_without_claims() -> None:
    assert parsed(f"Sure! We discussed it.\n\n{WHOLE}").signature.forbidden_phrases == ()
    assert parsed("We discussed the lake and left it there.").signature.forbidden_phrases == ("We discussed",)
    assert parsed(WHOLE).parser_version == PARSER_VERSION


def test_lone_surrogates_are_replaced_and_named() -> None:
    for text in (
        WHOLE.replace("A holds", "A \ud800 holds"),
        '{"KNOWN": ["A \\ud800 holds."], "DECIDED": [], "EDGES": [], "IDENTITY": []}',
    ):
        reply = parsed(text)
        assert reply.claims[0].text == "A ? holds."
        assert "lone_surrogate" in reply.problems


def test_problems_stay_short_enough_to_show() -> None:
    refs = ", ".join(str(number) for number in range(100, 190))
    reply = parsed(WHOLE.replace("A holds.", f"A holds. [turns {refs}]"), through=9)
    assert len(reply.problems) == MAX_PROBLEMS + 1
    assert reply.problems[-1] == "more_problems: 50"
    assert reply.claims[0].turns == ()


FRAGMENTS = (
    "KNOWN", "DECIDED", "EDGES", "IDENTITY", "none", "\n", "- ", "**", "## ", "```json\n", "{", "}", "[", "]", '"', ":",
    ",", "\\", "[turns 1, 2]", "<li>", "</known>", "I'm sorry, ", "claim", ".", "1. ", " ", "\t", "\r\n", "\u2028", "(",
    "\ud800", "{{prior}}", '{"KNOWN": [', '"text":', "&", "Open questions", "> ", "_", "Let me know if",
)  # fmt: skip


def check(text: str, finish: FinishReason, through: int | None) -> None:
    reply = parse_reply(text, finish, through=through)
    assert ParsedReply.model_validate_json(reply.model_dump_json()) == reply
    storable = text.encode("utf-8", "replace").decode()
    for claim in reply.claims:
        assert all(1 <= turn <= (through or 10**9) for turn in claim.turns)
        assert claim.section in reply.sections_found
        if claim.place is not None:
            assert storable[claim.place.start : claim.place.end] == claim.text
    if reply.usable:
        assert reply.claims
        assert reply.sections_found


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=300), st.sampled_from(FinishReason), st.none() | st.integers(1, 50))
def test_never_raises_on_any_text(text: str, finish: FinishReason, through: int | None) -> None:
    check(text, finish, through)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=60), st.sampled_from(FinishReason))
def test_never_raises_on_pieces_of_replies(pieces: list[str], finish: FinishReason) -> None:
    check("".join(pieces), finish, 9)


def test_never_raises_on_mangled_recordings() -> None:
    rng = random.Random(20260301)  # noqa: S311 - picks samples, guards nothing
    for path in rng.sample(RECORDINGS, 25):
        text = json.loads(path.read_text("utf-8"))["answer"]
        start, end = sorted(rng.sample(range(len(text)), 2))
        check(text[:start] + text[end:], FinishReason.STOP, 64)
        check(text[:end], FinishReason.LENGTH, 64)
        check(text[start:], FinishReason.UNKNOWN, None)


MILLION = 1_000_000
HOSTILE = {
    "deep json": '{"KNOWN":' + "[" * 100_000,
    "deep closed json": '{"KNOWN":' + "[" * 100_000 + "]" * 100_000 + "}",
    "braces": "{" * MILLION,
    "json openers": '{"a":\n' * (MILLION // 6),
    "backslashes": '{"KNOWN":["' + "\\" * MILLION,
    "stars": "**a" * (MILLION // 3),
    "headings": "KNOWN\n" * (MILLION // 6),
    "dots": "KNOWN\nabc " + "." * MILLION + "x",
    "references": "KNOWN\n- a " + "[turns 1, 2] " * (MILLION // 13),
    "one reference": "KNOWN\n- a [turns " + "1," * (MILLION // 2) + "]",
    "brackets": "KNOWN\n- a " + "(" * MILLION,
    "continuations": "KNOWN\n- a\n" + "  more text\n" * (MILLION // 12),
    "forbidden": "KNOWN\n" + "the conversation " * (MILLION // 17),
    "one long line": "KNOWN: " + "x" * MILLION,
    "control": "".join(chr(i % 32) for i in range(MILLION)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_of_hostile_text_is_not_usable(name: str) -> None:
    """Takes 0.1 to 6 s; with quadratic behaviour a megabyte takes hours."""
    assert not parsed(HOSTILE[name]).usable


def test_huge_numbers_do_not_raise() -> None:
    digits = "9" * 5000
    reply = parsed(
        '{"KNOWN": [{"text": "A holds.", "turns": [' + digits + ']}], "DECIDED": [], "EDGES": [], "IDENTITY": []}'
    )
    assert reply.answer_class is AnswerClass.GARBAGE
    reply = parsed(f"KNOWN\n- A holds. [turn {digits}]\nDECIDED\n- B goes. [turns 1-999999999]\n")
    assert [claim.section for claim in reply.claims] == [Section.KNOWN, Section.DECIDED]
    assert all(claim.turns == () for claim in reply.claims)
