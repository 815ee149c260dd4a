"""What each tool answers. The words below a field stand in the schema that hosts read."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dissolution.claims import ClaimState, DissentReason, Mark, Section
from dissolution.conversation import Role
from dissolution.framing import Action
from dissolution.job import JobStatus, StepStatus
from dissolution.premises import PremiseStatus, Scope
from dissolution.recall_kinds import RecallBy
from dissolution.reviewing import Fault
from prompts.export.messages import ContextMessage


class Output(BaseModel):
    """What stands below a field describes it."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class StageLine(Output):
    """One stage of a job."""

    stage: str
    status: StepStatus
    reason: str | None = None
    """Why it is dead, or waits for another try."""


class JobOutput(Output):
    """One job, as it stands."""

    job: str
    """Its id, for `status` and `frame`."""
    conversation: str
    """For `context`, `recall` and the next `dissolve`."""
    status: JobStatus
    """`committed`: a boundary stands; `history_kept`, `failed`, `cancelled`: the history stays in force; `held`: a
    person has to let it go on."""
    ended: bool
    """Whether nothing more will happen to it."""
    reason: str | None = None
    """Why it ended as it did."""
    through: int
    """The last turn that it is about."""
    stages: list[StageLine]
    """In running order."""
    advice: str
    """What to do next."""


class DissolveOutput(JobOutput):
    """The job that was taken."""

    new_turns: int
    """How many turns were stored now."""
    repeated: bool = False
    """Whether the same was asked before and has not ended: this is that job, and no second one was made."""
    warnings: list[str] = []
    """What was odd in the messages; which kinds of secrets were replaced in them."""


class ImportOutput(Output):
    """What was stored of a file."""

    conversation: str
    """For `dissolve`, `context` and `recall`."""
    title: str | None = None
    turns: int
    """How many are stored by now."""
    new_turns: int
    """How many of them were stored now."""
    warnings: list[str] = []
    """Which form was read and why; what was odd in the file; which kinds of secrets were replaced in it."""


class ContextOutput(Output):
    """What to send to a model in place of the history."""

    conversation: str
    source: Literal["boundary", "history"]
    """`history`: nothing has been committed yet, or all turns are shorter than the boundary: these are the turns."""
    boundary_version: int
    """0 while there is none."""
    through: int
    """The last turn that the boundary covers, 0 without one."""
    messages: list[ContextMessage]
    """In sending order; empty when `text` was asked for."""
    system: str | None = None
    """The system text, where the format has it apart."""
    text: str | None = None
    """Everything as one string, when that was asked for."""
    tokens: int
    """As `counter` counts them."""
    budget_tokens: int
    counter: str
    left_out_claims: int
    """Claims that did not fit; `recall` finds them."""
    left_out_excerpts: int = 0
    """Excerpts that did not fit, of turns that are not shown."""
    left_out_turns: int
    """Of the turns that were asked for."""
    left_out_operator_turns: int
    """Of the system messages at the beginning, for want of room."""
    notes: list[str] = []
    """Tokens before and after, what had no room and where it is, and whether to send the history."""


class QuoteLine(Output):
    """Words of the conversation."""

    turn: int
    text: str


class ClaimLine(Output):
    """One claim of the ledger."""

    rank: int
    """Its place among all that was found, from 1."""
    id: str
    section: Section
    text: str
    state: ClaimState
    """`current` and `carried` hold; the others have ended."""
    since_turn: int
    until_turn: int | None = None
    """The first turn at which it no longer held; null while it holds."""
    from_instant: datetime | None = None
    """When it begins to hold, where the conversation says so."""
    until_instant: datetime | None = None
    marks: list[Mark] = []
    quotes: list[QuoteLine] = []
    """The words it rests on, verbatim."""
    ended_because: str | None = None
    replaced_by: str | None = None
    """The id of the claim that took its place."""


class DissentLine(Output):
    """What was heard and is not held."""

    rank: int
    """Its place among all that was found, from 1."""
    id: str
    section: Section
    text: str
    reason: DissentReason
    """Why it did not become a claim."""
    quotes: list[QuoteLine] = []
    """The words it rests on, verbatim."""


class RestingLine(Output):
    """A claim that rests on words of a turn, and how it stands now."""

    claim: str
    state: ClaimState
    """`current` holds, as said or carried; the others have ended."""
    replaced_by: str | None = None


class TurnLine(Output):
    """What was said in a turn."""

    rank: int
    """Its place among all that was found, from 1."""
    turn: int
    role: Role
    speaker: str
    text: str
    """The words of the turn that fit best, verbatim."""
    said_at: datetime | None = None
    claims: list[RestingLine] = []
    """The claims that rest on this turn: where one was replaced, what the turn says may hold no longer."""


class RecallOutput(Output):
    """What fits, best first by `rank` over all three lists."""

    conversation: str
    boundary_version: int
    """0 while nothing has been committed: then turns alone can be found."""
    matched_by: RecallBy
    """`words`, or `meaning` where meaning was compared beside them."""
    notes: list[str] = []
    """What was not compared, and why."""
    claims: list[ClaimLine]
    dissent: list[DissentLine] = []
    turns: list[TurnLine] = []


class FindingLine(Output):
    """Something that reviewers say is not as it should be with a candidate."""

    fault: Fault
    action: Action
    """What was done about it."""
    outcome: str
    """What was done, or why nothing was, in words."""
    told_by: list[str]
    families: list[str] = []
    needed: int | None = None
    """Families that must say so for anything to be changed; null where only a person may change it."""
    claims: list[str] = []
    texts: list[str] = []
    """The words of these claims when they were reviewed."""
    quotes: list[QuoteLine] = []


class HintLine(Output):
    """What a fitted model of wording or a comparison of values suspects. Nothing rests on it."""

    suspects: Fault
    claims: list[str] = []
    probability: float | None = None
    """Null where only values were compared."""
    basis: str
    quotes: list[QuoteLine] = []


class ChallengeLine(Output):
    """A framing that the conversation never considered."""

    proposition: str
    alternative: str
    leads_to: str
    test: str


class PremiseLine(Output):
    """Something that the conversation takes for granted."""

    id: str
    proposition: str
    status: PremiseStatus
    scope: Scope
    role: Role
    """Whose words it is."""
    turn: int
    """Where it was stated first."""
    quoted: bool
    """Whether it stands in quoted material, which instructs nobody."""
    rests_on_it: int
    """Open statements that rest on it."""


class FrameOutput(Output):
    """What is taken for granted: the findings of one job's audit, and the register of premises."""

    job: str
    conversation: str
    through: int
    findings: list[FindingLine] | None = None
    """What was done first; null when the audit has not run."""
    hints: list[HintLine] = []
    """What is suspected; nothing rests on it."""
    nobody_asked: str | None = None
    """Why nobody could be asked to review the candidate; null when somebody was."""
    not_run: str | None = None
    """Why the audit has not run."""
    blocked: list[str] = []
    """Why the boundary must not be committed."""
    challenges: list[ChallengeLine] = []
    lock_in: float | None = None
    """How far unconfirmed premises constrain what can still be asked: 0 not at all, 1 wholly; null when nothing rests
    on anything yet."""
    premises_total: int
    """Of the status that was asked for; `premises` has the first of them."""
    premises: list[PremiseLine]
