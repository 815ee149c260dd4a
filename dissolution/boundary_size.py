"""How large a boundary is beside the turns it stands for, and what had no room in it."""

from typing import Annotated

from pydantic import Field

from dissolution.boundary import BoundaryState
from dissolution.claims import DissentReason, Section
from dissolution.conversation import Snapshot
from dissolution.ports.models import TokenCounter
from dissolution.values import Frozen, Measured, NotMeasured

SEND_HISTORY = "this conversation is shorter than its boundary would be: send the history"


class BoundarySize(Frozen):
    """Tokens of the turns and of the boundary that stands for them."""

    before_tokens: Annotated[int, Field(ge=0)]  # of the turns up to the boundary's last
    after_tokens: Annotated[int, Field(ge=0)]  # of the boundary's text: its headings, claims and excerpts
    share: Measured  # after over before
    left_for_size: Annotated[int, Field(ge=0)]  # claims that had no room; they are dissent with the reason `size`
    counter: str  # how tokens were counted

    @property
    def send_history(self) -> bool:
        """Whether the boundary saves nothing: its tokens are not fewer than those of the turns."""
        return self.after_tokens >= self.before_tokens


def size_of_boundary(boundary: BoundaryState, snapshot: Snapshot, counter: TokenCounter) -> BoundarySize:
    """The size of a boundary beside that of the snapshot it was made of."""
    before = sum(counter.count(turn.content) for turn in snapshot.turns)
    after = counter.count(text_of(boundary))
    return BoundarySize(
        before_tokens=before,
        after_tokens=after,
        share=round(after / before, 4) if before else NotMeasured(not_measured="the turns hold no token"),
        left_for_size=sum(one.reason is DissentReason.SIZE for one in boundary.dissent),
        counter=counter.name,
    )


def text_of(boundary: BoundaryState) -> str:
    """The boundary as plain text: each section that has claims under its heading, then excerpts with their turn."""
    lines: list[str] = []
    for section in Section:
        claims = boundary.section(section)
        lines += [section.value, *(f"- {claim.text}" for claim in claims)] if claims else []
    lines += [f"- turn {one.turn}, {one.speaker}: {one.text}" for one in boundary.excerpts]
    return "\n".join(lines)


def size_in_words(size: BoundarySize, where: str) -> tuple[str, ...]:
    """What there is to say of a size, a line each, in the one form that everything says it in.

    Args:
        size: The size.
        where: The command or the address that shows what had no room.
    """
    share = str(size.share) if isinstance(size.share, NotMeasured) else f"{size.share:.0%}"
    told = [f"size: {size.before_tokens} tokens before, {size.after_tokens} after, share {share}"]
    if size.left_for_size:
        claims = "claim is" if size.left_for_size == 1 else "claims are"
        told.append(f"left out for size: {size.left_for_size} {claims} in the dissent, reason size: {where}")
    return (*told, SEND_HISTORY) if size.send_history else tuple(told)
