"""What one look at an installation says: how a thing stands, the fact that says so, and what to do about it."""

from enum import StrEnum

from dissolution.values import Frozen


class State(StrEnum):
    """How a thing stands."""

    WELL = "well"
    DOUBTFUL = "doubtful"  # it works, and may not for long
    WRONG = "wrong"


class CheckResult(Frozen):
    """What one check saw."""

    check: str
    state: State
    words: str
    remedy: str = ""  # empty when there is nothing to do


def well(check: str, words: str) -> CheckResult:
    """Nothing to do."""
    return CheckResult(check=check, state=State.WELL, words=words)


def doubtful(check: str, words: str, remedy: str) -> CheckResult:
    """It works, and may not for long."""
    return CheckResult(check=check, state=State.DOUBTFUL, words=words, remedy=remedy)


def wrong(check: str, words: str, remedy: str) -> CheckResult:
    """It does not work."""
    return CheckResult(check=check, state=State.WRONG, words=words, remedy=remedy)
