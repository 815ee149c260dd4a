"""What earlier versions stored can still be read: fields that are gone are ignored, others are refused as ever."""

import pytest
from pydantic import BaseModel, ValidationError

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.findings import AgreementMeasures, Consensus
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.receipt.job_receipt import ConsensusReport
from dissolution.values import NotMeasured

NONE = NotMeasured(not_measured="nothing was said")
MEASURES = AgreementMeasures(
    claim_agreement=NONE,
    dominant_cluster_share=NONE,
    mean_pairwise_jaccard=NONE,
    mean_tfidf_cosine=NONE,
    mean_embedding_cosine=NONE,
)
STAMP = HashingEmbedder().stamp
CONSENSUS = Consensus(
    claims=(), dissent=(), statements=0, groups=0, measures=MEASURES, embedding=STAMP, method="average-linkage/1"
)
REPORT = ConsensusReport(
    statements=0,
    groups=0,
    kept={},
    single_source=0,
    contested=0,
    dissent={},
    measures=MEASURES,
    embedding=STAMP,
    method="m",
)
ASKED = {"member": "judge", "doubtful": 3, "asked": 2}


@pytest.mark.parametrize(
    ("now", "gone"),
    [
        (CONSENSUS, {"adjudication": ASKED}),
        (REPORT, {"adjudication": {"not_measured": "the policy names no adjudicator"}}),
        (ConsensusPolicy(), {"adjudicator": "judge", "adjudicated_pairs": 40}),
    ],
    ids=["consensus", "receipt", "policy"],
)
def test_fields_of_earlier_versions_are_ignored_when_read(now: BaseModel, gone: dict[str, object]) -> None:
    stored = now.model_dump(mode="json") | gone
    assert type(now).model_validate(stored) == now
    with pytest.raises(ValidationError, match="unheard_of"):
        type(now).model_validate(stored | {"unheard_of": 1})
