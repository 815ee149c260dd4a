"""The gate: statistics, precision, the frame audit and token pressure become one verdict; nobody is stranded."""

from collections.abc import Sequence

import pytest

from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.conversation import Role
from dissolution.excerpts import NOBODY_HAS_READ, Excerpt
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp, GateDecision, NotRun, Verdict
from dissolution.framing import FrameReport
from dissolution.intervals import TurnInterval
from dissolution.policy.gate import LENIENT, STRICT, TokenPressure
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import PairedOutcome, VetoKind
from dissolution.values import Measured, NotMeasured
from probe.gate import read_gate
from probe.precision import Precision
from workers.probe.outcomes import Faced
from workers.stages.gate import NOT_AUDITED, NOT_PROBED, REPORTED, GateInputs, verdict_on

ABSENT = NotMeasured(not_measured="test")
MEASURES = AgreementMeasures(
    claim_agreement=ABSENT,
    dominant_cluster_share=ABSENT,
    mean_pairwise_jaccard=ABSENT,
    mean_tfidf_cosine=ABSENT,
    mean_embedding_cosine=ABSENT,
)
REPORT = ProbePolicy()
ENFORCE = ProbePolicy(offline="enforce")
JUDGED = ProbePolicy(reader="ben", judge="cem")
NO_AUDIT = NotRun(not_run="the frame audit is not built yet")
CLEAN_AUDIT = FrameReport(register_digest="0" * 64, register_size=0, lock_in=ABSENT)
RIGHT, LOST = (True, True), (True, False)


def a_consensus(*sections: Section) -> Consensus:
    statement = Statement(member="a", family="a", ordinal=0, claim=StatedClaim(section=Section.KNOWN, text="It holds."))
    claims = tuple(
        Claim(
            id=f"c{place}",
            section=section,
            text="It holds.",
            evidence=(Evidence(turn=1, start=0, end=9, text="It holds."),),
            support=Support.of((statement,)),
            valid=TurnInterval(start=1),
            statements=(statement,),
            reason="test",
        )
        for place, section in enumerate(sections)
    )
    stamp = EmbeddingStamp(model="hashing", digest="0", dimension=1)
    return Consensus(
        claims=claims, dissent=(), statements=1, groups=1, measures=MEASURES, embedding=stamp, method="test"
    )


def a_faced(
    *outcomes: tuple[bool, bool], supported: Measured = 1.0, policy: ProbePolicy = ENFORCE, veto: VetoKind | None = None
) -> Faced:
    paired = [
        PairedOutcome(
            question=f"q{place}", history_right=past, candidate_right=now, veto=None if now or not past else veto
        )
        for place, (past, now) in enumerate(outcomes)
    ]
    rest = 0.0 if isinstance(supported, NotMeasured) else 1 - supported
    precision = Precision(checked=(), supported=supported, contradicted=rest, absent=0.0)
    return Faced(claims=1, items=(), reading=read_gate(paired, policy.gate), precision=precision)


ACCEPTED = a_faced(*[RIGHT] * 40)
REJECTED = a_faced(*[LOST] * 40)
OPEN = a_faced(*[RIGHT] * 10)


def on(
    faced: Faced | NotRun,
    policy: ProbePolicy = ENFORCE,
    *,
    sections: Sequence[Section] = (Section.KNOWN,),
    share: Measured = 0.95,
    frame: FrameReport | NotRun = CLEAN_AUDIT,
    pressure: TokenPressure = TokenPressure.NONE,
    rounds_left: int = 0,
) -> GateDecision:
    found = GateInputs(a_consensus(*sections), faced, share, frame, pressure, rounds_left, repairable=True)
    return verdict_on(found, policy)


@pytest.mark.parametrize("sections", [(), (Section.EDGES, Section.EDGES)])
@pytest.mark.parametrize("pressure", list(TokenPressure))
def test_a_candidate_that_holds_nothing_firm_keeps_the_history(
    sections: tuple[Section, ...], pressure: TokenPressure
) -> None:
    assert on(ACCEPTED, sections=sections, pressure=pressure).verdict is Verdict.KEEP_HISTORY


def test_what_is_probed_and_audited_and_answers_well_is_committed() -> None:
    decision = on(ACCEPTED, JUDGED)
    assert decision.verdict is Verdict.COMMIT
    assert decision.reasons[0] == "27 questions: 0 lost, 0 gained"


def test_what_nobody_read_is_never_better_than_degraded() -> None:
    for policy in (REPORT, ProbePolicy(reader="ben")):
        decision = on(ACCEPTED, policy)
        assert (decision.verdict, decision.reasons[-1]) == (Verdict.COMMIT_DEGRADED, REPORTED)


def test_without_an_audit_a_commit_is_labelled() -> None:
    decision = on(ACCEPTED, frame=NO_AUDIT)
    assert decision.verdict is Verdict.COMMIT_DEGRADED
    assert decision.reasons[-1] == NOT_AUDITED


@pytest.mark.parametrize(
    ("faced", "rounds_left", "verdict"),
    [
        (REJECTED, 1, Verdict.REPAIR),
        (REJECTED, 0, Verdict.KEEP_HISTORY),
        (OPEN, 1, Verdict.REPAIR),
        (OPEN, 0, Verdict.KEEP_HISTORY),
    ],
)
def test_an_enforced_verdict_holds(faced: Faced, rounds_left: int, verdict: Verdict) -> None:
    assert on(faced, rounds_left=rounds_left).verdict is verdict


@pytest.mark.parametrize("faced", [REJECTED, OPEN, a_faced(LOST, veto=VetoKind.LOST_COMMITMENT)])
@pytest.mark.parametrize("rounds_left", [0, 2])
def test_a_reported_verdict_labels_the_commit_with_its_reading(faced: Faced, rounds_left: int) -> None:
    decision = on(faced, REPORT, rounds_left=rounds_left)
    assert decision.verdict is Verdict.COMMIT_DEGRADED
    assert "lost" in decision.reasons[0]
    assert decision.reasons[-1] == REPORTED


def test_a_weak_reader_decides_nothing() -> None:
    assert on(ACCEPTED, share=0.4).verdict is Verdict.KEEP_HISTORY
    assert "too weak" in on(ACCEPTED, share=0.4).reasons[0]
    assert on(ACCEPTED, REPORT, share=0.4).verdict is Verdict.COMMIT_DEGRADED
    assert on(ACCEPTED, ProbePolicy(offline="enforce", gate=LENIENT), share=0.4).verdict is Verdict.COMMIT_DEGRADED


@pytest.mark.parametrize(
    ("policy", "verdict", "words"),
    [
        (REPORT, Verdict.COMMIT_DEGRADED, f"{NOT_PROBED}: the writer failed"),
        (ENFORCE, Verdict.KEEP_HISTORY, "inconclusive"),
        (ProbePolicy(offline="enforce", gate=LENIENT), Verdict.COMMIT_DEGRADED, "inconclusive"),
        (ProbePolicy(on=False), Verdict.COMMIT_DEGRADED, NOT_PROBED),
        (ProbePolicy(on=False, offline="enforce", gate=STRICT), Verdict.COMMIT_DEGRADED, NOT_PROBED),
    ],
)
def test_without_a_probe_policy_says_what_happens(policy: ProbePolicy, verdict: Verdict, words: str) -> None:
    decision = on(NotRun(not_run="the writer failed"), policy)
    assert decision.verdict is verdict
    assert any(words in reason for reason in decision.reasons)


def test_values_that_rules_do_not_find_decide_nothing() -> None:
    for supported in (0.0, 0.5, ABSENT):
        assert on(a_faced(*[RIGHT] * 40, supported=supported)).verdict is Verdict.COMMIT


def test_what_the_frame_audit_blocks_keeps_the_history() -> None:
    blocked = CLEAN_AUDIT.model_copy(update={"blocked": ("a guess is held as decided",)})
    for policy in (REPORT, ENFORCE):
        decision = on(ACCEPTED, policy, frame=blocked)
        assert (decision.verdict, decision.reasons) == (Verdict.KEEP_HISTORY, ("a guess is held as decided",))


@pytest.mark.parametrize("faced", [ACCEPTED, REJECTED, OPEN, NotRun(not_run="x"), a_faced(RIGHT, supported=0.0)])
@pytest.mark.parametrize("frame", [CLEAN_AUDIT, CLEAN_AUDIT.model_copy(update={"blocked": ("b",)}), NO_AUDIT])
@pytest.mark.parametrize("policy", [REPORT, ENFORCE, ProbePolicy(gate=STRICT, offline="enforce")])
def test_nobody_is_left_without_a_usable_context(
    faced: Faced | NotRun, frame: FrameReport | NotRun, policy: ProbePolicy
) -> None:
    decision = on(faced, policy, frame=frame, pressure=TokenPressure.OVERFLOWING, rounds_left=2)
    assert decision.verdict in {Verdict.COMMIT, Verdict.COMMIT_DEGRADED}


EXCERPT = Excerpt(
    turn=1, start=0, end=9, text="It holds.", role=Role.USER, speaker="user", quoted=False, chosen_by=("a",), score=1
)
UNREAD = a_consensus().model_copy(update={"statements": 0, "unread": True, "excerpts": (EXCERPT,)})


@pytest.mark.parametrize("policy", [REPORT, ENFORCE])
def test_what_nobody_has_read_is_degraded_at_best_and_that_is_its_first_reason(policy: ProbePolicy) -> None:
    for frame in (NO_AUDIT, CLEAN_AUDIT):
        found = GateInputs(UNREAD, ACCEPTED, 1.0, frame, TokenPressure.NONE, 0, repairable=False)
        decision = verdict_on(found, policy)
        assert decision.verdict is Verdict.COMMIT_DEGRADED
        assert decision.reasons[0] == NOBODY_HAS_READ


def test_excerpts_that_lose_the_questions_of_a_policy_that_enforces_keep_the_history() -> None:
    found = GateInputs(UNREAD, a_faced(*[LOST] * 40), 1.0, NO_AUDIT, TokenPressure.NONE, 0, repairable=False)
    decision = verdict_on(found, ENFORCE)
    assert decision.verdict is Verdict.KEEP_HISTORY
    assert decision.reasons[0] == NOBODY_HAS_READ


def test_nothing_chosen_and_nothing_held_keeps_the_history() -> None:
    empty = UNREAD.model_copy(update={"excerpts": ()})
    found = GateInputs(empty, NotRun(not_run="no bank"), ABSENT, NO_AUDIT, TokenPressure.NONE, 0, repairable=False)
    assert verdict_on(found, REPORT).verdict is Verdict.KEEP_HISTORY
