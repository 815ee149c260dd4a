"""The reference of the HTTP API as Markdown, made of its OpenAPI document; docs/generate.py writes it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from api.app import ROUTERS, make_app
from api.problems import kinds
from dissolution.settings import Settings

Schema = Mapping[str, Any]

NOTE = "<!-- Made by docs/generate.py of the OpenAPI document; change the code instead. -->"
TYPES_PAGE = "reference-types.md"
METHODS = ("get", "put", "post", "delete")
SCOPES = {"_reader": "read", "_writer": "write", "_admin": "admin"}
"""The dependency of a route that asks for a scope, and the scope (api/security.py)."""

ROUTES_HEAD = f"""# Reference of the HTTP API

{NOTE}

Every route with what it takes and answers. [api.md](api.md) explains how they are used together, and
[quickstart.md](quickstart.md) begins with them. The same as a document for programs: [openapi.json](openapi.json)
(OpenAPI 3.1), which a running service has at `/openapi.json`; client generators read it.

- **Scope** is what the API key must allow; `read` is part of `write`, `write` of `admin`.
- **Types** are links to [every type](reference-types.md). Bodies are taken strictly: unknown fields are refused, and
  `"5"` is no number.
- **Problems** are the statuses of problem documents. Which codes a status may have:

| status | codes, each explained in [api-errors.md](api-errors.md) |
|---|---|
"""

TYPES_HEAD = f"""# Types of the HTTP API

{NOTE}

What bodies and answers of the [HTTP API](reference.md) are made of, by name. A field without a default must be given;
in an answer every field stands. What `Policy` and its parts mean is told in [policy.md](policy.md).

"""


@cache
def application() -> FastAPI:
    """The application, to be described and not to be run: it has settings and no store."""
    services: Any = SimpleNamespace(settings=Settings.model_construct(**_defaults()))
    return make_app(services)


def _defaults() -> dict[str, Any]:
    """Settings as they are on no machine: the defaults that are written in the code."""
    return {name: field.get_default() for name, field in Settings.model_fields.items() if not field.default_factory}


def openapi(app: FastAPI) -> str:
    """The OpenAPI document as it is published."""
    return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


def routes_page(app: FastAPI) -> str:
    """Every route, by tag."""
    document = app.openapi()
    scopes = {(route.path, method.lower()): scope_of(route.dependant) for route, method in _routes()}
    parts: list[str] = []
    tags: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                tags.setdefault(methods[method]["tags"][0], []).append((method, path, methods[method]))
    parts.append("\n| route | what |\n|---|---|")
    for tag in tags.values():
        parts += [
            f"| [{name(method, path)}](#{anchor(name(method, path))}) | {_first_sentence(one.get('description', ''))} |"
            for method, path, one in tag
        ]
    for tag, operations in tags.items():
        parts.append(f"\n## {tag.capitalize()}")
        parts += [operation(method, path, one, scopes[path, method]) for method, path, one in operations]
    return ROUTES_HEAD + "\n".join(codes()) + "\n" + "\n".join(parts) + "\n"


def codes() -> Iterator[str]:
    """A row a status with the codes it may have."""
    found: dict[int, list[str]] = {}
    for kind in kinds():
        found.setdefault(kind.status, []).append(f"`{kind.code}`")
    yield from (f"| {status} | {', '.join(names)} |" for status, names in found.items())


def _routes() -> Iterator[tuple[APIRoute, str]]:
    for module in ROUTERS:
        for route in module.router.routes:
            if isinstance(route, APIRoute):
                yield from ((route, method) for method in sorted(route.methods or ()))


def scope_of(dependant: Dependant) -> str | None:
    """The scope that a route asks for; None where it asks for no key."""
    for one in dependant.dependencies:
        found = SCOPES.get(getattr(one.call, "__name__", "")) or scope_of(one)
        if found:
            return found
    return None


def operation(method: str, path: str, one: Schema, scope: str | None) -> str:
    """One route as Markdown."""
    lines = [f"\n### {name(method, path)}", "", _paragraph(one.get("description", "")), ""]
    lines.append(f"Scope: {f'`{scope}`' if scope else 'no key is asked'}.")
    if one.get("parameters"):
        lines += ["", "| parameter | where | type, default | what |", "|---|---|---|---|"]
        lines += [parameter(given) for given in one["parameters"]]
    body = one.get("requestBody")
    if body is not None:
        lines += ["", f"Body: {typed(body['content']['application/json']['schema'])}."]
    good = {status: reply for status, reply in one["responses"].items() if int(status) < 400}  # noqa: PLR2004 - HTTP
    bad = [status for status in one["responses"] if status not in good]
    lines += ["", "Answers: " + "; ".join(answer(status, reply) for status, reply in good.items()) + "."]
    if bad:
        lines.append("Problems: " + ", ".join(sorted(bad)) + ".")
    return "\n".join(lines)


def name(method: str, path: str) -> str:
    """A route as its heading has it."""
    return f"`{method.upper()} {path}`"


def anchor(heading: str) -> str:
    """Where a heading is found in its page, as forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def parameter(given: Schema) -> str:
    """One parameter as a row."""
    words = typed(given["schema"])
    if given.get("required"):
        words += ", must be given"
    elif given["schema"].get("default") is not None:
        words += f", `{given['schema']['default']}`"
    return f"| `{given['name']}` | {given['in']} | {words} | {cell(given.get('description', ''))} |"


def answer(status: str, reply: Schema) -> str:
    """A status with what its answer holds."""
    content: Mapping[str, Schema] = reply.get("content", {})
    kinds_of = [
        typed(media["schema"]) if media_type == "application/json" else f"`{media_type}`"
        for media_type, media in content.items()
    ]
    told = cell(reply.get("description", "")).rstrip(".")
    said = "" if told == "Successful Response" else f" ({told[:1].lower()}{told[1:]})"
    return f"{status} {' or '.join(kinds_of) or 'without a body'}{said}"


def types_page(app: FastAPI) -> str:
    """Every type of bodies and answers."""
    schemas: Mapping[str, Schema] = app.openapi()["components"]["schemas"]
    return TYPES_HEAD + "\n".join(type_of(kind, schemas[kind]) for kind in sorted(schemas, key=str.lower))


def type_of(kind: str, schema: Schema) -> str:
    """One type as Markdown."""
    lines = [f"## {kind}", ""]
    if schema.get("description"):
        lines += [_paragraph(schema["description"]), ""]
    if "enum" in schema:
        lines += ["One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + ".", ""]
    elif "properties" in schema:
        needed: Sequence[str] = schema.get("required", ())
        lines += ["| field | type | default | what |", "|---|---|---|---|"]
        lines += [field(one, given, one in needed) for one, given in schema["properties"].items()]
        lines.append("")
    else:
        lines += [f"{typed(schema, inner=False)}.", ""]
    return "\n".join(lines)


def field(one: str, given: Schema, needed: bool) -> str:  # noqa: FBT001 - one column of a row
    """One field as a row."""
    default = given.get("default")
    shown = (
        "" if needed or "default" not in given else "none" if default in (None, [], {}) else f"`{json.dumps(default)}`"
    )
    if len(shown) > 60:  # noqa: PLR2004 - a whole policy is no default to read in a table
        shown = "as the type has it"
    return f"| `{one}` | {typed(given)} | {shown} | {cell(given.get('description', ''))} |"


def typed(schema: Schema, *, inner: bool = True) -> str:
    """A type in words, with links to those that have a name."""
    if "$ref" in schema:
        kind = schema["$ref"].rsplit("/", 1)[1]
        return f"[{kind}]({TYPES_PAGE}#{anchor(kind)})"
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(typed(one) for one in schema[choice]))
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        inside: Schema = schema.get("items") or (schema.get("prefixItems") or [_ANY])[0]
        return f"list of {typed(inside)}{bounds(schema)}"
    if kind == "object":
        values: object = schema.get("additionalProperties")
        return (
            f"map of names to {typed(cast('Schema', values))}" if isinstance(values, Mapping) and values else "object"
        )
    names = {
        "integer": "whole number",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
        "number": "number",
    }
    words = {"date-time": "instant"}.get(
        schema.get("format", ""), names.get(str(kind), "any JSON" if inner else "Any JSON")
    )
    return words + bounds(schema)


_ANY: Schema = {}

SIGNS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
SIZES = (("minLength", "maxLength", "characters"), ("minItems", "maxItems", "items"))


def bounds(schema: Schema) -> str:
    """Bounds in words."""
    found = [f"{sign} {schema[key]:g}" for key, sign in SIGNS.items() if key in schema]
    for least, most, unit in SIZES:
        if most in schema:
            found.append(f"{schema.get(least, 0)} to {schema[most]} {unit}")
        elif schema.get(least):
            found.append(f"at least {schema[least]} {unit if schema[least] > 1 else unit.removesuffix('s')}")
    return f" ({', '.join(found)})" if found else ""


def cell(text: str) -> str:
    """Text on one line that breaks no table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _paragraph(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())).replace("<", "&lt;")


def _first_sentence(text: str) -> str:
    return cell(re.split(r"(?<=[.;])\s", text.strip(), maxsplit=1)[0]).rstrip(".;")
