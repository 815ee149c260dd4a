"""What this installation offers: fleets and policies by name, checks of new ones, and what a job would cost."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from api.bodies import body_of, described
from api.choosing import DEFAULT, fleet_named, fleet_names, names_in, policy_for, policy_named, without_path
from api.intake import read_talk
from api.paging import Page
from api.problems import ALWAYS, documented
from api.replies import made, shown
from api.schemas import NewDissolution, Shape
from api.security import Reader
from api.state import Caller
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded, InvalidRoster
from dissolution.estimates import PathEstimate
from dissolution.policy.job_policy import Policy
from dissolution.values import NotMeasured
from fleet.roster import Roster, parse_roster
from workers.bootstrap import build_fleet, members_to_pay
from workers.estimates.refusal import expected_of, refuse_over_caps
from workers.spending import paid

router = APIRouter(prefix="/v1", tags=["fleets and policies"])


class FleetShown(Shape):
    """Who may be asked."""

    name: str
    members: list[str]
    families: list[str]
    problem: str | None = None
    """Why it cannot be used as it is."""


class FleetText(Shape):
    """A roster as TOML, to be checked; nothing is stored and nobody is asked."""

    toml: Annotated[str, Field(min_length=1, max_length=1_000_000)]


class PolicyShown(Shape):
    """A policy with its digest."""

    name: str
    digest: str
    policy: Policy


class PolicyAsked(Shape):
    """A policy to be checked for a fleet."""

    policy: Policy
    fleet: Annotated[str, Field(min_length=1, max_length=100)] = "extractive"


class Estimate(Shape):
    """What a dissolution is expected to use on its whole path; nobody is asked and nothing is stored."""

    fleet: str
    policy_digest: str
    members: int
    asked: int
    """Members that cost anything; all others are free."""
    input_tokens: int
    output_tokens: int
    usd: str | None
    """None: the price of somebody is not known, and `known_usd` is the part that is."""
    known_usd: str
    cap_usd: str
    refused: str | None
    """Why such a job would be refused."""
    expected: PathEstimate
    """The same by stage and by member, with cached input and histories, and what repairs would use at most."""


ROSTER_BODY = described(FleetText)
POLICY_BODY = described(PolicyAsked)
JOB_BODY = described(NewDissolution)
CHECKED = documented(*ALWAYS, 404, 413, 415)


@router.get("/fleets", response_model=Page[FleetShown], responses=documented(*ALWAYS))
def fleets(request: Request, caller: Reader) -> Response:
    """The fleets that a dissolution may name; nobody is asked."""
    settings = caller.api.services.settings
    return shown(request, Page[FleetShown](items=tuple(_fleet(caller, name) for name in fleet_names(settings))))


def _fleet(caller: Caller, name: str) -> FleetShown:
    services = caller.api.services
    description = fleet_named(services.settings, name)
    try:
        members = build_fleet(description, services.embedder)
    except InvalidRoster as error:
        return FleetShown(name=name, members=[], families=[], problem=without_path(error, description))
    cards = [member.card for member in members]
    return FleetShown(
        name=name, members=[card.name for card in cards], families=sorted({card.family for card in cards})
    )


@router.post("/fleets/validate", response_model=FleetShown, responses=CHECKED, openapi_extra=ROSTER_BODY)
def validate_fleet(caller: Reader, body: Annotated[FleetText, Depends(body_of(FleetText))]) -> Response:  # noqa: ARG001 - asking needs a key
    """Check a roster, line by line; nothing is stored and nobody is asked."""
    roster: Roster = parse_roster(body.toml, "roster")
    members = [member.name for member in roster.members]
    families = sorted({member.family for member in roster.members})
    return made(FleetShown(name="roster", members=members, families=families))


@router.get("/policies", response_model=Page[PolicyShown], responses=documented(*ALWAYS))
def policies(request: Request, caller: Reader) -> Response:
    """The policies that a dissolution may name."""
    settings = caller.api.services.settings
    names = (DEFAULT, *(name for name in names_in(settings.policies_folder) if name != DEFAULT))
    return shown(request, Page[PolicyShown](items=tuple(_policy(policy_named(settings, name), name) for name in names)))


def _policy(policy: Policy, name: str | None = None) -> PolicyShown:
    return PolicyShown(name=name or policy.name, digest=policy.digest, policy=policy)


@router.post("/policies/validate", response_model=PolicyShown, responses=CHECKED, openapi_extra=POLICY_BODY)
def validate_policy(caller: Reader, body: Annotated[PolicyAsked, Depends(body_of(PolicyAsked))]) -> Response:
    """Check a policy for a fleet, and show it as a job would keep it."""
    settings = caller.api.services.settings
    return made(_policy(policy_for(settings, body.policy, fleet_named(settings, body.fleet))))


@router.post("/dissolutions/estimate", response_model=Estimate, responses=CHECKED, openapi_extra=JOB_BODY)
def estimate(caller: Reader, body: Annotated[NewDissolution, Depends(body_of(NewDissolution))]) -> Response:
    """What a dissolution is expected to use on its whole path: a dry run. Nobody is asked, nothing is stored."""
    settings = caller.api.services.settings
    fleet = fleet_named(settings, body.fleet)
    policy = policy_for(settings, body.policy, fleet, body.effort)
    snapshot = _snapshot(caller, body, policy)
    members = len(build_fleet(fleet, caller.api.services.embedder))
    return made(_priced(caller, name=body.fleet, fleet=fleet, policy=policy, snapshot=snapshot, members=members))


def _snapshot(caller: Caller, body: NewDissolution, policy: Policy) -> Snapshot:
    if body.inline is not None:
        name = caller.conversation(body.inline.name or "inline")
        return read_talk(caller, body.inline, name, body.inline.title, policy).conversation.snapshot(body.through)
    with caller.api.reads() as work:
        return work.conversations.get(caller.conversation(body.conversation or "")).snapshot(body.through)


def _priced(caller: Caller, *, name: str, fleet: str, policy: Policy, snapshot: Snapshot, members: int) -> Estimate:
    services = caller.api.services
    asked = paid(members_to_pay(fleet))
    expected = expected_of(services, asked, snapshot, policy)
    refused = None
    try:
        refuse_over_caps(services, asked, snapshot, policy, caller.tenant)
    except BudgetExceeded as error:
        refused = str(error)
    whole = expected.whole
    return Estimate(
        fleet=name,
        policy_digest=policy.digest,
        members=members,
        asked=len(asked),
        input_tokens=whole.input_tokens,
        output_tokens=whole.output_tokens,
        usd=None if isinstance(whole.usd, NotMeasured) else f"{whole.usd:f}",
        known_usd=f"{whole.known_usd:f}",
        cap_usd=f"{policy.budget.max_usd:f}",
        refused=refused,
        expected=expected,
    )
