"""A job's probe as a person sees it, and the preset that enforces it."""

import json
from pathlib import Path

import pytest

from cli.ledger.history import mark_of, verdicts_of, words_of
from cli.run.probe_views import lines, print_probe, probe_of, receipt_lines
from cli.run.run import policy_of
from cli.shared.views import console
from dissolution.errors import InputError, InvalidPolicy
from dissolution.policy.gate import PRESETS
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.values import NotMeasured
from prompts.export.verdict_words import BoundaryStanding
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS
from tests.unit.workers.test_probe_path import TALK, WRITTEN, a_fleet, receipt_of
from workers.runtime.inline import run_job


def test_the_whole_account_is_shown_before_and_after_a_repair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path, a_fleet(FACTS[:20])) as services:
        job = run_job(services, a_job(services, TALK, WRITTEN).id)
        with services.unit_of_work() as work:
            probe = probe_of(work, job)
        receipt = receipt_of(services, job)
    text = "\n".join(lines(probe))
    for words in (
        "questions written by ann (rules, 1): 31 to test with, 10 for repairs",
        "reader    ben (rules, 1); judge cem; preset small; the result decides",
        "history   100% right; without any text 0%",
        "FIRST CANDIDATE",
        "AFTER REPAIR 1",
        "repair    turns ",
        "claims 20 → ",
        "evidence  to pass",
        "are missing",
        "  candidate (wrong by judge: read; rules: wrong): not established",
        "agreement rules and judge agree on ",
        "agree on ",
        " of them written for it",
        "section   DECIDED: history ",
        "third     last: history ",
    ):
        assert words in text
    assert text.count("[w0") == sum(len(items) for items in probe.items)
    told = "\n".join(receipt_lines(receipt.probe))
    assert "first candidate: " in told
    assert "after repair 1: " in told
    assert "  rules and judge agree on " in told
    print_probe(console(), probe, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["job"], len(document["questions"]), len(document["diagnosis"])) == (job.id, 2, 2)


def test_a_job_without_a_probe_says_why(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet()) as services:
        job = run_job(services, a_job(services, TALK, Policy(probe=ProbePolicy(on=False))).id)
        with services.unit_of_work() as work, pytest.raises(InputError, match="off"):
            probe_of(work, job)
    assert list(receipt_lines(NotMeasured(not_measured="off"))) == ["not tested: off"]


def test_the_log_labels_what_was_committed_without_a_passed_probe(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet()) as services:
        run_job(services, a_job(services, TALK, Policy(probe=ProbePolicy(on=False))).id)
        with services.unit_of_work() as work:
            events = work.ledger.events(TALK.id)
            verdicts, words = verdicts_of(work, events), words_of(work, events)
    assert verdicts == {1: "commit_degraded"}
    assert mark_of(words[1]) == "(unproven)"
    assert mark_of(words[1]._replace(standing=BoundaryStanding.PROVEN)) is None
    assert mark_of(None) is None


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_taken_and_enforced(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[probe]\nbatch = 5\ngate = "lenient"\n', encoding="utf-8")
    policy = policy_of(path, name)
    assert (policy.probe.gate, policy.probe.offline, policy.probe.batch) == (PRESETS[name], "enforce", 5)
    assert policy_of(None, None) == Policy()
    with pytest.raises(InvalidPolicy):
        policy_of(tmp_path / "none.toml", name)
