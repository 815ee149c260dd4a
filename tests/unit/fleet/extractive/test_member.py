"""An extraction method as a member."""

import asyncio
import json

from dissolution.answers import FinishReason, MemberKind, MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.conversation import Snapshot
from fleet.extractive import echo
from fleet.extractive.member import ExtractiveMember
from tests.factories import a_snapshot

PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="four_part", version=2, digest="0" * 64),
    messages=(PromptMessage(role="user", content="anything"),),
)
MEMBER = ExtractiveMember("echo", "rare words that other turns take up", "1", echo.score)


def a_task(snapshot: Snapshot, since: int = 0) -> MemberTask:
    return MemberTask(snapshot=snapshot, since=since, prompt=PROMPT, deadline_s=10)


def chosen(task: MemberTask) -> list[str]:
    found = json.loads(asyncio.run(MEMBER.answer(task)).text)["chosen"]
    return [task.snapshot.turn(one["turn"]).content[one["start"] : one["end"]] for one in found]


def test_the_card_says_that_no_language_model_is_behind_it() -> None:
    assert MEMBER.card.kind is MemberKind.EXTRACTIVE
    assert MEMBER.card.family == MEMBER.card.name == "extractive-echo"


def test_it_uses_nothing() -> None:
    task = a_task(a_snapshot("We decided to rent hall 3."))
    reply = asyncio.run(MEMBER.answer(task))
    assert reply.usage == MEMBER.estimate(task)
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost_usd) == (0, 0, 0)
    assert reply.finish is FinishReason.STOP


def test_the_answer_names_whole_sentences_as_they_were_said() -> None:
    task = a_task(a_snapshot("Well, we decided to rent hall 3. Fine.", "Renting hall 3 it is then."))
    assert chosen(task) == ["Well, we decided to rent hall 3."]
    assert len(chosen(a_task(a_snapshot(*["We decided to rent hall 3. So hall 3 is rented."] * 3)))) > 1


def test_nothing_to_choose_from_is_an_honest_empty_answer() -> None:
    assert chosen(a_task(a_snapshot("hi", "hello"))) == []


def test_in_a_cycle_it_chooses_from_the_turns_since() -> None:
    snapshot = a_snapshot("We decided to rent hall 3.", "Noted.", "We decided to sell the old boiler of the hall.")
    assert chosen(a_task(snapshot, since=2)) == ["We decided to sell the old boiler of the hall."]
    assert chosen(a_task(snapshot.model_copy(update={"turns": snapshot.turns[:2]}), since=1)) == []
