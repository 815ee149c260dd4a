"""Method "echo"."""

from fleet.extractive.echo import score
from fleet.extractive.units import read_snapshot
from tests.factories import a_snapshot


def test_what_another_turn_takes_up_counts_for_more_than_a_digression() -> None:
    reading = read_snapshot(
        a_snapshot(
            "Steam rotates turbines daily.", "Coffee keeps penguins awake.", "Daily steam rotates those turbines."
        )
    )
    first, digression, last = score(reading)
    assert min(first, last) > digression > 0


def test_saying_it_twice_in_one_turn_is_no_echo() -> None:
    alone = read_snapshot(a_snapshot("Steam rotates turbines. Steam rotates turbines.", "Nothing of that kind here."))
    assert alone.echoed == (0.0, 0.0, 0.0)


def test_words_of_every_turn_weigh_nothing_nearly_in_any_language() -> None:
    reading = read_snapshot(a_snapshot(*(f"die pumpe und das ventil{n}" for n in range(30))))
    assert reading.rarity("und") < reading.rarity("ventil7") / 30
