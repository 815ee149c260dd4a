"""The boundary that stands, as a cycle's members are shown it: each claim behind a short id, within a token budget."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Annotated

from pydantic import Field

from dissolution.boundary import BoundaryState
from dissolution.claims import BINDING_SECTIONS, Claim, ClaimId, Mark, Section
from dissolution.conversation import Turn, TurnNumber
from dissolution.ports.models import TokenCounter
from dissolution.values import Frozen
from prompts.export.ranking import Ranking, is_kept

LEAST_ID_CHARS = 5
"""`c` and four digits tell the claims of nearly every boundary apart; where they do not, all ids get longer."""

NOT_SHOWN = "({counts} are held as well and not shown. All of DECIDED and IDENTITY stands above.)"


class HeldState(Frozen):
    """What members are shown of the boundary that stands."""

    text: Annotated[str, Field(min_length=1)]
    ids: Mapping[str, ClaimId]  # every short id that may be cited, of the claims that are shown
    through: TurnNumber
    left_out: Annotated[int, Field(ge=0)]  # claims that are held and not shown


def held_state(
    boundary: BoundaryState, budget_tokens: int, counter: TokenCounter, latest: Sequence[Turn] = ()
) -> HeldState:
    """The open claims of a boundary under the four headings; the same boundary and budget give the same text.

    All of DECIDED, IDENTITY and what is pinned always stands in it and may alone take more than the budget. KNOWN and
    EDGES enter by value (`prompts.export.ranking`) until it is reached; how many of each do not is said. No claim is
    shortened.

    Args:
        boundary: What stands; it holds at least one claim.
        budget_tokens: Tokens of the whole text.
        counter: Whose tokens.
        latest: The turns that are read beside it.
    """
    ids = short_ids([claim.id for claim in boundary.claims])
    lines = {claim.id: _line(claim, ids[claim.id], boundary.through) for claim in boundary.claims}
    shown = {claim.id for claim in boundary.claims if is_kept(claim)}
    optional = [claim for claim in boundary.claims if claim.id not in shown]
    free = budget_tokens - sum(counter.count(f"{lines[name]}\n") for name in shown)
    free -= counter.count(_text(boundary, {}, frozenset()))
    for claim in Ranking(boundary.claims, boundary.through, latest).ranked(optional):
        tokens = counter.count(f"{lines[claim.id]}\n")
        if tokens <= free:
            shown.add(claim.id)
            free -= tokens
    left_out = len(boundary.claims) - len(shown)
    return HeldState(
        text=_text(boundary, lines, shown),
        ids={ids[claim.id]: claim.id for claim in boundary.claims if claim.id in shown},
        through=boundary.through,
        left_out=left_out,
    )


EXAMPLES = frozenset(f"c000{number}" for number in range(1, 10))
"""The ids of the invented state by which the rolling prompt explains its marks; no claim is shown by one of them."""


def short_ids(claims: Sequence[ClaimId]) -> dict[ClaimId, str]:
    """The shortest beginnings, all of one length and of five characters or more, that tell the ids apart.

    None of them is an id of the prompt's examples, or a member could not tell whether it is meant.
    """
    longest = max((len(claim) for claim in claims), default=LEAST_ID_CHARS)
    length = next(
        (
            chars
            for chars in range(LEAST_ID_CHARS, longest)
            if len(starts := {claim[:chars] for claim in claims}) == len(set(claims)) and EXAMPLES.isdisjoint(starts)
        ),
        longest,
    )
    return {claim: claim[:length] for claim in claims}


def _text(boundary: BoundaryState, lines: Mapping[ClaimId, str], shown: AbstractSet[str]) -> str:
    """The shown claims under their headings, none of them shortened, and how many of the rest are held."""
    parts: list[str] = []
    left_out: list[str] = []
    for section in Section:
        held = boundary.section(section)
        own = [lines[claim.id] for claim in held if claim.id in shown]
        parts.append("\n".join([section.value, *(own or ["none"])]))
        if section not in BINDING_SECTIONS and len(own) < len(held):
            left_out.append(f"{len(held) - len(own)} more claims of {section.value}")
    if left_out:
        parts.append(NOT_SHOWN.format(counts=" and ".join(left_out)))
    return "\n\n".join(parts)


def _line(claim: Claim, short: str, through: int) -> str:
    """One claim as a bullet: its id, its words on one line, and what its reader must know besides."""
    notes = ["contested"] if Mark.CONTESTED in claim.marks else []
    if claim.valid.start > through:
        notes.append(f"holds from turn {claim.valid.start}")
    return f"- [{short}] {' '.join(claim.text.split())}" + (f" ({'; '.join(notes)})" if notes else "")
