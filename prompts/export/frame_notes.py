"""What the review of a candidate came to: a line, and what it changed; the same words wherever a boundary is shown."""

from collections import Counter
from typing import NamedTuple

from dissolution.framing import Action, Finding
from dissolution.receipt.frame import FrameSummary
from dissolution.reviewing import Fault
from dissolution.values import NotMeasured

SHOWN = 5
"""Findings that are named; the rest are counted, and `dissolve frame` shows all."""


class FrameNote(NamedTuple):
    """The frame of one job in short.

    Attributes:
        told: How many findings there are, by fault, and what was done; or why there are none.
        done: The findings that changed the candidate or keep it from being committed, at most SHOWN.
        more: Further ones.
        blocked: Why the candidate must not be committed.
    """

    told: str
    done: tuple[Finding, ...] = ()
    more: int = 0
    blocked: tuple[str, ...] = ()


def frame_note(frame: FrameSummary | NotMeasured) -> FrameNote:
    """What a reader of a boundary must know of its frame.

    Args:
        frame: What the receipt tells of it.
    """
    if isinstance(frame, NotMeasured):
        return FrameNote(str(frame))
    hints = f"; {hinted(len(frame.hints))}, on which nothing rests" if frame.hints else ""
    if not frame.findings:
        return FrameNote(f"{nothing_found(frame)}{hints}", blocked=frame.blocked)
    faults = Counter(one.fault for one in frame.findings)
    counts = ", ".join(f"{fault.value.replace('_', ' ')} {faults[fault]}" for fault in Fault if faults[fault])
    acts = Counter(DONE[one.action] for one in frame.findings)
    told = ", ".join(f"{acts[word]} {word}" for word in DONE.values() if acts[word])
    done = [one for one in frame.findings if one.action is not Action.ANNOTATE]
    total = f"{len(frame.findings)} {'finding' if len(frame.findings) == 1 else 'findings'}"
    more = max(0, len(done) - SHOWN)
    return FrameNote(f"{total} ({counts}; {told}){hints}", tuple(done[:SHOWN]), more, frame.blocked)


def hinted(count: int) -> str:
    """How many hints, in words."""
    return f"{count} {'hint' if count == 1 else 'hints'}"


def nothing_found(frame: FrameSummary) -> str:
    """Why there is no finding: nobody could be asked, nobody answered, or nobody says that anything is amiss."""
    if frame.nobody is not None:
        return f"nobody was asked to review the candidate: {frame.nobody}"
    if frame.reviewers and all(one.failure is not None for one in frame.reviewers):
        return "no reviewer answered"
    return "no finding: no reviewer says that anything is not as it should be"


DONE = {Action.REPAIR: "repaired", Action.ANNOTATE: "noted", Action.BLOCK: "blocking"}
"""What was done about a finding, as a word after a number."""
