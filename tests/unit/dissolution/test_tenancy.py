"""Ids carry their tenant: nothing a tenant may name reaches another's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.errors import InputError
from dissolution.tenancy import DEFAULT_TENANT, MARK, NAME_CHARS, checked_tenant, name_of, scoped, tenant_of

TENANTS = st.from_regex(r"[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?", fullmatch=True)
NAMES = st.text(min_size=1, max_size=NAME_CHARS).filter(lambda name: MARK not in name)


@given(TENANTS, NAMES)
def test_an_id_gives_back_tenant_and_name(tenant: str, name: str) -> None:
    made = scoped(checked_tenant(tenant), name)

    assert (tenant_of(made), name_of(made)) == (tenant, name)
    assert len(made) <= 200


@given(TENANTS, TENANTS, NAMES, NAMES)
def test_two_tenants_or_names_never_share_an_id(one: str, other: str, name: str, another: str) -> None:
    assert (scoped(one, name) == scoped(other, another)) == ((one, name) == (other, another))


def test_the_default_tenants_ids_are_names() -> None:
    assert scoped(DEFAULT_TENANT, "talk") == "talk"
    assert (tenant_of("talk"), name_of("talk")) == (DEFAULT_TENANT, "talk")
    assert tenant_of(f"No Tenant{MARK}talk") == DEFAULT_TENANT


@pytest.mark.parametrize("name", ["", "x" * (NAME_CHARS + 1), f"zeta{MARK}talk", MARK])
def test_names_that_could_reach_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="conversation name"):
        scoped("acme", name)


@pytest.mark.parametrize("tenant", ["", "Acme", "a b", f"a{MARK}", "-a", "a-", "a" * 64, "a/b"])
def test_odd_tenants_are_refused(tenant: str) -> None:
    with pytest.raises(InputError, match="tenant"):
        checked_tenant(tenant)
