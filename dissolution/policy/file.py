"""Policies as TOML files."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from dissolution.errors import InvalidPolicy
from dissolution.nearest import meant_field
from dissolution.policy.job_policy import Policy


def load_policy(path: Path) -> Policy:
    """The policy in a TOML file: any field left out keeps its default, any unknown one is refused.

    Raises InvalidPolicy that names the file, the field and what is wrong with it.
    """
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidPolicy(f"policy file {str(path)!r}", f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidPolicy(f"policy file {str(path)!r}", f"is not valid TOML: {error}") from error
    if "calibration" in fields:
        what = f"policy file {str(path)!r}, field 'calibration'"
        raise InvalidPolicy(what, "nobody sets it: leave it out (see `dissolve policy show`)")
    try:
        return Policy.model_validate({"name": path.stem, **fields})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "policy"
        what = f"policy file {str(path)!r}, field {field!r}, value {first['input']!r}"
        if first["type"] == "extra_forbidden":
            hint = meant_field(Policy, first["loc"])
            raise InvalidPolicy(what, f"there is no such field{hint} (see docs/policy.md)") from error
        raise InvalidPolicy(what, f"{first['msg']} (see docs/policy.md)") from error


def policy_text(policy: Policy) -> str:
    """A policy as such a file: its name and every field that was given a value; `load_policy` gives it back."""
    fields = policy.model_dump(mode="json", exclude_unset=True, exclude_none=True, exclude={"calibration"})
    return "\n".join(_lines({"name": policy.name, **fields}, ())) + "\n"


def _lines(fields: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    """The lines of one table, those of the tables in it last."""
    tables = {name: cast("Mapping[str, object]", value) for name, value in fields.items() if isinstance(value, dict)}
    if path and len(tables) < len(fields):
        yield ""
        yield f"[{'.'.join(path)}]"
    for name, value in fields.items():
        if name not in tables:
            yield f"{name} = {json.dumps(value)}"  # texts, numbers, true, false and lists of them read alike in TOML
    for name, table in tables.items():
        yield from _lines(table, (*path, name))
