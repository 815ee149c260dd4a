"""What a job is expected to use, held against what it and its day may use, before anything of it is stored."""

from collections.abc import Sequence

from dissolution.conversation import Snapshot
from dissolution.estimates import PathEstimate
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Member
from workers.services import Services
from workers.spending import day_caps, paid


def refuse_over_caps(
    services: Services, members: Sequence[Member], snapshot: Snapshot, policy: Policy, tenant: str = "default"
) -> None:
    """Refuse a job that is not stored yet when its estimate is over its own cap or over what is left of the day.

    The whole path counts, without a repair. Nothing is reserved: each stage does that when it begins.

    Raises BudgetExceeded, DayBudgetExceeded.
    """
    members = paid(members)
    if not members:
        return
    from workers.estimates.estimate import check_path  # with the prompts of all stages, which only models are asked

    expected = expected_of(services, members, snapshot, policy)
    check_path(expected, policy.budget)
    with services.unit_of_work() as work:
        work.money.room(tenant, expected.whole.known_usd, day_caps(services.settings), services.clock.now())


def expected_of(services: Services, members: Sequence[Member], snapshot: Snapshot, policy: Policy) -> PathEstimate:
    """What a job would use on its whole path: a cycle where the stored conversation has a boundary by now."""
    from workers.estimates.estimate import estimate_path  # as above

    with services.unit_of_work() as work:
        key = work.installation_key()
        prior = work.boundaries.current(snapshot.conversation)
        work.commit()  # the key may have been made just now
    return estimate_path(members, snapshot, policy, key, prior)
