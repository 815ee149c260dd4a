import pytest
from hypothesis import given

from language.names import names
from tests.unit.language.support import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", set[str]()),
        ("Ravi approves deploys. Henrike owns it, says Salma.", {"Ravi", "Henrike", "Salma"}),
        ("The CTO hears about EKS from Tobias Keller on Monday.", {"CTO", "EKS", "Tobias", "Keller"}),
        ("We use Kinesis, Ilse’s nginx and the Salão Norte in May.", {"Kinesis", "Ilse", "Salão", "Norte"}),
        ("DO NOT REUSE BEFORE MAY", set[str]()),
        ("# KNOWN\n- Ledgerline is the portal", {"Ledgerline"}),
        ("Position is out. I know.", set[str]()),
        ("Sampling is slow. Today we stop.", set[str]()),
        ("Tests is what tests are.", set[str]()),
        ("GitHub and PostgreSQL run.", {"GitHub", "PostgreSQL"}),
        ("“Nothing works,” he says.", set[str]()),
        ("Run `Alpha` at Beta.", {"Beta"}),
        ("I said OK. Yes.", set[str]()),
    ],
)
def test_names(text: str, expected: set[str]) -> None:
    assert names(text) == expected


@given(TEXTS)
def test_names_stand_in_the_text_and_open_with_a_capital(text: str) -> None:
    for name in names(text):
        assert name in text.replace("’", "'").replace("‘", "'").replace("ʼ", "'")
        assert name[0].isupper()
