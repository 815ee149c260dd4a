"""Round trips: what is written is read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.answers import FinishReason
from dissolution.claims import Section, StatedClaim
from prompts.parse import parse_reply
from prompts.reply import render_json_reply, render_reply

ANY = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(
    lambda text: bool(text.strip())
)
WORDS = st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=2, max_size=8).map(
    lambda words: f"The {' '.join(words)} holds."
)
TURNS = st.lists(st.integers(1, 60), max_size=4).map(tuple)


def claims(
    text: st.SearchStrategy[str], quotes: st.SearchStrategy[tuple[str, ...]]
) -> st.SearchStrategy[list[StatedClaim]]:
    one = st.builds(
        StatedClaim, section=st.sampled_from(Section), text=text, turns=TURNS, quotes=quotes, place=st.none()
    )
    return st.lists(one, max_size=8)


def read_back(text: str) -> list[StatedClaim]:
    return [claim.model_copy(update={"place": None}) for claim in parse_reply(text, FinishReason.STOP).claims]


def by_section(stated: list[StatedClaim]) -> list[StatedClaim]:
    return [claim for section in Section for claim in stated if claim.section is section]


@given(claims(WORDS, st.just(())))
def test_bullets_round_trip(stated: list[StatedClaim]) -> None:
    assert read_back(render_reply(stated)) == by_section(stated)


@given(claims(ANY, st.lists(ANY, max_size=3).map(tuple)))
def test_json_round_trip_is_exact(stated: list[StatedClaim]) -> None:
    assert read_back(render_json_reply(stated)) == by_section(stated)


@given(claims(ANY, st.just(())))
def test_bullets_carry_a_claim_or_refuse_it(stated: list[StatedClaim]) -> None:
    try:
        text = render_reply(stated)
    except ValueError as error:
        assert "render_json_reply" in str(error)  # noqa: PT017 - either outcome is right, a silent change is not
    else:
        assert read_back(text) == by_section(stated)


def test_the_bullet_form() -> None:
    stated = [
        StatedClaim(section=Section.DECIDED, text="B goes.", turns=(7, 22)),
        StatedClaim(section=Section.KNOWN, text="A holds.", turns=(3,)),
        StatedClaim(section=Section.KNOWN, text="C holds."),
    ]
    assert render_reply(stated) == (
        "KNOWN\n- A holds. [turn 3]\n- C holds.\n\nDECIDED\n- B goes. [turns 7, 22]\n\nEDGES\nnone\n\nIDENTITY\nnone"
    )


@pytest.mark.parametrize(
    "claim",
    [
        StatedClaim(section=Section.KNOWN, text="A holds.", quotes=("a",)),
        StatedClaim(section=Section.KNOWN, text="two\nlines"),
        StatedClaim(section=Section.KNOWN, text="**whole**"),
        StatedClaim(section=Section.KNOWN, text="none"),
        StatedClaim(section=Section.KNOWN, text="A holds. [turn 4]"),
    ],
)
def test_what_bullets_cannot_carry_is_refused(claim: StatedClaim) -> None:
    with pytest.raises(ValueError, match=r"cannot carry .*write these claims with render_json_reply"):
        render_reply([claim])
    assert read_back(render_json_reply([claim])) == [claim]
