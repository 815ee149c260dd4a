"""What quoted material would have its reader do or hold: recorded as injected and shown, whoever obeys it (rule 8).

What is kept out of a candidate is kept out by where it comes from, with no need to understand it. This is for people:
it tells them that somebody tries. So it reads more generously than the audit, which holds claims against what
`frame_agent.extraction` calls an order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dissolution.conversation import Turn
from dissolution.premises import PremiseStatus, Scope
from dissolution.values import Span
from frame_agent.extraction import Found, is_quoted
from frame_agent.terms import terms_of
from wording.bidding import bids
from wording.disguise import folded, revealed

LONGEST = 4_000
"""Characters of a line that are read: an encoded order is one long line."""

MOST = 12
"""Lines of one turn that are listed: a guide or a contract is rules from end to end, and nobody reads a list of all.
What is worded as an order to its reader comes first, and how many more there are stands with the last one."""

HELD = 600
"""Characters of a line that a premise shows."""

PLAIN = frozenset(
    {
        "quoted material that gives orders",
        "quoted material that addresses its reader",
        "quoted material that hides a text in an encoding",
    }
)
"""What only an order to a reader looks like."""


def injected(turn: Turn, found: Sequence[Found]) -> tuple[Found, ...]:
    """The propositions of a turn, those of quoted material as injected where they bid, with the lines that hide some.

    Args:
        turn: The turn.
        found: Its propositions, in order.

    Returns:
        All of `found` in the order of their places, and between them lines of quoted material that are no proposition
        as they stand but hide or bid something: encodings, foreign scripts, words of invisible letters. At most MOST
        of a turn are injected, of the others the last one tells the number.
    """
    told = [_as_injected(one) if one.quoted else one for one in found]
    more = [one for one in _lines(turn) if not any(_meet(one.span, other.span) for other in told)]
    bidding = [one for one in (*told, *more) if one.status is PremiseStatus.INJECTED]
    kept = sorted(sorted(bidding, key=_place), key=lambda one: one.reason not in PLAIN)[:MOST]
    rest = [one for one in found if not any(_meet(one.span, other.span) for other in kept)]
    listed = sorted(kept, key=_place)
    if len(bidding) > MOST:
        beside = f"; {len(bidding) - MOST} more lines of this turn bid something"
        listed[-1] = replace(listed[-1], reason=listed[-1].reason + beside)
    return tuple(sorted((*rest, *listed), key=_place))


def _place(one: Found) -> tuple[int, int]:
    return one.span.start, one.span.end


def _as_injected(one: Found) -> Found:
    if one.status is PremiseStatus.INJECTED:
        return one
    why = bids(one.held)
    return one if why is None else replace(one, status=PremiseStatus.INJECTED, reason=f"quoted material that {why}")


def _lines(turn: Turn) -> Iterator[Found]:
    """Lines of quoted material that bid, whatever words they have."""
    for start, end in _quoted_lines(turn):
        text = turn.content[start:end]
        why = bids(text)
        if why is None:
            continue
        shown = text[:HELD].rstrip()
        yield Found(
            turn=turn.number,
            role=turn.role,
            speaker=turn.speaker,
            span=Span(start=start, end=start + len(shown)),
            text=shown,
            quoted=True,
            status=PremiseStatus.INJECTED,
            scope=Scope.STANDING,
            asks=False,
            terms=terms_of(" ".join((folded(text), *revealed(text)))),
            reason=f"quoted material that {why}",
            held=shown,
        )


def _quoted_lines(turn: Turn) -> Iterator[tuple[int, int]]:
    start = 0
    for line in turn.content.split("\n"):
        bare = line.strip()
        begin = start + len(line) - len(line.lstrip())
        end = begin + min(len(bare), LONGEST)
        if bare and is_quoted(turn, begin, end):
            yield begin, end
        start += len(line) + 1


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
