import pytest

from consensus.states import unsaid


@pytest.mark.parametrize(
    ("claim", "heard", "word"),
    [
        ("The log disk is nearly full.", ["The log disk is at 40 percent."], "full"),
        ("The ward is understaffed and the rota looks tight.", ["Two nurses are on the rota at night."], "tight"),
        ("There is comfortable room in the plan.", ["The plan leaves 253."], "comfortable"),
        ("The bridge is safe for lorries.", ["The bridge was built in 1963 for lorries."], "safe"),
        ("The sauce seems perfect.", ["Reduce the sauce by half."], "perfect"),
        ("The log disk is nearly full.", ["We ran out.", "The log disk has filled up."], None),
        ("The margin is tiny.", ["A small margin, then."], None),
        ("The log disk holds a huge table.", ["The table is on the log disk."], None),
        ("The full-text index is on.", ["The index is on."], None),
        ("The job runs at noon.", [], None),
        ("It is safe.", [], "safe"),
        ("The store is full.", ["The store holds carts.", "If the store is full it throws carts out."], "full"),
        ("If the store is full, carts go.", ["If the store is full it throws carts out."], None),
        ("The store is full.", ["Is the store full?"], "full"),
    ],
)
def test_a_degree_said_of_the_subject_must_stand_in_the_turns(claim: str, heard: list[str], word: str | None) -> None:
    assert unsaid(claim, heard) == word
