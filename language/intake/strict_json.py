"""JSON as the standard says: with the place of each fault, and without NaN, Infinity or endless nesting."""

import json
from typing import Any, NoReturn

from dissolution.errors import InvalidConversation
from language.intake.json_values import as_object
from language.intake.shown import shown


class _Constant(ValueError):
    """NaN or an infinity, which Python's reader would accept."""


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


def parse_json(text: str, name: str, *, line: int | None = None) -> Any:  # noqa: ANN401 - JSON is any value
    """The value of a JSON text.

    Args:
        text: The JSON text.
        name: The file's name, for messages.
        line: The line of the file (1-based) the text is, when it is one line of JSONL.

    Raises:
        InvalidConversation: Broken (names line and column, both 1-based), NaN or infinite, nested too deeply, or a
            number of thousands of digits.
    """
    where = f"file {name!r}" if line is None else f"file {name!r}, line {line}"
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno if line is None else line}, column {error.colno}"
        raise InvalidConversation(
            f"file {name!r} is not valid JSON: {error.msg} at {at}",
            "correct it there; a file cut off midway ends so too",
        ) from None
    except _Constant as error:
        raise InvalidConversation(
            f"{where} holds {error}, which is no JSON number", "use null or leave it out"
        ) from None
    except RecursionError:
        raise InvalidConversation(f"{where} is nested too deeply", "a conversation needs about six levels") from None
    except ValueError:
        raise InvalidConversation(f"{where} holds a number of thousands of digits", "quote it as a string") from None


def json_lines(text: str, name: str) -> list[tuple[int, dict[str, Any]]]:
    """(line number, object) for each line of JSONL that is not blank.

    Lines end at a line feed only: other separators of Unicode are legal inside JSON strings.

    Raises:
        InvalidConversation: A line is broken or holds no object; the message names the line.
    """
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value = parse_json(line.rstrip("\r"), name, line=number)
        fields = as_object(value)
        if fields is None:
            raise InvalidConversation(
                f"file {name!r}, line {number} holds {shown(value)}", "each line of JSONL must hold one object"
            )
        found.append((number, fields))
    return found
