"""The tools as a server of the Model Context Protocol, whichever way messages come.

A call that cannot be done is an answer with `isError` and plain words, so that an agent can correct it. Only what is no
call of a tool of ours is an error of the protocol. No argument, answer or error text is logged.
"""

import json
import logging
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from api.mcp.catalog import INSTRUCTIONS, TOOLS, ToolKind
from api.mcp.inputs import DissolveInput, Input, JobInput, StatusInput
from api.mcp.outputs import JobOutput, Output
from api.mcp.tools import status
from api.mcp.words import of_arguments, of_error
from api.security import needs
from api.state import Caller
from dissolution import __version__
from dissolution.errors import DissolutionError
from dissolution.job import ENDED, JobStatus, StepStatus
from dissolution.service import KeyScope

log = logging.getLogger(__name__)

NAME = "dissolution-fleet"

LOOK_S = 0.5
"""Pause between two looks at a job that is waited for (s)."""

RESTING = ENDED | {JobStatus.HELD}
"""Statuses at which waiting is over: nothing happens to the job by itself."""

Request = ServerRequestContext[dict[str, Any], Any]
WhoAsks = Callable[[Request], Caller]


def make_server(who_asks: WhoAsks) -> Server[dict[str, Any]]:
    """The server.

    Args:
        who_asks: The caller of one request, who has been let in already.
    """

    async def list_tools(_: Request, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[tool_description(name, kind) for name, kind in TOOLS.items()])

    async def call_tool(request: Request, params: CallToolRequestParams) -> CallToolResult:
        kind = TOOLS.get(params.name)
        if kind is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}; there are {', '.join(TOOLS)}")
        return await called(request, who_asks(request), params.name, kind, params.arguments or {})

    return Server(
        NAME,
        version=__version__,
        title="Dissolution fleet",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def tool_description(name: str, kind: ToolKind) -> Tool:
    """What a host is told of a tool."""
    reads = kind.scope is KeyScope.READ
    return Tool(
        name=name,
        title=kind.title,
        description=" ".join(kind.description.split()),
        input_schema=kind.takes.model_json_schema(),
        output_schema=kind.gives.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(
            title=kind.title,
            read_only_hint=reads,
            destructive_hint=False,  # nothing stored is ever changed
            idempotent_hint=reads,
            open_world_hint=not reads,  # the fleet may be models of others
        ),
    )


async def called(
    request: Request, caller: Caller, name: str, kind: ToolKind, arguments: dict[str, Any]
) -> CallToolResult:
    """One call of a tool, done or refused."""
    try:
        given = kind.takes.model_validate(arguments)
    except ValidationError as error:
        return failed(of_arguments(error, arguments, kind.takes))
    try:
        needs(kind.scope, caller)
        made = await anyio.to_thread.run_sync(kind.act, caller, given)
        made = await waited(request, caller, given, made)
    except DissolutionError as error:
        log.info("tool %s: %s", name, error.code)
        return failed(of_error(error, caller.tenant))
    except Exception as error:  # noqa: BLE001 - whatever it is, the agent gets an answer and the log its kind alone
        log.error("tool %s: %s", name, type(error).__name__)  # noqa: TRY400 - a traceback may hold content
        return failed(f"a fault of the service ({type(error).__name__}): report it; the same call may be tried again")
    log.info("tool %s: done", name)
    return answered(made)


def answered(made: Output) -> CallToolResult:
    """An answer, as a value and, for hosts that look at text alone, as JSON. Half characters are replaced."""
    text = json.dumps(made.model_dump(mode="json"), ensure_ascii=False).encode(errors="replace").decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=json.loads(text))


def failed(words: str) -> CallToolResult:
    """A call that could not be done, and why."""
    text = words.encode(errors="replace").decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


async def waited(request: Request, caller: Caller, given: Input, made: Output) -> Output:
    """How the job stands when it has ended, or when it has been waited for as long as was asked."""
    if not isinstance(given, DissolveInput | StatusInput) or not isinstance(made, JobOutput):
        return made
    until = anyio.current_time() + given.wait_s
    told_before = -1
    while made.status not in RESTING and anyio.current_time() < until:
        done = sum(stage.status is StepStatus.DONE for stage in made.stages)
        if done > told_before:  # a progress never runs back
            at_work = [stage.stage for stage in made.stages if stage.status is StepStatus.RUNNING]
            words = f"at work: {', '.join(at_work)}" if at_work else made.status.value
            await request.session.report_progress(done, len(made.stages), words)
            told_before = done
        await anyio.sleep(min(LOOK_S, max(0.0, until - anyio.current_time())))
        now = await anyio.to_thread.run_sync(status, caller, JobInput(job=made.job))
        made = made.model_copy(update={field: getattr(now, field) for field in JobOutput.model_fields})
    return made
