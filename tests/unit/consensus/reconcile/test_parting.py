"""What is left of one sentence of which only a piece ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.concepts import roots_in_order
from consensus.reconcile.parting import pieces_of, rest_of, stay_of, verb_at


@pytest.mark.parametrize(
    ("sentence", "ended", "rest"),
    [
        (
            "The lake is S3 with Iceberg, queried through Athena, with a replica in us-east-2 for the analysts",
            "us-east-2",
            "The lake is S3 with Iceberg, queried through Athena.",
        ),
        ("Kinesis, provisioned, 8 shards, 7 days", "8 shards", "Kinesis, provisioned, 7 days."),
        (
            "The stream has 8 shards, 7 days of retention and encryption",
            "8 shards",
            "The stream has 7 days of retention and encryption.",
        ),
        ("The stream has 8 shards and 7 days of retention.", "8 shards", "The stream has 7 days of retention."),
        ("The stream has 8 shards and 7 days of retention.", "7 days", "The stream has 8 shards."),
        ("Backups go to Hamburg, Oslo and Bern.", "Hamburg", "Backups go to Oslo and Bern."),
        ("Backups go to Hamburg, Oslo and Bern.", "Bern", "Backups go to Hamburg, Oslo."),
        (
            "The importer retries twice, logs to stderr and never deletes rows.",
            "twice",
            "The importer logs to stderr and never deletes rows.",
        ),
        (
            "The importer retries twice, logs to stderr and never deletes rows.",
            "stderr",
            "The importer retries twice and never deletes rows.",
        ),
        ("Ruled out: EKS, Lambda on the main path, MSK.", "Lambda", "Ruled out: EKS, MSK."),
        ("Reviews are done by Bruno and Chen.", "Bruno", "Reviews are done by Chen."),
        (
            "The pool holds 40 links (of 60, at most) and 7 spares.",
            "7 spares",
            "The pool holds 40 links (of 60, at most).",
        ),
    ],
)
def test_what_nothing_touches_stays_as_it_was_worded(sentence: str, ended: str, rest: str) -> None:
    assert rest_of(sentence, lambda words: ended in words) == rest


@pytest.mark.parametrize(
    ("sentence", "ended"),
    [
        ("The gap between the north and the south site is 3 km.", "north"),
        ("If the load rises, we use 20 shards, 7 days.", "20"),
        ("The report covers the north and the south.", "south"),
        ("Ada and Bruno own the dashboard.", "Ada"),
        ("Rows from a1, a2 and a3 between 8 and 9 are late.", "between 8"),
        ("r418 reached a1, a2 and a3 at 08:40.", "08:40"),
        ("We wait.", "wait"),
        ("", ""),
    ],
)
def test_what_cannot_be_taken_apart_stays_whole(sentence: str, ended: str) -> None:
    assert rest_of(sentence, lambda words: ended in words) is None


def test_pieces_that_hang_on_what_ends_go_with_it_and_others_would_be_lost() -> None:
    spot = "Spot is adopted for everything, at an indicative 708 USD per month, as the office was told."
    assert not stay_of(spot, lambda words: "Spot" in words)
    stack = "The stack is Python 3.11, chosen last week, Flask 2.3."
    assert rest_of(stack, lambda words: "Python" in words) is None
    assert stay_of(stack, lambda words: "Python" in words) == ("Flask 2.3.",)


def test_brackets_and_quotes_are_not_taken_apart() -> None:
    assert len(pieces_of("The key `a, b and c` stands")) == 1
    assert len(pieces_of("The pool (40, 50, 60) stands")) == 1
    assert len(pieces_of("They say “one, two and three”")) == 1


def test_verbs_are_found_by_their_place() -> None:
    text = "The importer retries twice"
    place = verb_at(text)
    assert place is not None
    assert text[slice(*place)] == "retries"
    assert verb_at("8 shards, 7 days") is None


VALUES = st.lists(st.integers(min_value=100, max_value=999), min_size=2, max_size=6, unique=True)
HEADS = st.sampled_from(["The pool has", "We use", "The plan covers", "The service keeps"])
THINGS = ("workers", "shards", "replicas", "queues", "backups", "tenants")


@given(HEADS, VALUES, st.data())
def test_of_a_list_of_values_exactly_the_ended_one_goes(head: str, figures: list[int], data: st.DataObject) -> None:
    items = [f"{figure} {thing}" for figure, thing in zip(figures, THINGS, strict=False)]
    gone = data.draw(st.sampled_from(items))
    sentence = f"{head} {', '.join(items[:-1])} and {items[-1]}."
    rest = rest_of(sentence, lambda words: gone in words)
    assert rest is not None
    assert gone not in rest
    assert all(item in rest for item in items if item != gone)
    assert rest.startswith(head)


@given(st.text(max_size=120), st.text(max_size=5))
def test_whatever_is_said_the_rest_is_shorter_untouched_and_adds_no_word(sentence: str, ended: str) -> None:
    rest = rest_of(sentence, lambda words: ended in words)
    if rest is not None:
        assert ended not in rest
        assert len(rest) <= len(sentence) + 1
        assert frozenset(roots_in_order(rest)) <= frozenset(roots_in_order(sentence))
