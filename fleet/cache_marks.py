"""Marks for providers that cache a prompt only where they are told to: on the last block that other prompts share.

Anthropic caches what stands before a mark, wherever its models are served; OpenAI, DeepSeek and Gemini find repeated
beginnings by themselves, and a mark would only make some of them store something for money.
"""

from dissolution.answers import PromptMessage, RenderedPrompt

NEEDS_MARKS = "claude"
"""What stands in the names of models that cache what is marked, on every platform."""

MARKED_BY = frozenset({"anthropic", "azure_ai", "bedrock", "openrouter", "vertex_ai"})
"""Providers, as LiteLLM names them, to which it passes marks on."""

OWN = "anthropic"
"""The provider whose every model takes marks, whatever its name is."""


def needs_marks(model: str) -> bool:
    """Whether prompts to this model, as LiteLLM names it, are to be marked."""
    provider, _, name = model.casefold().partition("/")
    return provider == OWN or (provider in MARKED_BY and NEEDS_MARKS in name)


def messages_of(prompt: RenderedPrompt, *, marked: bool) -> list[dict[str, object]]:
    """The messages in OpenAI's form; where they are marked, what is shared of the last one is a block of its own."""
    *first, last = prompt.messages
    if not marked or not prompt.shared:
        return [_plain(message) for message in prompt.messages]
    shared, rest = last.content[: prompt.shared], last.content[prompt.shared :]
    blocks: list[dict[str, object]] = [{"type": "text", "text": shared, "cache_control": {"type": "ephemeral"}}]
    if rest:
        blocks.append({"type": "text", "text": rest})
    return [*(_plain(message) for message in first), {"role": last.role, "content": blocks}]


def _plain(message: PromptMessage) -> dict[str, object]:
    return {"role": message.role, "content": message.content}
