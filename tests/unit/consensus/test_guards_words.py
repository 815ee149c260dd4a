import pytest

from consensus.guards_words import opposites, options, rivals, scope, validity
from consensus.profile import Profile
from consensus.veto import GuardRule

FIRES: list[tuple[GuardRule, str, str]] = [
    (opposites, "The margin is comfortable.", "The margin is tight."),
    (opposites, "Redis runs noeviction on the session host.", "Redis runs eviction on the session host."),
    (opposites, "Backups of the ledger are complete.", "Backups of the ledger are incomplete."),
    (options, "The session Redis runs with allkeys-lru.", "rds-sess-01 runs noeviction."),
    (options, "The archive is stored in Geneva.", "The archive is stored in Oslo."),
    (options, "Marta approves the budget.", "Jonas approves the budget."),
    (rivals, "Influence is the KL divergence of two runs.", "Influence is a Hellinger divergence."),
    (scope, "All nodes run the patched kernel.", "Only some nodes run the patched kernel."),
    (scope, "Every sample passed the test.", "Not every sample passed the test."),
    (validity, "We used to deploy on Fridays.", "We deploy on Fridays."),
]
SILENT: list[tuple[GuardRule, str, str]] = [
    (opposites, "The margin is comfortable.", "The margin is not tight."),
    (opposites, "Perhaps the gate is open.", "Perhaps the gate is closed."),
    (opposites, "Month end is seen once in the run.", "The run starts on 17 August."),
    (opposites, "The lake is deep and the shore is shallow.", "The lake is deep and the shore is shallow and wide."),
    (opposites, "The open letter of the union is long.", "The new shop of the mayor is closed."),
    (options, "The library is in Porto.", "The library has a reading room in Braga."),
    (options, "The service does not run on Nomad.", "The service runs on Kubernetes."),
    (options, "The cache is small.", "The cache is fast."),
    (options, "tidewater-edge accepts batches.", "tidewater-edge acknowledges batches."),
    (options, "The pump P-4 runs at 12 bar.", "The pump P-5 runs at 15 bar."),
    (options, "The long red train runs on biogas from the old town farm.", "The bus runs on diesel."),
    (rivals, "Influence is the KL divergence.", "Cost is the Hellinger divergence."),
    (rivals, "Influence is the KL divergence.", "Influence is the KL divergence, not the Hellinger divergence."),
    (rivals, "Influence is the KL divergence.", "Is influence the Hellinger divergence?"),
    (scope, "All nodes run the patched kernel.", "The nodes run the patched kernel."),
    (scope, "Not only the nodes run the kernel.", "All nodes run the kernel."),
    (scope, "All boats have life vests.", "None of the towers has a kitchen."),
    (scope, "Every node is not ready.", "No node is ready."),
    (validity, "Priya is used to long meetings.", "Priya likes long meetings."),
    (validity, "We used to deploy on Fridays.", "We never deploy on Fridays."),
    (validity, "We used to deploy on Fridays.", "Do we deploy on Fridays?"),
    (validity, "We used to deploy on Fridays.", "The lake is deep."),
]


@pytest.mark.parametrize(("guard", "one", "two"), FIRES)
def test_words_that_cannot_both_hold(guard: GuardRule, one: str, two: str) -> None:
    for a, b in ((one, two), (two, one)):
        (veto,) = guard(Profile(a), Profile(b))
        assert veto.opposed
        assert veto.certain
        assert veto.detail


@pytest.mark.parametrize(("guard", "one", "two"), SILENT)
def test_words_that_may(guard: GuardRule, one: str, two: str) -> None:
    assert guard(Profile(one), Profile(two)) == []
    assert guard(Profile(two), Profile(one)) == []
