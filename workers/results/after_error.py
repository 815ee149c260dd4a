"""What would change the end of a job that an error ended before its gate, in one line."""

from dissolution.errors import BudgetExceeded, DayBudgetExceeded, DissolutionError, QuorumNotMet

KEPT = "kept"


def after_error(error: DissolutionError) -> str | None:
    """The line of a job that an error ended before its gate; None where nothing that can be set would help."""
    if isinstance(error, QuorumNotMet):
        lacking = (
            f"{error.members} of {error.min_members} members and {error.families} of {error.min_families} families"
        )
        return f"{KEPT}: {lacking} answered: add members of other families to the roster, or lower policy quorum"
    if isinstance(error, DayBudgetExceeded):
        return f"{KEPT}: the day's cap is {error.cap}: run it tomorrow, or raise the cap in the settings"
    if isinstance(error, BudgetExceeded):
        return f"{KEPT}: {error.measure} {error.amount} of {error.cap}: raise policy budget above it, or ask fewer"
    return None
