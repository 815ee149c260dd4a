"""Policies as TOML files."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from dissolution.errors import InvalidPolicy
from dissolution.policy import Policy


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
    try:
        return Policy.model_validate({"name": path.stem, **fields})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "policy"
        what = f"policy file {str(path)!r}, field {field!r}, value {first['input']!r}"
        raise InvalidPolicy(what, f"{first['msg']} (see docs/policy.md)") from error
