"""One screen of what a job came to: at most twelve lines, the verdict first, the next command last, in any width."""

import io
import itertools
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

import pytest

from cli.run.answered_of import Answered
from cli.run.first_screen import MOST_LINES, print_screen, rows
from cli.run.results import Result
from cli.shared.output import ResultConsole
from dissolution.boundary import BoundaryState
from dissolution.boundary_size import BoundarySize
from dissolution.claims import DissentReason, Section
from dissolution.excerpts import NOBODY_HAS_READ, Excerpt
from dissolution.findings import GateDecision, Verdict
from dissolution.job import Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, a_receipt, evidence_in

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
QUOTE = (evidence_in(CONVERSATION, 1, "Postgres 16"),)
LONG = "the reader found only 12% of the answers in the text itself and the day's cap leaves nothing for another"


def a_boundary_of(verdict: Verdict, version: int | None, *, change: str | None = None) -> BoundaryState:
    claims = (
        a_claim("c7", Section.DECIDED, "We use Postgres 16.", QUOTE),
        a_claim("c8", Section.IDENTITY, "I answer briefly.", QUOTE),
        a_claim("c9", Section.EDGES, "The owner is open."),
    )
    dissent = tuple(
        a_dissent(f"d{n}", f"Point {n}.").model_copy(update={"reason": DissentReason.SIZE}) for n in range(3)
    )
    boundary = a_boundary(CONVERSATION, *claims, dissent=dissent)
    decision = GateDecision(verdict=verdict, reasons=(LONG,), would_change=change)
    return boundary.model_copy(update={"version": version, "decision": decision})


def a_result(status: JobStatus, boundary: BoundaryState, *, receipt: bool = True) -> Result:
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
    account = None
    if receipt:
        size = BoundarySize(before_tokens=7323, after_tokens=1529, share=0.2088, left_for_size=3, counter="test")
        account = a_receipt(boundary, CONVERSATION).model_copy(update={"size": size, "redactions": {"api_key": 2}})
    answered = Answered(asked=14, right=9, history_right=14)
    return Result(job=job, conversation=CONVERSATION, boundary=boundary, receipt=account, answered=answered)


COMMITTED = a_result(JobStatus.COMMITTED, a_boundary_of(Verdict.COMMIT_DEGRADED, 1, change=f"degraded: {LONG}"))
KEPT = a_result(JobStatus.HISTORY_KEPT, a_boundary_of(Verdict.KEEP_HISTORY, None, change=f"kept: {LONG}"))
RUNNING = a_result(JobStatus.RUNNING, a_boundary_of(Verdict.KEEP_HISTORY, None), receipt=False)
HELD = replace(COMMITTED, job=COMMITTED.job.model_copy(update={"status": JobStatus.HELD}), receipt=None)


def unread() -> Result:
    excerpt = Excerpt.model_validate(
        {
            **evidence_in(CONVERSATION, 1, "We use Postgres 16.").model_dump(),
            "role": "user",
            "speaker": "user",
            "quoted": False,
            "chosen_by": ["a"],
            "score": 0.9,
        }
    )
    decision = GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=(NOBODY_HAS_READ,))
    boundary = a_boundary_of(Verdict.COMMIT_DEGRADED, 1)
    return a_result(
        JobStatus.COMMITTED,
        boundary.model_copy(update={"claims": (), "dissent": (), "excerpts": (excerpt,), "decision": decision}),
    )


EVERY = {"committed": COMMITTED, "kept": KEPT, "running": RUNNING, "held": HELD, "unread": unread()}


def screen(result: Result, width: int | None, *, db: str | None = None) -> list[str]:
    stream = io.StringIO()
    terminal = width is not None
    out = ResultConsole(file=stream, width=width or 120, force_terminal=terminal, highlight=False, color_system=None)
    print_screen(out, result, db=db)
    return stream.getvalue().splitlines()


def labels(lines: Sequence[str]) -> list[str]:
    return [line[:11].strip() for line in lines[1:] if line[:11].strip()]


def fits(name: str, width: int | None) -> bool:
    """Whether a screen has at most twelve lines, the last the next command, and none but that is too wide."""
    lines = screen(EVERY[name], width)
    told = [line for line in lines if not line.startswith("next  ")]
    wide = width is not None and max(map(len, told)) > width
    return 2 <= len(lines) <= MOST_LINES and lines[-1].startswith("next  ") and not wide


def test_it_has_twelve_lines_at_most_and_none_is_wider_than_its_terminal() -> None:
    every = itertools.product(sorted(EVERY), (None, 40, 60, 80, 120, 200))
    assert [(name, width) for name, width in every if not fits(name, width)] == []


def test_it_tells_questions_tokens_what_binds_what_is_open_who_was_asked_and_the_cost() -> None:
    told = {row.label: row.forms[0] for row in rows(COMMITTED, db=None)}
    assert told["covers"] == "turns 1 to 2 of conv-1, version 1; 2 secrets replaced"
    assert told["questions"].startswith("9 of 14 answered right from it, 14 from the full text")
    assert told["tokens"] == "7,323 before, 1,529 after (21%)"
    assert told["binds"] == "2 (1 decision, 1 rule or role)"
    assert told["open"] == "1 question"
    assert told["set aside"].startswith("3 statements kept with their reasons, 3 for want of room")
    assert told["asked"] == "1 of 3 recorded models answered; nobody reviewed; not: b (too slow), c (no answer yet)"
    assert "USD" in told["cost"]
    assert told["to change"] != LONG, "where no model tested it, a line that names other ways is not told"


def test_a_small_terminal_keeps_what_counts() -> None:
    for result in (COMMITTED, KEPT):
        kept = labels(screen(result, 40))
        assert {"questions", "tokens", "binds", "open", "cost", "next"} <= set(kept)


@pytest.mark.parametrize(
    ("result", "first"),
    [
        (COMMITTED, "Unproven: the boundary stands, but "),
        (KEPT, "History kept, go on using the conversation itself: "),
        (RUNNING, "Not decided: the job is running"),
        (HELD, "Held, as asked: nothing is committed yet."),
        (unread(), "Nobody has read this: no language model was asked."),
    ],
)
def test_the_first_line_says_how_it_stands(result: Result, first: str) -> None:
    line = screen(result, None)[0]
    assert line.startswith(first)
    assert not re.search(r"\bcommit\b", line), "the word is kept for what a model's test has proven"


@pytest.mark.parametrize(
    ("result", "commands"),
    [
        (COMMITTED, ["dissolve show j1"]),
        (KEPT, ["dissolve show j1 --probe"]),
        (replace(KEPT, answered=None), ["dissolve show j1 --receipt"]),
        (RUNNING, ["dissolve resume j1"]),
        (HELD, ["dissolve preview j1", "dissolve commit j1", "dissolve discard j1"]),
    ],
)
def test_the_next_command_is_whole_in_any_width_and_names_the_database(result: Result, commands: list[str]) -> None:
    assert screen(result, 40)[-1].removeprefix("next").strip().split(" · ") == commands
    url = "sqlite:///my ledger"
    for command in screen(result, None, db=url)[-1].removeprefix("next").strip().split(" · "):
        assert shlex.split(command)[-2:] == ["--db", url]


def test_whoever_has_read_the_boundary_is_told_another_command() -> None:
    assert rows(COMMITTED, db=None, read=True)[-1].forms == ("dissolve explain c7",)
    assert rows(unread(), db=None, read=True)[-1].forms == ("dissolve show j1 --as messages",)


def test_what_nobody_has_read_counts_excerpts_and_binds_nothing() -> None:
    told = {row.label: row.forms[0] for row in rows(unread(), db=None)}
    assert told["excerpts"].startswith("1 passage")
    assert "binds" not in told
    assert "--fleet" in told["to change"]


def test_a_boundary_that_saves_nothing_says_so() -> None:
    assert COMMITTED.receipt is not None
    size = BoundarySize(before_tokens=10, after_tokens=12, share=1.2, left_for_size=0, counter="test")
    receipt = COMMITTED.receipt.model_copy(update={"size": size})
    row = next(row for row in rows(replace(COMMITTED, receipt=receipt), db=None) if row.label == "tokens")
    assert "saves nothing" in row.forms[0]
    absent = receipt.model_copy(update={"size": NotMeasured(not_measured="no consensus")})
    assert "tokens" not in [row.label for row in rows(replace(COMMITTED, receipt=absent), db=None)]


def test_a_pipe_gets_no_colours_and_whole_lines() -> None:
    stream = io.StringIO()
    print_screen(ResultConsole(file=stream, width=120, highlight=False), KEPT, db=None)
    text = stream.getvalue()
    assert "\x1b" not in text
    assert f"to change  {LONG}\n" in text
