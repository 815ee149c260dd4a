"""What an act does to a premise's status: the whole table, which docs/frame.md draws."""

from dissolution.premises import Acceptance, PremiseEventKind, PremiseStatus

TAKEN_UP = {
    PremiseStatus.ASSERTED: PremiseStatus.CONFIRMED,
    PremiseStatus.CONFIRMED: PremiseStatus.CONFIRMED,
    PremiseStatus.PROPOSED: PremiseStatus.CONFIRMED,
    PremiseStatus.HEDGED: PremiseStatus.HEDGED,
    PremiseStatus.IMPLICIT: PremiseStatus.IMPLICIT,
    PremiseStatus.ONE_OFF: PremiseStatus.ONE_OFF,
    PremiseStatus.REJECTED: PremiseStatus.ASSERTED,
    PremiseStatus.INJECTED: PremiseStatus.INJECTED,
}
"""After an acceptance in words or by building on it. A guess taken up is still a guess; what is rejected and then built
on is open again; what frames the talk stays implicit until somebody says yes to it."""

SAID_YES = TAKEN_UP | {PremiseStatus.IMPLICIT: PremiseStatus.CONFIRMED}
"""After an explicit yes."""


def after(status: PremiseStatus, act: PremiseEventKind, how: Acceptance | None = None) -> PremiseStatus:
    """The status of a premise after an act.

    Args:
        status: How it stood.
        act: What happened to it.
        how: Of an acceptance: how it was accepted.
    """
    if act is PremiseEventKind.REJECTED:
        return status if status is PremiseStatus.INJECTED else PremiseStatus.REJECTED
    if act is not PremiseEventKind.ACCEPTED or how in {None, Acceptance.SILENCE}:
        return status
    return (SAID_YES if how is Acceptance.EXPLICIT_YES else TAKEN_UP)[status]
