"""What the frame audit came to, in a line and its gravest findings: the same words wherever a boundary is shown."""

from collections import Counter
from typing import NamedTuple

from dissolution.frame_receipt import FrameSummary
from dissolution.framing import Action, Finding, FindingKind, Severity
from dissolution.values import NotMeasured

SHOWN = 5
"""Grave findings that are named; the rest are counted, and `dissolve frame` shows all."""


class FrameNote(NamedTuple):
    """The frame of one job in short.

    Attributes:
        told: How many findings there are, by kind, and what was done; or why nothing was looked for.
        grave: The findings that would do most harm, at most SHOWN, as they stand in the receipt.
        more: Further grave ones.
        blocked: Why the candidate must not be committed.
    """

    told: str
    grave: tuple[Finding, ...] = ()
    more: int = 0
    blocked: tuple[str, ...] = ()


def frame_note(frame: FrameSummary | NotMeasured) -> FrameNote:
    """What a reader of a boundary must know of its frame.

    Args:
        frame: What the receipt tells of it.
    """
    if isinstance(frame, NotMeasured):
        return FrameNote(str(frame))
    if not frame.findings:
        return FrameNote("no finding: nothing was promoted, lost, misattributed or made up", blocked=frame.blocked)
    kinds = Counter(one.kind for one in frame.findings)
    counts = ", ".join(f"{kind.value} {kinds[kind]}" for kind in FindingKind if kinds[kind])
    done = Counter(DISPUTED if one.disputed else DONE[one.action] for one in frame.findings)
    acts = ", ".join(f"{done[word]} {word}" for word in (*DONE.values(), DISPUTED) if done[word])
    grave = [one for one in frame.findings if one.severity is Severity.HIGH and not one.disputed]
    total = f"{len(frame.findings)} {'finding' if len(frame.findings) == 1 else 'findings'}"
    return FrameNote(f"{total} ({counts}; {acts})", tuple(grave[:SHOWN]), max(0, len(grave) - SHOWN), frame.blocked)


DONE = {Action.REPAIR: "repaired", Action.ANNOTATE: "noted", Action.BLOCK: "blocking"}
"""What was done about a finding, as a word after a number."""

DISPUTED = "disputed"
"""The same where those who read the claim otherwise outweigh those who tell the finding."""
