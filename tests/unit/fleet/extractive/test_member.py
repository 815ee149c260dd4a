"""An extraction method as a member."""

import asyncio
import json

from dissolution.answers import FinishReason, MemberKind, MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.conversation import Snapshot
from fleet.extractive import cues
from fleet.extractive.member import ExtractiveMember
from fleet.extractive.selection import ExtractionPolicy
from tests.factories import a_snapshot

PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="four_part", version=2, digest="0" * 64),
    messages=(PromptMessage(role="user", content="anything"),),
)
MEMBER = ExtractiveMember("cues", "cue and temporal wording", "1", cues.score)


def a_task(snapshot: Snapshot) -> MemberTask:
    return MemberTask(snapshot=snapshot, prompt=PROMPT, deadline_s=10)


def test_the_card_says_that_no_language_model_is_behind_it() -> None:
    assert MEMBER.card.kind is MemberKind.EXTRACTIVE
    assert MEMBER.card.family == MEMBER.card.name == "extractive-cues"
    assert MEMBER.card.model == "cue and temporal wording"


def test_it_uses_nothing() -> None:
    task = a_task(a_snapshot("We decided to rent hall 3."))
    reply = asyncio.run(MEMBER.answer(task))
    assert reply.usage == MEMBER.estimate(task)
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost_usd) == (0, 0, 0)
    assert reply.finish is FinishReason.STOP


def test_the_answer_is_json_with_verbatim_quotes() -> None:
    task = a_task(a_snapshot("We decided to rent hall 3. Does the fair need a permit? Fine.", "Noted for the minutes."))
    answer = json.loads(asyncio.run(MEMBER.answer(task)).text)
    assert [claim["text"] for claim in answer["DECIDED"]] == ["We decided to rent hall 3."]
    assert answer["EDGES"][0]["quote"] in task.snapshot.turn(answer["EDGES"][0]["turns"][0]).content


def test_a_conversation_without_statements_gets_an_honest_empty_answer() -> None:
    answer = json.loads(asyncio.run(MEMBER.answer(a_task(a_snapshot("hi", "hello")))).text)
    assert answer == {"KNOWN": [], "DECIDED": [], "EDGES": [], "IDENTITY": []}


def test_the_policy_bounds_the_answer() -> None:
    small = ExtractiveMember("cues", "m", "1", cues.score, ExtractionPolicy(max_claims=1))
    task = a_task(a_snapshot("We decided to rent hall 3.", "Noted.", "Always give prices without VAT."))
    answer = json.loads(asyncio.run(small.answer(task)).text)
    assert sum(len(claims) for claims in answer.values()) == 1


def test_in_a_cycle_it_answers_about_the_turns_since() -> None:
    snapshot = a_snapshot("We decided to rent hall 3.", "Noted.", "We decided to sell the old boiler of the hall.")
    task = MemberTask(snapshot=snapshot, since=2, prompt=PROMPT, deadline_s=10)
    answer = asyncio.run(MEMBER.answer(task)).text
    assert "boiler" in answer
    assert "rent" not in answer
    nothing = MemberTask(
        snapshot=a_snapshot("We decided to rent hall 3.", "Noted."), since=1, prompt=PROMPT, deadline_s=9
    )
    assert all(items == [] for items in json.loads(asyncio.run(MEMBER.answer(nothing)).text).values())
