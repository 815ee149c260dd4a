"""`dissolve list`: every conversation with how it stands, for a person and as JSON."""

import json
from pathlib import Path

import pytest

from cli.ledger.listing import ListOptions, list_conversations
from cli.shared.exits import Exit
from dissolution.errors import InputError, StoreUnavailable
from dissolution.settings import Settings
from dissolution.tenancy import scoped
from tests.databases import migrated
from tests.factories import a_conversation
from tests.running import running
from tests.unit.cli.stored import TALK, ended, url_in, waiting


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def options(
    db: str, *, name: str | None = None, tenant: str | None = None, limit: int = 20, as_json: bool = False
) -> ListOptions:
    return ListOptions(name=name, tenant=tenant, limit=limit, db=db, as_json=as_json)


def keep(db: str, *names: str) -> None:
    with running(Path(), [], Settings(db=db, embedder="hashing")) as services, services.unit_of_work() as work:
        for name in names:
            work.conversations.extend(a_conversation("We use Postgres.", name=name))
        work.commit()


def test_what_stands_is_shown_with_its_size_and_its_last_job(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed = ended(tmp_path, name="talk")
    queued = waiting(tmp_path, *TALK, "And more.", name="talk")
    assert list_conversations(options(url_in(tmp_path))) is Exit.OK
    head, row = capsys.readouterr().out.splitlines()
    assert " ".join(head.split()) == "conversation turns version tokens last job state last change (UTC)"
    assert row.split()[:3] == ["talk", "4", "1"]
    assert f"{queued.id}  queued" in row

    list_conversations(options(url_in(tmp_path), as_json=True))
    told = json.loads(capsys.readouterr().out)
    (one,) = told["conversations"]
    assert (one["id"], one["version"], one["last_job"]["id"], told["more"]) == ("talk", 1, queued.id, False)
    assert one["characters"] == sum(map(len, TALK)) + len("And more.")
    assert f"{one['size']['before_tokens']} → {one['size']['after_tokens']}" in row
    assert committed.id not in row


def test_a_conversation_without_a_boundary_shows_its_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = migrated(tmp_path / "ledger.sqlite3")
    keep(db, "talk")
    list_conversations(options(db))
    assert "16 characters" in capsys.readouterr().out
    list_conversations(options(db, as_json=True))
    (one,) = json.loads(capsys.readouterr().out)["conversations"]
    assert (one["version"], one["last_job"], one["size"]) == (0, None, {"not_measured": "no boundary stands"})


def test_names_and_tenants_choose_and_what_is_left_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = migrated(tmp_path / "ledger.sqlite3")
    keep(db, "launch", "offsite", scoped("acme", "launch"))

    def shown(**chosen: str | int) -> list[str]:
        list_conversations(options(db, as_json=True, **chosen))  # pyright: ignore[reportArgumentType] - as given below
        return sorted(one["id"] for one in json.loads(capsys.readouterr().out)["conversations"])

    assert shown() == [scoped("acme", "launch"), "launch", "offsite"]
    assert shown(tenant="acme") == [scoped("acme", "launch")]
    assert shown(tenant="default", name="LAUNCH") == ["launch"]
    list_conversations(options(db, limit=2))
    assert "the newest 2 are shown; give --limit" in capsys.readouterr().err
    with pytest.raises(InputError, match="tenant 'Q!'"):
        list_conversations(options(db, tenant="Q!"))


def test_an_empty_list_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = migrated(tmp_path / "ledger.sqlite3")
    assert list_conversations(options(db)) is Exit.OK
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == (
        "",
        f"dissolve: no conversation is stored; store one with dissolve run FILE --db {db}\n",
    )
    list_conversations(options(db, name="zz", tenant="acme"))
    assert capsys.readouterr().err.startswith("dissolve: no conversation fits --name 'zz' and --tenant 'acme'; all:")
    list_conversations(options(db, as_json=True))
    assert json.loads(capsys.readouterr().out) == {"conversations": [], "more": False}
    with pytest.raises(StoreUnavailable, match="does not exist"):
        list_conversations(options(url_in(tmp_path / "nowhere")))


def test_no_word_of_a_conversation_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = migrated(tmp_path / "ledger.sqlite3")
    with running(tmp_path, [], Settings(db=db, embedder="hashing")) as services, services.unit_of_work() as work:
        talk = a_conversation("We use Postgres.", name="a\u202eb")
        work.conversations.extend(talk.model_copy(update={"title": "\x1b[31m[red]launch[/red]" + "x" * 300}))
        work.commit()
    list_conversations(options(db))
    shown = capsys.readouterr().out
    assert "[red]launch[/red]" in shown
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "x" * 50 not in shown
