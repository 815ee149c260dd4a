"""What the tests of foreign forms share: the fixtures, and reading them."""

from pathlib import Path

from language.intake.foreign.material import Material

FIXTURES = Path(__file__).parent / "fixtures"


def fixture(name: str) -> bytes:
    """The bytes of a fixture."""
    return (FIXTURES / name).read_bytes()


def material(name: str) -> Material:
    """A fixture on its way to a form."""
    return Material(fixture(name), name)
