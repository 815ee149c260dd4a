"""One word for one thing: a name of the kernel means the same everywhere, and every public name says what it is of."""

from benchmarks.house import VAGUE, names_of, rooms_of
from tests.architecture.project import ROOT

ROOMS = rooms_of(ROOT)


def test_no_room_reuses_the_name_of_a_kernel_class() -> None:
    classes = {name: where for name, where in names_of(ROOT, ROOMS).items() if name[:1].isupper()}
    reused = {name: where for name, where in classes.items() if "dissolution" in where and len(where) > 1}
    assert reused == {}


def test_no_public_name_says_nothing_in_particular() -> None:
    assert {name: where for name, where in names_of(ROOT, ROOMS).items() if name.lower() in VAGUE} == {}
