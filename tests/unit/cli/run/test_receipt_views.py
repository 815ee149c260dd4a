"""The receipt for a person: a fact a line, tables of members and stages, what does not exist with its reason."""

import io

import pytest

from cli.run.receipt_views import facts, members_table, print_receipt, stages_table
from cli.shared.output import ResultConsole
from dissolution.answers import FailureClass
from dissolution.findings import StageState
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.calibration import CALIBRATION
from dissolution.receipt.job_receipt import ConsensusReport, Receipt
from dissolution.values import NotMeasured
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_receipt

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
RECEIPT = a_receipt(a_boundary(CONVERSATION), CONVERSATION)
ABSENT = NotMeasured(not_measured="no price is known")


def printed(receipt: Receipt) -> str:
    stream = io.StringIO()
    print_receipt(ResultConsole(file=stream, width=200, highlight=False), receipt)
    return stream.getvalue()


def cells(table: object, name: str) -> list[str]:
    columns = getattr(table, "columns")  # noqa: B009 - rich's own type is not public
    return [str(cell) for cell in next(column for column in columns if column.header == name).cells]


def test_windows_are_a_column_once_somebody_needed_them() -> None:
    assert "read in parts" not in [column.header for column in members_table(RECEIPT.members).columns]
    members = (RECEIPT.members[0].model_copy(update={"windows": 3}), *RECEIPT.members[1:])
    assert cells(members_table(members), "read in parts") == ["3", *("1" for _ in members[1:])]


def test_a_member_that_failed_says_why_in_words() -> None:
    failed = RECEIPT.members[0].model_copy(update={"answer_class": None, "failure": FailureClass.AUTH})
    assert cells(members_table([failed]), "what came") == ["key refused"]
    late = RECEIPT.members[0].model_copy(update={"late": True})
    assert cells(members_table([late]), "what came")[0].endswith(", too late")


def test_every_stage_is_a_row_and_what_did_not_run_says_why() -> None:
    table = stages_table(RECEIPT.stages, RECEIPT.cost)
    assert cells(table, "stage") == [one.stage for one in RECEIPT.stages]
    absent = next(one for one in RECEIPT.stages if one.state is StageState.NOT_RUN)
    assert f"{absent.stage}: {absent.reason}" in printed(RECEIPT)


@pytest.mark.parametrize("name", ["enough answers", "heard", "cost", "tokens written"])
def test_a_figure_that_does_not_exist_says_so_with_its_reason(name: str) -> None:
    cost = RECEIPT.cost.model_copy(update={"used_usd": ABSENT, "used_output_tokens": ABSENT})
    told = dict(facts(RECEIPT.model_copy(update={"cost": cost, "quorum": ABSENT, "consensus": ABSENT})))
    assert told[name].startswith("not measured: no price is known")


def test_the_policy_is_named_and_not_printed() -> None:
    text = printed(RECEIPT)
    assert f"{RECEIPT.policy_digest[:12]}; every field: show {RECEIPT.job} --policy" in text
    assert "min_families" not in text


def test_the_calibration_is_named_or_said_not_to_be_recorded() -> None:
    told = dict(facts(RECEIPT.model_copy(update={"calibration_digest": CALIBRATION.digest})))
    assert told["calibration"].startswith(CALIBRATION.digest[:12])
    assert dict(facts(RECEIPT))["calibration"].startswith("not recorded")


def test_a_cycle_tells_what_became_of_held_claims_and_each_that_was_put_right() -> None:
    assert isinstance(RECEIPT.consensus, ConsensusReport)
    error = Change(kind=ChangeKind.REPAIRED, claim="c7", reason="the answers put it into KNOWN")
    cycle = RECEIPT.consensus.model_copy(
        update={
            "prior_version": 3,
            "changes": {ChangeKind.ADDED: 2, ChangeKind.CARRIED: 5, ChangeKind.REPAIRED: 1},
            "temporal_errors": (error,),
        }
    )
    assert "since version" not in " ".join(dict(facts(RECEIPT)))
    told = dict(facts(RECEIPT.model_copy(update={"consensus": cycle})))
    assert told["since version 3"] == "2 new, 5 kept though not said again, 1 put right"
    assert told["put right"] == "c7: the answers put it into KNOWN"
