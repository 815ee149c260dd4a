import pytest

from consensus.profile import Profile
from consensus.withdrawn import existing, root_of, withdrawn

BACK = [
    ("There is still comfortable room beside the design.", "So the room we thought we had was never there."),
    ("There is a spare host in rack 4.", "The spare host is gone, facilities took it."),
    ("There is slack in the schedule.", "Our slack has evaporated."),
    ("There are savings of some size.", "The savings never existed, I read the wrong sheet."),
    ("There is a backup of the ledger.", "That backup was never there."),
    ("There remains time for a second pass.", "The time is used up."),
    ("The margin is comfortable for the first year.", 'That turns my "comfortable" for the margin into "thin".'),
    ("The trial shows a robust effect.", "I take back the word “robust” for this trial."),
    ("The soup is mild.", "Strike my 'mild', the soup burns."),
]  # fmt: skip
HOLDS = [
    ("There is comfortable room in the budget.", "There is room in the car."),
    ("There is a spare host in rack 4.", "The spare key is gone."),
    ("There is no slack in the schedule.", "The slack is gone."),
    ("The host is in rack 4.", "The host is gone."),
    ("There is a backup of the ledger.", "The backup is never there when the tape sleeps late."),
    ("The margin is comfortable.", 'That turns my "generous" into "thin".'),
    ("The margin is comfortable.", 'My chair: that turns my "comfortable" into "hard".'),
    ("The margin is comfortable.", 'You said "comfortable" and the margin is.'),
    ("There is, of course, room.", "The room is gone."),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "said"), BACK)
def test_a_state_that_is_said_to_be_gone_is_withdrawn(claim: str, said: str) -> None:
    assert withdrawn(Profile(claim), Profile(said)) is not None


@pytest.mark.parametrize(("claim", "said"), HOLDS)
def test_what_says_nothing_of_the_state_withdraws_nothing(claim: str, said: str) -> None:
    assert withdrawn(Profile(claim), Profile(said)) is None


@pytest.mark.parametrize(
    ("claim", "head"),
    [
        ("There is comfortable room for it.", "room"),
        ("So there are two spare hosts left.", "hosts"),
        ("There is nothing in it.", None),
        ("There is version 2.", None),
        ("Room is left.", None),
    ],
)
def test_what_is_there_is_the_head_of_the_phrase(claim: str, head: str | None) -> None:
    assert existing(Profile(claim)) == head


def test_a_word_that_carries_nothing_is_its_own_root() -> None:
    assert root_of("Some") == "some"
    assert root_of("comfortable") == root_of("Comfortable")
