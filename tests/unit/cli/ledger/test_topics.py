"""`dissolve topics`: topics of what is stored, for a person and as JSON."""

import json
from pathlib import Path

import pytest

from cli.ledger.topics import TopicOptions, show_topics
from cli.shared.exits import Exit
from dissolution.errors import InputError
from tests.databases import migrated
from tests.unit.cli.stored import ended, url_in


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def options(db: str, *, tenant: str = "default", as_json: bool = False) -> TopicOptions:
    return TopicOptions(tenant=tenant, name=None, least=2, limit=100, db=db, as_json=as_json)


def test_claims_of_two_conversations_stand_under_their_topic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("first", "second"):
        ended(tmp_path, name=name)
    assert show_topics(options(url_in(tmp_path), as_json=True)) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told["conversations"] == 2
    assert all(one["conversations"] == ["first", "second"] for one in told["topics"])
    every = [claim for one in told["topics"] for claim in one["claims"]] + told["outside"]
    assert len({(claim["conversation"], claim["id"]) for claim in every}) == len(every) > 2

    show_topics(options(url_in(tmp_path)))
    shown = capsys.readouterr().out
    for claim in (claim for one in told["topics"] for claim in one["claims"]):
        assert claim["id"] in shown
    assert f"{len(told['outside'])} of {len(every)} claims of 2 conversations are in no topic" in shown
    assert "the hashing embedder sees no meaning" in shown


def test_where_nothing_is_stored_it_says_how_to_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_topics(options(migrated(tmp_path / "ledger.sqlite3"))) is Exit.OK
    told = capsys.readouterr()
    assert told.out == ""
    assert "dissolve list" in told.err


def test_a_tenant_that_none_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tenant 'No Tenant'"):
        show_topics(options(migrated(tmp_path / "ledger.sqlite3"), tenant="No Tenant"))
