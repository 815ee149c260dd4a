"""Cycles for the store's tests: what reconciliation gives to a commit, made by hand."""

from collections.abc import Iterable, Sequence

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Closing, Dissent, Section, Support
from dissolution.conversation import Conversation
from dissolution.intervals import TurnInterval
from dissolution.ledger import Act, Change, ChangeKind, LedgerEventKind
from dissolution.ports.store import UnitOfWorkFactory
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_dissent, a_job, a_quote, a_receipt, later

OPENS = a_claim("c1-opens", "The shop opens at 9.", TALK)
BUDGET = a_claim("c2-budget", "The budget is 40 EUR.", TALK, Section.DECIDED, turn=3)
AGAINST = a_dissent("d1-edge", "The budget is 50 EUR.", TALK)


def carried(claim: Claim) -> Claim:
    """As reconciliation hands on a claim that its cycle does not say."""
    return claim.model_copy(update={"state": ClaimState.CARRIED, "carried": claim.carried + 1})


def said_by(claim: Claim, *families: str) -> Claim:
    """The claim with the support of these families alone."""
    return claim.model_copy(update={"support": Support(members=families, families=families)})


def ended(
    claim: Claim, end: int, state: ClaimState = ClaimState.SUPERSEDED, by: str | None = None, cite: int | None = 4
) -> Claim:
    """The claim closed at a turn; `cite` is the turn that closes it."""
    evidence = () if cite is None else (a_quote(TALK, cite),)
    closing = Closing(state=state, by=by, evidence=evidence, reason=f"turn {end} ends it")
    changes = {
        "state": state,
        "carried": 0,
        "closing": closing,
        "valid": TurnInterval(start=claim.valid.start, end=end),
    }
    return claim.model_copy(update=changes)


def a_cycle(
    job: str,
    prior: BoundaryState | None,
    said: Sequence[Claim] = (),
    closed: Sequence[Claim] = (),
    *,
    dissent: Sequence[Dissent] = (),
    conversation: Conversation = TALK,
) -> BoundaryState:
    """A candidate that keeps all of `prior`: what is not said or closed is carried, and every claim has its change."""
    named = {claim.id for claim in (*said, *closed)}
    held = () if prior is None else prior.claims
    kept = tuple(carried(claim) for claim in held if claim.id not in named)
    before = {claim.id for claim in held}
    changes = [
        *(_change(ChangeKind.AFFIRMED if claim.id in before else ChangeKind.ADDED, claim.id) for claim in said),
        *(_change(ChangeKind.CLOSED, claim.id) for claim in closed),
        *(_change(ChangeKind.CARRIED, claim.id) for claim in kept),
    ]
    made = a_boundary(a_job(job, conversation), (*kept, *said), tuple(dissent))
    return made.model_copy(update={"closed": tuple(closed), "changes": tuple(changes)})


def _change(kind: ChangeKind, claim: str) -> Change:
    return Change(kind=kind, claim=claim, reason=f"{kind.value} in this cycle")


def commit(
    units: UnitOfWorkFactory, boundary: BoundaryState, version: int, at: float, conversation: Conversation = TALK
) -> BoundaryState:
    """Store the conversation and the job, and commit the boundary, in one transaction."""
    job = a_job(boundary.job, conversation)
    with units() as unit:
        unit.conversations.extend(conversation)
        unit.jobs.add(job, ())
        committed = unit.boundaries.commit(boundary, a_receipt(job), version, later(at))
        unit.commit()
    return committed


def an_act(kind: LedgerEventKind, claim: str, *, never_held: bool = False) -> Act:
    """An act of Ann."""
    adopted = a_claim(claim, "Is it?", TALK, Section.EDGES) if kind is LedgerEventKind.ADOPTED else None
    reason = f"{kind.value} by ann"
    return Act(kind=kind, claim=claim, actor="ann", reason=reason, never_held=never_held, adopted=adopted)


def act(units: UnitOfWorkFactory, what: Act, version: int, at: float) -> None:
    """Do it in a transaction of its own."""
    with units() as unit:
        unit.ledger.act("talk", what, version, later(at))
        unit.commit()


def names(claims: Iterable[Claim]) -> list[str]:
    """The ids in order."""
    return [claim.id for claim in claims]
