"""What a conversation keeps coming back to, and the words it is said with."""

from dissolution.conversation import Role, Snapshot
from probe.evidence import evidence_of
from probe.salience import Value, values
from tests.factories import a_snapshot, a_turn


def found(*turns: str) -> dict[str, Value]:
    return {value.item.text: value for value in values(evidence_of(a_snapshot(*turns)))}


BACKUPS = (
    "The staging database keeps its backups for 35 days in the archive.",
    "Noted: backups of the staging database stay 35 days in the archive.",
)


def test_a_value_of_two_turns_is_found_with_its_company() -> None:
    value = found(*BACKUPS)["35 days"]
    assert value.turns == (1, 2)
    assert set(value.company[:4]) == {"stag", "databas", "backup", "archiv"}
    assert "keep" in value.company
    assert value.company.index("keep") > 3


def test_what_one_turn_says_is_no_value_and_neither_is_a_counting_word() -> None:
    assert found("The archive keeps 35 days, really 35 days of backups.") == {}
    assert found("Only three of the lorries wait.", "Then three of the lorries left the depot.") == {}


def test_what_is_only_asked_or_guessed_is_no_value() -> None:
    assert found("Is the rate limit 350 requests?", "I think the rate limit is 350 requests, not sure.") == {}


def test_quoted_material_does_not_count() -> None:
    turns = (a_turn(1, BACKUPS[0]), a_turn(2, BACKUPS[1], Role.TOOL))
    assert values(evidence_of(Snapshot(conversation="c", turns=turns))) == ()


def test_a_tally_says_nothing_of_any_value() -> None:
    tally = "Per month: backups 35, lake 1310, endpoints 420, alarms 690, replica 780 and edge 81."
    assert found(tally, tally) == {}


def test_what_a_later_number_replaces_ranks_below_what_holds() -> None:
    kept = found(
        "The stream has 8 shards for the depots.",
        "So the stream has 8 shards for the depots.",
        "The stream of the depots has 20 shards now.",
        "Agreed, 20 shards for the stream of the depots.",
    )
    assert kept["20"].rank > kept["8"].rank


def test_names_and_rules_rank_above_bare_numbers() -> None:
    kept = found(
        "The lorry log shows 35 stops for the route of Ravi in the north.",
        "The lorry log shows 35 stops for the route of Ravi in the north.",
    )
    assert kept["Ravi"].rank > kept["35"].rank
    assert found("The archive must keep 35 days.", "The archive must keep 35 days.")["35 days"].rank > 0


def test_plurals_of_a_name_are_one_value() -> None:
    kept = found("The KeyErrors of the portal came back today.", "That KeyError of the portal came back today.")
    assert len(kept) == 1
