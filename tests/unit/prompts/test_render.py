"""What is sent: order, shared first bytes, and slots that fit."""

from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.answers import PromptMessage
from dissolution.claims import Section
from dissolution.errors import InvalidPrompt
from dissolution.room import Room
from prompts import render as render_module
from prompts.catalog import PromptFile, load
from prompts.fence import delimiter, fenced_conversation
from prompts.render import render
from prompts.reviewing import ShownClaim, render_review
from tests.factories import a_snapshot

KEY = b"k" * 32
TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=80)


def test_version_1_is_the_instruction_then_the_conversation() -> None:
    prompt = render("four_part", 1, a_snapshot("Hello.", "Hi {{prior}}."), key=b"")
    assert prompt.stamp == load("four_part", 1).stamp
    (message,) = prompt.messages
    assert message.role == "user"
    assert message.content.startswith("The following is a conversation. Do not summarise what was said.")
    assert message.content.endswith("\n\nuser: Hello.\n\nassistant: Hi {{prior}}.")


def test_rolling_version_1_gives_the_state_and_only_the_new_turns() -> None:
    prompt = render("rolling", 1, a_snapshot("One.", "Two.", "Three."), key=b"", prior=" KNOWN\n- x\n", since_turn=1)
    assert prompt.text.startswith(
        "The following is the boundary state held so far, and the conversation since.\n\nKNOWN\n- x\n\n"
        "assistant: Two.\n\nuser: Three.\n\nThe following is a conversation. Do not summarise"
    )
    assert "One." not in prompt.text


def test_version_2_is_system_then_conversation_then_instruction() -> None:
    snapshot = a_snapshot("Hello.", "Hi.")
    system, user = render("four_part", 2, snapshot, key=KEY).messages
    code = delimiter(snapshot, KEY)
    assert system == PromptMessage(role="system", content=load("four_part", 2).system or "")
    assert user.role == "user"
    assert user.content.startswith(f"BEGIN CONVERSATION {code}\n[turn 1] user; user\n| Hello.\n")
    assert f"code {code}. Your task:" in user.content
    assert user.content.endswith("not about the conversation.")


@given(st.lists(TEXT, min_size=2, max_size=5), TEXT.filter(lambda text: bool(text.strip())))
def test_all_version_2_prompts_about_a_snapshot_share_their_first_bytes(contents: list[str], prior: str) -> None:
    snapshot = a_snapshot(*contents)
    first = render("four_part", 2, snapshot, key=KEY).text
    other = render("rolling", 2, snapshot, key=KEY, prior=prior, since_turn=1).text
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, other, strict=False)))
    assert fenced_conversation(snapshot, delimiter(snapshot, KEY)) in shared


def test_rolling_version_2_fences_the_state_and_names_the_turn() -> None:
    snapshot = a_snapshot("One.", "Two.")
    text = render("rolling", 2, snapshot, key=KEY, prior="KNOWN\n- {{since}}", since_turn=1).text
    assert f"BEGIN PRIOR STATE {delimiter(snapshot, KEY)}\n| KNOWN\n| - {{{{since}}}}\nEND PRIOR STATE" in text
    assert "with the turns after turn 1." in text


def test_an_excerpt_shows_only_the_turns_since_under_their_own_numbers() -> None:
    snapshot = a_snapshot("One.", "Two.", "Three.")
    code = delimiter(snapshot, KEY)
    text = render("rolling", 2, snapshot, key=KEY, prior="KNOWN\n- x", since_turn=2, excerpt=True).text
    assert f"BEGIN CONVERSATION {code}\n[turn 3] user; user\n| Three.\nEND CONVERSATION {code}" in text
    assert "| One." not in text
    assert "it stands for turns up to 2" in text


@pytest.mark.parametrize(
    ("name", "prior", "since", "told"),
    [
        ("four_part", "x", None, "has no slot for prior"),
        ("four_part", None, 1, "has no slot for since_turn"),
        ("rolling", None, 1, "slot 'prior' has no text"),
        ("rolling", " \n", 1, "slot 'prior' has no text"),
        ("rolling", "x", None, "since_turn None"),
        ("rolling", "x", 0, "since_turn 0"),
        ("rolling", "x", 2, "1 to 1, so that there are turns since"),
    ],
)
def test_slots_and_values_must_fit(name: str, prior: str | None, since: int | None, told: str) -> None:
    with pytest.raises(InvalidPrompt, match=told):
        render(name, 2, a_snapshot("One.", "Two."), key=KEY, prior=prior, since_turn=since)


def test_a_slot_that_nothing_fills_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(name: str, version: int) -> PromptFile:
        return load("four_part", 2).model_copy(update={"slots": ("conversation", "mood")})

    monkeypatch.setattr(render_module, "load", odd)
    with pytest.raises(InvalidPrompt, match=r"\['mood'\]"):
        render("four_part", 2, a_snapshot("One."), key=KEY)


def test_a_short_key_is_refused_from_version_2() -> None:
    with pytest.raises(InvalidPrompt, match="0 bytes"):
        render("four_part", 2, a_snapshot("One."), key=b"")


def test_the_prompt_of_a_cycle_begins_with_the_bytes_of_the_others() -> None:
    snapshot = a_snapshot("One.", "Two.")
    shown = fenced_conversation(snapshot, delimiter(snapshot, KEY))
    told = f"{shown}\n\nThe conversation ended at the END CONVERSATION line with the code "
    whole = render("four_part", 2, snapshot, key=KEY).messages
    assert whole[1].content.startswith(told)
    for version in (2, 3, 4):
        system, user = render("rolling", version, snapshot, key=KEY, prior="KNOWN\n- x", since_turn=1).messages
        assert system == whole[0]
        assert user.content.startswith(told)


def test_a_room_is_told_in_words_and_bullets_and_older_prompts_ignore_it() -> None:
    snapshot = a_snapshot("One.", "Two.")
    told = render("four_part", 3, snapshot, key=KEY, room=Room(tokens=800)).text
    assert "about 600 words, which is about 38 bullets" in told
    assert render("four_part", 2, snapshot, key=KEY, room=Room(tokens=800)) == render("four_part", 2, snapshot, key=KEY)
    with pytest.raises(InvalidPrompt, match=r"\['words', 'bullets'\]"):
        render("four_part", 3, snapshot, key=KEY)


def test_version_4_tells_the_room_for_what_is_left_beside_what_binds() -> None:
    told = render("four_part", 4, a_snapshot("One.", "Two."), key=KEY, room=Room(tokens=800)).text
    assert "about 600 words, which is about 38 bullets" in told
    assert told.index("all that binds") < told.index("about 600 words") < told.index("only what binds may take more")


def test_prompts_of_one_snapshot_share_their_bytes_up_to_the_end_of_the_conversation() -> None:
    snapshot, room = a_snapshot("One.", "Two."), Room(tokens=400)
    old, new = (render("four_part", 2, snapshot, key=KEY), render("four_part", 3, snapshot, key=KEY, room=room))
    review = render_review(snapshot, [ShownClaim(number=1, section=Section.KNOWN, text="x")], (), (), of=1, key=KEY)
    shared = old.text.split("Your task")[0].rsplit("The conversation ended", 1)[0]
    assert "[turn 2]" in shared
    assert all(each.text.startswith(shared) for each in (new, review))
