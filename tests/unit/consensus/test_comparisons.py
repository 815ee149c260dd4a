import pytest

from consensus.comparisons import exchanged, turned
from consensus.profile import Profile
from consensus.veto import GuardRule

FIRES: list[tuple[GuardRule, str, str]] = [
    (turned, "Plan A is cheaper than plan B.", "Plan B is cheaper than plan A."),
    (turned, "Redis is faster than Postgres.", "Redis is slower than Postgres."),
    (turned, "The walls are painted before the floor is laid.", "The floor is laid before the walls are painted."),
    (exchanged, "The tenant insures the landlord.", "The landlord insures the tenant."),
]
SILENT: list[tuple[GuardRule, str, str]] = [
    (turned, "Osaka is larger than Kyoto.", "Kyoto is smaller than Osaka."),
    (turned, "Osaka is larger than Kyoto.", "Osaka is not larger than Kyoto."),
    (turned, "Osaka is larger than Kyoto.", "Osaka has more trains."),
    (turned, "It is more than that.", "It is less than this."),
    (turned, "Osaka is larger than Kyoto.", "Oslo is larger than Bergen."),
    (exchanged, "The tenant insures the landlord.", "The landlord is insured by the tenant."),
    (exchanged, "The tenant meets the landlord.", "The landlord meets the tenant."),
    (exchanged, "The tenant insures the landlord.", "The landlord never insures the tenant."),
    (exchanged, "The tenant insures the landlord.", "The tenant insures the flat."),
    (exchanged, "Tenant landlord.", "Landlord tenant."),
]


@pytest.mark.parametrize(("guard", "one", "two"), FIRES)
def test_sides_that_are_exchanged_cannot_both_hold(guard: GuardRule, one: str, two: str) -> None:
    for a, b in ((one, two), (two, one)):
        (veto,) = guard(Profile(a), Profile(b))
        assert veto.opposed
        assert veto.certain


@pytest.mark.parametrize(("guard", "one", "two"), SILENT)
def test_the_same_said_from_the_other_side_may(guard: GuardRule, one: str, two: str) -> None:
    assert guard(Profile(one), Profile(two)) == []
    assert guard(Profile(two), Profile(one)) == []
