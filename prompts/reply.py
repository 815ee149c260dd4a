"""The form of a reply in JSON, as providers take it."""

from collections.abc import Mapping

from pydantic import JsonValue

from dissolution.claims import HeldAct, Section

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
    """JSON Schema of a reply of four sections, within what providers' strict modes take.

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
