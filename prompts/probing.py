"""What the members behind the probe are asked, and how their answers are read: writer, reader, judge.

Conversation, candidate, questions and answers are all words of others: each is fenced, and what in them looks like one
of our marks is made none. The prompts that carry the snapshot begin with the very bytes of the fleet's prompt, so that
a provider that has read it once for one of them need not read it again.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue, ValidationError

from dissolution.answers import RenderedPrompt, Reply
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt, MemberReplyUnusable
from dissolution.probing import QuestionKind
from dissolution.written_questions import REASON_CHARS, JudgedItem, JudgedWord, ProposedQuestion
from prompts.catalog import filled
from prompts.fence import (
    DELIMITER_DIGITS,
    MIN_KEY_BYTES,
    delimiter,
    fenced_conversation,
    fenced_lines,
    fenced_turns,
    marked_lines,
)
from prompts.json_lists import list_format, read_list

WRITING, FURTHER, ANSWERS = "probe_writing", "probe_further", "probe_answers"
EVIDENCE, JUDGING, VETO = "probe_evidence", "probe_judging", "probe_veto"
VERSION = 1
EVIDENCE_VERSION = 2
"""Of the prompt that checks questions against their evidence; version 1 stays for what was recorded with it."""

MAX_ANSWER_CHARS = 600
"""An answer is one sentence; what is longer is cut, so that nobody answers by copying everything."""

_LOOKS_LIKE_A_MARK = re.compile(r"(?:BEGIN|END)[ \t_-]{1,4}QUESTIONS|\[[ \t]{0,4}question\b", re.IGNORECASE)


def render_writing(snapshot: Snapshot, *, count: int, key: bytes) -> RenderedPrompt:
    """The writer's prompt: the snapshot, and how many questions (1 or more). It is given nothing else to know.

    Raises InvalidPrompt for a short key.
    """
    code = delimiter(snapshot, key)
    values = {"conversation": fenced_conversation(snapshot, code), "delimiter": code, "count": str(count)}
    return filled(WRITING, VERSION, values, whole=True)


def render_further(snapshot: Snapshot, *, count: int, put: Mapping[str, str], key: bytes) -> RenderedPrompt:
    """The writer's prompt for a further bank: the snapshot, how many questions, and those that have been put.

    Args:
        snapshot: What is asked about.
        count: Questions wanted, 1 or more.
        put: Words of earlier questions by id, without references; at least one.
        key: The installation's key, at least 16 bytes.

    Raises:
        InvalidPrompt: No earlier question, or a short key.
    """
    code = delimiter(snapshot, key)
    values = {"conversation": fenced_conversation(snapshot, code), "delimiter": code, "count": str(count)}
    return filled(FURTHER, VERSION, values | {"questions": _questions(list(put.items()), key)}, whole=True)


def render_reading(source: Snapshot | Sequence[str], asked: Mapping[str, str], *, key: bytes) -> RenderedPrompt:
    """A reader's prompt: one text, and questions by id, without references.

    Args:
        source: The history, or the passages of a candidate; of none at all the prompt shows an empty text.
        asked: Questions by id, in the order they are to be answered; at least one.
        key: The installation's key, at least 16 bytes; it makes the delimiters.

    Raises:
        InvalidPrompt: No question, or a short key.
    """
    if isinstance(source, Snapshot):
        code = delimiter(source, key)
        text = fenced_conversation(source, code)
    else:
        code = _code(source, key)
        text = fenced_lines(source, code)
    shown = [(name, question) for name, question in asked.items()]
    values = {"conversation": text, "delimiter": code, "questions": _questions(shown, key)}
    return filled(ANSWERS, VERSION, values, whole=isinstance(source, Snapshot))


def render_evidence(
    snapshot: Snapshot,
    asked: Sequence[tuple[str, str, Sequence[int]]],
    *,
    key: bytes,
    version: int = EVIDENCE_VERSION,
) -> RenderedPrompt:
    """The prompt that checks questions: each (id, words, turn numbers) is to be answered from these turns alone.

    Every turn that a question names is shown once, above the questions; version 1 repeats it with each of them.

    Raises InvalidPrompt for no question or a short key, UnknownTurn for a turn outside the snapshot.
    """
    if version == 1:
        shown = [(name, "\n".join([question, *_said(snapshot, turns)])) for name, question, turns in asked]
        block = _questions(shown, key)
        return filled(EVIDENCE, version, {"questions": block, "delimiter": _code([text for _, text in shown], key)})
    shown = [(name, f"{_line(question)}\nturns: {', '.join(map(str, turns))}") for name, question, turns in asked]
    numbers = sorted({number for _, _, turns in asked for number in turns})
    code = delimiter(snapshot, key)
    text = fenced_turns([snapshot.turn(number) for number in numbers], code)
    return filled(EVIDENCE, version, {"conversation": text, "delimiter": code, "questions": _questions(shown, key)})


def render_judging(items: Sequence[JudgedItem], *, key: bytes) -> RenderedPrompt:
    """The judge's prompt: question, reference and answer of each item, and not which arm it comes from.

    Raises InvalidPrompt for no item or a short key.
    """
    return _about_answers(JUDGING, items, key)


def render_veto(items: Sequence[JudgedItem], *, key: bytes) -> RenderedPrompt:
    """Whether answers that were called wrong lose a rule that still binds; shown as to the judge.

    Raises InvalidPrompt for no item or a short key.
    """
    return _about_answers(VETO, items, key)


def _about_answers(prompt: str, items: Sequence[JudgedItem], key: bytes) -> RenderedPrompt:
    shown = [
        (
            item.id,
            "\n".join(
                [
                    f"question: {_line(item.question)}",
                    f"reference: {_line(item.reference)}",
                    *(f"variant: {_line(variant)}" for variant in item.variants),
                    f"answer: {_line(item.answer)}",
                ]
            ),
        )
        for item in items
    ]
    block = _questions(shown, key)
    return filled(prompt, VERSION, {"questions": block, "delimiter": _code([text for _, text in shown], key)})


def read_questions(reply: Reply, *, member: str) -> tuple[tuple[ProposedQuestion, ...], tuple[str, ...]]:
    """The questions of a writer's reply that are in the form, and why others are not, one line each.

    Raises MemberRefused, MemberContentFiltered, MemberReplyUnusable when there is none.
    """
    found: list[ProposedQuestion] = []
    refused: list[str] = []
    for place, entry in enumerate(read_list(reply, "questions", member=member, about="the questions"), start=1):
        try:
            found.append(ProposedQuestion.model_validate(entry))
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[0]
            field = ".".join(str(part) for part in first["loc"])[:60]
            refused.append(f"proposal {place}: field {field!r} is not of the form")
    if not found:
        raise MemberReplyUnusable(member, f"none of {len(refused)} questions is of the form")
    return tuple(found), tuple(refused)


def read_answers(reply: Reply, asked: Sequence[str], *, member: str) -> tuple[str | None, ...]:
    """A reader's answer to each question id, in the order asked; None for one it left out or answered twice.

    Raises MemberRefused, MemberContentFiltered, MemberReplyUnusable when less than half is answered.
    """
    said = _by_id(reply, "answers", "answer", asked, member)
    answers = tuple(_one(said.get(name)) for name in asked)
    if 2 * sum(answer is not None for answer in answers) < len(asked):
        raise MemberReplyUnusable(member, "the answers leave out more than half of the questions")
    return answers


def read_verdicts(reply: Reply, asked: Sequence[str], *, member: str) -> tuple[JudgedWord | None, ...]:
    """A judge's word on each id, in the order asked; None for one it left out, judged twice or in other words.

    Raises MemberRefused, MemberContentFiltered, MemberReplyUnusable.
    """
    said = _by_id(reply, "verdicts", "verdict", asked, member)
    return tuple(_word(said.get(name)) for name in asked)


def read_lost(reply: Reply, asked: Sequence[str], *, member: str) -> tuple[bool | None, ...]:
    """Whether a rule is lost, for each id in the order asked; None for one left out, told twice or in other words.

    Raises MemberRefused, MemberContentFiltered, MemberReplyUnusable.
    """
    said = _by_id(reply, "verdicts", "verdict", asked, member)
    words = {"lost": True, "kept": False}
    return tuple(words.get(str(said[name]["verdict"])) if name in said else None for name in asked)


def probe_formats() -> Mapping[str, Mapping[str, JsonValue]]:
    """The forms of the probe's replies by prompt, for members that are asked for JSON by their provider's means."""
    text: dict[str, JsonValue] = {"type": "string"}
    texts: dict[str, JsonValue] = {"type": "array", "items": text}
    answers = list_format("probe_answers", "answers", {"id": text, "answer": text})
    questions = list_format(
        "probe_questions",
        "questions",
        {
            "question": text,
            "kind": {"type": "string", "enum": [kind.value for kind in QuestionKind]},
            "section": {"type": "string", "enum": [section.value for section in Section]},
            "answer": text,
            "variants": texts,
            "wrong": texts,
            "turns": {"type": "array", "items": {"type": "integer"}},
        },
    )
    return {
        WRITING: questions,
        FURTHER: questions,
        ANSWERS: answers,
        EVIDENCE: answers,
        JUDGING: list_format(
            "probe_verdicts",
            "verdicts",
            {"id": text, "verdict": {"type": "string", "enum": ["right", "wrong"]}, "why": text},
        ),
        VETO: list_format(
            "probe_vetoes",
            "verdicts",
            {"id": text, "verdict": {"type": "string", "enum": ["lost", "kept"]}, "why": text},
        ),
    }


def _said(snapshot: Snapshot, turns: Sequence[int]) -> list[str]:
    """The words of some turns, each headed by its number and role."""
    shown = (snapshot.turn(number) for number in turns)
    return [f"turn {turn.number}, {turn.role.value}:\n{turn.content}" for turn in shown]


def _questions(shown: Sequence[tuple[str, str]], key: bytes) -> str:
    """Questions between their fence lines, each line of their words behind the line mark."""
    if not shown:
        raise InvalidPrompt("a prompt of the probe without questions", "ask only when there is something to ask")
    code = _code([text for _, text in shown], key)
    blocks: list[str] = []
    for name, text in shown:
        blocks.append(f"[question {name}]\n{marked_lines(text, code, _LOOKS_LIKE_A_MARK)}")
    return f"BEGIN QUESTIONS {code}\n" + "\n".join(blocks) + f"\nEND QUESTIONS {code}"


def _code(texts: Sequence[str], key: bytes) -> str:
    """24 hex digits: HMAC-SHA256 of the texts under the installation's key, cut. Raises InvalidPrompt: a short key."""
    if len(key) < MIN_KEY_BYTES:
        raise InvalidPrompt(f"a delimiter key of {len(key)} bytes", f"give at least {MIN_KEY_BYTES} random bytes")
    message = "".join(f"{len(text)}:{text}" for text in texts)
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()[:DELIMITER_DIGITS]


def _by_id(reply: Reply, field: str, value: str, asked: Sequence[str], member: str) -> dict[str, dict[str, object]]:
    """The entries about ids that were asked, each given once and with words; one given twice is not told apart."""
    found: dict[str, dict[str, object]] = {}
    twice: set[str] = set()
    for entry in read_list(reply, field, member=member, about=f"the {field}"):
        name = entry.get("id")
        if isinstance(name, str) and name in asked and isinstance(entry.get(value), str):
            twice |= {name} & found.keys()
            found[name] = entry
    return {name: entry for name, entry in found.items() if name not in twice}


def _one(entry: Mapping[str, object] | None) -> str | None:
    if entry is None:
        return None
    answer = _line(cast("str", entry["answer"]))
    return answer[:MAX_ANSWER_CHARS] or None


def _word(entry: Mapping[str, object] | None) -> JudgedWord | None:
    if entry is None or entry["verdict"] not in {"right", "wrong"}:
        return None
    why = entry.get("why")
    return JudgedWord(right=entry["verdict"] == "right", why=_line(why)[:REASON_CHARS] if isinstance(why, str) else "")


def _line(text: str) -> str:
    """The text on one line, storable."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
