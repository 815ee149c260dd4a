"""What the tests of foreign forms share: the fixtures, and reading them."""

from pathlib import Path
from typing import Any

import pytest

from dissolution.errors import InvalidConversation
from language.intake.foreign.material import Material
from language.intake.read import Reading
from tests.unit.language.intake.support import read

FIXTURES = Path(__file__).parent / "fixtures"


def fixture(name: str) -> bytes:
    """The bytes of a fixture."""
    return (FIXTURES / name).read_bytes()


def material(name: str) -> Material:
    """A fixture on its way to a form."""
    return Material(fixture(name), name)


def quoted(reading: Reading, number: int) -> list[tuple[str, str]]:
    """(kind, words) of what is quoted in a turn."""
    turn = reading.conversation.turn(number)
    return [(span.kind.value, turn.content[span.start : span.end]) for span in turn.quoted]


def refusal(data: Any, **options: Any) -> str:  # noqa: ANN401 - any JSON, any option
    """What is said when this is refused."""
    with pytest.raises(InvalidConversation) as refused:
        read(data, **options)
    return str(refused.value)
