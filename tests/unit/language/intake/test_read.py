"""The way in: files, limits, identity, every refusal's words, and what all forms share."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devtools.clock import FixedClock
from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from language.intake.foreign.registry import BY_FORM
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_file
from tests.factories import INSTANT
from tests.unit.language.intake.support import KEY, native, noted, read, said, turn

ROOT = Path(__file__).parents[4]
OWN = json.dumps(native(turn(), id="own"))
EXAMPLES = ROOT / "examples" / "conversations"
OWN_FORMS = [form for form in Form if form not in BY_FORM]
PLANTED = sorted((ROOT / "benchmarks" / "data" / "planted").glob("*.json"))


def from_file(path: Path, **options: Any) -> Reading:  # noqa: ANN401 - the options' own types
    return read_file(path, ReadingOptions(**options), key=KEY, clock=FixedClock(INSTANT))


@pytest.mark.parametrize(
    ("file", "form", "identifier", "turns"),
    [
        ("native.json", Form.NATIVE, "cache-choice", 4),
        ("native.jsonl", Form.NATIVE_JSONL, "standup-2", 2),
        ("openai.json", Form.OPENAI, "openai", 5),
        ("anthropic.json", Form.ANTHROPIC, "anthropic", 6),
        ("messages.jsonl", Form.MESSAGE_JSONL, "messages", 3),
        ("transcript.txt", Form.TRANSCRIPT, "transcript", 3),
    ],
)
def test_each_example_is_recognised_and_read(file: str, form: Form, identifier: str, turns: int) -> None:
    picked = "standup-2" if form is Form.NATIVE_JSONL else None
    reading = from_file(EXAMPLES / file, conversation=picked)

    assert (reading.form, reading.conversation.id, len(reading.conversation.turns)) == (form, identifier, turns)
    assert noted(reading) == ()
    assert reading.reason
    forced = from_file(EXAMPLES / file, conversation=picked, form=form)
    assert forced.model_copy(update={"reason": reading.reason}) == reading


@pytest.mark.parametrize("path", PLANTED, ids=lambda path: path.stem)
def test_the_planted_conversations_are_read_word_for_word(path: Path) -> None:
    reading = from_file(path)
    written = json.loads(path.read_text())

    assert [t.content for t in reading.conversation.turns] == [t["content"] for t in written["turns"]]
    assert reading.conversation.redactions == ()
    assert reading.conversation.language.code == "en"
    injected = reading.conversation.turn(written["truth"]["injection"]["turn"])
    assert sum(s.end - s.start for s in injected.quoted) == len(injected.content)


def test_six_planted_conversations_are_there() -> None:
    assert len(PLANTED) == 6


def test_the_id_is_the_files_own_or_the_flag_or_the_stem() -> None:
    assert read(native(turn(), id="own")).conversation.id == "own"
    assert read(native(turn(), id="own"), conversation="mine").conversation.id == "mine"
    assert read(native(turn(), id=7)).conversation.id == "7"
    assert read([turn()], "talk.v2.json").conversation.id == "talk.v2"
    assert read([turn()], conversation="mine").conversation.id == "mine"


@pytest.mark.parametrize(
    ("data", "name", "conversation", "identity", "told"),
    [
        (native(turn(), id="own"), "chat.json", None, "file", ()),
        (f"{OWN}\n{OWN.replace('own', 'two')}", "chat.jsonl", "own", "file", ()),
        (native(turn(), id="own"), "chat.json", "mine", "option", ()),
        ([turn()], "chat.json", "chat", "option", ()),
        ([turn()], "chat.json", None, "name", ("named 'chat' after the file; give --conversation to name it",)),
        (native(turn(), id=""), "chat", None, "name", ("named 'chat' after the file; give --conversation to name it",)),
        ("Mara: hi", "stdin", None, "name", ("named 'stdin' after standard input; give --conversation to name it",)),
    ],
)
def test_where_the_id_came_from_is_said_when_nobody_chose_it(
    data: Any,  # noqa: ANN401 - any JSON
    name: str,
    conversation: str | None,
    identity: str,
    told: tuple[str, ...],
) -> None:
    reading = read(data, name, conversation=conversation)

    assert (reading.identity, reading.warnings) == (identity, told)


def test_the_warning_shortens_a_long_name() -> None:
    assert len(read([turn()], "x" * 150).warnings[0]) < 150


REFUSALS: list[tuple[Any, dict[str, Any], str]] = [
    (native(turn(), id=["x"]), {}, "the id a list is not a text: write the id as a string"),
    (native(turn(), id="  "), {}, "the conversation has no id: give one with --conversation"),
    (native(turn(), id="x" * 201), {}, "has 201 characters: use at most 200"),
    (native(turn(), id="a\nb"), {}, "holds control characters: give another with --conversation"),
    (native(turn(), id="sk-" + "ant-api03-" + "a1B2" * 8), {}, "the id holds a secret (anthropic-key)"),
    ("", {}, "file 'talk.json' is empty: give a file with at least one turn"),
    (" \n\t ", {}, "file 'talk.json' is empty"),
    (b"caf\xe9", {}, "file 'talk.json' is not UTF-8: byte 0xe9 at offset 3: save it as UTF-8"),
    (b"\xef\xbb\xbfa\xff", {}, "byte 0xff at offset 4"),
    ("User: hi".encode("utf-16"), {}, "file 'talk.json' is UTF-16: save it as UTF-8"),
    ("User: hi".encode("utf-32"), {}, "file 'talk.json' is UTF-32"),
    ("User: hi".encode("utf-16-le"), {}, "looks like UTF-16 without a byte-order mark"),
    ('{"turns": [\n  {"role" "user"}]}', {}, "not valid JSON: Expecting ':' delimiter at line 2, column 11"),
    ('{"turns": [', {}, "line 1, column 12: correct it there; a file cut off midway ends so too"),
    ('{"turns": [], "x": NaN}', {}, "file 'talk.json' holds NaN, which is no JSON number"),
    ('{"turns": [], "x": -Infinity}', {}, "holds -Infinity, which is no JSON number"),
    ('{"turns": ' + "[" * 200_000, {}, "file 'talk.json' is nested too deeply"),
    ('{"turns": [], "x": ' + "9" * 5000 + "}", {}, "holds a number of thousands of digits"),
    (native(), {}, "file 'talk.json' has no turns: give at least one turn"),
    ([], {}, "file 'talk.json' has no turns: give at least one message"),
    ({"messages": []}, {}, "file 'talk.json' has no turns"),
    ({"messages": 3}, {}, "file 'talk.json' has no list of messages"),
    ({"turns": 3}, {}, "file 'talk.json' has no list 'turns'"),
    (
        {"dialogue": []},
        {},
        "has none of the forms that are read: see docs/conversations.md, or force one with --format",
    ),
    ('{"a": 1}\n{"a": 2}', {}, "has none of the forms that are read"),
    ([1, 2], {}, "has none of the forms that are read"),
    ("3", {}, "has none of the forms that are read"),
    (
        "a text without speakers",
        {},
        "--format (native, native_jsonl, openai, anthropic, message_jsonl, transcript, ",
    ),
    (native(turn("a"), turn("")), {}, "turn 2 is empty: give it content or leave it out"),
    (native(turn(" \n ")), {}, "turn 1 is empty"),
    ([turn("a"), turn("")], {}, "message 2 is empty"),
    ([turn([])], {}, "message 1 is empty"),
    ("User: hi\nAssistant:\nUser: yo there", {}, "turn 2 (line 2) is empty"),
    (native(turn("x" * 11)), {"max_turn_chars": 10}, "turn 1 has 11 characters: the limit is 10; leave out"),
    (native(turn("a\0b")), {}, "turn 1 holds a NUL character at position 1: remove it"),
    (native(turn("a", speaker="b\0")), {}, "turn 1: the speaker's name holds a NUL character"),
    (native(turn("a"), title="\0"), {}, "the title holds a NUL character"),
    ('{"turns": [{"role": "user", "content": "ab\\ud83d"}]}', {}, "holds a lone surrogate (\\ud83d) at position 2"),
    (native(turn("a", "r" * 201)), {}, "has 201 characters: use at most 200"),
    (native(turn("a"), id="x"), {"timezone": "Mars/Base"}, "time zone 'Mars/Base' is unknown: give an IANA name"),
    (native(turn("a"), id="x"), {"timezone": "/etc"}, "is unknown: give an IANA name"),
    ("no speaker here", {"form": Form.TRANSCRIPT}, "no line starts with a speaker as in 'Name: text'"),
    ("User: hi", {"form": Form.OPENAI}, "is not valid JSON: Expecting value at line 1, column 1"),
]


def refusal_of(data: Any, options: dict[str, Any]) -> str:  # noqa: ANN401 - any JSON
    """What is said of what is refused."""
    try:
        read(data, **options)
    except InvalidConversation as refused:
        return str(refused)
    return "it was read"


def test_each_refusal_says_what_where_and_what_to_do() -> None:
    told = [(refusal_of(data, options), message) for data, options, message in REFUSALS]
    assert [(said, message) for said, message in told if message not in said] == []


def test_a_byte_order_mark_is_accepted() -> None:
    assert said(read(b"\xef\xbb\xbf" + json.dumps([turn("hi")]).encode())) == [("user", "user", "hi")]


def test_a_large_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    path.chmod(0o600)

    with pytest.raises(InvalidConversation, match=r"'big\.json'.* 200\.0 MB.* 100\.0 MB"):
        from_file(path)


def test_bytes_over_the_limit_are_refused_too() -> None:
    with pytest.raises(InvalidConversation, match=r"0\.0 MB"):
        from_file(EXAMPLES / "native.json", max_bytes=10)


def test_what_is_no_readable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    for path, message in [
        (tmp_path / "none.json", "does not exist: check the path"),
        (tmp_path, "is a folder: give one file"),
        (fifo, "is no regular file: give a file, or pipe into standard input"),
        (Path("a\0b"), "cannot be read"),
        (tmp_path / "loop", "cannot be read"),
    ]:
        if path.name == "loop":
            path.symlink_to(path)
        with pytest.raises(InvalidConversation, match=message):
            from_file(path)
    locked = tmp_path / "locked.json"
    locked.write_text("[]")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InvalidConversation, match="permissions"):
        from_file(locked)


def test_secrets_are_replaced_in_contents_names_titles_and_tool_arguments_and_listed() -> None:
    secret = "sk-" + "ant-api03-" + "a1B2" * 8
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps({"key": secret})}}
    data = {
        "title": f"with {secret}",
        "messages": [turn(f"use {secret}", name=secret), turn(None, "assistant", tool_calls=[call])],
    }
    reading = read(data)
    conversation = reading.conversation

    assert secret not in reading.model_dump_json()
    assert [(r.turn, r.kind) for r in conversation.redactions] == [(1, "anthropic-key"), (2, "anthropic-key")]
    assert len({r.placeholder for r in conversation.redactions}) == 1
    assert conversation.title == f"with {conversation.redactions[0].placeholder}"
    assert conversation.turns[1].quoted[0].end == len(conversation.turns[1].content)
    assert noted(reading) == ("4 secrets were replaced by placeholders (anthropic-key 4)",)


def test_no_error_repeats_a_secret() -> None:
    secret = "sk-" + "ant-api03-" + "a1B2" * 8
    with pytest.raises(InvalidConversation) as refused:
        read([turn("x", secret)])

    assert secret[:20] not in str(refused.value)


def test_another_language_is_said() -> None:
    german = "Wir haben beschlossen, die Datenbank am Donnerstag umzuziehen, weil der alte Server voll ist."
    reading = read([turn(german)])

    assert reading.conversation.language.code == "de"
    told = "the conversation is mostly in language 'de', not English"
    assert noted(reading) == (f"{told}: guards, hedges and the linguistic signature know English only",)


def test_what_was_pasted_does_not_decide_the_language() -> None:
    log = "\n".join(
        "2026-03-01 10:43:05 ERROR the connection to the server was closed by the peer again" for _ in range(40)
    )
    german = "Kannst du dir bitte diese Meldungen ansehen und mir sagen, warum die Verbindung immer wieder abbricht?"

    assert read([turn(f"{german}\n\n{log}")]).conversation.language.code == "de"


def test_recorded_at_is_one_instant_of_the_clock() -> None:
    assert {t.recorded_at for t in read([turn("a"), turn("b")]).conversation.turns} == {INSTANT}


NAMES = {Role.USER: "User", Role.ASSISTANT: "Assistant"}
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40).filter(str.strip)
plain = st.lists(st.sampled_from(["we", "move", "on", "Thursday", "ünï", "数据", "- x"]), min_size=1).map(" ".join)
chats = st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), words), min_size=1, max_size=6)


def written(form: Form, chat: list[tuple[Role, str]]) -> str:
    messages = [{"role": role.value, "content": content} for role, content in chat]
    if form is Form.NATIVE:
        return json.dumps({"id": "c", "turns": messages}, indent=1)
    if form is Form.NATIVE_JSONL:
        return json.dumps({"id": "c", "turns": messages}, ensure_ascii=False) + "\n"
    if form is Form.MESSAGE_JSONL:
        return "\n".join(json.dumps(message, ensure_ascii=False) for message in messages)
    if form is Form.ANTHROPIC:
        blocks = [{"role": m["role"], "content": [{"type": "text", "text": m["content"]}]} for m in messages]
        return json.dumps({"system": "Be brief.", "messages": blocks})
    if form is Form.TRANSCRIPT:
        return "\n".join(f"{NAMES[role]}: {content}" for role, content in chat)
    return json.dumps(messages)


@pytest.mark.parametrize("form", [f for f in OWN_FORMS if f is not Form.TRANSCRIPT])
@settings(deadline=None)  # the first example loads the libraries
@given(chat=chats)
def test_what_is_written_is_what_is_read(form: Form, chat: list[tuple[Role, str]]) -> None:
    turns = read(written(form, chat), form=form).conversation.turns
    turns = turns[1:] if form is Form.ANTHROPIC else turns

    assert [(t.role, t.content) for t in turns] == chat


@settings(deadline=None)  # the first example loads the libraries
@given(chat=st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), plain), min_size=1, max_size=6))
def test_a_transcript_reads_back(chat: list[tuple[Role, str]]) -> None:
    turns = read(written(Form.TRANSCRIPT, chat), form=None).conversation.turns

    assert [(t.role, t.content) for t in turns] == chat


@pytest.mark.parametrize("form", OWN_FORMS)
@settings(deadline=None)  # the first example loads the libraries
@given(chat=st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), plain), min_size=2, max_size=6))
def test_a_grown_file_keeps_the_digests_of_its_first_turns(form: Form, chat: list[tuple[Role, str]]) -> None:
    secret = "DB_PASSWORD=tr0ub4" + "dor"
    chat = [(role, f"{content} {secret}") for role, content in chat]
    grown = read(written(form, chat), form=form).conversation.turns
    shorter = read(written(form, chat[:-1]), form=form).conversation.turns

    assert [t.digest for t in grown[: len(shorter)]] == [t.digest for t in shorter]


@settings(deadline=None)  # the first example loads the libraries
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(data: bytes) -> None:
    for form in (None, *Form):
        try:
            read(data, form=form)
        except InvalidConversation:
            continue


KEYS = ["role", "content", "turns", "messages", "type", "text", "id", "tool_calls", "function", "system"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(KEYS),
        inner | st.sampled_from(["user", "assistant", "tool", "text", "tool_use", "tool_result", "document", "image"]),
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(deadline=None)  # the first example loads the libraries
@given(json_values)
def test_any_json_is_read_or_refused_and_nothing_else(value: Any) -> None:  # noqa: ANN401 - any JSON
    for form in (None, *Form):
        try:
            read(json.dumps(value), form=form)
        except InvalidConversation:
            continue
