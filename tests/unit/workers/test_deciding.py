"""The gate without a probe: never a clean commit, and the history is kept when nothing firm was found."""

from pathlib import Path

import pytest

from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp, NotRun, Verdict
from dissolution.intervals import TurnInterval
from dissolution.values import NotMeasured
from tests.factories import a_conversation
from tests.running import a_job, running
from workers.deciding import NOT_BUILT, decision_on, not_run

ABSENT = NotMeasured(not_measured="test")
ABSENT_CHECKS = ("probe not run", "frame audit not run")
MEASURES = AgreementMeasures(
    claim_agreement=ABSENT,
    dominant_cluster_share=ABSENT,
    mean_pairwise_jaccard=ABSENT,
    mean_tfidf_cosine=ABSENT,
    mean_embedding_cosine=ABSENT,
)


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


@pytest.mark.parametrize(
    ("sections", "verdict"),
    [
        ((), Verdict.KEEP_HISTORY),
        ((Section.EDGES, Section.EDGES), Verdict.KEEP_HISTORY),
        ((Section.EDGES, Section.KNOWN), Verdict.COMMIT_DEGRADED),
        ((Section.IDENTITY,), Verdict.COMMIT_DEGRADED),
    ],
)
def test_the_verdict_without_a_probe(sections: tuple[Section, ...], verdict: Verdict) -> None:
    assert decision_on(a_consensus(*sections), ABSENT_CHECKS).verdict is verdict


def test_a_degraded_commit_names_what_was_not_run() -> None:
    assert decision_on(a_consensus(Section.KNOWN), ABSENT_CHECKS).reasons == ABSENT_CHECKS


@pytest.mark.parametrize("stage", sorted(NOT_BUILT))
def test_a_stage_that_is_not_built_says_so(stage: str, tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        result = not_run(stage)(services, a_job(services, a_conversation("One.")))
    assert result.output == NotRun(not_run=NOT_BUILT[stage])
    assert result.effect is None
