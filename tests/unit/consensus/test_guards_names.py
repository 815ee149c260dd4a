"""Cases for names: another name in one frame is another claim; forms of one name, and units, are not."""

import pytest

from consensus.guards import contradiction, vetoed, vetoes
from consensus.guards_names import about_another, renamed
from consensus.profile import profile_of
from consensus.veto import Guard

APART = (
    ("Accounts of Larch can be restored for 66 hours.", "Accounts of Iris can be restored for 66 hours."),
    ("Igor signs every invoice of Juniper from now on.", "Hana signs every invoice of Bramble from now on."),
    ("Olive keeps its rows for 92 days.", "Dogwood keeps its rows for 92 days."),
    ("The Berlin office closes at 18:00.", "The Munich office closes at 18:00."),
    ("The hearing in the Okafor case is on 3 May.", "The hearing in the Lindqvist case is on 3 May."),
    ("Ward Seven gets the new pumps first.", "Ward Nine gets the new pumps first."),
    ("Maria owns the release checklist.", "Tom owns the release checklist."),
)  # fmt: skip
TOGETHER = (
    ("Anna Schmidt leads the rollout.", "Schmidt leads the rollout."),
    ("PostgreSQL stores the sessions.", "Postgres stores the sessions."),
    ("I use the Fargate approach.", "We use Fargate for the pipeline."),
    ("Dr. Patel reviews the chart.", "The doctor reviews the chart."),
    ("The session store has 512 MB of memory.", "The session store has 0.5 GB of memory."),
    ("The rollout starts on Monday.", "The rollout starts on Monday, says Ilse."),
)
ENDS_NOTHING = (
    ("A call to Yarrow gives up after 22 seconds.", "A call to Chestnut gives up after 22 seconds."),
    ("There are 54 replicas of Ebony behind the balancer.", "There are 96 replicas of Teak behind the balancer."),
    (
        "We decided to drop the mobile client of Nutmeg; Emil tells the customers.",
        "We decided to drop the mobile client of Falcon; Ada tells the customers.",
    ),
    ("The Okafor file goes to the archive on 3 May.", "The Lindqvist file goes to the archive on 9 May."),
)
MAY_END = (
    ("The discharge letter is approved by Ann.", "The discharge letter is approved by Ben."),
    ("Maria owns the release checklist.", "Tom owns the release checklist."),
    ("The backups of the wiki go to Hamburg.", "The backups of the wiki go to Lisbon."),
    ("The disk holds 2 TB.", "The disk holds 500 GB."),
)


@pytest.mark.parametrize(("one", "two"), APART)
def test_another_name_in_one_frame_is_another_claim(one: str, two: str) -> None:
    a, b = profile_of(one), profile_of(two)
    assert [veto.guard for veto in renamed(a, b)] == [Guard.NAME]
    assert [veto.guard for veto in renamed(b, a)] == [Guard.NAME]
    assert vetoed(a, b)
    assert Guard.NAME in {veto.guard for veto in vetoes(a, b)}


@pytest.mark.parametrize(("one", "two"), TOGETHER)
def test_forms_of_one_name_units_and_left_out_names_part_nothing(one: str, two: str) -> None:
    assert renamed(profile_of(one), profile_of(two)) == []
    assert not about_another(profile_of(one), profile_of(two))


@pytest.mark.parametrize(("one", "two"), ENDS_NOTHING)
def test_what_is_about_another_thing_contradicts_nothing(one: str, two: str) -> None:
    a, b = profile_of(one), profile_of(two)
    assert about_another(a, b)
    assert about_another(b, a)
    assert contradiction(a, b) is None


@pytest.mark.parametrize(("one", "two"), MAY_END)
def test_a_name_that_is_the_value_may_change(one: str, two: str) -> None:
    assert not about_another(profile_of(one), profile_of(two))


def test_a_name_where_the_frames_differ_says_nothing() -> None:
    a = profile_of("Larch restores accounts for 66 hours.")
    b = profile_of("Invoices are signed by Hana on the first working day of every month.")
    assert renamed(a, b) == []
