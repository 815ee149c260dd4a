"""How much weight a status bears: only an acceptance may raise it, anything may lower it."""

from dissolution.premises import PremiseStatus

RANK = {
    PremiseStatus.INJECTED: 0,
    PremiseStatus.REJECTED: 0,
    PremiseStatus.ONE_OFF: 1,
    PremiseStatus.PROPOSED: 1,
    PremiseStatus.HEDGED: 1,
    PremiseStatus.IMPLICIT: 1,
    PremiseStatus.ASSERTED: 2,
    PremiseStatus.CONFIRMED: 3,
}
