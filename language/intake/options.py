"""What the caller says about a file of conversation."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.values import Frozen


class Form(StrEnum):
    """The forms that are read (docs/conversations.md says how)."""

    NATIVE = "native"  # our JSON: {"id": …, "turns": [{"role": …, "content": …}]}
    NATIVE_JSONL = "native_jsonl"  # one conversation of that form a line
    OPENAI = "openai"  # a list of messages, or {"messages": […]}, with string or part contents and tool calls
    ANTHROPIC = "anthropic"  # {"system": …, "messages": […]} with content blocks
    MESSAGE_JSONL = "message_jsonl"  # one message a line, of either kind
    TRANSCRIPT = "transcript"  # "Name: text", turns of several lines, optional timestamps
    # What other programs write (language/intake/foreign).
    CLAUDE_CODE = "claude_code"  # a session file of Claude Code: rows with uuid and parentUuid
    CODEX = "codex"  # a rollout of Codex: rows with timestamp, type and payload
    CHATGPT = "chatgpt"  # conversations.json of a ChatGPT export: conversations with a mapping
    CLAUDE_AI = "claude_ai"  # conversations.json of a claude.ai export
    LANGCHAIN = "langchain"  # messages of LangChain and LangGraph, as data
    RESPONSES = "responses"  # items of OpenAI's Responses API, sessions of its Agents SDK
    GEMINI = "gemini"  # contents with roles user and model, and parts
    SLACK = "slack"  # a channel's messages; a whole export as a folder or archive
    MARKDOWN = "markdown"  # headings or names in bold as speakers
    SUBTITLES = "subtitles"  # WebVTT or SRT with speakers
    CHAT_LOG = "chat_log"  # WhatsApp, IRC, Zoom's chat, names with a time on lines of their own


class ReadingOptions(Frozen):
    """How to read one file."""

    form: Form | None = None
    """Force this form; None looks at the content."""

    conversation: str | None = None
    """Which conversation of a file of several to read; elsewhere the id to use in place of the file's own."""

    timezone: str | None = None
    """IANA name, such as Europe/Berlin, for timestamps that say no zone; None leaves those timestamps out."""

    max_bytes: Annotated[int, Field(ge=1)] = 100_000_000
    """Largest file that is read (bytes)."""

    max_turn_chars: Annotated[int, Field(ge=1)] = 1_000_000
    """Longest turn that is read (code points)."""
