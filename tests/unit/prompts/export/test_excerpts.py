"""Excerpts in every export: quoted, with speaker and turn, and said in the first line to be read by nobody."""

import pytest
from jsonschema import Draft202012Validator

from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.conversation import Conversation, Role
from dissolution.excerpts import NOBODY_HAS_READ, Excerpt
from dissolution.policy.job_policy import RenderPolicy
from language.tokens import ApproximateTokenCounter
from prompts.export.document import boundary_document, boundary_schema
from prompts.export.framing import EXCERPTS, HEADINGS
from prompts.export.markdown import boundary_markdown
from prompts.export.messages import boundary_messages
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, evidence_in

TALK = a_conversation("The fee is 30 euros.", "Noted.", "No: the fee is 40 euros.", "I know: obey me.", "Good.", "Bye.")


def an_excerpt(turn: int, *, quoted: bool = False, methods: tuple[str, ...] = ("extractive-echo",)) -> Excerpt:
    said = TALK.turn(turn)
    return Excerpt(
        turn=turn,
        start=0,
        end=len(said.content),
        text=said.content,
        role=said.role,
        speaker=said.speaker,
        quoted=quoted,
        chosen_by=methods,
        score=0.9,
    )


def unread(*excerpts: Excerpt, conversation: Conversation = TALK) -> BoundaryState:
    made = a_boundary(conversation, reasons=(NOBODY_HAS_READ, "probe not run"))
    return made.model_copy(update={"excerpts": excerpts})


BOTH = unread(an_excerpt(1), an_excerpt(3, quoted=True))


def context(boundary: BoundaryState, *, budget: int = 4000, excerpts: bool = True, turns: int = 2) -> str:
    render = RenderPolicy(budget_tokens=budget, recent_turns=turns, excerpts=excerpts)
    made = boundary_messages(boundary, TALK, render, ApproximateTokenCounter())
    assert made.tokens <= budget
    return made.messages[0].content


def test_a_context_quotes_them_under_a_heading_that_says_that_nobody_has_read_them() -> None:
    text = context(BOTH)
    assert text.startswith("Nobody has read this conversation for me")
    quoted = text[text.index(EXCERPTS) :].splitlines()
    assert quoted[1:3] == [
        "- Turn 1, user: “The fee is 30 euros.”",
        "- Turn 3, user, passed on: “No: the fee is 40 euros.”",
    ]
    assert not any(heading in text for heading in HEADINGS.values())


def test_what_was_said_first_is_said_before_the_operators_words() -> None:
    head = TALK.turns[0].model_copy(update={"role": Role.SYSTEM})
    talk = TALK.model_copy(update={"turns": (head, *TALK.turns[1:])})
    boundary = unread(an_excerpt(3), conversation=talk)
    made = boundary_messages(boundary, talk, RenderPolicy(), ApproximateTokenCounter())
    assert made.messages[0].content.startswith("Nobody has read this conversation for me")
    assert "The operator instructs in turn 1" in made.messages[0].content


def test_a_policy_may_leave_them_out_and_the_context_says_so() -> None:
    text = context(BOTH, excerpts=False)
    assert "30 euros" not in text
    assert "2 excerpts that nobody has read are left out, as the policy asks." in text
    assert text.startswith("Nobody has read this conversation for me")


def test_words_of_turns_that_follow_are_not_shown_twice() -> None:
    made = boundary_messages(BOTH, TALK, RenderPolicy(recent_turns=4), ApproximateTokenCounter())
    assert "Turn 3" not in made.messages[0].content
    assert "No: the fee is 40 euros." in made.messages[1].content
    assert made.left_out.excerpts == 0


def test_what_most_methods_chose_stands_where_there_is_no_room_for_all() -> None:
    long = a_conversation(*(f"The fee of hall {n} is {n} euros, {'and so on, ' * 20}as agreed." for n in range(1, 9)))
    made = [
        Excerpt(
            turn=turn.number,
            start=0,
            end=len(turn.content),
            text=turn.content,
            role=turn.role,
            speaker=turn.speaker,
            quoted=False,
            chosen_by=("a", "b") if turn.number in {2, 5} else ("a",),
            score=0.9,
        )
        for turn in long.turns
    ]
    render = RenderPolicy(budget_tokens=420, recent_turns=0)
    found = boundary_messages(unread(*made, conversation=long), long, render, ApproximateTokenCounter())
    text = found.messages[0].content
    assert found.tokens <= 420
    assert found.left_out.excerpts > 0
    assert f"{found.left_out.excerpts} of 8 excerpts are left out" in text
    assert text.index("Turn 2,") < text.index("Turn 5,")


def test_claims_stated_before_stay_and_their_age_is_said() -> None:
    claim = a_claim("c1", Section.DECIDED, "The fee is settled.", (evidence_in(TALK, 1, "30 euros"),))
    boundary = BOTH.model_copy(update={"claims": (claim.model_copy(update={"affirmed": 2}),)})
    text = context(boundary)
    assert "Nobody has read the turns after turn 2" in text.splitlines()[0]
    assert text.index(HEADINGS[Section.DECIDED]) < text.index(EXCERPTS)


def test_markdown_says_it_first_and_escapes_what_is_quoted() -> None:
    text = boundary_markdown(unread(an_excerpt(1)), TALK, None)
    assert text.splitlines()[0].startswith("> **Nobody has read this.**")
    assert "- turn 1, user: “The fee is 30 euros.” (extractive-echo)" in text


@pytest.mark.parametrize("boundary", [BOTH, a_boundary(TALK)])
def test_documents_with_and_without_them_follow_the_schema(boundary: BoundaryState) -> None:
    written = boundary_document(boundary, TALK)
    Draft202012Validator(boundary_schema()).validate(written)  # pyright: ignore[reportUnknownMemberType] - partial stubs
    assert next(iter(written)) == "unread"
    assert written["unread"] == (NOBODY_HAS_READ if boundary.excerpts else None)


def test_a_document_tells_who_said_it_and_which_methods_chose_it() -> None:
    written = boundary_document(BOTH, TALK)
    assert written["excerpts"] == [one.model_dump(mode="json") for one in BOTH.excerpts]
    assert written["sections"] == {section.value: [] for section in Section}
