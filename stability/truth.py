"""A state held against what is true at its turn, where somebody wrote that down."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import Field, ValidationError, field_validator

from dissolution.claims import BINDING_SECTIONS, Section
from dissolution.conversation import TurnNumber
from dissolution.errors import InputError
from dissolution.stability import TruthFigures
from dissolution.values import Frozen
from language.choice import refusals
from stability.state import State

LONGEST = 60
"""Words; a longer statement is not one statement and earns nothing, so that copying everything does not pay."""

PAST = re.compile(
    r"\b(?:was|were|had|used to|no longer|not|never|previous(?:ly)?|earlier|former(?:ly)?|instead of|rather than|"
    r"replac\w+|supersed\w+|dropped|withdrawn|lifted|over|ended|moved from|until)\b",
    re.IGNORECASE,
)
"""Words with which a statement tells that something is over; it does not assert it then."""

COMMITMENT_KINDS = frozenset(
    {"decision", "ruled_out", "prohibition", "standing_instruction", "forward_commitment", "role"}
)
OPEN_QUESTION = "open_question"

Patterns = Annotated[tuple[str, ...], Field(min_length=1)]


class _Checked(Frozen):
    @field_validator("*", mode="after", check_fields=False)
    @classmethod
    def _are_patterns(cls, value: object) -> object:
        for pattern in cast("tuple[object, ...]", value) if isinstance(value, tuple) else ():
            re.compile(str(pattern))
        return cast("object", value)


class TrueClaim(_Checked):
    """Something that holds from one turn on, until another if it was closed."""

    id: str
    kind: str
    established_turn: TurnNumber
    closed_turn: TurnNumber | None = None
    must_have: Patterns  # a statement says it when all of these are found in it, case ignored

    def holds_at(self, turn: int) -> bool:
        """Whether it is true at the end of a turn."""
        return self.established_turn <= turn and (self.closed_turn is None or self.closed_turn > turn)

    @property
    def binds(self) -> bool:
        """Whether it is a commitment."""
        return self.kind in COMMITMENT_KINDS


class Superseded(_Checked):
    """A value that another took the place of."""

    id: str
    corrected_turn: TurnNumber
    wrong_must_not_match: Patterns
    right_must_match: Patterns


class Truth(Frozen):
    """All that is known to be true of one conversation."""

    claims: tuple[TrueClaim, ...]
    superseded: tuple[Superseded, ...] = ()


def read_truth(path: Path) -> Truth:
    """The truth of a file with a `truth` object (benchmarks/data/planted/SPEC.md). Raises InputError."""
    what = f"truth file {str(path)!r}"
    try:
        return parse_truth(path.read_text(encoding="utf-8"), what)
    except OSError as error:
        raise InputError(f"{what} cannot be read ({error.strerror})", "check the path") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{what} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error


def parse_truth(text: str, what: str) -> Truth:
    """The truth of JSON text with a `truth` object; `what` names it in errors. Raises InputError."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{what} is no JSON ({type(error).__name__})", "give a file like the planted ones") from error
    found: object = cast("Mapping[str, object]", data).get("truth") if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise InputError(f"{what} has no object under 'truth'", "see benchmarks/data/planted/SPEC.md")
    given = cast("dict[str, object]", found)
    try:
        return Truth.model_validate({name: _known(given.get(name, []), model) for name, model in MODELS.items()})
    except (ValidationError, re.error) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise InputError(f"{what}: {first}", "correct the file") from error


MODELS: Mapping[str, type[Frozen]] = {"claims": TrueClaim, "superseded": Superseded}


def _known(entries: object, model: type[Frozen]) -> list[dict[str, object]]:
    """The fields of each entry that matter here; files hold more for other readers."""
    listed = cast("list[dict[str, object]]", entries) if isinstance(entries, list) else []
    return [{name: entry[name] for name in model.model_fields if name in entry} for entry in listed]


def says(patterns: Sequence[str], text: str) -> bool:
    """Whether all patterns are found in one text, case ignored."""
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def is_held(claim: TrueClaim, state: State) -> bool:
    """Whether one statement says it: firm ones, or for an open question any."""
    return any(
        says(claim.must_have, item.text)
        for item in state.items
        if (claim.kind == OPEN_QUESTION or item.section is not Section.EDGES) and len(item.text.split()) <= LONGEST
    )


def is_asserted(one: Superseded, state: State) -> bool:
    """Whether a firm statement asserts the value that was replaced."""
    return any(
        any(says((pattern,), item.text) for pattern in one.wrong_must_not_match)
        and not any(says((pattern,), item.text) for pattern in one.right_must_match)
        for item in state.items
        if item.section is not Section.EDGES
    )


def still_stated(claim: TrueClaim, state: State) -> bool:
    """Whether a statement says what is over, and none of its words tell that it is.

    It says so where commitments stand, and in a text anywhere: a fact that shares a decision's words decides nothing.
    """
    return any(
        says(claim.must_have, item.text) and not tells_an_end(item.text)
        for item in state.items
        if (item.section in BINDING_SECTIONS or not state.has_sections) and len(item.text.split()) <= LONGEST
    )


def tells_an_end(text: str) -> bool:
    """Whether a statement tells of something that is over: in the past, or rejected, stopped or reversed."""
    return PAST.search(text) is not None or bool(refusals(text))


def against(
    truth: Truth, state: State, through: int, held_before: frozenset[str]
) -> tuple[TruthFigures, frozenset[str]]:
    """The figures of one cycle, and the ids of all that has ever been held up to it.

    Args:
        truth: What is true when.
        state: What stands after the cycle.
        through: The last turn it covers.
        held_before: Ids of what was held after an earlier cycle of the same replicate.
    """
    true = [claim for claim in truth.claims if claim.holds_at(through)]
    held = {claim.id for claim in true if is_held(claim, state)}
    binding = [claim for claim in true if claim.binds and claim.id in held_before]
    replaced = [one for one in truth.superseded if one.corrected_turn <= through]
    # Commitments alone: to tell what came of a closed fact ("13 requests failed in that run") is not to assert it.
    over = [one for one in truth.claims if one.binds and one.closed_turn is not None and one.closed_turn <= through]
    figures = TruthFigures(
        true_now=len(true),
        held=len(held),
        held_before=sum(claim.id in held_before for claim in true),
        lost=sum(claim.id in held_before and claim.id not in held for claim in true),
        commitments_before=len(binding),
        commitments_lost=sum(claim.id not in held for claim in binding),
        ended_by_now=len(replaced) + len(over),
        still_asserted=sum(is_asserted(one, state) for one in replaced)
        + sum(still_stated(claim, state) for claim in over),
        revised_rightly=sum(
            any(says((pattern,), item.text) for item in state.items for pattern in one.right_must_match)
            for one in replaced
        ),
        replaced_by_now=len(replaced),
    )
    return figures, held_before | held
