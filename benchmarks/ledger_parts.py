"""What benchmarks/ledger.py is made of: one conversation's ledger, grown by commits of made-up claims."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    ClaimState,
    Closing,
    Dissent,
    DissentReason,
    Evidence,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.findings import GateDecision, Verdict
from dissolution.intervals import TurnInterval
from dissolution.job import Job
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import Policy
from dissolution.receipt.job_receipt import Cost, Receipt
from dissolution.values import NotMeasured
from store.sql.unit_of_work import SqlUnitOfWorkFactory

START = datetime(2026, 1, 1, tzinfo=UTC)
UNKNOWN = NotMeasured(not_measured="a benchmark asks nobody")
FAMILIES = ("alpha", "beta", "gamma")
NOUNS = ("shop", "budget", "schema", "harbour", "invoice", "cluster", "patient", "contract", "museum", "compiler")
SECTIONS = (Section.KNOWN, Section.KNOWN, Section.DECIDED, Section.EDGES, Section.IDENTITY)
NAME = "large"


def a_talk(turns: int) -> Conversation:
    """A conversation of so many turns of about 20 words."""
    said = (
        Turn(
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            speaker="Ann" if number % 2 else "Bob",
            content=f"In turn {number} the {NOUNS[number % 10]} number {number} is set to {number * 7}, as agreed "
            "with everybody who was there, and it stays so until somebody says otherwise.",
            recorded_at=START + timedelta(minutes=number),
        )
        for number in range(1, turns + 1)
    )
    return Conversation(id=NAME, turns=tuple(said), language=Language(code="en", confidence=UNKNOWN))


def a_claim(number: int, turn: Turn, words_said: str | None = None) -> Claim:
    """One claim with a quote and three statements; in the words that the turn begins with, if they are given."""
    section = SECTIONS[number % len(SECTIONS)]
    text = words_said or f"The {NOUNS[number % 10]} number {number} is set to {number * 7}, as agreed with everybody."
    words = words_said or turn.content.split(",")[0]
    said = StatedClaim(section=section, text=text, turns=(turn.number,), quotes=(words,))
    statements = (
        Statement(member=f"{family}-1", family=family, ordinal=number % 40, claim=said) for family in FAMILIES
    )
    return Claim(
        id=f"c{number:012x}",
        section=section,
        text=text,
        evidence=(Evidence(turn=turn.number, start=0, end=len(words), text=words),),
        support=Support(members=tuple(f"{family}-1" for family in FAMILIES), families=FAMILIES),
        valid=TurnInterval(start=turn.number),
        statements=tuple(statements),
        reason="3 of 3 families state it",
    )


def ended(claim: Claim, turn: Turn) -> Claim:
    """The claim, superseded in a turn."""
    words = turn.content.split(",")[0]
    quote = Evidence(turn=turn.number, start=0, end=len(words), text=words)
    closing = Closing(state=ClaimState.SUPERSEDED, evidence=(quote,), reason=f"turn {turn.number} says otherwise")
    end = max(claim.valid.start, turn.number)
    update = {"state": ClaimState.SUPERSEDED, "closing": closing, "carried": 0}
    return claim.model_copy(update={**update, "valid": TurnInterval(start=claim.valid.start, end=end)})


class Ledger:
    """One conversation's ledger in a database, grown by commits."""

    def __init__(self, units: SqlUnitOfWorkFactory, talk: Conversation) -> None:
        self.units = units
        self.talk = talk
        self.claimed = 0
        self.jobs = 0
        self.current: BoundaryState | None = None
        with units() as unit:
            unit.conversations.extend(talk)
            unit.commit()

    def job(self, through: int) -> Job:
        """A stored job on the turns so far."""
        self.jobs += 1
        snapshot = self.talk.snapshot(through)
        job = Job(
            id=f"j{self.jobs:08}",
            conversation=NAME,
            through=through,
            snapshot_digest=snapshot.digest,
            fleet="extractive",
            policy=Policy(),
            created_at=START,
        )
        with self.units() as unit:
            unit.jobs.add(job, ("commit",))
            unit.commit()
        return job

    def candidate(self, job: Job, said: int, added: int, closed: int) -> BoundaryState:
        """What a cycle hands to the commit: `said` claims again, `added` new ones, the oldest `closed` ended."""
        turn = self.talk.turn(job.through)
        held = () if self.current is None else self.current.claims
        new = [a_claim(self.claimed + number, turn) for number in range(added)]
        self.claimed += added
        again = [claim.model_copy(update={"state": ClaimState.CURRENT, "carried": 0}) for claim in held[closed:][:said]]
        rest = held[closed + said :]
        silent = [
            claim.model_copy(update={"state": ClaimState.CARRIED, "carried": claim.carried + 1}) for claim in rest
        ]
        ends = [ended(claim, turn) for claim in held[:closed]]
        kinds = (
            (ChangeKind.AFFIRMED, again),
            (ChangeKind.ADDED, new),
            (ChangeKind.CLOSED, ends),
            (ChangeKind.CARRIED, silent),
        )
        changes = (Change(kind=kind, claim=one.id, reason=kind.value) for kind, claims in kinds for one in claims)
        return BoundaryState(
            conversation=NAME,
            job=job.id,
            through=job.through,
            snapshot_digest=job.snapshot_digest,
            decision=GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("a benchmark",)),
            claims=(*again, *silent, *new),
            dissent=() if held else (a_dissent(self.talk),),
            closed=tuple(ends),
            changes=tuple(changes),
        )

    def commit(self, candidate: BoundaryState) -> None:
        """Commit a candidate in one unit of work."""
        version = 0 if self.current is None else self.current.version or 0
        receipt = a_receipt(candidate)
        with self.units() as unit:
            at = START + timedelta(hours=version)
            self.current = unit.boundaries.commit(candidate, receipt, version, at)
            unit.commit()


def a_dissent(talk: Conversation) -> Dissent:
    """One dissent, so that there is some."""
    claim = a_claim(0, talk.turn(1))
    facts = claim.model_dump(include={"section", "text", "evidence", "support", "statements"})
    return Dissent(id="d0", reason=DissentReason.FEW_FAMILIES, detail="one family of three", **facts)


def a_receipt(candidate: BoundaryState) -> Receipt:
    """A receipt without members."""
    cost = Cost(
        estimated_input_tokens=0,
        estimated_usd=Decimal(0),
        used_input_tokens=0,
        used_cached_input_tokens=0,
        used_output_tokens=0,
        used_usd=Decimal(0),
        cap_usd=Decimal(1),
    )
    return Receipt(
        job=candidate.job,
        conversation=NAME,
        through=candidate.through,
        snapshot_digest=candidate.snapshot_digest,
        language=Language(code="en", confidence=UNKNOWN),
        redactions={},
        fleet="none",
        prompt=UNKNOWN,
        members=(),
        quorum=UNKNOWN,
        consensus=UNKNOWN,
        stages=(),
        decision=candidate.decision,
        cost=cost,
        policy=Policy(),
        policy_digest=Policy().digest,
        software="0.1.0",
        started_at=START,
        ended_at=START,
    )


def found(units: SqlUnitOfWorkFactory, claims: int) -> Ledger | None:
    """The ledger of an earlier run, if the database has one."""
    with units() as unit:
        current = unit.boundaries.current(NAME)
        if current is None:
            return None
        talk = unit.conversations.get(NAME)
    ledger = Ledger(units, talk)
    ledger.current = current
    ledger.jobs = 10**7 + (current.version or 0) * 100
    ledger.claimed = 100 * (claims + (current.version or 0) * 100)
    return ledger


def build(units: SqlUnitOfWorkFactory, claims: int, held: int, cycle: int) -> Ledger:
    """A ledger of `claims` claims of which `held` are open, from cycles that add and close `cycle` each."""
    cycles = 1 + -(-(claims - held) // cycle)
    ledger = Ledger(units, a_talk(cycles + 200))
    ledger.commit(ledger.candidate(ledger.job(1), 0, held, 0))
    for number in range(2, cycles + 1):
        added = min(cycle, claims - ledger.claimed)
        ledger.commit(ledger.candidate(ledger.job(number), 0, added, added))
    return ledger
