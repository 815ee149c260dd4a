import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.claims import Mark, Section
from dissolution.intervals import TurnInterval
from prompts.catalog import load, versions
from prompts.held import EXAMPLES, held_state, short_ids
from prompts.render import render
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, evidence_in
from tests.unit.prompts.export.test_messages import WORDS

CONVERSATION = a_conversation(*(f"This is what turn {n} says." for n in range(1, 13)))
QUOTE = (evidence_in(CONVERSATION, 1, "turn"),)


def test_each_claim_stands_behind_its_short_id_under_its_heading() -> None:
    boundary = a_boundary(
        CONVERSATION,
        a_claim("c3f2a1b2c3d4", Section.KNOWN, "It\nrains.", QUOTE),
        a_claim("c9b01a1b2c3d", Section.DECIDED, "We stay.", QUOTE, valid=TurnInterval(start=40)),
        a_claim("caaaaa1b2c3d", Section.EDGES, "Who pays?", marks=(Mark.CONTESTED,)),
        through=6,
    )
    state = held_state(boundary, 1000, WORDS)
    assert state.text == (
        "KNOWN\n- [c3f2a] It rains.\n\nDECIDED\n- [c9b01] We stay. (holds from turn 40)\n\n"
        "EDGES\n- [caaaa] Who pays? (contested)\n\nIDENTITY\nnone"
    )
    assert state.ids == {"c3f2a": "c3f2a1b2c3d4", "c9b01": "c9b01a1b2c3d", "caaaa": "caaaaa1b2c3d"}
    assert (state.through, state.left_out) == (6, 0)


def test_commitments_always_stand_and_the_rest_is_counted() -> None:
    known = tuple(a_claim(f"c{n:011x}", Section.KNOWN, f"Fact {n} " + "word " * 10, QUOTE) for n in range(60))
    firm = tuple(a_claim(f"d{n:011x}", Section.DECIDED, f"Rule {n} " + "word " * 10, QUOTE) for n in range(40))
    pinned = a_claim("e00000000000", Section.KNOWN, "Pinned", QUOTE, families=("a",), marks=(Mark.PINNED,))
    state = held_state(a_boundary(CONVERSATION, *known, *firm, pinned), 100, WORDS)
    assert all(f"Rule {n} " in state.text for n in range(40))
    assert "Pinned" in state.text
    assert state.left_out == 60
    assert "(60 more claims of KNOWN are held as well and not shown." in state.text
    assert f"Rule 39 {'word ' * 10}".strip() in state.text
    assert len(state.ids) == 41
    roomy = held_state(a_boundary(CONVERSATION, *known, *firm, pinned), 900, WORDS)
    assert 0 < roomy.left_out < 60
    assert WORDS.count(roomy.text) <= 900


@pytest.mark.parametrize(
    ("ids", "length"),
    [
        (("c3f2a1b2c3d4", "c9b01a1b2c3d"), 5),
        (("c3f2a1b2c3d4", "c3f2a1c2c3d4"), 7),
        (("c1", "c2"), 2),
        ((), 0),
        (("abcdef", "abcdefg"), 7),
    ],
)
def test_short_ids_are_as_short_as_they_can_be(ids: tuple[str, ...], length: int) -> None:
    found = short_ids(ids)
    assert max(map(len, found.values()), default=0) == length
    assert len(set(found.values())) == len(ids)


def test_no_claim_is_shown_by_an_id_of_the_examples() -> None:
    assert set(short_ids(("c0002f0000001", "cd4e5f6a7b8c9")).values()) == {"c0002f", "cd4e5f"}
    shown = set(re.findall(r"\bc[0-9a-f]{4}\b", str(load("rolling", max(versions("rolling"))))))
    assert shown <= EXAMPLES


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=9), unique=True))
def test_short_ids_never_name_two_claims(ids: list[str]) -> None:
    found = short_ids(ids)
    assert len(set(found.values())) == len(ids)
    assert all(full.startswith(short) for full, short in found.items())


def test_a_cycle_reads_the_state_and_only_the_turns_since() -> None:
    boundary = a_boundary(CONVERSATION, a_claim("c3f2a1b2c3d4", Section.KNOWN, "It rains.", QUOTE), through=6)
    state = held_state(boundary, 1000, WORDS)
    prompt = render("rolling", 4, CONVERSATION.snapshot(), key=b"k" * 32, prior=state.text, since_turn=6, excerpt=True)
    assert (prompt.stamp.name, prompt.stamp.version) == ("rolling", 4)
    assert "| - [c3f2a] It rains." in prompt.text
    assert "what turn 7 says" in prompt.text
    assert "what turn 6 says" not in prompt.text
    assert "[revises ID] [closes ID, ID]" in prompt.text
