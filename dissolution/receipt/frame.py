"""What a receipt tells of the frame: how its register was read, what the audit found and did, what was challenged."""

from typing import Annotated

from pydantic import Field, model_validator

from dissolution.answers import FailureClass
from dissolution.claims import FamilyName, MemberName
from dissolution.framing import Challenge, Finding, LockIn
from dissolution.framing_earlier import without
from dissolution.reviewing import Hint
from dissolution.values import Frozen, NotMeasured


class PremiseReader(Frozen):
    """A member that was asked to read premises besides the rules, and what came of it."""

    member: MemberName
    premises: Annotated[int, Field(ge=0)] = 0  # read, with words that stand in the turns
    new: Annotated[int, Field(ge=0)] = 0  # of them those the rules had not found
    failure: FailureClass | None = None
    detail: str = ""  # the failure in words


class ReviewReader(Frozen):
    """A member that was asked to review the candidate, and what came of it, in numbers."""

    member: MemberName
    family: FamilyName
    remarks: Annotated[int, Field(ge=0)] = 0  # that counted
    unproved: Annotated[int, Field(ge=0)] = 0  # remarks whose words do not stand in the turn they name; not used
    unread: Annotated[int, Field(ge=0)] = 0  # claims it was not asked about
    failure: FailureClass | None = None
    detail: str = ""  # the failure in words


class RegisterReport(Frozen):
    """Output of the register step: the register as it stood for the job. Its events are rows of their own."""

    through: Annotated[int, Field(ge=0)]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    premises: Annotated[int, Field(ge=0)]
    added: Annotated[int, Field(ge=0)]  # events that this job added
    readers: tuple[PremiseReader, ...] = ()


class AuditedAgain(Frozen):
    """What the audit found in the candidate that one round of repair amended."""

    round: Annotated[int, Field(ge=1)]
    findings: tuple[Finding, ...]  # what was done first
    repaired: Annotated[int, Field(ge=0)]  # findings that changed the candidate
    blocked: tuple[str, ...] = ()  # why the amended candidate must not be committed


class FrameSummary(Frozen):
    """The frame of one job, without the candidate it amended."""

    register_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    register_size: Annotated[int, Field(ge=0)]  # premises
    readers: tuple[PremiseReader, ...] = ()  # members that read premises; none: rules alone
    reviewers: tuple[ReviewReader, ...] = ()  # members that reviewed the candidate
    nobody: str | None = None  # why nobody could be asked to review it; None when somebody was
    findings: tuple[Finding, ...]  # of the first candidate, what was done first
    hints: tuple[Hint, ...] = ()  # what rules and fitted models suspect; nothing rests on it
    repaired: Annotated[int, Field(ge=0)]  # findings that changed the candidate
    blocked: tuple[str, ...] = ()  # why the candidate must not be committed
    again: tuple[AuditedAgain, ...] = ()  # of the candidates that rounds of repair amended, in order
    lock_in: LockIn | NotMeasured
    challenges: tuple[Challenge, ...] | NotMeasured  # most leverage first

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_versions(cls, given: object) -> object:
        return without(given, frozenset({"auditors"}))
