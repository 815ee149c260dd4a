"""What a receipt tells of the probe: the bank, both arms, each candidate's round, each repair. No question."""

from typing import Annotated

from pydantic import Field

from dissolution.bank_need import BankNeed
from dissolution.conversation import TurnNumber
from dissolution.cross_examining import NO_JUDGE, CrossExamined
from dissolution.findings import GateDecision
from dissolution.probing import BankOrigin, Digest, GateReading
from dissolution.values import Frozen, Measured


class PrecisionShares(Frozen):
    """How far the conversation bears out a sample of a candidate's claims; the shares, 0..1 each, add up to 1."""

    checked: Annotated[int, Field(ge=0)]
    supported: Measured
    contradicted: Measured
    absent: Measured


class ProbeRound(Frozen):
    """What one candidate met: the first one, or one that a repair amended."""

    claims: Annotated[int, Field(ge=0)]
    asked: Annotated[int, Field(ge=0)]  # held-out questions put to it, all of them fresh
    unanswered: Annotated[int, Field(ge=0)] = 0  # of them, those the reader left out; they count for neither arm
    reading: GateReading
    agreement: Measured = NO_JUDGE  # of answers that rules and judge both scored, the share scored alike
    cross_examined: CrossExamined = CrossExamined()  # the counts behind it
    precision: PrecisionShares
    decision: GateDecision
    weak: tuple[str, ...]  # the diagnosis in words


class RepairLine(Frozen):
    """What one repair asked for and what came of it."""

    turns: Annotated[tuple[TurnNumber, ...], Field(min_length=1)]
    questions: Annotated[int, Field(ge=0)]  # questions that pointed there, spent on it; none: the turns least told of
    answered: Annotated[int, Field(ge=0)]  # members that answered
    statements: Annotated[int, Field(ge=0)]  # what they said that no claim holds
    taken_up: Annotated[int, Field(ge=0)] = 0  # of that, what two families said; in earlier versions not counted
    claims_before: Annotated[int, Field(ge=0)]
    claims_after: Annotated[int, Field(ge=0)]
    fresh: Annotated[int, Field(ge=0)] = 0  # held-out questions that no candidate had met before this round
    further: Annotated[int, Field(ge=0)] = 0  # of them, those of a bank that was written for it
    further_seal: Digest | None = None  # of that bank, stored before the amended candidate existed


class ProbeSummary(Frozen):
    """The probe of one job."""

    seal: Digest  # of the bank, stored before any candidate existed
    origin: BankOrigin
    writer: str
    reader: str
    judge: str | None
    policy: str  # the gate's
    enforced: bool  # whether the gate's verdict holds, or is reported beside a degraded commit
    held_out: Annotated[int, Field(ge=0)]
    train: Annotated[int, Field(ge=0)]
    refused: Annotated[int, Field(ge=0)]  # questions that were proposed and did not enter the bank
    history_share: Measured  # of the held-out questions, right from the history, 0..1
    floor_share: Measured  # of the answerable ones, right without any text, 0..1
    need: BankNeed | None = None  # how many questions the gate needs; None in receipts of earlier versions
    topped_up: Annotated[int, Field(ge=0)] = 0  # questions that a second request brought, before the bank was sealed
    bank_of: str | None = None  # an earlier job on the same turns, whose bank it is
    history_of: str | None = None  # an earlier job whose history answers were read again
    agreement: Measured = NO_JUDGE  # over all arms: of answers that rules and judge both scored, the share scored alike
    cross_examined: CrossExamined = CrossExamined()  # the counts behind it
    rounds: tuple[ProbeRound, ...] = ()
    repairs: tuple[RepairLine, ...] = ()
