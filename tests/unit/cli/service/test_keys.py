"""`dissolve keys`: keys are shown once, their state in words, and a tenant goes with all it has or not at all."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.service.keys import create_key, erase_all, list_keys, state_of
from cli.shared.exits import Exit
from dissolution.errors import InputError, InvalidPolicy, NotFound
from dissolution.service import KeyScope
from dissolution.settings import Settings
from dissolution.tenancy import scoped
from tests.databases import migrated
from tests.factories import INSTANT, a_conversation
from workers.bootstrap import open_services
from workers.tenants.api_keys import new_key


def filled(folder: Path) -> str:
    """The URL of a database with two tenants, each with a conversation and a key."""
    url = migrated(folder / "ledger.sqlite3")
    for tenant in ("acme", "zeta"):
        create_key(name="ci", tenant=tenant, scope="write", days=None, db=url, as_json=True)
    with open_services(Settings(db=url, embedder="hashing")) as services, services.unit_of_work() as work:
        for tenant in ("acme", "zeta"):
            work.conversations.extend(a_conversation("hello", name=scoped(tenant, "talk")))
        work.commit()
    return url


def names_in(url: str) -> tuple[str, ...]:
    """The conversations that a database still has."""
    with open_services(Settings(db=url, embedder="hashing")) as services, services.unit_of_work() as work:
        return work.conversations.ids()


def test_a_tenant_is_erased_with_all_it_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = filled(tmp_path)
    capsys.readouterr()
    given = ["keys", "erase-tenant", "acme", "--why", "contract ended", "--by", "ann", "--db", url]

    refused = CliRunner().invoke(app, given)
    assert isinstance(refused.exception, InputError)
    assert "give --yes" in str(refused.exception)
    assert len(names_in(url)) == 2

    done = CliRunner().invoke(app, [*given, "--yes"])
    assert (done.exit_code, done.output) == (0, "tenant 'acme' is erased: 1 conversations, keys, webhooks and rules\n")
    assert names_in(url) == (scoped("zeta", "talk"),)
    assert list_keys(tenant=None, db=url, as_json=True) is Exit.OK
    assert [key["tenant"] for key in json.loads(capsys.readouterr().out)] == ["zeta"]
    with pytest.raises(NotFound, match="acme"):
        erase_all("acme", why="again", by="ann", sure=True, db=url)


@pytest.mark.parametrize("tenant", ["", "a b", "../up", "x" * 200])
def test_what_is_no_name_of_a_tenant_is_refused(tmp_path: Path, tenant: str) -> None:
    with pytest.raises((InputError, InvalidPolicy)):
        erase_all(tenant, why="no", by="ann", sure=True, db=filled(tmp_path))


def test_a_list_never_holds_a_key_or_its_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = migrated(tmp_path / "ledger.sqlite3")
    create_key(name="ci", tenant="acme", scope="read", days=3, db=url, as_json=False)
    key = capsys.readouterr().out.strip()
    list_keys(tenant="acme", db=url, as_json=True)
    shown = capsys.readouterr().out
    assert key not in shown
    assert "hash" not in json.loads(shown)[0]


def test_the_state_of_a_key_is_told_in_words() -> None:
    key = new_key("acme", "ci", [KeyScope.READ], INSTANT, lives=timedelta(days=1))[0]
    assert state_of(key, INSTANT).startswith("works until")
    assert state_of(key, INSTANT + timedelta(days=1)).startswith("expired")
    assert state_of(key.model_copy(update={"expires_at": None}), INSTANT) == "works"
    assert state_of(key.model_copy(update={"revoked_at": INSTANT}), INSTANT) == f"revoked {INSTANT:%Y-%m-%d}"
