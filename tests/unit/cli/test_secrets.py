"""Secrets at the command line: a bare one in a file that is appended, and those in reasons."""

import json
from pathlib import Path

import pytest

from cli.ledger.acts import ActOptions, act_on_claim
from cli.ledger.append import AppendOptions, append_file
from cli.ledger.erase import erase_conversation, list_erasures
from cli.ledger.history import roll_back
from cli.ledger.hold import discard_job
from cli.shared.exits import Exit
from dissolution.ledger import LedgerEventKind
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.unit.cli.ledger.test_hold import held
from tests.unit.cli.stored import ended, url_in

SECRET = "Xk9" + "&pQ7zLm2R"


def append(folder: Path, *contents: str, after: int | None) -> Exit:
    file = folder / "more.json"
    turns = [{"role": "user", "content": content} for content in contents]
    file.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    options = AppendOptions(
        file=str(file), form=None, conversation="conv-1", timezone=None, after=after, db=url_in(folder), as_json=True
    )
    return append_file(options)


def contents(folder: Path) -> list[str]:
    units = sql_unit_of_work_factory(url_in(folder))
    with units() as work:
        found = [turn.content for turn in work.conversations.get("conv-1").turns]
    units.close()
    return found


def test_a_secret_comes_back_as_its_placeholder_and_giving_it_twice_adds_nothing(tmp_path: Path) -> None:
    ended(tmp_path)
    append(tmp_path, f"password={SECRET}", after=3)
    append(tmp_path, f"so {SECRET} it is", after=4)
    append(tmp_path, f"password={SECRET}", f"so {SECRET} it is", after=3)

    *_, first, second = contents(tmp_path)
    assert len(contents(tmp_path)) == 5
    assert second == f"so {first.removeprefix('password=')} it is"


def test_a_turn_before_the_secret_was_met_stays_bare_when_it_is_given_again(tmp_path: Path) -> None:
    ended(tmp_path)
    append(tmp_path, f"{SECRET} is what?", after=3)
    append(tmp_path, f"password={SECRET}", after=4)

    assert append(tmp_path, f"{SECRET} is what?", after=3) is Exit.OK
    assert len(contents(tmp_path)) == 5


def test_no_reason_keeps_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, db, why = ended(tmp_path), url_in(tmp_path), f"pw={SECRET} said so"
    units = sql_unit_of_work_factory(db)
    with units() as work:
        boundary = work.boundaries.current(job.conversation)
    units.close()
    assert boundary is not None
    claim = boundary.claims[0].id
    act_on_claim(ActOptions(kind=LedgerEventKind.PINNED, claim=claim, why=why, by="ann", db=db, as_json=True))
    roll_back("conv-1", to="1", why=why, by="ann", db=db, as_json=True)
    erase_conversation("conv-1", why=why, by="ann", sure=True, db=db, as_json=True)
    list_erasures(db=db, as_json=True)

    told = capsys.readouterr().out
    assert SECRET not in told
    assert told.count("pw=[secret removed] said so") == 2
    assert told.count("pw=[secret:password:") == 2


def test_the_reason_for_discarding_a_job_keeps_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = held(tmp_path)
    discard_job(job.id, why=f"pw={SECRET} said so", by="ann", db=url_in(tmp_path), as_json=True)

    reason = json.loads(capsys.readouterr().out)["reason"]
    assert reason.startswith("discarded by ann: pw=[secret:password:")
    assert SECRET not in reason
