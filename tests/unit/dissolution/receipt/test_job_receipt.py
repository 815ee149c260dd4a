import pytest

from dissolution.receipt.job_receipt import Receipt
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_receipt


@pytest.mark.parametrize("measured", [True, False])
def test_receipt_survives_json_with_its_absences(*, measured: bool) -> None:
    conversation = a_conversation("Hello.")
    receipt = a_receipt(a_boundary(conversation), conversation, measured=measured)
    assert Receipt.model_validate_json(receipt.model_dump_json()) == receipt
