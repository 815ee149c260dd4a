"""Claims written as a reply, in the form that version 2 of the prompts asks for or as JSON. Parsing gives them back."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from dissolution.answers import FinishReason
from dissolution.claims import HeldAct, Section, StatedClaim
from prompts.parse import parse_reply

SCHEMA_NAME = "boundary_reply"
"""How providers that want a name for a schema are told it."""

_ABOUT = {
    Section.KNOWN: "What I now know to be true.",
    Section.DECIDED: "What is committed to or ruled out.",
    Section.EDGES: "What questions remain open at the boundary of what is established.",
    Section.IDENTITY: "What role, constraints, and commitments define my participation here.",
}
"""The four parts in the prompt's words, beside the fields where an answer in JSON puts them."""


def reply_schema(*, cycle: bool = False) -> Mapping[str, JsonValue]:
    """JSON Schema of the reply `render_json_reply` writes, within what providers' strict modes take.

    With `cycle` each statement also has `acts`, for prompts that show claims with ids; an empty list says nothing.

    Those want every field required and no others, and know no bounds on lists. What it asks for is what `parse_reply`
    reads without a problem but "json"; the parser itself accepts more (docs/prompts.md).
    """
    act = _closed(
        {
            "act": {"type": "string", "enum": [act.value for act in HeldAct]},
            "about": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The ids of those claims as they stand in the state.",
            },
        }
    )
    acts: dict[str, JsonValue] = {
        "acts": {
            "type": "array",
            "items": act,
            "description": "What the statement does to claims of the state; empty when it is about none, or in doubt.",
        }
    }
    statement = _closed(
        {
            "text": {"type": "string", "description": "One statement that stands on its own, without turn numbers."},
            "turns": {
                "type": "array",
                "items": {"type": "integer"},
                "description": "The numbers of the turns it rests on.",
            },
            "quotes": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The words of those turns it rests on, verbatim; may be empty.",
            },
            **(acts if cycle else {}),
        }
    )
    sections: dict[str, JsonValue] = {
        section.value: {"type": "array", "items": dict(statement), "description": _ABOUT[section]}
        for section in Section
    }
    return _closed(sections)


def reply_format(*, cycle: bool = False) -> Mapping[str, JsonValue]:
    """The schema as the `response_format` parameter of OpenAI's naming, which other providers' adapters translate."""
    return {
        "type": "json_schema",
        "json_schema": {"name": SCHEMA_NAME, "strict": True, "schema": dict(reply_schema(cycle=cycle))},
    }


def _closed(properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """An object with these fields, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def render_reply(claims: Sequence[StatedClaim]) -> str:
    """The four headings with one bullet a claim, `- text [turns 7, 22]`; an empty section says "none".

    `parse_reply` gives the same claims back, section by section, but for `place`.

    Raises:
        ValueError: a claim that this form cannot carry: quotes, several lines, or text that would be read as a mark.
            Use `render_json_reply` for it.
    """
    lines: list[str] = []
    for section in Section:
        if lines:
            lines.append("")
        lines.append(section.value)
        lines.extend([_bullet(claim) for claim in claims if claim.section is section] or ["none"])
    text = "\n".join(lines)
    wanted = [_content(claim) for section in Section for claim in claims if claim.section is section]
    read = [_content(claim) for claim in parse_reply(text, FinishReason.STOP).claims]
    if read != wanted:
        lost = next((claim for claim in wanted if claim not in read), "their order")
        message = f"the bullet form cannot carry {lost!r}; write these claims with render_json_reply"
        raise ValueError(message)
    return text


def render_json_reply(claims: Sequence[StatedClaim]) -> str:
    """`{"KNOWN": [{"text", "turns", "quotes"}, …], …}`: carries every claim exactly, but for `place`."""
    return json.dumps(
        {
            section.value: [
                {"text": claim.text, "turns": list(claim.turns), "quotes": list(claim.quotes)}
                for claim in claims
                if claim.section is section
            ]
            for section in Section
        },
        ensure_ascii=False,
        indent=1,
    )


def _bullet(claim: StatedClaim) -> str:
    if not claim.turns:
        return f"- {claim.text}"
    word = "turn" if len(claim.turns) == 1 else "turns"
    return f"- {claim.text} [{word} {', '.join(map(str, claim.turns))}]"


def _content(claim: StatedClaim) -> tuple[Section, str, tuple[int, ...], tuple[str, ...]]:
    return claim.section, claim.text, claim.turns, claim.quotes
