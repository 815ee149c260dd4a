"""Banks that somebody else wrote: a JSON file of questions about one history, held-out whole."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import Field, ValidationError

from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.errors import InputError
from dissolution.probing import BankOrigin, Question, QuestionBank, QuestionKind, Third
from dissolution.values import Frozen

MAX_BYTES = 20_000_000
OTHER_NAMES = {"abstain": "not_answerable"}
"""Names of kinds that files use for ours."""


class _Probe(Frozen):
    """One question as a file gives it (benchmarks/data/planted/SPEC.md)."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    question: Annotated[str, Field(min_length=1)]
    kind: str
    section: Section = Section.KNOWN
    expected: Annotated[tuple[str, ...], Field(min_length=1)]
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    evidence_turns: tuple[int, ...] = ()


def read_bank(path: Path, snapshot: Snapshot) -> QuestionBank:
    """A ready-made bank about `snapshot`: a JSON list of questions, or an object with one under "probes".

    A question has `id`, `question`, `kind` (`abstain` is `not_answerable`), `expected` (right answers, the first is the
    reference), and may have `section`, `accept`, `reject` (patterns) and `evidence_turns`. Raises InputError.
    """
    name = path.name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"bank {str(path)!r} cannot be read ({error.strerror})", "check the path") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"bank {name!r} has {len(data)} bytes, more than {MAX_BYTES}", "split it")
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"bank {name!r} is no JSON ({type(error).__name__})", "give a list of questions") from error
    found: object = cast("dict[str, object]", value).get("probes") if isinstance(value, dict) else value
    if not isinstance(found, list) or not found:
        raise InputError(f"bank {name!r} has no questions", 'give a list, or {"probes": […]}')
    entries = enumerate(cast("list[object]", found), start=1)
    questions = tuple(
        _question(entry, f"bank {name!r}, question {place}", snapshot.through) for place, entry in entries
    )
    try:
        return QuestionBank(
            snapshot_digest=snapshot.digest, origin=BankOrigin.READY_MADE, writer=name, questions=questions
        )
    except ValidationError as error:
        raise InputError(f"bank {name!r}: {_said(error)}", "give each question an id of its own") from error


def _question(entry: object, where: str, through: int) -> Question:
    try:
        given = _Probe.model_validate_json(json.dumps(entry))
        kind = _kind(given.kind)
        last = _within(given.evidence_turns, through)
        return Question(
            id=given.id,
            text=given.question,
            kind=kind,
            section=given.section,
            third=None if kind is QuestionKind.NOT_ANSWERABLE else Third.of(last, through),
            reference=given.expected[0],
            variants=given.expected[1:],
            accept=given.accept,
            reject=given.reject,
            evidence_turns=given.evidence_turns,
        )
    except ValidationError as error:
        raise InputError(f"{where}: {_said(error)}", "correct the file") from error
    except ValueError as error:
        raise InputError(f"{where}: {error}", "correct the file") from error


def _said(error: ValidationError) -> str:
    """The first problem: the field, where it is one's, and what is wrong with it."""
    first = error.errors(include_url=False)[0]
    problem = first["msg"].removeprefix("Value error, ")
    return ": ".join([*([".".join(str(part) for part in first["loc"])] if first["loc"] else []), problem])


def _kind(named: str) -> QuestionKind:
    """The kind of that name, ours or another's; ValueError for one that nobody knows."""
    known = {kind.value: kind for kind in QuestionKind} | {
        other: QuestionKind(ours) for other, ours in OTHER_NAMES.items()
    }
    if named not in known:
        message = f"kind {named!r} is not one of {', '.join(known)}"
        raise ValueError(message)
    return known[named]


def _within(turns: tuple[int, ...], through: int) -> int:
    """The last of these turns; ValueError when one of them lies outside the history."""
    for turn in turns:
        if not 1 <= turn <= through:
            message = f"evidence turn {turn} lies outside the history of {through} turns"
            raise ValueError(message)
    return max(turns, default=1)
