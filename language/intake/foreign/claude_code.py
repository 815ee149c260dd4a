"""Sessions of Claude Code: JSON lines under `~/.claude/projects`, one file a session.

The form is called internal by its maker and has no official description; what is read here is what several readers of
it agree on (docs/conversations.md lists fields and sources). Rows of user type hold much that no user said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material, Row
from language.intake.foreign.thread import Node, shown_branch
from language.intake.foreign.turns import block_turns, is_markup
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally
from language.intake.times import Stamps

_TITLES = (
    ("custom-title", "customTitle"),
    ("agent-name", "agentName"),
    ("ai-title", "aiTitle"),
    ("summary", "summary"),
)
_PROGRAM = "claude code"
_COMMAND = "command"
_SUMMARY = "summary"
# Output of commands may hold anything, the end of its own element too: that it begins so is enough.
_OUTPUT = re.compile(r"\s*<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|command-(?:name|message))>")
_CAVEAT = re.compile(r"\s*<local-command-caveat>[^<]*</local-command-caveat>\s*")
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]\n]{0,80}\]\s*")


def _recognise(material: Material) -> str | None:
    rows = material.head
    if any(_is_speaking(row) and as_object(row.get("message")) is not None and _is_threaded(row) for row in rows):
        return "rows of type user and assistant with message, uuid and parentUuid"
    if rows and all("type" in row for row in rows) and any("leafUuid" in row or "parentUuid" in row for row in rows):
        return "rows with type and leafUuid or parentUuid"
    return None


def _is_threaded(row: Mapping[str, Any]) -> bool:
    return "parentUuid" in row or ("uuid" in row and "sessionId" in row)


def _is_speaking(row: Mapping[str, Any]) -> bool:
    return row.get("type") in {"user", "assistant"} if isinstance(row.get("type"), str) else False


class _File(NamedTuple):
    """A file's rows as threads: the session's own, and those of its helpers by their id."""

    main: list[Node]
    asides: dict[str, list[Node]]
    told: tuple[str, ...]
    title: str | None


def _read(material: Material) -> tuple[Entry, ...]:
    file = _threads(material)
    session = next((name for node in reversed(file.main) if (name := as_text(node.row.fields.get("sessionId")))), None)
    entries = [_entry(session, file.title, file.main, file)] if file.main or not file.asides else []
    for name, nodes in file.asides.items():
        owner = as_text(nodes[0].row.fields.get("sessionId"))
        entries.append(_entry(f"{owner}.{name}" if owner else name, None, nodes, file, aside=True))
    return tuple(entries)


def _entry(name: str | None, title: str | None, nodes: list[Node], file: _File, *, aside: bool = False) -> Entry:
    def draft(stamps: Stamps) -> Draft:
        told = file.told if not file.asides or aside else (*file.told, _told_asides(file.asides))
        read = _draft(nodes, stamps, aside=aside)
        return read._replace(id=name, title=title, warnings=(*told, *read.warnings))

    return Entry(name, title, draft, aside=aside)


def _told_asides(asides: Mapping[str, Sequence[Node]]) -> str:
    return f"{len(asides)} talks of helpers (sidechains) stand apart and were not read: give --conversation for one"


def _threads(material: Material) -> _File:
    """The rows that are threaded, each uuid once: a later compaction writes old rows again."""
    rows, told = material.rows()
    seen: set[str] = set()
    repeated = 0
    main: list[Node] = []
    asides: dict[str, list[Node]] = {}
    roots: dict[str, str] = {}
    previous: str | None = None
    for place, row in enumerate(rows):
        node = _node(place, row, previous)
        if node is None:
            continue
        if node.uuid in seen:
            repeated += 1
            continue
        seen.add(node.uuid)
        if row.fields.get("isSidechain") is True:
            root = as_text(row.fields.get("agentId")) or roots.get(node.parent or "") or node.uuid
            roots[node.uuid] = root
            asides.setdefault(root, []).append(node)
        else:
            main.append(node)
            previous = node.uuid
    if repeated:
        told = (*told, f"{repeated} rows stand in the file more than once and were read once")
    return _File(main, asides, told, _title([row.fields for row in rows], seen))


def _node(place: int, row: Row, previous: str | None) -> Node | None:
    """The row as part of a thread; None for bookkeeping. One without an id follows the row before it."""
    fields = row.fields
    uuid = as_text(fields.get("uuid"))
    if not _is_speaking(fields) and (uuid is None or fields.get("type") not in _CARRYING):
        return None
    message = as_object(fields.get("message")) or {}
    blocks = [block for block in map(as_object, as_list(message.get("content")) or []) if block is not None]
    parent = as_text(fields.get("parentUuid")) or as_text(fields.get("logicalParentUuid"))
    return Node(
        place=place,
        row=row,
        uuid=uuid or f"line {row.number}",
        parent=parent if uuid is not None or parent is not None else previous,
        goes_on=fields.get("isCompactSummary") is True or fields.get("subtype") == "compact_boundary",
        message=as_text(message.get("id")) if fields.get("type") == "assistant" else None,
        calls=_ids(blocks, "tool_use", "id"),
        answers=_ids(blocks, "tool_result", "tool_use_id"),
    )


_CARRYING = ("system", "attachment", "progress")  # rows that others hang on, though they say nothing


def _ids(blocks: Sequence[Mapping[str, Any]], kind: str, key: str) -> frozenset[str]:
    found = (as_text(block.get(key)) for block in blocks if block.get("type") == kind)
    return frozenset(one for one in found if one is not None)


def _title(rows: Sequence[Mapping[str, Any]], seen: set[str]) -> str | None:
    """What the user called it, else what the program did; a summary counts when it is of a row of this file."""
    for kind, key in _TITLES:
        given = [row for row in rows if row.get("type") == kind]
        if kind == "summary":
            given = [row for row in given if as_text(row.get("leafUuid")) in seen]
        titles = [title for row in given if (title := as_text(row.get(key))) is not None]
        if titles:
            return titles[-1]
    return None


def _draft(nodes: Sequence[Node], stamps: Stamps, *, aside: bool) -> Draft:
    branch = shown_branch(nodes, lambda node: _is_speaking(node.row.fields))
    tally = Tally()
    turns: list[DraftTurn] = []
    for node in branch.nodes:
        turns += _turns(node.row, tally, stamps, aside=aside)
    told: list[str] = []
    if branch.left_out:
        told.append(f"{branch.left_out} rows of other branches (edited or tried again) were left out")
    if branch.broken:
        told.append(f"{branch.broken} rows follow one that is missing: they were put behind the row before them")
    return Draft(tuple(turns), warnings=(*told, *tally.warnings()))


def _turns(row: Row, tally: Tally, stamps: Stamps, *, aside: bool) -> list[DraftTurn]:
    """The turns of one row: of its speaker what was said, of tools what they and the program wrote."""
    fields, place = row.fields, f"line {row.number}"
    said_at = stamps.leniently(fields.get("timestamp"))
    program = DraftTurn(place, Role.TOOL, _PROGRAM, (), said_at)
    if not _is_speaking(fields):
        text = fields.get("content")
        if fields.get("subtype") != "local_command" or not isinstance(text, str) or _CAVEAT.fullmatch(text):
            return []
        return _quoted(program, text, _COMMAND)
    message = as_object(fields.get("message"))
    if message is None:
        raise InvalidConversation(f"{place}: message is {shown(fields.get('message'))}", "give a whole session file")
    content = message.get("content")
    if fields.get("isCompactSummary") is True:
        return _quoted(program, _plain(content), _SUMMARY)
    if fields.get("isMeta") is True or fields.get("isApiErrorMessage") is True:
        return _quoted(program, "" if _CAVEAT.fullmatch(_plain(content)) else _plain(content), _PROGRAM)
    if fields["type"] == "assistant":
        return block_turns(content, DraftTurn(place, Role.ASSISTANT, "assistant", (), said_at), tally)
    said = DraftTurn(place, Role.USER, "user", (), said_at)
    if aside:  # whoever sent the helper off is no user
        said = said._replace(role=Role.PARTICIPANT, speaker="main agent")
    return list(_user_turns(content, said, program, tally))


def _user_turns(content: object, said: DraftTurn, program: DraftTurn, tally: Tally) -> Iterator[DraftTurn]:
    """A user row's blocks in their order: what a program wrote into it is a tool's turn, the rest the user's."""
    blocks = [content] if isinstance(content, str) else as_list(content)
    if blocks is None:
        yield from block_turns(content, said, tally)
        return
    waiting: list[Any] = []
    for block in blocks:
        text = block if isinstance(block, str) else (as_object(block) or {}).get("text")
        if not isinstance(text, str) or not _is_programs(text):
            waiting.append(block)
            continue
        yield from block_turns(waiting, said, tally)
        waiting = []
        if not _CAVEAT.fullmatch(text):
            yield from _quoted(program, text, _PROGRAM if _INTERRUPTED.fullmatch(text) else _COMMAND)
    yield from block_turns(waiting, said, tally)


def _is_programs(text: str) -> bool:
    return is_markup(text) or _OUTPUT.match(text) is not None or _INTERRUPTED.fullmatch(text) is not None


def _quoted(program: DraftTurn, text: str, speaker: str) -> list[DraftTurn]:
    if not text.strip():
        return []
    return [program._replace(speaker=speaker, parts=(Part(text, QuotedKind.TOOL_OUTPUT),))]


def _plain(content: object) -> str:
    """The text of a content, whatever its blocks."""
    if isinstance(content, str):
        return content
    texts = ((as_object(block) or {}).get("text") for block in as_list(content) or [])
    return "\n".join(text for text in texts if isinstance(text, str))


FORM = ForeignForm(
    form=Form.CLAUDE_CODE,
    title="Claude Code session",
    marks=frozenset({"type", "uuid", "parentUuid", "sessionId", "message"}),
    converter="take the session file as it lies under ~/.claude/projects (JSON lines, one row a line)",
    recognise=_recognise,
    read=_read,
)
