"""Measures and adjudication as a person reads them: every figure with its meaning, or why there is none."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.agreement_views import MEASURES, adjudication_line, named, print_measures
from cli.exits import Exit
from cli.explain import decisions_about, explain_claim, print_decisions
from cli.output import ResultConsole
from cli.show import ShowOptions, show_job
from cli.views import print_dissent, print_receipt
from dissolution.adjudication import Adjudication, ClaimPair, PairDecision, PairVerdict
from dissolution.answers import FailureClass
from dissolution.claims import Section
from dissolution.findings import AgreementMeasures
from dissolution.receipt import AdjudicationReport, ConsensusReport, Receipt
from dissolution.values import NotMeasured
from store.unit_of_work import sql_unit_of_work_factory
from tests.factories import a_conversation
from tests.unit.cli.stored import ended, url_in, waiting
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, a_receipt
from tests.unit.workers.test_gating import a_consensus

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
REPORT = AdjudicationReport(member="judge", doubtful=9, asked=7, decided=6, same=2, opposed=1, overruled=1)


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def printed() -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return ResultConsole(file=stream, width=200, highlight=False), stream


def a_receipt_with(adjudication: AdjudicationReport) -> Receipt:
    receipt = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
    assert isinstance(receipt.consensus, ConsensusReport)
    return receipt.model_copy(update={"consensus": receipt.consensus.model_copy(update={"adjudication": adjudication})})


def test_every_measure_has_a_name_and_a_meaning() -> None:
    fields = {field for field, _, _ in MEASURES}
    assert fields == set(AgreementMeasures.model_fields) - {"family_coverage", "members"}


def test_measures_are_shown_with_what_each_family_and_member_adds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = ended(tmp_path)
    assert show_job(options(tmp_path)) is Exit.OK
    text = capsys.readouterr().out
    assert f"MEASURES of job {job.id}" in text
    assert all(name in text for _, name, _ in MEASURES)
    assert "Krippendorff's alpha: not measured: every family states every claim" in text
    assert "m0" in text
    assert "said by nobody else" in text
    assert "DISSENT" not in text


def options(folder: Path) -> ShowOptions:
    return ShowOptions(
        name=None,
        dissent=False,
        receipt=False,
        measures=True,
        export=None,
        budget_tokens=None,
        db=url_in(folder),
        as_json=False,
    )


def test_a_job_that_has_not_ended_has_no_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waiting(tmp_path)
    show_job(options(tmp_path))
    assert "not decided: the job is queued" in capsys.readouterr().out


def test_a_job_without_a_consensus_says_why() -> None:
    out, stream = printed()
    absent = NotMeasured(not_measured="the job ended before its consensus")
    print_measures(out, a_receipt(a_boundary(CONVERSATION), CONVERSATION).model_copy(update={"consensus": absent}))
    assert "consensus: not measured: the job ended before its consensus" in stream.getvalue()


def test_measures_of_an_earlier_version_are_absent_with_the_reason() -> None:
    out, stream = printed()
    receipt = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
    print_measures(out, receipt)
    assert isinstance(receipt.consensus, ConsensusReport)
    assert "effective families: not measured: made by a version that did not measure it" in stream.getvalue()
    assert {field: value for field, _, value in named(receipt.consensus.measures)}["claim_agreement"] == 0.5


def test_the_receipt_says_how_many_pairs_were_asked_about_and_decided() -> None:
    out, stream = printed()
    print_receipt(out, a_receipt_with(REPORT), full=False)
    line = "adjudication by judge: asked about 7 of 9 pairs in doubt; 6 decided: 2 same, 1 opposed, 1 overruled by"
    assert line in stream.getvalue()


def test_an_adjudication_that_was_not_had_says_so_and_none_says_nothing() -> None:
    update = {"decided": 0, "same": 0, "opposed": 0, "overruled": 0}
    failed = REPORT.model_copy(update=update | {"failure": FailureClass.TIMEOUT, "detail": "no answer"})
    receipt = a_receipt_with(failed)
    assert isinstance(receipt.consensus, ConsensusReport)
    line = adjudication_line(receipt.consensus)
    assert line is not None
    assert line.endswith("not had (timeout: no answer), the rules decided alone")
    plain = a_receipt(a_boundary(CONVERSATION), CONVERSATION).consensus
    assert isinstance(plain, ConsensusReport)
    assert adjudication_line(plain) is None


def test_dissent_in_full_names_voters_words_reason_and_what_it_is_against() -> None:
    claim = a_claim("c7", Section.EDGES, "The owner is open.")
    item = a_dissent("d1", "Ben owns it.").model_copy(update={"against": ("c7", "gone")})
    out, stream = printed()
    print_dissent(out, a_boundary(CONVERSATION, claim, dissent=(item,)), full=True, db=None)
    text = stream.getvalue()
    voter = item.statements[0]
    assert f"{voter.member} of {voter.family}: “{voter.claim.text}”" in text
    assert f"{item.reason.value}: {item.detail}" in text
    assert "against c7 “The owner is open.”" in text
    assert "against gone\n" in text


DECISION = PairDecision(
    pair=ClaimPair(first="It holds.", second="It stands."),
    verdict=PairVerdict.SAME,
    member="judge",
    reason="first to second: entails, second to first: entails; the same",
    overruled="date: 15 against 30",
)


def test_a_claim_is_explained_with_the_pairs_it_was_part_of() -> None:
    other = DECISION.model_copy(update={"pair": ClaimPair(first="Pike eat roach.", second="Roach eat less.")})
    adjudication = Adjudication(member="judge", doubtful=2, asked=2, decisions=(DECISION, other))
    consensus = a_consensus(Section.KNOWN)
    found = consensus.model_copy(update={"adjudication": adjudication})
    assert decisions_about(consensus.claims[0], found) == (DECISION,)
    assert decisions_about(consensus.claims[0], consensus) == ()
    assert decisions_about(consensus.claims[0], None) == ()
    out, stream = printed()
    print_decisions(out, (DECISION,))
    text = " ".join(stream.getvalue().split())
    assert "Adjudicated pairs (1)" in text
    assert "same, says judge (first to second: entails" in text
    assert "overruled by guard date: 15 against 30" in text
    assert "“It holds.” “It stands.”" in text
    print_decisions(out, ())
    assert " ".join(stream.getvalue().split()) == text


def test_the_json_of_a_claim_has_its_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended(tmp_path)
    with sql_unit_of_work_factory(url_in(tmp_path))() as work:
        boundary = work.boundaries.current("conv-1")
    assert boundary is not None
    assert explain_claim(boundary.claims[0].id, db=url_in(tmp_path), as_json=True) is Exit.OK
    assert '"adjudicated": []' in capsys.readouterr().out
