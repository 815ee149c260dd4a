import hashlib
import re

from hypothesis import given
from hypothesis import strategies as st

from dissolution.ids import claim_id, new_job_id

PARTS = st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), max_size=4)


def test_job_ids_are_random() -> None:
    ids = {new_job_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(re.fullmatch("j[0-9a-f]{12}", one) for one in ids)


def test_claim_id_is_the_documented_formula() -> None:
    assert claim_id("j1", "ab", "") == f"c{hashlib.sha256(b'2:j12:ab0:').hexdigest()[:12]}"


@given(PARTS, PARTS)
def test_claim_ids_follow_their_parts(one: list[str], two: list[str]) -> None:
    assert (claim_id("j", *one) == claim_id("j", *two)) == (one == two)
    assert claim_id("j", *one) != claim_id("k", *one)
