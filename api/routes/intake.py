"""What is replaced in a tenant's turns before they are stored, besides the secrets that always are."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.bodies import body_of, described
from api.problems import ALWAYS, documented
from api.replies import made, shown
from api.security import Admin
from dissolution.service import IntakeRules
from language.secrets.extra_patterns import ExtraPatterns
from workers.tenants.personal_data import recognisers_of

router = APIRouter(prefix="/v1/intake", tags=["intake"])

RULES = described(IntakeRules)


@router.get("", response_model=IntakeRules, responses=documented(*ALWAYS))
def read(request: Request, caller: Admin) -> Response:
    """The tenant's own patterns, and its recogniser of personal data."""
    with caller.api.reads() as work:
        return shown(request, work.service.intake.rules(caller.tenant))


@router.put("", response_model=IntakeRules, responses=documented(*ALWAYS, 413, 415), openapi_extra=RULES)
def replace(caller: Admin, body: Annotated[IntakeRules, Depends(body_of(IntakeRules))]) -> Response:
    """Take these from now on; what is stored stays as it is."""
    ExtraPatterns(body.patterns)  # refuses what may not be used
    recognisers_of(body)
    reply = made(body)
    with caller.api.units() as work:
        work.service.intake.set_rules(caller.tenant, body, caller.api.services.clock.now())
        work.commit()
    return reply
