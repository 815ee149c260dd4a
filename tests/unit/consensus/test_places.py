import pytest

from consensus.places import crossed, misplaced, owned, rebound
from consensus.profile import Profile


def test_figures_whose_owners_are_exchanged() -> None:
    one, two = Profile("Production is 1204 and the sandbox 1240."), Profile("Production is 1240 and the sandbox 1204.")
    assert crossed(one, two) == ("1204", "1240")
    assert crossed(one, one) is None


@pytest.mark.parametrize(
    ("one", "two", "least", "found"),
    [
        ("The sandbox is 1240.", "Production is the account ending 1240 and the sandbox the one ending 1204.", 1, True),
        (
            "The sandbox is 1240.",
            "Production is the account ending 1240 and the sandbox the one ending 1204.",
            2,
            False,
        ),
        ("The sandbox is 1240.", "The sandbox is 1240 and production 1204.", 1, False),
        ("The sandbox is new.", "Production is 1240.", 1, False),
    ],
)
def test_a_figure_given_to_something_else(one: str, two: str, least: int, found: bool) -> None:  # noqa: FBT001 - a table
    assert misplaced(Profile(one), Profile(two), least) is found


def test_owned_needs_half_of_the_words_and_some() -> None:
    assert owned(frozenset({"a", "b"}), frozenset({"a"}))
    assert not owned(frozenset({"a", "b", "c"}), frozenset({"a"}))
    assert not owned(frozenset(), frozenset({"a"}))


def test_a_symbol_bound_twice() -> None:
    assert rebound(Profile("It holds at p < 0.01."), Profile("It holds at p < 0.001.")) == "p<"
    assert rebound(Profile("It holds at p < 0.01."), Profile("It holds.")) is None
