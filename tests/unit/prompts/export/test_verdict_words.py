"""The word `commit` is kept for what a language model's test has proven; else it is said what was not shown."""

import pytest

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Section
from dissolution.excerpts import NOBODY_HAS_READ
from dissolution.findings import GateDecision, StageReport, StageState, Verdict
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import BankOrigin, GateReading, GateState, VetoKind
from dissolution.receipt.frame import FrameSummary
from dissolution.receipt.job_receipt import Receipt
from dissolution.receipt.probe import PrecisionShares, ProbeRound, ProbeSummary
from dissolution.values import NotMeasured
from prompts.export.verdict_words import JUDGES, BoundaryStanding, counted, is_proven, verdict_words
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_receipt, evidence_in

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
CLAIM = a_claim("c7", Section.DECIDED, "We use Postgres 16.", (evidence_in(CONVERSATION, 1, "Postgres 16"),))
OPEN = a_claim("c9", Section.EDGES, "The owner is open.")
JUDGED = ProbePolicy(writer="ann", reader="ben", judge="cem")
RULES = ProbePolicy(offline="enforce")
ABSENT = NotMeasured(not_measured="no question could be made")
RAN = tuple(StageReport(stage=name, state=StageState.RAN) for name in ("gate", "commit"))


def a_reading(state: GateState, *, veto: bool = False) -> GateReading:
    return GateReading(
        state=state,
        used=20,
        lost=6,
        gained=0,
        observed_loss=0.3,
        accept_evidence=1,
        reject_evidence=1,
        accept_bound=2,
        reject_bound=2,
        vetoes=(("q1", VetoKind.LOST_COMMITMENT),) if veto else (),
    )


def a_probe(state: GateState, *, veto: bool = False, share: float = 1.0) -> ProbeSummary:
    decision = GateDecision(verdict=Verdict.COMMIT, reasons=("counted",))
    nothing = PrecisionShares(checked=0, supported=ABSENT, contradicted=ABSENT, absent=ABSENT)
    one = ProbeRound(
        claims=2, asked=20, reading=a_reading(state, veto=veto), precision=nothing, decision=decision, weak=()
    )
    return ProbeSummary(
        seal="0" * 64,
        origin=BankOrigin.WRITTEN,
        writer="ann",
        reader="ben",
        judge="cem",
        policy="balanced",
        enforced=True,
        held_out=20,
        train=0,
        refused=0,
        history_share=share,
        floor_share=0.0,
        rounds=(one,),
    )


def judged(
    verdict: Verdict,
    probe: ProbeSummary | NotMeasured,
    policy: ProbePolicy = JUDGED,
    *,
    claims: tuple[Claim, ...] = (CLAIM, OPEN),
    stages: tuple[StageReport, ...] = RAN,
    frame: FrameSummary | NotMeasured = ABSENT,
    change: str | None = None,
) -> tuple[BoundaryState, Receipt]:
    decision = GateDecision(verdict=verdict, reasons=("the stored reason",), would_change=change)
    boundary = a_boundary(CONVERSATION).model_copy(update={"claims": claims, "decision": decision})
    made = a_receipt(boundary, CONVERSATION)
    update = {"probe": probe, "policy": Policy(probe=policy), "stages": stages, "frame": frame}
    return boundary, made.model_copy(update=update)


def test_a_models_passed_test_is_a_commit() -> None:
    told = verdict_words(*judged(Verdict.COMMIT, a_probe(GateState.ACCEPT)))
    assert told.standing is BoundaryStanding.PROVEN
    assert told.told.startswith("commit: ")
    assert told.change is None


@pytest.mark.parametrize(
    ("verdict", "probe", "policy", "words"),
    [
        (Verdict.COMMIT, a_probe(GateState.ACCEPT), RULES, "no language model tested it"),
        (Verdict.COMMIT_DEGRADED, a_probe(GateState.ACCEPT), ProbePolicy(), "no language model tested it"),
        (Verdict.COMMIT_DEGRADED, a_probe(GateState.ACCEPT), ProbePolicy(reader="ben"), "no language model judged"),
        (Verdict.COMMIT_DEGRADED, a_probe(GateState.ACCEPT), JUDGED, "nobody reviewed it"),
        (Verdict.COMMIT_DEGRADED, a_probe(GateState.OPEN), JUDGED, "too few to be sure (6 of 20 answers lost)"),
        (Verdict.COMMIT_DEGRADED, a_probe(GateState.REJECT), JUDGED, "no longer fits its reader"),
        (Verdict.COMMIT_DEGRADED, ABSENT, JUDGED, "it was not tested: no question could be made"),
        (Verdict.COMMIT_DEGRADED, ABSENT, ProbePolicy(on=False), "switched off"),
    ],
)
def test_anything_else_that_stands_is_unproven_and_says_what_was_not_shown(
    verdict: Verdict, probe: ProbeSummary | NotMeasured, policy: ProbePolicy, words: str
) -> None:
    boundary, receipt = judged(verdict, probe, policy)
    told = verdict_words(boundary, receipt)
    assert told.standing is BoundaryStanding.UNPROVEN
    assert words in told.told
    assert "commit" not in told.told
    assert len(told.brief) <= 40
    assert not is_proven(verdict, policy, probe)


def test_where_no_model_judges_a_stored_way_out_that_proves_nothing_is_not_told() -> None:
    stored = "degraded: no language model judged the answers, or let --gate enforce a preset"
    boundary, receipt = judged(Verdict.COMMIT_DEGRADED, a_probe(GateState.ACCEPT), ProbePolicy(), change=stored)
    assert verdict_words(boundary, receipt).change == JUDGES
    kept = judged(
        Verdict.KEEP_HISTORY, a_probe(GateState.OPEN), change="kept: 6 of 20 lost: raise probe.gate.questions"
    )
    assert verdict_words(*kept).change == "6 of 20 lost: raise probe.gate.questions"


@pytest.mark.parametrize(
    ("probe", "words"),
    [
        (a_probe(GateState.REJECT, veto=True), "a binding rule or promise cannot be answered from it"),
        (a_probe(GateState.REJECT), "too many answers are lost in it (6 of 20)"),
        (a_probe(GateState.OPEN), "too few to be sure"),
        (a_probe(GateState.ACCEPT, share=0.12), "found only 12% of the answers even in the full text"),
        (ABSENT, "it could not be tested: no question could be made"),
    ],
)
def test_a_kept_history_says_why_and_what_to_use(probe: ProbeSummary | NotMeasured, words: str) -> None:
    told = verdict_words(*judged(Verdict.KEEP_HISTORY, probe))
    assert told.standing is BoundaryStanding.KEPT
    assert told.told.startswith("History kept, go on using the conversation itself: ")
    assert words in told.told
    assert "the stored reason" not in told.told
    assert len(told.brief) <= 40


def test_a_review_that_objects_and_a_candidate_that_states_nothing_firm_come_before_the_questions() -> None:
    probe = a_probe(GateState.ACCEPT)
    frame = FrameSummary.model_validate(
        {
            "register_digest": "0" * 64,
            "register_size": 1,
            "findings": (),
            "repaired": 0,
            "blocked": ("turn 9 is denied", "and turn 10"),
            "lock_in": ABSENT,
            "challenges": ABSENT,
        }
    )
    assert "2 findings" in verdict_words(*judged(Verdict.KEEP_HISTORY, probe, frame=frame)).told
    weak = verdict_words(*judged(Verdict.KEEP_HISTORY, probe, claims=(OPEN,), frame=frame))
    assert "nothing was stated on words of the conversation" in weak.told


def test_an_end_outside_the_gate_tells_its_own_reason() -> None:
    early = judged(Verdict.KEEP_HISTORY, a_probe(GateState.ACCEPT), stages=RAN[:1])
    assert verdict_words(*early).told.endswith(": the stored reason.")
    assert "the stored reason" not in verdict_words(*early, waits=True).told
    assert verdict_words(early[0], None).told.endswith(": the stored reason.")


def test_what_nobody_has_read_says_so_first_whatever_became_of_it() -> None:
    reasons = (NOBODY_HAS_READ, "counted")
    for verdict in (Verdict.COMMIT_DEGRADED, Verdict.KEEP_HISTORY):
        boundary, receipt = judged(verdict, a_probe(GateState.ACCEPT), ProbePolicy(), claims=())
        decision = GateDecision(verdict=verdict, reasons=reasons)
        told = verdict_words(boundary.model_copy(update={"decision": decision}), receipt)
        assert told.told.startswith("Nobody has read this: no language model was asked.")
        assert told.brief.startswith("Nobody has read this")
        assert told.change is not None


def test_a_count_has_its_word() -> None:
    assert (counted(1, "finding"), counted(2, "finding")) == ("1 finding", "2 findings")
    assert counted(1200, "family", "families") == "1,200 families"
