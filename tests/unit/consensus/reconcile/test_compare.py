"""Same subject, same slot, another value: pairs from software, clinic, law and hospitality."""

import pytest

from consensus.reconcile.compare import Relation, compare

REPLACES = (
    ("The staging database runs Postgres 14.", "The staging database runs Postgres 16."),
    ("The request timeout is 30 seconds.", "The request timeout is 45 seconds."),
    ("The nightly backup starts at 02:00.", "The nightly backup starts at 03:30."),
    ("The release is on 4 May.", "The release moves to 11 May."),
    ("The patient takes 500 mg of metformin daily.", "The patient takes 850 mg of metformin daily."),
    ("The drug is given orally.", "The drug is given intravenously."),
    ("The rent is 1,200 EUR a month.", "The rent is 1,350 EUR a month."),
    ("The hearing is set for 14 June.", "The hearing is set for 2 July."),
    ("The option expires on 30 June.", "The option expires on 30 September."),
    ("The room rate is 140 EUR per night.", "The room rate is 155 EUR per night."),
    ("The wedding is for 80 guests.", "The wedding is for 95 guests."),
    ("The lead is Ilse.", "The lead is Ravi."),
    ("The number of swaps is R = 32.", "Everything uses R = 64 swaps."),
    ("Holding the share needs s to grow like √n.", "To hold the share fixed, s must grow as ln n, not √n."),
)
APART = (
    (
        "We decided to drop the mobile client of Nutmeg; Emil tells all.",
        "Emil signs every invoice of Birch from now on.",
    ),
    ("Emil signs every invoice of Birch from now on.", "Emil signs every invoice of Poplar from now on."),
    ("There are 54 replicas of Ebony behind the balancer.", "There are 96 replicas of Teak behind the balancer."),
    ("The staging database runs Postgres 14.", "The production database runs Postgres 16."),
    ("The connect timeout is 5 seconds.", "The read timeout is 30 seconds."),
    ("The nightly backup starts at 02:00.", "The nightly backup ends at 04:00."),
    ("The rate limit is 100 requests per minute.", "The batch size is 250 rows."),
    ("The team meets on Mondays.", "The team also meets on Thursdays."),
    ("The release is on 4 May.", "The security review is on 11 May."),
    ("Node a1 has 8 cores.", "Node a2 has 16 cores."),
    ("The p95 latency is 180 ms.", "The p99 latency is 420 ms."),
    ("The left knee flexes to 90 degrees.", "The right knee flexes to 110 degrees."),
    ("The mother is 64 years old.", "The father is 70 years old."),
    ("Her potassium is 5.1 mmol per litre.", "Her sodium is 138 mmol per litre."),
    ("He is allergic to penicillin.", "He is also allergic to latex."),
    ("The tenant must give notice of three months.", "The landlord must give notice of six months."),
    ("The rent is 1,200 EUR a month.", "The deposit is 2,400 EUR."),
    ("Clause 7 caps liability at 1 million EUR.", "Clause 9 caps interest at 4 percent."),
    ("Breakfast is served from 7:00.", "Breakfast is served until 10:30."),
    ("Dinner is at 19:30.", "Lunch is at 12:30."),
    ("The pool closes at 21:00.", "The spa closes at 20:00."),
    ("The single room costs 90 EUR.", "The double room costs 140 EUR."),
    ("The cluster has at least 3 nodes.", "The cluster has at most 9 nodes."),
    ("The restaurant is booked for 5 people.", "The hotel is booked for 4 people."),
    ("The train leaves from Ely.", "The train goes to Norwich."),
)
NOT_SURE = (
    ("The budget is 1.2 million EUR.", "The marketing budget is 200,000 EUR."),
    ("The retention is 30 days.", "Logs are kept for 90 days."),
    ("They want to see a museum.", "They want to see a park."),
)


@pytest.mark.parametrize(("older", "newer"), REPLACES)
def test_one_slot_of_one_thing_takes_a_new_value(older: str, newer: str) -> None:
    assert compare(older, newer).relation is Relation.REPLACES


@pytest.mark.parametrize(("older", "newer"), APART)
def test_different_things_and_further_members_close_nothing(older: str, newer: str) -> None:
    assert compare(older, newer).relation is Relation.APART
    if "also" not in newer:
        assert compare(newer, older).relation is Relation.APART


@pytest.mark.parametrize(("older", "newer"), NOT_SURE)
def test_what_may_be_narrower_is_doubtful(older: str, newer: str) -> None:
    assert compare(older, newer).relation is Relation.DOUBTFUL


@pytest.mark.parametrize(("older", "newer"), [NOT_SURE[0], NOT_SURE[2]])
def test_a_turn_that_puts_something_in_place_settles_a_doubt(older: str, newer: str) -> None:
    assert compare(older, newer, cue=True).relation is Relation.REPLACES


def test_a_claim_that_lists_both_values_replaces_neither() -> None:
    assert compare("The shards number 8 shards.", "The shards number 8 shards or 20 shards.").relation is Relation.APART


def test_a_claim_that_names_the_old_value_as_displaced_replaces_it() -> None:
    assert compare("Kinesis has 8 shards.", "Kinesis has 20 shards instead of 8 shards.").relation is Relation.REPLACES


@pytest.mark.parametrize("odd", ["", " ", "é" * 50, "?", "1 2 3 4 5", "\N{ZERO WIDTH JOINER}"])
def test_odd_texts_are_apart(odd: str) -> None:
    assert compare(odd, "The request timeout is 45 seconds.").relation is Relation.APART
    assert compare("The request timeout is 45 seconds.", odd).relation is Relation.APART


def test_one_wish_for_a_single_place_takes_another_wish_s_place_and_two_open_wishes_are_a_doubt() -> None:
    assert compare("The attraction should be a museum.", "They want to see a park in town.").relation is (
        Relation.REPLACES
    )
    assert compare("They want to see a museum.", "They want to visit a park.").relation is Relation.DOUBTFUL
    assert compare("The attraction should be a museum.", "They also want to see a park.").relation is Relation.APART


def test_a_thing_of_another_name_is_not_replaced_even_where_words_of_change_stand() -> None:
    older, newer = "Emil signs every invoice of Birch.", "Emil signs every invoice of Poplar from now on."
    assert compare(older, newer, cue=True).relation is Relation.APART
    older = "We decided to drop the mobile client of Nutmeg; Emil tells the customers."
    assert compare(older, "Emil signs every invoice of Birch from now on.", cue=True).relation is Relation.APART


def test_a_time_without_a_role_is_no_other_end_and_takes_the_place_of_another_beginning() -> None:
    end, begin = "They must arrive by train by 12:00.", "The train should go at 11:00."
    assert compare(end, begin).relation is Relation.DOUBTFUL
    assert compare(begin, end).relation is Relation.DOUBTFUL
    assert compare(end, begin, cue=True).relation is Relation.REPLACES
    assert compare("The meal starts at 19:00.", "Dinner is booked for 18:00.").relation is Relation.REPLACES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Thursday is when they go by train.", "Friday is when they go by train."),
        ("Cambridge is where the train trip ends.", "Norwich is where the train trip ends."),
        ("Ely is where the train trip ends.", "They are heading to Cambridge by train."),
        ("They have to be dropped off by 13:45.", "They have to be dropped off by 17:00."),
        ("The train is to leave at 16:15.", "Departure of the train is not before 07:27."),
        ("They fancy Thai food tonight.", "The user asks for a place that cooks Korean."),
    ],
)
def test_a_value_is_read_where_it_stands_first_and_where_no_word_says_what_it_is_of(older: str, newer: str) -> None:
    assert compare(older, newer).relation is Relation.REPLACES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ann is who signs the contract.", "The audit ends on Friday."),
        ("They have to be in room 4.", "They also have to be in room 5."),
        ("They sit down by 13:45.", "They also sit down by 17:00."),
        ("It is when they go by train.", "Friday is when the shop closes."),
    ],
)
def test_other_things_stay_apart_where_a_value_stands_first(older: str, newer: str) -> None:
    assert compare(older, newer).relation is Relation.APART


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The visitors turn up for dinner at 18:00.", "The kitchen expects them at 19:00 for dinner."),
        ("Their heart is set on Thai dishes for dinner.", "Chinese cooking is what they enjoy at a restaurant."),
    ],
)
def test_where_a_turn_replaces_something_the_thing_and_the_kind_of_value_tell_the_slot(older: str, newer: str) -> None:
    assert compare(older, newer, cue=True).relation is Relation.REPLACES
    assert compare(older, newer).relation is not Relation.REPLACES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "The visitors turn up for the staff dinner at 18:00.",
            "The kitchen expects them at 19:00 for the club dinner.",
        ),
        ("The visitors turn up for dinner at 18:00.", "The driver of the taxi expects them at 19:00."),
        ("The visitors turn up for dinner at 18:00.", "The kitchen closes the dinner by 23:00 at the latest."),
        ("Ticket 2.3.7 is open.", "The kitchen uses 2.3.8, not 2.3.9."),
    ],
)
def test_other_things_and_other_roles_stay_apart_though_a_turn_replaces_something(older: str, newer: str) -> None:
    assert compare(older, newer, cue=True).relation is not Relation.REPLACES
