from consensus.grouping.representative import choose
from consensus.wording.profile import profile_of
from tests.unit.consensus.made import a_statement

MEMBERS = ("ann", "bea", "cid", "dan")


def chosen(*texts: str, scores: tuple[float, ...] | None = None) -> str:
    said = [a_statement(text, member) for text, member in zip(texts, MEMBERS, strict=False)]
    return texts[choose(said, [profile_of(text) for text in texts], scores or (0.8,) * len(texts))]


def test_the_fullest_wording_speaks() -> None:
    full = "The canary runs on web-a3 under Ravi before the other two nodes."
    assert chosen("The canary runs on web-a3.", full, "The canary runs on web-a3 under Ravi.") == full


def test_it_keeps_what_all_say() -> None:
    assert "07:30" in chosen("At 07:30 the canary runs.", "Each canary on each of these nodes runs at 07:30.")


def test_a_value_that_most_who_state_one_do_not_state_does_not_speak() -> None:
    """Two families say that the store has 512 MB, one adds another size that nobody bears out."""
    odd = "The store has 512 MB, and it may grow to 900 MB in the new year of the lease."
    assert chosen("The store has 512 MB.", odd, "512 MB is what the store has.") != odd


def test_it_rests_on_evidence() -> None:
    assert chosen("One way.", "Other way around.", scores=(0.5, 0.0)) == "One way."


def test_a_condition_that_all_state_is_kept_however_long_the_sentence_is() -> None:
    """Both families say "once counsel has signed"; the first says it in a long sentence, and once without it."""
    long = f"The report leaves the house once counsel has signed{' and the binder is back in its old place' * 6}."
    short = "The report leaves the house."
    assert len(long.split()) > 50
    said = [a_statement(long, "ann"), a_statement(short, "ann", ordinal=1)]
    said += [a_statement("Once counsel has signed, the report leaves the house.", "bea")]
    texts = [long, short, "Once counsel has signed, the report leaves the house."]
    assert "signed" in texts[choose(said, [profile_of(text) for text in texts], (0.8, 0.99, 0.0))]


def test_no_length_counts_against_the_fullest_wording() -> None:
    full = f"The job runs daily {' and then '.join(f'part{n}' for n in range(40))}."
    assert len(full.split()) > 60
    assert chosen(full, "The job runs daily.") == full


def test_of_two_that_say_as_much_the_shorter_speaks() -> None:
    assert chosen("The job is the one that runs daily.", "The job runs daily.") == "The job runs daily."


def test_ties_go_by_length_and_by_the_alphabet() -> None:
    assert chosen("beta", "alfa") == "alfa"
