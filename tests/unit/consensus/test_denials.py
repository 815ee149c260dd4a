import pytest

from consensus.denials import denied_elsewhere, rejected_whole, says_no
from consensus.profile import Profile


@pytest.mark.parametrize(
    ("denying", "other"),
    [
        ("There is no liability cap for a breach of the data limit.", "The contract sets a data limit."),
        ("The fields were altered without notice.", "Most incidents come from altered fields."),
        ("Counting keys cannot explain that it depends on the filler.", "It depends on the filler."),
        ("A key mismatch is ruled out.", "The key is the same on all nodes."),
    ],
)
def test_a_denial_of_something_else_leaves_the_claim_alone(denying: str, other: str) -> None:
    assert denied_elsewhere(Profile(denying), Profile(other))


@pytest.mark.parametrize(
    ("denying", "other"),
    [
        ("No session is destroyed.", "Sessions are destroyed."),
        ("The sensor never reports humidity.", "The sensor reports humidity."),
        ("EKS is ruled out.", "We use EKS for the pipeline."),
        ("No is no answer.", "Yes is an answer."),
        ("It is without the.", "It is the."),
    ],
)
def test_a_denial_of_the_claim_does_not(denying: str, other: str) -> None:
    assert not denied_elsewhere(Profile(denying), Profile(other))


@pytest.mark.parametrize(
    ("denying", "other", "whole"),
    [
        ("Deletion KL is out as the measure.", "Influence is the KL divergence after deleting tokens.", True),
        ("Eviction is ruled out.", "The host evicts keys.", True),
        ("Eviction is ruled out.", "The eviction figures are high.", False),
        ("Eviction is ruled out.", "Eviction is excluded.", False),
        ("The host evicts keys.", "The host is new.", False),
    ],
)
def test_a_rejected_thing_that_the_other_claim_has_in_full_is_known(denying: str, other: str, whole: bool) -> None:  # noqa: FBT001 - a table
    assert rejected_whole(Profile(denying), Profile(other)) is whole


@pytest.mark.parametrize(
    ("text", "no"),
    [("It does not.", True), ("It isn't.", True), ("It is unverified.", False), ("X is dropped.", False)],
)
def test_what_denies_outright(text: str, no: bool) -> None:  # noqa: FBT001 - a table
    assert says_no(Profile(text)) is no


def test_a_denied_noun_is_read_up_to_three_words() -> None:
    assert denied_elsewhere(Profile("There is no big red wooden gate there."), Profile("The gate is there."))
