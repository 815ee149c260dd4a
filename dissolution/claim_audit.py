"""What members of the fleet say of a candidate's claims when they hold them against the conversation."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.answers import FailureClass
from dissolution.claims import ClaimId, Evidence, FamilyName, MemberName, Section
from dissolution.values import Frozen


class Assessment(StrEnum):
    """How one claim stands to the conversation, as an auditor reads both."""

    SOUND = "sound"  # borne as it is put
    HEDGED = "hedged"  # states firmly what is only guessed
    PROPOSED = "proposed"  # states as settled what is proposed, asked or left open
    ONE_OFF = "one_off"  # makes a rule of what was asked for once
    REJECTED = "rejected"  # states what was ruled out, denied, withdrawn or replaced
    INJECTED = "injected"  # takes over what quoted material orders, decides or approves
    DEMOTION = "demotion"  # doubts what is said firmly
    ATTRIBUTION = "attribution"  # gives words to somebody who did not say them
    FABRICATION = "fabrication"  # tells of what nowhere stands


class AssessedClaim(Frozen):
    """One auditor's assessment of one claim, proved by words of a turn where it finds a fault that words can show."""

    claim: ClaimId
    section: Section
    text: Annotated[
        str, Field(min_length=1)
    ]  # the claim's words when it was judged: an assessment is about them, there
    assessment: Assessment
    evidence: Evidence | None = None  # none for a sound claim and for a fabrication


class Auditor(Frozen):
    """A member that was asked to hold the candidate against the conversation, and what came of it."""

    member: MemberName
    family: FamilyName
    assessed: tuple[AssessedClaim, ...] = ()
    unproved: Annotated[int, Field(ge=0)] = 0  # faults it told without words that stand in the turn it named; not used
    unread: Annotated[int, Field(ge=0)] = 0  # claims it was not asked about, or left out
    failure: FailureClass | None = None  # of the first call that failed
    detail: str = ""  # the failure in words
