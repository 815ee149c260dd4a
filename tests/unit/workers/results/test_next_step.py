"""A job that kept the history, or committed degraded, says in one line what would change it, by kind of end."""

import math
from pathlib import Path

import pytest

from cli.run.first_screen import print_verdict
from cli.run.results import gather
from cli.shared.views import console
from dissolution.claims import Section
from dissolution.errors import BudgetExceeded, DayBudgetExceeded, DissolutionError, QuorumNotMet, VersionConflict
from dissolution.findings import NotRun, Verdict
from dissolution.job import JobStatus
from dissolution.policy.gate import LENIENT
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import GateState, PairedOutcome, VetoKind
from dissolution.values import Measured
from probe.gate import accept_bound, least_questions, questions_for, read_gate
from probe.precision import Precision
from tests.running import running
from tests.unit.workers.probing_members import FACTS, ProbingMember
from tests.unit.workers.stages.test_gate import CLEAN_AUDIT, a_consensus
from tests.unit.workers.test_probe_path import WRITTEN, a_fleet, ended
from workers.probe.outcomes import Faced, HistoryReport, SealedBank
from workers.results.after_error import after_error
from workers.results.next_step import NOBODY_JUDGED, End, end_of, what_of_candidate, what_of_probe

DRILL = LENIENT.model_copy(update={"questions": 28, "repair_rounds": 0})
JUDGED = Policy(probe=ProbePolicy(writer="ann", reader="ben", judge="cem", gate=DRILL))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> End:
    """The end of a job whose probe ran; the tests change one thing about it."""
    with running(tmp_path_factory.mktemp("whole"), a_fleet()) as services:
        job, _ = ended(services, JUDGED)
        with services.unit_of_work() as work:
            return end_of(work, job)


def faced(lost: int, kept: int, *, veto: VetoKind | None = None) -> Faced:
    pairs = [
        PairedOutcome(
            question=f"q{place}", history_right=True, candidate_right=place >= lost, veto=veto if place < lost else None
        )
        for place in range(lost + kept)
    ]
    precision = Precision(checked=(), supported=1.0, contradicted=0.0, absent=0.0)
    return Faced(claims=1, items=(), reading=read_gate(pairs, DRILL), precision=precision)


def line(end: End) -> str:
    return what_of_candidate(end) or what_of_probe(end)


def test_too_few_questions_name_how_many_would_decide(whole: End) -> None:
    end = whole._replace(faced=faced(2, 22))
    assert isinstance(end.faced, Faced)
    assert end.faced.reading.state is GateState.OPEN
    wanted = questions_for(2, DRILL, masked=False)
    assert isinstance(end.bank, SealedBank)
    assert end.bank.need is not None
    wide = end.bank.need.model_copy(update={"borne": 500})
    rich = end._replace(bank=end.bank.model_copy(update={"need": wide}))
    assert line(rich) == (
        f"2 of 24 questions lost; {wanted} questions would decide, no further one lost: "
        f"raise probe.gate.questions to {wanted}"
    )
    assert read_gate([*_lost(2), *_kept(wanted - 2)], DRILL).state is GateState.ACCEPT
    assert read_gate([*_lost(2), *_kept(wanted - 3)], DRILL).state is GateState.OPEN
    assert "dissolve more turns" in line(end), "forty facts in 160 words bear no more"


def _lost(count: int) -> list[PairedOutcome]:
    return [PairedOutcome(question=f"l{place}", history_right=True, candidate_right=False) for place in range(count)]


def _kept(count: int) -> list[PairedOutcome]:
    return [PairedOutcome(question=f"k{place}", history_right=True, candidate_right=True) for place in range(count)]


def test_as_many_questions_as_decide_without_a_loss_are_the_least() -> None:
    assert (
        questions_for(0, DRILL, masked=False)
        == questions_for(-2, DRILL, masked=False)
        == least_questions(DRILL, masked=False)
    )
    assert math.isclose(math.exp(-accept_bound(DRILL)), DRILL.false_accept)


def with_share(end: End, share: Measured) -> End:
    assert isinstance(end.history, HistoryReport)
    return end._replace(history=end.history.model_copy(update={"share": share}))


def test_each_kind_of_end_names_what_to_set(whole: End) -> None:
    blocked = CLEAN_AUDIT.model_copy(update={"blocked": ("a guess",)})
    vetoed = faced(1, 5, veto=VetoKind.LOST_COMMITMENT)
    told = {
        "history_floor": line(with_share(whole, 0.47)),
        "repair_rounds to 1": line(whole._replace(faced=vetoed)),
        "2 families": line(whole._replace(faced=vetoed, families=1)),
        "budget.max_usd": line(whole._replace(spent=True)),
        "probe.reader": line(whole._replace(history=NotRun(not_run="reader ben failed on the history: timeout"))),
        "probe.writer": line(whole._replace(bank=NotRun(not_run="writer ann failed: refusal"))),
        "frame.act": line(whole._replace(frame=blocked)),
        "ask other members": line(whole._replace(consensus=a_consensus(Section.EDGES))),
        "language models": line(whole._replace(consensus=a_consensus().model_copy(update={"unread": True}))),
        "frame.audit": line(whole),
    }
    for named, words in told.items():
        assert named in words, words
        assert "\n" not in words
    rejected = line(whole._replace(faced=faced(12, 2)))
    assert "questions lost, 0 may be" in rejected
    off = whole.job.model_copy(update={"policy": Policy(probe=ProbePolicy(on=False))})
    assert "probe.on" in line(whole._replace(job=off))
    silent = whole.job.model_copy(update={"policy": Policy()})
    assert line(whole._replace(job=silent)) == NOBODY_JUDGED
    assert "nothing could be asked" in line(whole._replace(job=silent, bank=NotRun(not_run="too little")))


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (QuorumNotMet(1, 1, 2, 2), "1 of 2 members and 1 of 2 families"),
        (BudgetExceeded("cost in USD", "7.1", "5"), "raise policy budget"),
        (DayBudgetExceeded("", "2026-03-01", "9", "8"), "tomorrow"),
    ],
)
def test_an_end_before_the_gate_names_it_too(error: DissolutionError, named: str) -> None:
    assert named in (after_error(error) or "")


def test_where_nothing_can_be_set_nothing_is_said() -> None:
    assert after_error(VersionConflict("c", 1, 2)) is None


def test_it_stands_in_receipt_reason_and_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = Policy(probe=WRITTEN.probe.model_copy(update={"gate": DRILL.model_copy(update={"enlarge": False})}))
    fleet = (ProbingMember("ann", FACTS[:34]), ProbingMember("ben", FACTS[:34]), ProbingMember("cem", FACTS[:34]))
    with running(tmp_path, fleet) as services:
        job, receipt = ended(services, policy)
        result = gather(services, job)
        with services.unit_of_work() as work:
            boundary = work.boundaries.by_job(job.id)
    change = receipt.decision.would_change
    assert change is not None
    assert receipt.decision.verdict in {Verdict.COMMIT_DEGRADED, Verdict.KEEP_HISTORY}
    assert change.startswith(("degraded: ", "kept: "))
    assert job.reason is not None
    assert job.reason.endswith(change)
    assert boundary is None or boundary.decision == receipt.decision
    print_verdict(console(), result)
    assert f"to change it: {change.partition(': ')[2]}" in " ".join(capsys.readouterr().out.split())


def test_a_fleet_too_small_and_a_plain_commit(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with running(tmp_path / "one", [ProbingMember("ann")]) as services:
        job, receipt = ended(services, WRITTEN)
    assert job.status is JobStatus.HISTORY_KEPT
    assert "add members of other families" in (receipt.decision.would_change or "")
    (tmp_path / "all").mkdir()
    with running(tmp_path / "all", a_fleet()) as services:
        _, receipt = ended(services, WRITTEN)
    assert (receipt.decision.verdict, receipt.decision.would_change) == (Verdict.COMMIT, None)
