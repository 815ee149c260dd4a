"""From an exception to a value: a failed member sinks nothing else (rule 7)."""

from collections.abc import Callable

from dissolution.answers import FailureClass, MemberFailure
from dissolution.errors import BudgetExceeded, MemberError
from dissolution.values import NotMeasured
from fleet.scrub import scrub_patterns

MAX_DETAIL_CHARS = 500
"""The bound of `MemberFailure.detail`: enough for a provider's sentence, too little for a prompt echoed back."""

_CODES = {error_class.value: error_class for error_class in FailureClass}


def bounded(text: str, limit: int = MAX_DETAIL_CHARS) -> str:
    """`text` in at most `limit` characters (1 or more); what was cut is shown by an ellipsis at the end."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def member_failure(
    error_class: FailureClass,
    detail: str,
    *,
    retry_after_s: float | None = None,
    scrub: Callable[[str], str] = scrub_patterns,
) -> MemberFailure:
    """A failure with its words scrubbed of secrets first and cut to 500 characters after.

    In this order because a cut through the middle of a key would leave a half that no pattern finds.
    """
    wait = NotMeasured(not_measured="the provider named no wait") if retry_after_s is None else retry_after_s
    return MemberFailure(error_class=error_class, detail=bounded(scrub(detail)), retry_after_s=wait)


def failure_of(error: Exception, *, scrub: Callable[[str], str] = scrub_patterns) -> MemberFailure:
    """The failure value of an exception that came out of a member.

    A MemberError keeps its class, its (scrubbed) detail and its wait. BudgetExceeded becomes `budget`. Anything else
    is a fault of ours: `internal`, with the name of the exception's class only, because its text may hold anything.
    """
    if isinstance(error, MemberError):
        error_class = _CODES.get(error.code, FailureClass.INTERNAL)
        return member_failure(error_class, error.detail, retry_after_s=error.retry_after_s, scrub=scrub)
    if isinstance(error, BudgetExceeded):
        return member_failure(FailureClass.BUDGET, str(error), scrub=scrub)
    return member_failure(FailureClass.INTERNAL, type(error).__name__, scrub=scrub)
