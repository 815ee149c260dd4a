"""Write the pages that repeat the code, so that nothing is written twice: stages, settings, errors, licences.

usage: python docs/generate.py [--check] [PAGE...]

`--check` writes nothing and exits with 1 when a page differs from the code. A page is named by its path from the
project's root. Without names all pages are meant.
"""

import ast
import inspect
import json
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from api.problems import kinds
from deploy.licences import licences_page
from dissolution.policy import Policy
from dissolution.settings import ENVIRONMENT_PREFIX, SECRETS_FOLDER_VARIABLE, SETTINGS_FILE_VARIABLE, Settings

ROOT = Path(__file__).resolve().parents[1]

UNITS = {"_s": "seconds", "_mb": "MB", "_usd": "US dollars", "_tokens": "tokens", "_chars": "code points"}
"""Names end in their unit; what has none of these is a plain number, a share or a name, as its reason says."""

TYPE_NAMES = {
    Path: "file",
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    Decimal: "decimal number",
}

BOUNDS = (
    (annotated_types.Ge, "ge", "≥"),
    (annotated_types.Gt, "gt", ">"),
    (annotated_types.Le, "le", "≤"),
    (annotated_types.Lt, "lt", "<"),
)

DEFAULTS_OF_THE_MACHINE = {
    "db": "`sqlite:///~/.dissolution/ledger.sqlite3`",
    "embedder": "`all-MiniLM-L6-v2`; `hashing` in a light install",
    "fleets_folder": "`~/.dissolution/fleets`",
    "policies_folder": "`~/.dissolution/policies`",
}
"""Defaults that are made when settings are read, as they are on no machine; ~ stands for the home folder."""

NOTE = "<!-- Made by docs/generate.py; change the docstrings in the code instead. -->"
NOTE_OF_LICENCES = "<!-- Made by docs/generate.py from what is locked and installed: `make lock`, then `make docs`. -->"

SETTINGS_HEAD = f"""# Settings

{NOTE}

Where things are on one installation. What a job may do is its [policy](policy.md).

Precedence: command-line flags, then environment variables, then the folder of secrets, then the settings file, then
defaults. The file is TOML, `~/.dissolution/settings.toml` or what `{SETTINGS_FILE_VARIABLE}` names; its keys are the
names below. Unknown keys are refused, with the nearest that exists; of a `{ENVIRONMENT_PREFIX}` variable that is no
setting commands warn. The folder of secrets, when `{SECRETS_FOLDER_VARIABLE}` names one, holds a file a secret, such
as `redis_password`, as containers are given them. With `environment = "deployment"` secrets that are placeholders,
short or missing are refused.

| name | environment variable | type, unit, range | default | what it is and why |
|---|---|---|---|---|
"""

POLICY_HEAD = f"""# Policy

{NOTE}

Every threshold of one job. It is frozen and stored with the job, so an old job can be read under the rules it ran by.
Give another one as TOML with `--policy FILE`; what is left out keeps its default, unknown names are refused. A dotted
name is a table and a key: `quorum.min_members` is `min_members` in `[quorum]`.

| name | type, unit, range | default | what it is and why |
|---|---|---|---|
"""


def settings_page() -> str:
    """The settings as a Markdown page."""
    rows = [
        f"| `{name}` | `{ENVIRONMENT_PREFIX}{name.upper()}` | {kind(name, field)} | {default(name, field)} "
        f"| {cell(field.description or '')} |"
        for name, field in Settings.model_fields.items()
    ]
    return SETTINGS_HEAD + "\n".join(rows) + "\n"


def policy_page() -> str:
    """The policy as a Markdown page."""
    rows = [
        f"| `{name}` | {kind(name, field)} | {default(name, field)} | {cell(reason)} |"
        for name, field, reason in policy_fields(Policy)
    ]
    return POLICY_HEAD + "\n".join(rows) + "\n"


def policy_fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo, str]]:
    """Dotted name, field and docstring of every threshold, depth first."""
    reasons = attribute_docstrings(model)
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from policy_fields(annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field, reasons.get(name, "")


def attribute_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The string below each field of a class, by field name."""
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    if not isinstance(body, ast.ClassDef):
        message = f"{model!r} is not written as a class"
        raise TypeError(message)
    found: dict[str, str] = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            text = ast.literal_eval(below.value)
            found[field.target.id] = inspect.cleandoc(str(text))
    return found


def kind(name: str, field: FieldInfo) -> str:
    """Type, unit and range of a field in words."""
    words, bounds = described(field.annotation)
    bounds += bounds_of(field.metadata)
    unit = next((unit for ending, unit in UNITS.items() if name.endswith(ending)), "")
    return cell(", ".join(filter(None, (words, unit, " and ".join(bounds)))))


def described(annotation: Any) -> tuple[str, list[str]]:  # noqa: ANN401 - any annotation of a field
    """A type in words, and the bounds written inside it."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *metadata = get_args(annotation)
        words, bounds = described(inner)
        return words, bounds + bounds_of(metadata)
    values = get_args(annotation) if origin is Literal else None
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        values = tuple(annotation)
    if values is not None:
        return " or ".join(f"`{value}`" for value in values), []
    if origin in {Union, types.UnionType}:
        options = [described(option) for option in get_args(annotation) if option is not type(None)]
        return " or ".join(words for words, _ in options), [bound for _, bounds in options for bound in bounds]
    if annotation is SecretStr:
        return "secret text", []
    if origin is tuple:
        return f"list of {described(get_args(annotation)[0])[0]}", []
    return TYPE_NAMES[annotation], []


def bounds_of(metadata: list[Any]) -> list[str]:
    """Bounds in words, also those inside pydantic's own field marks."""
    flat = [part for mark in metadata for part in (mark.metadata if isinstance(mark, FieldInfo) else [mark])]
    found = [
        f"{sign} {getattr(part, attribute)}"
        for part in flat
        for type_, attribute, sign in BOUNDS
        if isinstance(part, type_)
    ]
    lengths = [part for part in flat if isinstance(part, annotated_types.MinLen) and part.min_length > 0]
    return found + ["not empty" for _ in lengths]


def default(name: str, field: FieldInfo) -> str:
    """The default as it would be written, or what happens without one."""
    if name in DEFAULTS_OF_THE_MACHINE:
        return DEFAULTS_OF_THE_MACHINE[name]
    value: Any = field.default
    if value is None:
        return "not set"
    if value == ():
        return "none"
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{shown}`"


def cell(text: str) -> str:
    """Text on one line that breaks no table."""
    return " ".join(text.split()).replace("|", "\\|")


ERRORS_HEAD = f"""# Errors of the HTTP API

{NOTE}

Every error is a problem document (RFC 9457, `application/problem+json`). `code` is what programs look at: it is stable,
as is `type`, which is `urn:dissolution:problem:` and the code. `detail` says what happened, with which value, and what
to do; `errors` names each value that cannot be used by its place, such as `body.turns.0.content`; `instance` has the
request's id, which also stands in the header `X-Request-Id` and in the service's log.

| status | code | what it means | what to do |
|---|---|---|---|
"""


def errors_page() -> str:
    """The kinds of problems as a Markdown page."""
    rows = (f"| {one.status} | `{one.code}` | {cell(one.meaning)} | {cell(one.remedy)} |" for one in kinds())
    return ERRORS_HEAD + "\n".join(rows) + "\n"


def openapi() -> str:
    """The OpenAPI document as the service publishes it, with the defaults that are written in the code."""
    from api.app import make_app  # takes seconds, and no other page needs it

    defaults = {name: field.get_default() for name, field in Settings.model_fields.items() if not field.default_factory}
    described_only: Any = types.SimpleNamespace(settings=Settings.model_construct(**defaults))
    return json.dumps(make_app(described_only).openapi(), indent=1, ensure_ascii=False) + "\n"


STAGES_BEGIN, STAGES_END = "<!-- stages -->\n", "<!-- /stages -->"


def architecture_page() -> str:
    """The page on the architecture as it stands, with the pipeline's stages and their functions between its marks."""
    from workers.pipeline import STAGES
    from workers.steps import STEPS

    rows: list[str] = []
    for number, stage in enumerate(STAGES, start=1):
        function = STEPS[stage.name]
        place = f"`{function.__module__.replace('.', '/')}.py`, `{function.__name__}`"
        after = f", after {' and '.join(f'`{name}`' for name in stage.after)}" if stage.after else ""
        rows.append(f"{number}. `{stage.name}`{after}: {stage.meaning} ({place})\n")
    before, _, rest = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition(STAGES_BEGIN)
    return before + STAGES_BEGIN + "".join(rows) + STAGES_END + rest.partition(STAGES_END)[2]


PAGES: dict[str, Callable[[], str]] = {
    "docs/architecture.md": architecture_page,
    "docs/settings.md": settings_page,
    "docs/policy.md": policy_page,
    "docs/api-errors.md": errors_page,
    "docs/openapi.json": openapi,
    "THIRD_PARTY_LICENCES.md": partial(licences_page, NOTE_OF_LICENCES),
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check compare them; returns the exit code."""
    check, names = "--check" in arguments, [one for one in arguments if one != "--check"]
    if not set(names) <= set(PAGES):
        sys.stderr.write((__doc__ or "").split("\n\n")[1] + f"\npages: {' '.join(PAGES)}\n")
        return 2
    stale: list[str] = []
    for name in names or PAGES:
        file, page = ROOT / name, PAGES[name]()
        if check:
            stale += [name] if not file.exists() or file.read_text(encoding="utf-8") != page else []
        else:
            file.write_text(page, encoding="utf-8")
    for name in stale:
        sys.stderr.write(f"{name} differs from the code; run `make docs` and commit the result\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
