"""Who was asked and what came of it, in words for whoever reads it; `MemberReport` is what is stored."""

from dissolution.answers import AnswerClass, FailureClass, MemberKind
from dissolution.receipt.job_receipt import MemberReport

KINDS = {
    MemberKind.LANGUAGE_MODEL: ("model", "models"),
    MemberKind.EXTRACTIVE: ("method without a model", "methods without a model"),
    MemberKind.RECORDED: ("recorded model", "recorded models"),
    MemberKind.SCRIPTED: ("scripted member", "scripted members"),
}
"""One and several of each kind."""

FAILURES = {
    FailureClass.AUTH: "key refused",
    FailureClass.BILLING: "no credit",
    FailureClass.RATE_LIMIT: "asked too fast",
    FailureClass.TIMEOUT: "too slow",
    FailureClass.UNAVAILABLE: "not reached",
    FailureClass.REFUSAL: "refused",
    FailureClass.CONTENT_FILTER: "filtered",
    FailureClass.BAD_REQUEST: "request refused",
    FailureClass.CONTEXT_WINDOW: "text too long for it",
    FailureClass.UNPARSABLE: "reply not readable",
    FailureClass.BUDGET: "not asked, the cap was reached",
    FailureClass.CANCELLED: "not needed any more",
    FailureClass.INTERNAL: "a fault of this program",
}
"""Why a member has no answer, for a person; `FailureClass` is what is stored."""

ANSWERS = {
    AnswerClass.OK: "answered",
    AnswerClass.PARTIAL: "answered in part",
    AnswerClass.GARBAGE: "reply not readable",
    AnswerClass.REFUSED: "refused",
    AnswerClass.TRUNCATED: "reply cut off",
    AnswerClass.EMPTY: "empty reply",
}


def outcome_in_words(report: MemberReport) -> str:
    """What came of a member, for a person."""
    if report.failure is not None:
        return FAILURES[report.failure]
    answer = "no answer yet" if report.answer_class is None else ANSWERS[report.answer_class]
    return f"{answer}, too late" if report.late else answer
