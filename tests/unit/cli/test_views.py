"""What a person reads: the verdict first and last, hints that hold, figures that exist or say that they do not."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.output import ResultConsole
from cli.results import Result, print_result
from cli.views import (
    DISSENT_SHOWN,
    console,
    figure,
    in_words,
    members_table,
    print_claim,
    print_dissent,
    print_ending,
    print_receipt,
    shortened,
)
from dissolution.claims import ClaimState, Mark, Section
from dissolution.findings import GateDecision, Verdict
from dissolution.job import Job, JobStatus
from dissolution.ledger import Change, ChangeKind
from dissolution.policy import Policy
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, a_receipt, evidence_in

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
ABSENT = NotMeasured(not_measured="no price is known")


def printed() -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return ResultConsole(file=stream, width=200, highlight=False), stream


def a_result(status: JobStatus, version: int | None = None, *, claims: bool = True) -> Result:
    made = (a_claim("c7", Section.EDGES, "The owner is open."),) if claims else ()
    boundary = a_boundary(CONVERSATION, *made)
    if version is None:
        decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("quorum not met",))
        boundary = boundary.model_copy(update={"version": None, "committed_at": None, "decision": decision})
    job = Job(
        id="j1",
        conversation="conv-1",
        through=2,
        snapshot_digest="0" * 64,
        fleet="extractive",
        policy=Policy(),
        status=status,
        created_at=INSTANT,
    )
    return Result(job=job, conversation=CONVERSATION, boundary=boundary, receipt=None)


@pytest.mark.parametrize(
    ("result", "words", "hints"),
    [
        (
            a_result(JobStatus.COMMITTED, 1),
            "verdict: commit_degraded",
            "read on: dissolve show j1 · dissolve explain c7",
        ),
        (a_result(JobStatus.HISTORY_KEPT), "verdict: keep_history — quorum not met", "read on: dissolve show j1"),
        (a_result(JobStatus.FAILED, claims=False), "verdict: keep_history", "read on: dissolve show j1"),
        (a_result(JobStatus.RUNNING), "not decided: the job is running", "go on: dissolve resume j1"),
        (a_result(JobStatus.QUEUED), "not decided: the job is queued", "go on: dissolve resume j1"),
    ],
)
def test_the_end_tells_the_verdict_and_commands_that_work(result: Result, words: str, hints: str) -> None:
    out, stream = printed()
    print_ending(out, result, db=None)
    lines = stream.getvalue().strip().splitlines()
    assert lines[0].startswith(words)
    assert lines[-1] == hints
    assert ("the history stays in force" in stream.getvalue()) is (result.boundary.version is None)
    out, stream = printed()
    print_ending(out, result, db="sqlite:///mine")
    assert stream.getvalue().strip().endswith("--db sqlite:///mine")


def test_the_verdict_is_the_first_line_and_is_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(a_result(JobStatus.COMMITTED, 1), db=None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("verdict: commit_degraded")
    assert lines[-2] == lines[0]


def test_more_dissent_is_one_command_away() -> None:
    dissent = tuple(a_dissent(f"d{number}", f"Point {number}.") for number in range(DISSENT_SHOWN + 2))
    boundary = a_boundary(CONVERSATION, dissent=dissent)
    out, stream = printed()
    print_dissent(out, boundary, full=False, db="sqlite:///mine")
    assert "2 more: dissolve show j1 --dissent --db sqlite:///mine" in stream.getvalue()
    out, stream = printed()
    print_dissent(out, boundary, full=True, db=None)
    assert f"Point {DISSENT_SHOWN + 1}." in stream.getvalue()
    assert "more: dissolve" not in stream.getvalue()


def test_windows_are_a_column_once_somebody_needed_them() -> None:
    receipt = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
    names = [column.header for column in members_table(receipt.members).columns]
    assert "windows" not in names
    members = (receipt.members[0].model_copy(update={"windows": 3}), *receipt.members[1:])
    table = members_table(members)
    column = next(column for column in table.columns if column.header == "windows")
    assert list(column.cells) == ["3", *("1" for _ in members[1:])]


def test_a_figure_that_does_not_exist_says_so_with_its_reason() -> None:
    receipt = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
    cost = receipt.cost.model_copy(update={"used_usd": ABSENT, "used_output_tokens": ABSENT})
    out, stream = printed()
    changed = receipt.model_copy(update={"cost": cost, "quorum": ABSENT, "consensus": ABSENT})
    print_receipt(out, changed, full=True)
    for words in ("quorum", "consensus", "cost", "output tokens"):
        assert f"{words}: not measured: no price is known" in stream.getvalue()
    assert (figure(ABSENT), figure(0.5, ".2f"), figure(0)) == ("not measured", "0.50", "0")
    assert (in_words(ABSENT, "USD"), in_words(0.5, "USD", ".1f")) == ("not measured: no price is known", "0.5 USD")


def test_output_to_a_file_does_not_depend_on_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert console().width == 120


def test_long_text_becomes_one_line() -> None:
    assert shortened("a\n  b\tc") == "a b c"
    assert shortened("x" * 200, 10) == "x" * 9 + "…"


def test_a_cycle_tells_what_became_of_held_claims_and_each_temporal_error() -> None:
    receipt = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
    assert not isinstance(receipt.consensus, NotMeasured)
    error = Change(kind=ChangeKind.REPAIRED, claim="c7", reason="the answers put it into KNOWN")
    cycle = receipt.consensus.model_copy(
        update={
            "prior_version": 3,
            "changes": {ChangeKind.ADDED: 2, ChangeKind.CARRIED: 5, ChangeKind.REPAIRED: 1},
            "temporal_errors": (error,),
        }
    )
    out, stream = printed()
    print_receipt(out, receipt, full=False)
    assert "against version" not in stream.getvalue()
    print_receipt(out, receipt.model_copy(update={"consensus": cycle}), full=False)
    assert "against version 3 of the ledger: 2 added, 5 carried, 1 repaired" in stream.getvalue()
    assert "temporal error, repaired: c7: the answers put it into KNOWN" in stream.getvalue()


def test_a_claim_says_how_it_stands() -> None:
    quote = (evidence_in(CONVERSATION, 1, "Postgres 16"),)
    claim = a_claim("c7", Section.DECIDED, "We use Postgres 16.", quote, marks=(Mark.PINNED,))
    carried = claim.model_copy(update={"state": ClaimState.CARRIED, "carried": 3})
    out, stream = printed()
    print_claim(out, carried, CONVERSATION, section=True)
    assert "• [DECIDED] We use Postgres 16. [pinned] [carried, 3 cycles]" in stream.getvalue()


def test_dissent_that_persists_says_for_how_long() -> None:
    dissent = (a_dissent("d1", "It rains.").model_copy(update={"cycles": 4}), a_dissent("d2", "It snows."))
    out, stream = printed()
    print_dissent(out, a_boundary(CONVERSATION, dissent=dissent), full=False, db=None)
    assert stream.getvalue().count("(said in 4 cycles)") == 1
    assert stream.getvalue().count("(said in") == 1


@pytest.mark.parametrize(("status", "ways"), [(JobStatus.HELD, 3), (JobStatus.RUNNING, 1)])
def test_a_job_that_waits_says_how_to_go_on(status: JobStatus, ways: int) -> None:
    out, stream = printed()
    print_ending(out, a_result(status), db=None)
    said = next(line for line in stream.getvalue().splitlines() if line.startswith("go on: "))
    assert said.count("dissolve ") == ways
    assert ("dissolve preview" in said) is (status is JobStatus.HELD)
