"""The tools by name: what an agent is told of each, what it takes and gives, and what may call it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from api.mcp import importing, tools
from api.mcp.inputs import ContextInput, DissolveInput, FrameInput, ImportInput, Input, RecallInput, StatusInput
from api.mcp.outputs import (
    ContextOutput,
    DissolveOutput,
    FrameOutput,
    ImportOutput,
    JobOutput,
    Output,
    RecallOutput,
)
from api.state import Caller
from dissolution.service import KeyScope

INSTRUCTIONS = """Replaces a long conversation by what it came to: what is known, what is decided, what is still open,
and the role and rules that govern the rest. Use it when a conversation grows too long to send whole.

1. `dissolve` with the messages, and a name in `conversation`. It returns a job's id at once. What another program
   wrote down, such as a session file or an export, is stored with `import` first and dissolved by its name.
2. `status` with that id until `ended` is true; `wait_s` waits for it.
3. `context` with the conversation's name: send what it returns in place of the history. It can be called at any time;
   until something is committed it returns the last turns.
4. `recall` finds single claims and turns, also those that the context left out or that no longer hold. `frame` tells
   what is taken for granted, and which guesses were about to be held as facts.

Nothing is ever thrown away: `history_kept` means that the result was not good enough, and that the history goes on."""


@dataclass(frozen=True, kw_only=True)
class ToolKind:
    """One tool. `act` takes the caller and a value of `takes`, and raises DissolutionError."""

    title: str
    description: str
    takes: type[Input]
    gives: type[Output]
    act: Callable[[Caller, Any], Output]
    scope: KeyScope = KeyScope.READ


TOOLS: Mapping[str, ToolKind] = {
    "dissolve": ToolKind(
        title="Dissolve a conversation",
        description="""Start to replace a conversation's history by what it came to. Give its messages, the whole of
them, or the name of a conversation that is stored. Returns a job at once and works in the background, from seconds to
minutes: look with `status`, or wait with `wait_s`. The history stays in force until the result has been checked and
committed. Asking for the same again while it is at work returns the same job. Secrets in the messages are replaced
before they are stored.""",
        takes=DissolveInput,
        gives=DissolveOutput,
        act=tools.dissolve,
        scope=KeyScope.WRITE,
    ),
    "import": ToolKind(
        title="Import a conversation",
        description="""Store a conversation that another program wrote down: give the text of a session of Claude Code
or Codex, of an export of ChatGPT, claude.ai, Slack or LangChain, or of a plain transcript. Nobody is asked. Its turns
can be searched with `recall` at once, and `dissolve` takes its name. Given again when it has grown, only what is new is
added. Secrets in it are replaced before it is stored.""",
        takes=ImportInput,
        gives=ImportOutput,
        act=importing.import_text,
        scope=KeyScope.WRITE,
    ),
    "status": ToolKind(
        title="How a dissolution stands",
        description="""Tell how a job stands: its status, its stages, why it ended as it did, and what to do next. Give
the id that `dissolve` returned, or the name of a conversation for its newest job.""",
        takes=StatusInput,
        gives=JobOutput,
        act=tools.status,
    ),
    "context": ToolKind(
        title="The context to send",
        description="""Get the messages to send to a model in place of a conversation's history: its boundary (known,
decided, open, role and rules), then its last turns word for word, within a budget of tokens. Before anything has been
committed it returns the last turns that fit, and says so in `source`.""",
        takes=ContextInput,
        gives=ContextOutput,
        act=tools.context,
    ),
    "recall": ToolKind(
        title="Search what a conversation came to",
        description="""Search a conversation by words, section and turn, best first: its claims, what was heard and is
not held (dissent), and the turns themselves, each with the words that stand in the conversation. A name, a number, a
file or an identifier finds the turn that says it. Finds also what a context left out and, with `state` = `all`, what
has been replaced, corrected or has ended.""",
        takes=RecallInput,
        gives=RecallOutput,
        act=tools.recall,
    ),
    "frame": ToolKind(
        title="What a conversation takes for granted",
        description="""Tell what a conversation takes for granted: the premises with how firmly each stands and how much
rests on it, and the findings of the audit that compared them with the boundary, such as a guess that was about to be
held as a fact. Give a job's id, or the name of a conversation for its newest job.""",
        takes=FrameInput,
        gives=FrameOutput,
        act=tools.frame,
    ),
}
