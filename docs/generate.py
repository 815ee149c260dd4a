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
from dissolution.policy.job_policy import Policy
from dissolution.settings import ENVIRONMENT_PREFIX, SECRETS_FOLDER_VARIABLE, SETTINGS_FILE_VARIABLE, Settings

ROOT = Path(__file__).resolve().parents[1]

UNITS = "Names end in their unit: `_s` seconds, `_mb` 10⁶ bytes, `_usd` US dollars, `_tokens`, `_chars` code points."
"""What has none of these is a plain number, a share or a name, as its description says."""

TYPE_NAMES = {
    Path: "file",
    str: "text",
    int: "number",
    float: "number",
    bool: "true or false",
    Decimal: "number",
    SecretStr: "secret",
}

LOWER = ((annotated_types.Ge, "ge", "≤"), (annotated_types.Gt, "gt", "<"))
UPPER = ((annotated_types.Le, "le", "≤"), (annotated_types.Lt, "lt", "<"))
"""Kinds of bounds with their attribute, and the sign between bound and value."""

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

Settings say where things are in one installation; whoever installs or runs it needs them. What a job may do is its
[policy](policy.md).

Each name below is a key of the settings file. In capitals with `{ENVIRONMENT_PREFIX}` before it, such as
`{ENVIRONMENT_PREFIX}DB`, it is an environment variable. Command-line flags win over variables, then the folder of
secrets, then the file, then defaults. The file is TOML: `~/.dissolution/settings.toml`, or what
`{SETTINGS_FILE_VARIABLE}` names. Unknown keys are refused; an unknown `{ENVIRONMENT_PREFIX}` variable gets a warning.
`{SECRETS_FOLDER_VARIABLE}` may name a folder with one file a secret, such as `redis_password`. With
`environment = "deployment"` missing, short and placeholder secrets are refused.

{UNITS}

| name | default; range | meaning |
|---|---|---|
"""

POLICY_HEAD = f"""# Policy

{NOTE}

A policy has every threshold that one job may set; whoever tunes jobs needs it. It is stored with the job, so an old job
can be read under its own rules.

Where a distance, a share or a probability begins to mean something is no policy: it belongs to the software. These
values are its calibration (`dissolution/policy/calibration.py`). `dissolve policy show` prints a policy and the
calibration, each with its digest. A job keeps both digests, and its receipt shows them.

Give one as TOML with `--policy FILE`. What it leaves out keeps its default; unknown names are refused. A dotted name
is a table and a key: `quorum.min_members` is `min_members` in `[quorum]`.

{UNITS}

| name | default; range | meaning |
|---|---|---|
"""


def settings_page() -> str:
    """The settings as a Markdown page."""
    reasons = attribute_docstrings(Settings)
    rows = (row(name, field, reasons.get(name, "")) for name, field in Settings.model_fields.items())
    return SETTINGS_HEAD + "".join(rows)


def policy_page() -> str:
    """The policy as a Markdown page."""
    set_by_a_policy = (each for each in policy_fields(Policy) if each[0] != "calibration")
    return POLICY_HEAD + "".join(row(*each) for each in set_by_a_policy)


def row(name: str, field: FieldInfo, meaning: str) -> str:
    """A field as a line of its table."""
    values = "; ".join(filter(None, (default(name, field), others(field))))
    return f"| `{name}` | {cell(values)} | {cell(meaning)} |\n"


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


def others(field: FieldInfo) -> str:
    """What a field may be besides its default: a range, other names, or a type that the default does not show."""
    kind, marks = described(field.annotation)
    if isinstance(kind, tuple):
        return "or " + ", ".join(f"`{name}`" for name in kind if name != str(field.default))
    told = kind == TYPE_NAMES[SecretStr] or field.default in (None, ())
    return interval(marks + flat(field.metadata)) or (kind if told else "")


def described(annotation: Any) -> tuple[str | tuple[str, ...], list[Any]]:  # noqa: ANN401 - any annotation of a field
    """A type in words, or the names it allows, and the marks written inside it."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *metadata = get_args(annotation)
        words, marks = described(inner)
        return words, marks + flat(metadata)
    if origin is Literal or (isinstance(annotation, type) and issubclass(annotation, StrEnum)):
        return tuple(str(name) for name in (get_args(annotation) or annotation)), []
    if origin in {Union, types.UnionType}:
        options = [described(option) for option in get_args(annotation) if option is not type(None)]
        return options[0] if len(options) == 1 else (" or ".join(str(words) for words, _ in options), [])
    if origin is tuple:
        return f"list of {described(get_args(annotation)[0])[0]}", []
    return TYPE_NAMES[annotation], []


def flat(metadata: list[Any]) -> list[Any]:
    """The marks of a field, also those inside pydantic's own field marks."""
    return [part for mark in metadata for part in (mark.metadata if isinstance(mark, FieldInfo) else [mark])]


def interval(marks: list[Any]) -> str:
    """The range of a number `x`, as the help of the command line writes it; empty without bounds."""
    low, high = (
        [(sign, getattr(mark, name)) for kind, name, sign in kinds_of for mark in marks if isinstance(mark, kind)]
        for kinds_of in (LOWER, UPPER)
    )
    upper = "".join(f"{sign}{bound:,}" for sign, bound in high)
    if low and not upper:
        return "".join(f"x{'≥' if sign == '≤' else '>'}{bound:,}" for sign, bound in low)
    return "".join(f"{bound:,}{sign}" for sign, bound in low) + f"x{upper}" if upper else ""


def default(name: str, field: FieldInfo) -> str:
    """The default as it would be written, or what happens without one."""
    if name in DEFAULTS_OF_THE_MACHINE:
        return DEFAULTS_OF_THE_MACHINE[name]
    value: Any = field.default
    if value is None:
        return "not set"
    if value == ():
        return "none"
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{shown}`"


def cell(text: str) -> str:
    """Text on one line that breaks no table."""
    return " ".join(text.split()).replace("|", "\\|")


ERRORS_HEAD = f"""# Errors of the HTTP API

{NOTE}

Every error is a problem document (RFC 9457, `application/problem+json`); whoever writes a client needs this page.
`code` is stable and is what programs look at; `type` is `urn:dissolution:problem:` and the code. `detail` says what
happened, with which value, and what to do. `errors` names each value that cannot be used by its place, such as
`body.turns.0.content`. `instance` has the request's id, which is also in the header `X-Request-Id` and the service's
log. "Operator" is whoever runs the service.

| status, code | title | what to do |
|---|---|---|
"""


def errors_page() -> str:
    """The kinds of problems as a Markdown page."""
    rows = (f"| {one.status} `{one.code}` | {title(one.meaning)} | {cell(one.remedy)} |\n" for one in kinds())
    return ERRORS_HEAD + "".join(rows)


def title(meaning: str) -> str:
    """What an answer has as its `title`: the first part of a meaning."""
    return cell(meaning.partition(";")[0].rstrip("."))


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
    from workers.stage_functions import LOADERS

    rows: list[str] = []
    for number, stage in enumerate(STAGES, start=1):
        function = LOADERS[stage.name]()
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
