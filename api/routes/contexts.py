"""The context of a conversation, ready to send to a model: its boundary, then its last turns, within a budget."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from api.problems import ALWAYS, documented
from api.replies import etag_of, names, shown
from api.routes.boundaries import stored
from api.security import Reader
from api.state import Caller
from dissolution.boundary_size import BoundarySize, size_in_words, size_of_boundary
from dissolution.conversation import Conversation, Role, Turn
from dissolution.errors import BudgetTooSmall, InputError
from dissolution.policy.job_policy import RenderPolicy
from dissolution.ports.models import TokenCounter
from dissolution.values import Frozen
from prompts.export.messages import MESSAGE_TOKENS, ContextMessage, LeftOut, boundary_messages
from workers.bootstrap import reader_counter
from workers.stages.trigger_pressure import notable_turns

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["contexts"])

Form = Literal["openai", "anthropic", "text"]


class Context(Frozen):
    """Messages ready to send, and what they leave out."""

    conversation: str
    source: Literal["boundary", "history"]  # history: there is no boundary yet, or all turns are shorter than it
    boundary_version: int  # 0 without a boundary; it stands, whichever of the two is given
    through: int  # the last turn that the boundary covers, 0 without one
    messages: tuple[ContextMessage, ...]
    system: str | None = None  # for Anthropic's interface, which takes it apart from the messages
    tokens: int  # as `counter` counts them
    budget_tokens: int
    counter: str
    left_out: LeftOut
    size: BoundarySize | None = None  # of the boundary that stands, beside the turns that it stands for
    notes: tuple[str, ...] = ()  # the same in words, and where what had no room is


@router.get(
    "/context",
    response_model=Context,
    responses={
        **documented(*ALWAYS, 404),
        200: {"description": "The context.", "content": {"text/plain": {"schema": {"type": "string"}}}},
    },
)
def context(
    *,
    request: Request,
    caller: Reader,
    conversation: str,
    budget: Annotated[int | None, Query(ge=200, le=1_000_000, description="Tokens at most.")] = None,
    recent: Annotated[int | None, Query(ge=0, le=1000, description="Last turns kept word for word.")] = None,
    form: Annotated[Form, Query(alias="format", description="Whose interface it is for.")] = "openai",
    reader: Annotated[
        str | None, Query(min_length=1, max_length=200, description="The model whose tokens are counted.")
    ] = None,
    operator: Annotated[
        bool, Query(description="Whether the system messages at the beginning stand first, word for word.")
    ] = True,
) -> Response:
    """What to send in place of the history. Without a boundary: the last turns that fit, since the history holds.

    Where the boundary has no fewer tokens than its turns, and all turns fit, those are given; the boundary stands.
    """
    asked = asked_for(budget, recent, reader, operator=operator)
    return _given(request, made_context(caller, conversation, asked), form)


def asked_for(
    budget: int | None, recent: int | None, reader: str | None, *, operator: bool
) -> Mapping[str, float | str | None]:
    """Fields of `RenderPolicy` for what a caller may ask for; None leaves the policy's."""
    share = None if operator else 0.0
    return {"budget_tokens": budget, "recent_turns": recent, "reader": reader, "operator_share": share}


def made_context(caller: Caller, conversation: str, asked: Mapping[str, float | str | None]) -> Context:
    """The context of one of the caller's conversations, as messages.

    Args:
        caller: Who asks.
        conversation: Its name.
        asked: Fields of `RenderPolicy` that take the place of the policy's; None leaves those.

    Raises:
        NotFound: It is not stored.
        InputError: The budget is too small.
    """
    with caller.api.reads() as work:
        name = stored(caller, work, conversation)
        talk = work.conversations.get(name)
        boundary = work.boundaries.current(name)
        render = RenderPolicy() if boundary is None else work.jobs.get(boundary.job).policy.render
        notable = notable_turns(work, name)
    render = render.model_copy(update={field: value for field, value in asked.items() if value is not None})
    counter = reader_counter(render.reader)
    if boundary is None:
        return history_context(talk, render, counter, conversation)
    size = size_of_boundary(boundary, talk.snapshot(boundary.through), counter)
    notes = size_in_words(size, f"/v1/dissolutions/{boundary.job}/dissent")
    if size.send_history and (whole := whole_history(talk, render, counter, conversation)) is not None:
        stands = {"boundary_version": boundary.version or 0, "through": boundary.through}
        return whole.model_copy(update={"size": size, "notes": notes, **stands})
    try:
        rendered = boundary_messages(boundary, talk, render, counter, notable)
    except BudgetTooSmall as error:
        remedy = f"give budget={error.needed_tokens} or more; what is decided is never left out"
        raise InputError(error.what, remedy) from error
    return Context(
        conversation=conversation,
        source="boundary",
        boundary_version=boundary.version or 0,
        through=boundary.through,
        size=size,
        notes=notes,
        **{field: getattr(rendered, field) for field in type(rendered).model_fields},
    )


def whole_history(talk: Conversation, render: RenderPolicy, counter: TokenCounter, name: str) -> Context | None:
    """Every turn as a context; None where the budget does not hold them all, or turns are asked to be left out."""
    try:
        made = history_context(talk, render, counter, name)
    except InputError:
        return None
    return made if not (made.left_out.turns or made.left_out.operator_turns) else None


def history_context(talk: Conversation, render: RenderPolicy, counter: TokenCounter, name: str) -> Context:
    """The newest turns that fit, oldest first, for a conversation that has no boundary. Raises InputError."""
    head = tuple(takewhile(lambda turn: turn.role is Role.SYSTEM, talk.turns))
    spoken = talk.turns[len(head) :]
    kept = head if render.operator_share else ()
    first, used = _fitting(kept, counter, int(render.operator_share * render.budget_tokens))
    last, more = _fitting(spoken[::-1], counter, render.budget_tokens - used)
    if spoken and not last:  # what was said last comes before what was said first
        first, used = (), 0
        last, more = _fitting(spoken[::-1], counter, render.budget_tokens)
    chosen = (*first, *last[::-1])
    if not chosen:
        raise InputError(f"a budget of {render.budget_tokens} tokens holds not even the last turn", "give a larger one")
    return Context(
        conversation=name,
        source="history",
        boundary_version=0,
        through=0,
        messages=chosen,
        tokens=used + more,
        budget_tokens=render.budget_tokens,
        counter=counter.name,
        left_out=LeftOut(claims={}, turns=len(spoken) - len(last), operator_turns=len(kept) - len(first)),
    )


def _fitting(turns: Sequence[Turn], counter: TokenCounter, room_tokens: int) -> tuple[tuple[ContextMessage, ...], int]:
    """The first of these turns that fit, as messages, and their tokens."""
    chosen: list[ContextMessage] = []
    used = 0
    for turn in turns:
        role: Literal["system", "user", "assistant"] = (
            "assistant" if turn.role is Role.ASSISTANT else "system" if turn.role is Role.SYSTEM else "user"
        )
        plain = turn.role in {Role.ASSISTANT, Role.SYSTEM, Role.USER}
        words = turn.content if plain else f"{turn.speaker}: {turn.content}"
        cost = counter.count(words) + MESSAGE_TOKENS
        if used + cost > room_tokens:
            break
        chosen.append(ContextMessage(role=role, content=words))
        used += cost
    return tuple(chosen), used


def _given(request: Request, made: Context, form: Form) -> Response:
    """The context in the form asked for."""
    if form == "openai":
        return shown(request, made)
    system, spoken = systems_and_spoken(made.messages)
    if form == "anthropic":
        return shown(request, made.model_copy(update={"system": system, "messages": spoken}))
    text = as_text(made.messages)
    body = text.encode(errors="replace")
    etag = etag_of(body)
    headers = {"etag": etag, "cache-control": "private, no-cache", "x-context-tokens": str(made.tokens)}
    if names(request.headers.get("if-none-match", ""), etag, weak=True):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="text/plain; charset=utf-8", headers=headers)


def systems_and_spoken(messages: Sequence[ContextMessage]) -> tuple[str | None, tuple[ContextMessage, ...]]:
    """The system text, None without one, and the messages that somebody says."""
    systems = [one.content for one in messages if one.role == "system"]
    return "\n\n".join(systems) or None, tuple(one for one in messages if one.role != "system")


def as_text(messages: Sequence[ContextMessage]) -> str:
    """The messages as one string, the system text first."""
    system, spoken = systems_and_spoken(messages)
    return "\n\n".join([*([system] if system else []), *(f"{one.role}: {one.content}" for one in spoken)])
