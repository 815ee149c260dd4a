"""What a person reads of a boundary: claims, dissent, figures that exist or say that they do not."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.shared.output import ResultConsole
from cli.shared.views import DISSENT_SHOWN, console, figure, in_words, print_claim, print_dissent, shortened
from dissolution.claims import ClaimState, Mark, Section
from dissolution.values import NotMeasured
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, evidence_in

CONVERSATION = a_conversation("We use Postgres 16.", "Noted.")
ABSENT = NotMeasured(not_measured="no price is known")


def printed() -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return ResultConsole(file=stream, width=200, highlight=False), stream


def test_more_dissent_is_one_command_away() -> None:
    dissent = tuple(a_dissent(f"d{number}", f"Point {number}.") for number in range(DISSENT_SHOWN + 2))
    boundary = a_boundary(CONVERSATION, dissent=dissent)
    out, stream = printed()
    print_dissent(out, boundary, full=False, db="sqlite:///mine")
    assert "2 more: dissolve show j1 --dissent --db sqlite:///mine" in stream.getvalue()
    out, stream = printed()
    print_dissent(out, boundary, full=True, db=None)
    assert f"Point {DISSENT_SHOWN + 1}." in stream.getvalue()
    assert "more: dissolve" not in stream.getvalue()


def test_a_figure_that_does_not_exist_says_so_with_its_reason() -> None:
    assert (figure(ABSENT), figure(0.5, ".2f"), figure(0)) == ("not measured", "0.50", "0")
    assert (in_words(ABSENT, "USD"), in_words(0.5, "USD", ".1f")) == ("not measured: no price is known", "0.5 USD")


def test_output_to_a_file_does_not_depend_on_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert console().width == 120


def test_long_text_becomes_one_line() -> None:
    assert shortened("a\n  b\tc") == "a b c"
    assert shortened("x" * 200, 10) == "x" * 9 + "…"


def test_a_claim_says_how_it_stands() -> None:
    quote = (evidence_in(CONVERSATION, 1, "Postgres 16"),)
    claim = a_claim("c7", Section.DECIDED, "We use Postgres 16.", quote, marks=(Mark.PINNED,))
    carried = claim.model_copy(update={"state": ClaimState.CARRIED, "carried": 3})
    out, stream = printed()
    print_claim(out, carried, CONVERSATION, section=True)
    assert "• [DECIDED] We use Postgres 16. [pinned] [carried, 3 cycles]" in stream.getvalue()


def test_dissent_that_persists_says_for_how_long() -> None:
    dissent = (a_dissent("d1", "It rains.").model_copy(update={"cycles": 4}), a_dissent("d2", "It snows."))
    out, stream = printed()
    print_dissent(out, a_boundary(CONVERSATION, dissent=dissent), full=False, db=None)
    assert stream.getvalue().count("(said in 4 cycles)") == 1
    assert stream.getvalue().count("(said in") == 1
