"""What was asked of whom in one job, in a line."""

from collections import Counter

from dissolution.answers import USABLE, MemberKind
from dissolution.probing import BankOrigin
from dissolution.receipt.frame import ReviewReader
from dissolution.receipt.job_receipt import MemberReport, Receipt
from dissolution.values import NotMeasured
from prompts.export.outcome_words import KINDS, outcome_in_words
from prompts.export.verdict_words import counted

NAMED = 3
"""Members that failed and are named; more are counted."""


def asked_of(receipt: Receipt) -> tuple[str, ...]:
    """Who gave an account, wrote, answered and judged questions, and reviewed; the longest form first."""
    if not receipt.members:
        return ("nobody",)
    accounts = " and ".join(_accounts(receipt))
    failed = _failed(receipt)
    reviewed = _reviewed(receipt)
    beside = [*_tested(receipt), *reviewed]
    answered = sum(map(is_usable, receipt.members))
    brief = f"{answered} of {len(receipt.members)} answered"
    whole = f"{'; '.join([accounts, *beside])}{failed}"
    return (whole, f"{'; '.join([accounts, *reviewed])}{failed}", f"{accounts}{failed}", accounts, brief)


def _accounts(receipt: Receipt) -> list[str]:
    """How many of each kind answered of those that were asked."""
    asked = Counter(one.card.kind for one in receipt.members)
    answered = Counter(one.card.kind for one in receipt.members if is_usable(one))
    return [
        f"{answered[kind]} of {asked[kind]} {one if asked[kind] == 1 else many} answered"
        for kind, (one, many) in KINDS.items()
        if asked[kind]
    ]


def is_usable(report: MemberReport) -> bool:
    """Whether a member's answer counts: it can be read, and came in time."""
    return report.answer_class in USABLE and not report.late


def _failed(receipt: Receipt) -> str:
    lost = [one for one in receipt.members if not is_usable(one)]
    if not lost:
        return ""
    named = ", ".join(f"{one.card.name} ({outcome_in_words(one)})" for one in lost[:NAMED])
    more = f" and {len(lost) - NAMED} more" if len(lost) > NAMED else ""
    return f"; not: {named}{more}"


def _tested(receipt: Receipt) -> list[str]:
    """Who wrote the questions, where a model did."""
    probe = receipt.probe
    if isinstance(probe, NotMeasured) or probe.origin is not BankOrigin.WRITTEN:
        return []
    return [f"{receipt.policy.probe.writer or 'one'} wrote {counted(probe.held_out, 'question')}"]


def _reviewed(receipt: Receipt) -> list[str]:
    """How many reviewed the result, or that nobody did where somebody might have."""
    if all(one.card.kind is MemberKind.EXTRACTIVE for one in receipt.members):
        return []
    reviewers: tuple[ReviewReader, ...] = () if isinstance(receipt.frame, NotMeasured) else receipt.frame.reviewers
    if not reviewers:
        return ["nobody reviewed"]
    return [f"{sum(one.failure is None for one in reviewers)} of {len(reviewers)} reviewed"]
