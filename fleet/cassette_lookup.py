"""Finding what a cassette has as the answer to a question, and saying what it has when it has none."""

import json
import re
from decimal import Decimal
from typing import cast

from dissolution.answers import FinishReason, Reply, Usage
from dissolution.values import NotMeasured
from fleet.asked import QUESTIONS, Heard
from fleet.cassette import Cassette
from fleet.failures import bounded
from fleet.neutral import OPEN, Tokens
from fleet.recorded import RECORDED_USAGE

_SEVERAL = NotMeasured(not_measured="put together from several stored answers")
PUT_TOGETHER = Usage(input_tokens=_SEVERAL, cached_input_tokens=_SEVERAL, output_tokens=_SEVERAL, cost_usd=Decimal(0))

_FENCED = re.compile(r"\A\s*`{3,}\s*(?:json)?\s*(.*?)\s*`{3,}\s*\Z", re.DOTALL | re.IGNORECASE)


def stored_reply(cassette: Cassette, member: str, question: Heard, tokens: Tokens) -> Reply | None:
    """What a cassette has as this member's answer; None when it has none. Nothing is bought: it costs 0 now.

    Questions that were put in other batches are answered from those, when each of them was answered.
    """
    came = cassette.find(member, question.asked)
    if came is None or came.answer is None:
        text = _in_other_batches(cassette, member, question)
        return None if text is None else Reply(text=text, finish=FinishReason.STOP, usage=PUT_TOGETHER)
    usage = (came.usage or RECORDED_USAGE).model_copy(update={"cost_usd": Decimal(0)})
    text = tokens.put_back(came.text)
    return Reply(text=text, finish=came.finish, usage=usage, model_reported=came.model_reported)


def missing(cassette: Cassette, member: str, question: Heard) -> str:
    """In one line what was asked and is not there, and what of its kind is."""
    asked = question.asked
    about = f"{asked.conversation!r} through turn {asked.through}"
    same = cassette.of(member, asked.prompt)
    known = {item for other, _ in same for block in other.blocks for item in block.items}
    new = [item for block in asked.blocks for item in block.items if item not in known]
    first = f"; not asked before: {bounded(' '.join(new[0].split()), 120)!r}" if new else ""
    places = sorted({f"{other.conversation!r} through turn {other.through}" for other, _ in same})
    where = f" ({bounded(', '.join(places), 120)})" if places else ""
    has = f"the cassette has {len(same)} questions of that prompt to {member!r}{where}"
    return f"asked {asked.prompt}/v{asked.version} about {about}{first}; {has}"


def _in_other_batches(cassette: Cassette, member: str, question: Heard) -> str | None:
    """An answer to questions one by one, each from the first stored batch that holds it; None unless all are known."""
    if not question.questions:
        return None
    field, known = "", dict[str, dict[str, object]]()
    for asked, came in cassette.of(member, question.asked.prompt):
        if asked.rest != question.asked.rest or came.answer is None:
            continue
        found = _entries(came.text)
        if found is None or (field and field != found[0]):
            continue
        field = found[0]
        for item in (item for block in asked.blocks if block.name == QUESTIONS for item in block.items):
            name, _, words = item.removeprefix("[").partition("] ")
            entry = found[1].get(name.removeprefix("question "))
            if entry is not None:
                known.setdefault(words, entry)
    if not all(item.words in known for item in question.questions):
        return None
    entries = [{**known[item.words], "id": item.name.removeprefix("question ")} for item in question.questions]
    return json.dumps({field: entries}, ensure_ascii=False)


def _entries(text: str) -> tuple[str, dict[str, dict[str, object]]] | None:
    """The list of an answer that is one JSON object with one list, its entries by id; None for any other answer.

    An entry that names a neutral token belongs to its own prompt and is left out.
    """
    fenced = _FENCED.match(text)
    try:
        content: object = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or len(cast("dict[str, object]", content)) != 1:
        return None
    (field, listed), *_ = cast("dict[str, object]", content).items()
    if not isinstance(listed, list):
        return None
    found: dict[str, dict[str, object]] = {}
    for entry in cast("list[object]", listed):
        one = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
        name = one.get("id")
        if isinstance(name, str) and OPEN not in json.dumps(one, ensure_ascii=False):
            found[name] = one
    return field, found
