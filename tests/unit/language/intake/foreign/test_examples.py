"""The examples of forms of other programs are what their names say."""

from pathlib import Path

import pytest

from language.intake.options import Form
from tests.unit.language.intake.support import read

EXAMPLES = Path(__file__).parents[5] / "examples" / "conversations"


@pytest.mark.parametrize(
    ("file", "form", "turns"),
    [
        ("langchain.json", Form.LANGCHAIN, 5),
        ("responses.json", Form.RESPONSES, 4),
        ("markdown.md", Form.MARKDOWN, 3),
    ],
)
def test_each_example_is_of_the_form_in_its_name(file: str, form: Form, turns: int) -> None:
    reading = read((EXAMPLES / file).read_bytes(), file)
    assert (reading.form, len(reading.conversation.turns)) == (form, turns)
