"""`explain`: one statement, or the ids that a short beginning may mean."""

import json
from pathlib import Path

import pytest

from cli.run.explain import explain_claim
from cli.shared.exits import Exit
from cli.shared.naming import IDS_SHOWN
from dissolution.errors import InputError, NotFound
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.unit.cli.stored import GOOD, TALK, ended, url_in


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def stored_ids(folder: Path) -> list[str]:
    with sql_unit_of_work_factory(url_in(folder))() as work:
        boundary = work.boundaries.current("conv-1")
    assert boundary is not None
    return [item.id for item in (*boundary.claims, *boundary.dissent)]


def test_a_beginning_that_fits_several_lists_them(tmp_path: Path) -> None:
    ended(tmp_path)
    ended(tmp_path, *TALK, "More.", heard=(GOOD,))  # did not commit: its claims have no ids in the store
    ids = stored_ids(tmp_path)
    assert 1 < len(ids) <= IDS_SHOWN
    with pytest.raises(InputError, match="several ids") as refused:
        explain_claim("", db=url_in(tmp_path), as_json=False)
    assert refused.value.remedy == f"give more of it: {', '.join(ids)}"
    with pytest.raises(NotFound):
        explain_claim("zz", db=url_in(tmp_path), as_json=False)


def test_a_long_list_is_cut(tmp_path: Path) -> None:
    facts = [f"Service {number} runs on port {5000 + number}." for number in range(IDS_SHOWN + 3)]
    heard = "KNOWN\n" + "".join(f"- {fact} [turn 1]\n" for fact in facts)
    ended(tmp_path, " ".join(facts), "Noted.", heard=(heard, heard))
    with pytest.raises(InputError) as refused:
        explain_claim("", db=url_in(tmp_path), as_json=False)
    listed = refused.value.remedy.removeprefix("give more of it: ").split(", ")
    assert (len(listed), listed[-1]) == (IDS_SHOWN + 1, "…")


def test_a_claim_is_explained_with_who_said_it_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended(tmp_path)
    for claim in stored_ids(tmp_path):
        assert explain_claim(claim, db=url_in(tmp_path), as_json=True) is Exit.OK
        found = json.loads(capsys.readouterr().out)
        assert explain_claim(claim, db=url_in(tmp_path), as_json=False) is Exit.OK
        text = " ".join(capsys.readouterr().out.split())
        assert found["id"] == claim
        assert f"{claim} [{found['section']}] {found['text']}" in text
        assert "m0 of m0: “" in text
        for piece in found["evidence"]:
            assert f"turn {piece['turn']}, " in text
            assert f"“{piece['text']}”" in text
        if not found["evidence"]:
            assert "Evidence (0) none" in text
