"""Who was asked for the turns of what they state: the rule for statements beside quoted material rests on it."""

import pytest

from devtools.scripted import Say
from dissolution.answers import Answer, FinishReason, MemberCard, MemberKind
from dissolution.policy.job_policy import Policy
from prompts.parse import parse_reply
from tests.running import a_member
from workers.stages.consensus import naming_turns

BARE = "KNOWN\n- The mill stands.\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
NAMED = BARE.replace("stands.", "stands. [turn 1]")


def an_answer(kind: MemberKind, text: str) -> Answer:
    member = a_member("ann", Say(text))
    card: MemberCard = member.card.model_copy(update={"kind": kind})
    parsed = parse_reply(text, FinishReason.STOP, through=1)
    return Answer.model_construct(member=card, parsed=parsed, late=False)


@pytest.mark.parametrize(
    ("kind", "text", "version", "named"),
    [
        (MemberKind.LANGUAGE_MODEL, BARE, 2, True),
        (MemberKind.LANGUAGE_MODEL, BARE, 1, False),
        (MemberKind.RECORDED, BARE, 2, False),
        (MemberKind.RECORDED, NAMED, 2, True),
        (MemberKind.SCRIPTED, BARE, 2, True),
    ],
)
def test_members_are_held_to_name_turns_when_they_were_asked_to(
    kind: MemberKind,
    text: str,
    version: int,
    named: bool,  # noqa: FBT001
) -> None:
    policy = Policy(prompt_version=version)
    assert naming_turns([an_answer(kind, text)], policy) == (frozenset({"ann"}) if named else frozenset())
