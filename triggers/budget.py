"""Budget: how much of its reader's context a conversation fills, and what a dissolution would free."""

from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import BudgetSignalPolicy
from dissolution.triggering import TriggerState

LEARNING = CALIBRATION.triggers.learning
MOST_KEPT = CALIBRATION.triggers.most_kept


def pressure(context_tokens: int, policy: BudgetSignalPolicy) -> TokenPressure:
    """None below the soft level, rising from it on, overflowing from the hard level on."""
    share = context_tokens / policy.context_tokens
    if share >= policy.hard_share:
        return TokenPressure.OVERFLOWING
    return TokenPressure.RISING if share >= policy.soft_share else TokenPressure.NONE


def new_tokens(state: TriggerState) -> int:
    """Tokens of the turns after the boundary."""
    return state.tokens - (state.boundary.tokens if state.boundary else 0)


def context_tokens(state: TriggerState) -> int:
    """Tokens the reader is given: the boundary, then the turns after it."""
    return state.held_tokens + new_tokens(state)


def expected_tokens(state: TriggerState, policy: Policy) -> int:
    """Tokens of the next boundary: what is held now and the usual share of what is new; never more than its budget."""
    share = state.kept_share if state.kept_share is not None else policy.triggers.kept_share
    return min(policy.render.budget_tokens, round(state.held_tokens + share * new_tokens(state)))


def gain(state: TriggerState, policy: Policy) -> float:
    """Share of the context that a dissolution is expected to free; negative when the boundary would be longer."""
    present = context_tokens(state)
    return (present - expected_tokens(state, policy)) / present if present else 0.0


def learned_share(state: TriggerState, held_after: int, new_before: int) -> float | None:
    """The share of new tokens that boundaries of this conversation keep, after one more commit.

    The mean of what was expected so far and what was seen, so that one odd commit decides nothing.
    """
    if new_before <= 0:
        return state.kept_share
    seen = min(max((held_after - state.held_tokens) / new_before, 0.0), MOST_KEPT)
    return seen if state.kept_share is None else LEARNING * seen + (1 - LEARNING) * state.kept_share
