"""Wordings for benchmarks/supersession.py that were written after everything else, with other verbs throughout.

They were measured before the rules were changed for them, then the rule that came of it was written: on
what a turn replaces, the thing, the kind of value and its role tell the slot, not the other words.
"""

from collections.abc import Mapping

AT_FIRST_SIGHT: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("restaurant", "food"): (
        "Their heart is set on {v} dishes for dinner.",
        "{v} cooking is what the visitors would enjoy at a restaurant.",
    ),
    ("restaurant", "area"): ("The restaurant ought to sit in the {v}.", "Eating out happens in the {v} of the city."),
    ("restaurant", "pricerange"): (
        "What they spend on the restaurant is {v}.",
        "The visitor imagines a {v} restaurant.",
    ),
    ("restaurant", "name"): ("The visitors will have their dinner at {v}.", "It is {v} where they reserve a table."),
    ("restaurant", "book people"): (
        "The restaurant expects {v} diners.",
        "They come to dinner with {v} people in total.",
    ),
    ("restaurant", "book day"): ("The visitors dine on {v}.", "The table is kept free on {v}."),
    ("restaurant", "book time"): (
        "The visitors turn up for dinner at {v}.",
        "The kitchen expects them at {v} for dinner.",
    ),
    ("hotel", "area"): ("The hotel is to be found in the {v}.", "They would sleep best in the {v} part of town."),
    ("hotel", "pricerange"): ("They can afford a {v} hotel.", "The hotel room has to come out {v}."),
    ("hotel", "name"): ("The visitors spend their nights at {v}.", "Their room is reserved at {v}."),
    ("hotel", "type"): ("They sleep in a {v}.", "The visitor insists that the lodging is a {v}."),
    ("hotel", "stars"): ("A hotel with {v} stars would please them.", "The visitor counts on {v} stars at the hotel."),
    ("hotel", "parking"): ("Their car has to stand at the hotel.",),
    ("hotel", "internet"): ("The visitors must be able to get online at the hotel.",),
    ("hotel", "book people"): ("The hotel puts up {v} people.", "{v} visitors share the hotel booking."),
    ("hotel", "book stay"): ("They sleep at the hotel {v} nights in a row.", "The hotel puts them up for {v} nights."),
    ("hotel", "book day"): ("Their first night at the hotel is {v}.", "The hotel awaits them on {v}."),
    ("attraction", "type"): (
        "The visitors are curious about a {v} in town.",
        "Seeing a {v} would please the visitors.",
    ),
    ("attraction", "area"): (
        "The sights that interest them are in the {v}.",
        "They wander through the sights of the {v}.",
    ),
    ("attraction", "name"): ("The visitors look around {v}.", "Their sightseeing includes {v}."),
    ("train", "departure"): ("The visitors catch the train in {v}.", "{v} is the station where they get on the train."),
    ("train", "destination"): ("The train carries the visitors to {v}.", "They get off the train in {v}."),
    ("train", "day"): ("The visitors sit on the train on {v}.", "The train ride happens on {v}."),
    ("train", "leaveAt"): ("The visitors catch a train at {v}.", "The train pulls out at {v}."),
    ("train", "arriveBy"): ("The train brings them in by {v}.", "They should be off the train by {v}."),
    ("train", "book people"): ("The train ride is shared by {v} people.", "{v} people sit on the train."),
    ("taxi", "departure"): ("The taxi waits for them at {v}.", "The driver of the taxi fetches them at {v}."),
    ("taxi", "destination"): ("The taxi drives them to {v}.", "The driver lets them out of the taxi at {v}."),
    ("taxi", "leaveAt"): ("The driver of the taxi shows up at {v}.", "Their taxi rolls at {v}."),
    ("taxi", "arriveBy"): ("The taxi gets them there by {v}.", "By {v} they climb out of the taxi."),
}
