import pytest
from pydantic import ValidationError

from dissolution.findings import EmbeddingStamp, GateDecision, NotRun, StageReport, StageState, Vectors, Verdict


def test_a_verdict_needs_its_reasons() -> None:
    with pytest.raises(ValidationError):
        GateDecision(verdict=Verdict.COMMIT, reasons=())


def test_a_stage_that_did_not_run_says_why() -> None:
    with pytest.raises(ValidationError):
        NotRun(not_run="")
    report = StageReport(stage="gate", state=StageState.NOT_RUN, reason="not built")
    assert StageReport.model_validate_json(report.model_dump_json()) == report


def test_vectors_keep_their_bytes() -> None:
    vectors = Vectors(
        stamp=EmbeddingStamp(model="m", digest="d", dimension=2), count=1, data=b"\x00\x00\x80?\x00\x00\x00\x00"
    )
    assert Vectors.model_validate(vectors.model_dump()) == vectors
    with pytest.raises(ValidationError):
        EmbeddingStamp(model="m", digest="d", dimension=0)
