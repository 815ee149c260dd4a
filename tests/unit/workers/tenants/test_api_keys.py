"""API keys: what is kept of them, which text opens anything, and how one takes the place of another."""

from datetime import timedelta

import pytest

from dissolution.errors import InputError, NotFound
from dissolution.ports.store import UnitOfWork
from dissolution.service import ApiKey, KeyScope
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import INSTANT
from workers.tenants.api_keys import KEY, allows, hash_of, new_key, recognised, rotate

HOUR = timedelta(hours=1)


def a_key(work: UnitOfWork, lives: timedelta | None = None) -> tuple[ApiKey, str]:
    made, key = new_key("acme", "ci", [KeyScope.WRITE], INSTANT, lives=lives)
    work.service.keys.add(made)
    return made, key


def test_a_key_is_long_random_and_not_kept() -> None:
    keys = {new_key("acme", "ci", [KeyScope.READ], INSTANT)[1] for _ in range(20)}

    assert len(keys) == 20
    made, key = new_key("acme", " ci ", [KeyScope.ADMIN, KeyScope.READ, KeyScope.READ], INSTANT)
    assert KEY.fullmatch(key)
    assert (made.name, made.scopes, made.hash) == ("ci", (KeyScope.READ, KeyScope.ADMIN), hash_of(key))
    assert key.split("_", 2)[2] not in made.model_dump_json()  # the secret may have such a line itself


def test_only_the_whole_key_opens_anything() -> None:
    with memory_unit_of_work_factory()() as work:
        made, key = a_key(work, lives=HOUR)
        assert recognised(work, key, INSTANT) == made
        swapped = key[:-1] + ("a" if key[-1] != "a" else "b")
        unknown = f"dsk_{'0' * 12}_{'x' * 43}"
        for wrong in (swapped, unknown, key[:-1], key + "a", key.upper(), "", made.id, f" {key}", "dsk_é"):
            assert recognised(work, wrong, INSTANT) is None
        assert recognised(work, key, INSTANT + HOUR) is None


def test_a_rotated_key_works_on_for_a_while_and_keeps_its_client() -> None:
    with memory_unit_of_work_factory()() as work:
        old, key = a_key(work, lives=10 * HOUR)
        new, other = rotate(work, old.id, INSTANT + HOUR, overlap=2 * HOUR)
        assert (new.client, new.tenant, new.scopes, new.name) == (old.client, old.tenant, old.scopes, old.name)
        assert new.expires_at == INSTANT + 11 * HOUR
        assert recognised(work, key, INSTANT + 2.9 * HOUR) is not None
        assert recognised(work, key, INSTANT + 3 * HOUR) is None
        assert recognised(work, other, INSTANT + 3 * HOUR) == new
        for name in (old.id, "nobody"):
            with pytest.raises(NotFound, match="API key that works"):
                rotate(work, name, INSTANT + 3 * HOUR)


def test_an_overlap_lengthens_no_life() -> None:
    with memory_unit_of_work_factory()() as work:
        old, key = a_key(work, lives=HOUR)
        rotate(work, old.id, INSTANT, overlap=24 * HOUR)
        assert recognised(work, key, INSTANT + HOUR) is None


def test_each_scope_allows_those_before_it() -> None:
    allowed = {(one, other) for one in KeyScope for other in KeyScope if allows([one], other)}
    order = list(KeyScope)
    assert allowed == {(one, other) for one in KeyScope for other in KeyScope if order.index(one) >= order.index(other)}


@pytest.mark.parametrize(
    ("tenant", "name", "scopes"), [("A", "x", [KeyScope.READ]), ("a", " ", [KeyScope.READ]), ("a", "x", [])]
)
def test_keys_without_an_owner_a_name_or_a_use_are_refused(tenant: str, name: str, scopes: list[KeyScope]) -> None:
    with pytest.raises(InputError):
        new_key(tenant, name, scopes, INSTANT)


def test_a_name_that_is_a_key_itself_is_refused_without_repeating_it() -> None:
    _, key = new_key("acme", "agent", [KeyScope.READ], INSTANT)
    with pytest.raises(InputError, match=r"\(dissolution-key\)") as caught:
        new_key("acme", f"copy of {key}", [KeyScope.READ], INSTANT)
    assert key[-20:] not in str(caught.value)
