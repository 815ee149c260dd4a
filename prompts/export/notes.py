"""What a reader of a boundary should know about a claim's standing besides its words, in a few words each."""

from dissolution.claims import BINDING_SECTIONS, Claim, ClaimState, TemporalClass

CLASS_WORDS = {
    TemporalClass.FORWARD_OPEN: "binds from now on",
    TemporalClass.DEFERRED: "holds from a later time",
    TemporalClass.CLOSED_HISTORICAL: "of the past",
    TemporalClass.BACKWARD_MUTATION: "corrects what was said",
}
"""In words; a claim that simply holds needs none."""


def standing_notes(claim: Claim) -> tuple[str, ...]:
    """How it ended or that it was carried, and its temporal class where that is not what its section says anyway."""
    notes: list[str] = []
    if claim.state is ClaimState.CARRIED:
        notes.append(f"carried, {claim.carried} {'cycle' if claim.carried == 1 else 'cycles'}")
    elif claim.state is not ClaimState.CURRENT:
        notes.append(claim.state.value)
    plain = claim.section in BINDING_SECTIONS and claim.temporal_class is TemporalClass.FORWARD_OPEN
    if claim.temporal_class in CLASS_WORDS and not plain:
        notes.append(CLASS_WORDS[claim.temporal_class])
    instants = claim.valid_instants
    if instants is not None:
        until = "" if instants.end is None else f" until {instants.end.isoformat()}"
        notes.append(f"from {instants.start.isoformat()}{until}")
    return tuple(notes)
