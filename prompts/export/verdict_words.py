"""How a boundary stands, in words for whoever reads it: proven by a model, unproven, read by nobody, or not committed.

What is stored keeps its own words (`Verdict`, and the reasons with their arithmetic). Here `commit` is the word of one
case alone: a language model answered questions from the boundary about as well as from the full text, and it stands.
"""

from enum import StrEnum
from typing import NamedTuple

from dissolution.answers import MemberKind
from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.findings import COMMITTED, GateDecision, StageState, Verdict
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import GateReading, GateState
from dissolution.receipt.job_receipt import QuorumReport, Receipt
from dissolution.receipt.probe import ProbeSummary
from dissolution.values import Measured, NotMeasured

PROVEN_WORDS = "a language model answered from the boundary about as well as from the full text"
NOBODY = "Nobody has read this: no language model was asked."
JUDGES = "name models as probe.writer, probe.reader and probe.judge in the policy"
"""What gives a job a test by language models."""


class BoundaryStanding(StrEnum):
    """How a boundary stands."""

    PROVEN = "commit"
    UNPROVEN = "unproven"
    UNREAD = "unread"
    KEPT = "history kept"


class VerdictWords(NamedTuple):
    """A verdict in words.

    Attributes:
        standing: How the boundary stands.
        told: One or two sentences.
        brief: The same in at most forty characters.
        change: What would change it, or None.
        change_brief: The same in few words, or where it stands.
    """

    standing: BoundaryStanding
    told: str
    brief: str
    change: str | None = None
    change_brief: str = "dissolve show says what"


class Lack(NamedTuple):
    """What was not shown of a boundary, or why it was not committed: in a clause, and in few words."""

    told: str
    brief: str


def is_proven(verdict: Verdict, policy: ProbePolicy, probe: ProbeSummary | NotMeasured) -> bool:
    """Whether a boundary is committed because a language model answered from it about as well as from the history."""
    if verdict is not Verdict.COMMIT or not is_judged(policy) or isinstance(probe, NotMeasured) or not probe.rounds:
        return False
    return probe.rounds[-1].reading.state is GateState.ACCEPT


def nobody_read(boundary: BoundaryState, receipt: Receipt | None) -> bool:
    """Whether no language model was asked, so that nobody has read what the boundary holds of the new turns."""
    asked = () if receipt is None else receipt.members
    return boundary.unread or (bool(asked) and all(one.card.kind is MemberKind.EXTRACTIVE for one in asked))


def is_judged(policy: ProbePolicy) -> bool:
    """Whether language models answer the questions and judge the answers."""
    return policy.reader is not None and policy.judge is not None


def verdict_words(boundary: BoundaryState, receipt: Receipt | None, *, waits: bool = False) -> VerdictWords:
    """The verdict on a boundary, committed or not.

    Args:
        boundary: With its decision.
        receipt: Of its job; without one the stored reasons are told as they are.
        waits: Whether its job is held, with its verdict, before the commit.
    """
    decision = boundary.decision
    change = None if decision.would_change is None else decision.would_change.partition(": ")[2]
    unread = nobody_read(boundary, receipt)
    if unread:
        change = "name language models in a roster: dissolve run FILE --fleet ROSTER.toml"
    if decision.verdict not in COMMITTED:
        why = _why_kept(boundary, receipt, waits=waits)
        first = f"{NOBODY} " if unread else ""
        told = f"{first}History kept, go on using the conversation itself: {why.told}."
        brief = "Nobody has read this; history kept." if unread else f"History kept: {why.brief}."
        return VerdictWords(BoundaryStanding.KEPT, told, brief, change)
    if unread:
        beside = "Excerpts of the new turns stand beside what was held." if boundary.claims else None
        told = f"{NOBODY} {beside or 'What stands is excerpts, word for word: nothing is known or decided.'}"
        few = "name models: --fleet ROSTER"
        return VerdictWords(BoundaryStanding.UNREAD, told, "Nobody has read this: excerpts only.", change, few)
    if receipt is not None and is_proven(decision.verdict, receipt.policy.probe, receipt.probe):
        return VerdictWords(BoundaryStanding.PROVEN, f"commit: {PROVEN_WORDS}.", "commit: a model's test is passed.")
    lack = _not_shown(decision, receipt)
    if receipt is not None and receipt.policy.probe.on and not is_judged(receipt.policy.probe):
        change = JUDGES  # a stored line may name ways that prove nothing
    return VerdictWords(
        BoundaryStanding.UNPROVEN,
        f"Unproven: the boundary stands, but {lack.told}.",
        f"Unproven: {lack.brief}.",
        change,
    )


def _not_shown(decision: GateDecision, receipt: Receipt | None) -> Lack:
    """What a committed boundary lacks for a proof."""
    if receipt is None:
        return Lack(stated(decision), "not tested")
    policy, probe = receipt.policy.probe, receipt.probe
    if not policy.on:
        return Lack("its test is switched off in the policy", "the test is off")
    if isinstance(probe, NotMeasured) or not probe.rounds:
        return Lack(f"it was not tested: {_untested(receipt)}", "not tested")
    return _not_passed(receipt, probe, probe.rounds[-1].reading)


def _not_passed(receipt: Receipt, probe: ProbeSummary, reading: GateReading) -> Lack:
    """What a test that was held does not show of a committed boundary."""
    policy = receipt.policy.probe
    if policy.reader is None:
        return Lack("no language model tested it", "no model tested it")
    if reading.state is GateState.ACCEPT and not is_judged(policy):
        return Lack("no language model judged the answers", "no model judged it")
    if reading.state is GateState.ACCEPT:
        return Lack("nobody reviewed it, though it passed a model's test", "nobody reviewed it")
    if policy.enforced and reading.state is GateState.REJECT:
        return Lack("it failed its test and stands because the conversation no longer fits its reader", "test failed")
    return _of_reading(reading, probe.history_share, receipt)


def _why_kept(boundary: BoundaryState, receipt: Receipt | None, *, waits: bool) -> Lack:
    """Why a candidate was not committed; an end before the gate or after it tells its own reason."""
    quorum = None if receipt is None else receipt.quorum
    if isinstance(quorum, QuorumReport) and not quorum.met:
        most = f"{quorum.min_members} from {counted(quorum.min_families, 'family', 'families')}"
        got = f"{quorum.answered} from {counted(len(quorum.families), 'family', 'families')}"
        return Lack(f"too few members answered, {got}, and the policy asks for {most}", "too few answered")
    stages = () if receipt is None else receipt.stages
    ran = {one.stage for one in stages if one.state is StageState.RAN}
    if receipt is None or not ({"gate"} if waits else {"gate", "commit"}) <= ran:
        return Lack(stated(boundary.decision), "it was not decided")
    frame = receipt.frame
    blocked = () if isinstance(frame, NotMeasured) else (frame.again[-1].blocked if frame.again else frame.blocked)
    if all(claim.section is Section.EDGES for claim in boundary.claims) and not boundary.unread:
        return Lack("nothing was stated on words of the conversation", "nothing firm was stated")
    if blocked:
        return Lack(f"the review found what must not stand ({counted(len(blocked), 'finding')})", "the review objects")
    if isinstance(receipt.probe, NotMeasured) or not receipt.probe.rounds:
        return Lack(f"it could not be tested: {_untested(receipt)}", "not tested")
    return _of_reading(receipt.probe.rounds[-1].reading, receipt.probe.history_share, receipt)


def _of_reading(reading: GateReading, share: Measured, receipt: Receipt) -> Lack:
    """What the answers to the questions did not show."""
    if reading.vetoes:
        return Lack("a binding rule or promise cannot be answered from it", "a rule or promise is lost")
    if isinstance(share, NotMeasured):
        return Lack(f"the questions could not be answered from the full text: {share.not_measured}", "not tested")
    if share < receipt.policy.probe.gate.history_floor:
        return Lack(f"its reader found only {share:.0%} of the answers even in the full text", "the reader is too weak")
    if reading.state is GateState.REJECT:
        return Lack(f"too many answers are lost in it ({reading.lost} of {reading.used})", "too many answers are lost")
    lost = f"{reading.lost} of {reading.used} answers lost"
    return Lack(f"its questions were too few to be sure ({lost})", "too few questions")


def _untested(receipt: Receipt) -> str:
    """Why no question was put to a candidate."""
    if isinstance(receipt.probe, NotMeasured):
        return receipt.probe.not_measured
    stages = ("history_arm", "candidate_arm")
    return next((one.reason for one in receipt.stages if one.stage in stages and one.reason), "no question was asked")


def stated(decision: GateDecision) -> str:
    """The stored reasons as one clause without a full stop."""
    return "; ".join(decision.reasons).rstrip(".")


def counted(count: int, word: str, words: str | None = None) -> str:
    """A count with its word."""
    return f"{count:,} {word if count == 1 else words or f'{word}s'}"
