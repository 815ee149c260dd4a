"""Measures as a person reads them: every figure with its meaning, or why there is none."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.run.agreement_views import MEASURES, named, print_measures
from cli.run.show import ShowOptions, show_job
from cli.shared.exits import Exit
from cli.shared.output import ResultConsole
from cli.shared.views import print_dissent
from dissolution.claims import Section
from dissolution.findings import AgreementMeasures
from dissolution.receipt.job_receipt import ConsensusReport
from dissolution.values import NotMeasured
from tests.factories import a_conversation
from tests.unit.cli.stored import ended, url_in, waiting
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, a_receipt

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def printed() -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return ResultConsole(file=stream, width=200, highlight=False), stream


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
    assert "Not decided: the job is queued" in capsys.readouterr().out


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


def test_dissent_in_full_names_voters_words_reason_and_what_it_is_against() -> None:
    claim = a_claim("c7", Section.EDGES, "The owner is open.")
    item = a_dissent("d1", "Ben owns it.").model_copy(update={"against": ("c7", "gone")})
    out, stream = printed()
    print_dissent(out, a_boundary(CONVERSATION, claim, dissent=(item,)), full=True, db=None)
    text = stream.getvalue()
    voter = item.statements[0]
    assert f"{voter.member} of {voter.family}: “{voter.claim.text}”" in text
    assert "set aside: too few models state it" in text
    assert "against c7 “The owner is open.”" in text
    assert "against gone\n" in text
