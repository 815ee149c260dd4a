"""Marks stand on the last block that prompts share, and only where a provider needs them."""

import pytest

from dissolution.answers import PromptMessage, RenderedPrompt
from fleet.cache_marks import messages_of, needs_marks
from tests.unit.fleet.parts import STAMP

MESSAGES = (PromptMessage(role="system", content="Be brief."), PromptMessage(role="user", content="the talk, a task"))


@pytest.mark.parametrize(
    ("model", "needed"),
    [
        ("anthropic/claude-sonnet-4-5", True),
        ("anthropic/any-name", True),
        ("bedrock/eu.anthropic.claude-sonnet-4-5-v1:0", True),
        ("vertex_ai/claude-opus-4-1", True),
        ("openrouter/anthropic/claude-haiku-4.5", True),
        ("openrouter/openai/gpt-5-mini", False),
        ("openai/claude-behind-a-gateway", False),
        ("gemini/gemini-2.5-pro", False),
        ("deepseek/deepseek-chat", False),
    ],
)
def test_only_what_caches_by_marks_is_marked(model: str, needed: bool) -> None:  # noqa: FBT001 - a parameter
    assert needs_marks(model) is needed


def test_the_mark_stands_on_what_is_shared_and_the_words_stay_the_same() -> None:
    prompt = RenderedPrompt(stamp=STAMP, messages=MESSAGES, shared=len("the talk, "))
    system, user = messages_of(prompt, marked=True)
    assert system == {"role": "system", "content": "Be brief."}
    assert user["content"] == [
        {"type": "text", "text": "the talk, ", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "a task"},
    ]


@pytest.mark.parametrize(("shared", "marked"), [(0, True), (10, False)])
def test_nothing_shared_or_no_mark_needed_gives_plain_messages(shared: int, marked: bool) -> None:  # noqa: FBT001 - a parameter
    prompt = RenderedPrompt(stamp=STAMP, messages=MESSAGES, shared=shared)
    assert messages_of(prompt, marked=marked) == [one.model_dump() for one in MESSAGES]
