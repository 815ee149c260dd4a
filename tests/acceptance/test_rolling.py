"""A conversation dissolved again as it grows, through the command line: cycles, people, versions, times, erasure."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.polling import LONGEST_S
from tests.stating import state_by_default
from tests.terminal import NAME, Terminal, turns

CHECKPOINTS = (8, 16, 24, 30)


def grown(folder: Path, count: int) -> Path:
    """A file with the first turns of the planted conversation."""
    path = folder / f"grown-{count}.json"
    path.write_text(json.dumps(turns(count)), encoding="utf-8")
    return path


def claims_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {claim["id"]: claim for section in document["sections"].values() for claim in section}


def one_commitment(document: dict[str, Any]) -> dict[str, Any]:
    return document["sections"]["DECIDED"][0]


Document = dict[str, Any]


def test_the_whole_story_of_a_conversation_that_grows(
    dissolve: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_by_default(monkeypatch)
    first, second = two_cycles(dissolve, tmp_path)
    third = a_held_cycle(dissolve, tmp_path)
    claim = one_commitment(third)["id"]
    a_person_acts_while_a_job_waits(dissolve, tmp_path, claim)
    reading_as_of_other_times(dissolve, first, second)
    retracting_recalling_and_rolling_back(dissolve, third, claim)
    erasing(dissolve)


def two_cycles(dissolve: Terminal, tmp_path: Path) -> tuple[Document, Document]:
    """The first dissolution, the turns that follow, given twice, and the second."""
    first = dissolve.json("run", grown(tmp_path, CHECKPOINTS[0]))
    assert first["version"] == 1
    assert first["changes"] == [] or {change["kind"] for change in first["changes"]} == {"added"}
    commitments = {claim["id"] for name in ("DECIDED", "IDENTITY") for claim in first["sections"][name]}

    told = dissolve.json("append", NAME, grown(tmp_path, CHECKPOINTS[1]))
    assert (told["added"], told["turns"], told["boundary_through"]) == (8, 16, 8)
    assert dissolve.json("append", NAME, grown(tmp_path, CHECKPOINTS[1]))["added"] == 0
    second = dissolve.json("run", NAME)
    assert (second["version"], second["through"]) == (2, 16)
    assert second["receipt"]["consensus"]["prior_version"] == 1
    closed = {claim["id"] for claim in second["closed"]}
    assert claims_of(first).keys() <= claims_of(second).keys() | closed
    assert commitments <= claims_of(second).keys() | closed
    newest = [piece["turn"] for claim in claims_of(second).values() for piece in claim["evidence"]]
    assert max(newest) > CHECKPOINTS[0]
    return first, second


def a_held_cycle(dissolve: Terminal, tmp_path: Path) -> Document:
    """Turns that follow in a file of their own; a job that is held, previewed, then committed."""
    only_new = tmp_path / "new.json"
    rest = turns(CHECKPOINTS[2])["turns"][CHECKPOINTS[1] :]
    only_new.write_text(
        json.dumps([{"role": turn["role"], "content": turn["content"]} for turn in rest]), encoding="utf-8"
    )
    for added in (8, 0):  # given twice, it adds nothing the second time
        assert dissolve.json("append", NAME, only_new, "--after", "16")["added"] == added

    held = dissolve("run", NAME, "--hold", "--json")
    assert held.returncode == 0, held.stderr
    job = json.loads(held.stdout)["job"]
    assert json.loads(held.stdout)["status"] == "held"
    assert f"job {job} is held" in dissolve("resume", job).stderr
    assert dissolve("resume").returncode == 0
    preview = dissolve.json("preview", NAME)
    assert (preview["job"], preview["from_version"], preview["present_version"]) == (job, 2, 2)
    assert preview["changes"]["added"]
    assert preview["changes"]["carried"]
    shown = dissolve("preview", job).stdout
    assert "ADDED (" in shown
    assert f"dissolve commit {job}" in shown
    third = dissolve.json("commit", job)
    assert (third["version"], third["committed"]) == (3, True)
    added = {entry["claim"]["id"] for entry in preview["changes"]["added"]}
    assert added <= claims_of(third).keys()
    diff = dissolve.json("diff", NAME, "2", "3")
    assert {entry["claim"]["id"] for entry in diff["changes"]["added"]} == added
    assert not any(dissolve.json("diff", NAME, "3", "3")["changes"].values())

    return third


def a_person_acts_while_a_job_waits(dissolve: Terminal, tmp_path: Path, claim: str) -> None:
    """Each act is a version; a job that was held before it is reconciled with it and held again."""
    assert dissolve.json("append", NAME, grown_from(tmp_path))["added"] == CHECKPOINTS[3] - CHECKPOINTS[2]
    held = dissolve("run", NAME, "--hold", "--json")
    job = json.loads(held.stdout)["job"]
    assert dissolve.json("pin", claim[:8], "--why", "the auditors ask for it", "--by", "ann")["version"] == 4
    moved = dissolve("commit", job)
    assert moved.returncode == 7, moved.stderr
    assert "held again" in moved.stderr
    assert dissolve.json("preview", job)["present_version"] == 4
    fourth = dissolve.json("commit", job)
    assert fourth["version"] == 5
    assert "pinned" in claims_of(fourth)[claim]["marks"]
    again = dissolve("pin", claim)
    assert again.returncode == 2
    assert dissolve.json("confirm", claim)["kind"] == "confirmed"
    assert dissolve.json("unpin", claim)["kind"] == "unpinned"


def reading_as_of_other_times(dissolve: Terminal, first: Document, second: Document) -> None:
    """What held at turn 10 is known better later than it was then."""
    closed = {claim["id"] for claim in second["closed"]}
    believed = dissolve.json("show", NAME, "--turn", "10", "--known-at-turn", "10")
    assert believed["as_of"]["version"] == 1
    assert {one["id"] for one in believed["claims"]} <= claims_of(first).keys()
    known = dissolve.json("show", NAME, "--known-at", "v2")
    assert {one["id"] for one in known["claims"]} <= claims_of(second).keys() | closed
    assert dissolve("show", NAME, "--known-at", "2026-01-01T00:00").returncode == 2
    assert dissolve("show", NAME, "--turn", "900").returncode == 2
    before = dissolve.json("show", NAME, "--known-at", "2020-01-01T00:00:00Z")
    assert before["claims"] == []


def retracting_recalling_and_rolling_back(dissolve: Terminal, third: Document, claim: str) -> None:
    """What is retracted is held no more and can be recalled; a roll-back is a version, and the next cycle goes on."""
    retracted = dissolve.json("retract", claim, "--why", "said in jest", "--never-held")
    assert retracted["kind"] == "retracted"
    assert claim not in claims_of(dissolve.json("show", NAME))
    assert dissolve("explain", claim).stdout.count("said in jest") == 1
    words = one_commitment(third)["text"]
    assert claim not in {one["id"] for one in dissolve.json("recall", NAME, words)["claims"]}
    assert claim in {one["id"] for one in dissolve.json("recall", NAME, words, "--all")["claims"]}
    rolled = dissolve.json("rollback", NAME, "--to", "3", "--why", "start over")
    assert rolled["restored"] == 3
    assert dissolve.json("show", NAME, "--known-at", str(rolled["version"]))["claims"]
    log = dissolve.json("log", NAME)["versions"]
    assert [one["version"] for one in log] == list(range(1, len(log) + 1))
    assert [one["kind"] for one in log if one["claim"]] == ["pinned", "confirmed", "unpinned", "retracted"]
    assert (log[3]["actor"], log[3]["reason"]) == ("ann", "the auditors ask for it")
    back = dissolve.json("run", NAME)
    assert claim in claims_of(back) or claim in {one["id"] for one in back["closed"]}


def erasing(dissolve: Terminal) -> None:
    """Asked for twice; then nothing is left but the record."""
    assert "add --yes" in dissolve("erase", NAME, "--why", "on request").stderr
    erased = dissolve.json("erase", NAME, "--why", "on request", "--yes")
    assert erased["turns"] == CHECKPOINTS[3]
    assert dissolve.json("erasures") == [erased]
    assert "on request" in dissolve("erasures").stdout
    assert dissolve("show", NAME).returncode == 2


def grown_from(folder: Path) -> Path:
    """The last turns under the roles of the planted conversation, as a whole file: what was stored stays equal."""
    conversation = turns(CHECKPOINTS[3])
    stored = turns(CHECKPOINTS[1])["turns"]
    for turn in conversation["turns"][len(stored) : CHECKPOINTS[2]]:
        turn["speaker"] = turn["role"]  # as the message list that was appended had it
    path = folder / "grown-last.json"
    path.write_text(json.dumps(conversation), encoding="utf-8")
    return path


def test_discarded_and_refused(dissolve: Terminal, tmp_path: Path) -> None:
    assert dissolve("append", NAME, grown(tmp_path, 8)).returncode == 4  # no database yet
    held = dissolve("run", grown(tmp_path, 8), "--hold", "--json")
    job = json.loads(held.stdout)["job"]
    assert dissolve.json("discard", job, "--why", "too early", "--by", "ann")["status"] == "cancelled"
    for command in ("discard", "commit"):
        refused = dissolve(command, job)
        assert refused.returncode == 2
        assert "not held" in refused.stderr
    shown = dissolve.json("show", job)
    assert (shown["status"], shown["committed"]) == ("cancelled", False)
    assert "ann" in shown["reasons"][0]
    assert dissolve.json("log", NAME)["versions"] == []
    changed = turns(8)
    changed["turns"][3]["content"] = "Something else."
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    refused = dissolve("append", NAME, path)
    assert refused.returncode == 2
    assert "turn 4 differs" in refused.stderr
    assert dissolve("append", "another", grown(tmp_path, 8)).returncode == 2
    assert dissolve("diff", NAME, "1").returncode == 2
    assert dissolve("rollback", NAME, "--to", "first", "--why", "x").returncode == 2
    assert dissolve("run", NAME, "--format", "native").returncode == 2


def test_two_jobs_race_and_both_commit(dissolve: Terminal, tmp_path: Path) -> None:
    assert dissolve.json("run", grown(tmp_path, 8))["version"] == 1
    dissolve.json("append", NAME, grown(tmp_path, 16))
    racing = [dissolve.start("run", NAME, "--json") for _ in range(2)]
    ended = [(one.communicate(timeout=LONGEST_S), one.returncode) for one in racing]
    assert [code for _, code in ended] == [0, 0], ended
    documents = [json.loads(out) for (out, _), _ in ended]
    assert sorted(document["version"] for document in documents) == [2, 3]
    second = next(document for document in documents if document["version"] == 3)
    assert second["receipt"]["consensus"]["prior_version"] == 2
    kinds = [event["kind"] for event in dissolve.json("log", NAME)["versions"]]
    assert kinds == ["committed"] * 3


@pytest.mark.parametrize("after", ["job j", "consensus", "gate"])
def test_a_cycle_killed_in_the_middle_is_resumed(dissolve: Terminal, tmp_path: Path, after: str) -> None:
    dissolve.json("run", grown(tmp_path, 8))
    dissolve.json("append", NAME, grown(tmp_path, 16))
    killed = dissolve.start("run", NAME)
    assert killed.stderr is not None
    assert any(line.strip().startswith(after) for line in killed.stderr), "that it has come so far is said at once"
    killed.kill()  # how much further it came is the machine's affair; whatever it was, nothing is done twice
    killed.communicate(timeout=LONGEST_S)
    assert dissolve("resume").returncode == 0
    now = dissolve.json("show", NAME)
    assert (now["version"], now["through"], now["status"]) == (2, 16, "committed")
    assert [event["version"] for event in dissolve.json("log", NAME)["versions"]] == [1, 2]
