import pytest

from consensus.grouping.sentences import points
from tests.unit.consensus.made import a_statement


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One thing stands here.", ["One thing stands here."]),
        (
            "The lake has 83 ha of water. Roach falls by half.",
            ["The lake has 83 ha of water.", "Roach falls by half."],
        ),
        ("Who funds January? Counsel answers soon enough.", ["Who funds January? Counsel answers soon enough."]),
        ("The rollback plan stands. Approved.", ["The rollback plan stands. Approved."]),
        ("The lake is deep and the pike are many.", ["The lake is deep and the pike are many."]),
        ("...", ["..."]),
    ],
)
def test_a_statement_is_read_by_sentences_that_can_be_read_alone(text: str, parts: list[str]) -> None:
    statement = a_statement(text)
    found = points(statement)
    assert [point.text for point in found] == parts
    assert all(point.statement is statement and point.text in text for point in found)
