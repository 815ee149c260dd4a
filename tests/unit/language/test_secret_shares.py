"""The measure of replaced secrets counts what is left of them, whoever wrote the rules."""

import json
from pathlib import Path

import pytest

from benchmarks.secret_shares import Planted, interval, is_replaced, planted_in, told

SECRET = "Xk9" + "pQ7zLm2R"


def test_a_secret_counts_only_when_no_six_characters_of_it_are_left() -> None:
    assert is_replaced(Planted("1", "env", f"password={SECRET}", SECRET))
    assert not is_replaced(Planted("2", "free", f"we said {SECRET} once", SECRET))
    assert not is_replaced(Planted("3", "tail", f"password={SECRET} {SECRET[-6:]}", SECRET))
    assert is_replaced(Planted("4", "tail", f"password={SECRET} {SECRET[-5:]}", SECRET))


def test_figures_are_by_form_and_replacements_in_ordinary_text_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Planted("1", "env", f"password={SECRET}", SECRET), Planted("2", "free", f"say {SECRET} now", SECRET)]
    figures = told(rows, f"one two three\ntoken={SECRET} is five")

    assert figures["planted"] == {"env": [1, 1], "free": [0, 1]}
    assert (figures["words"], figures["false"]) == (6, {"credential": 1})
    assert SECRET not in capsys.readouterr().out


def test_a_row_whose_text_lacks_its_secret_is_refused_by_its_place(tmp_path: Path) -> None:
    file = tmp_path / "planted.jsonl"
    file.write_text(json.dumps({"id": "1", "form": "env", "text": "nothing", "secret": SECRET}), encoding="utf-8")

    with pytest.raises(SystemExit, match="line 1"):
        planted_in(file)


def test_the_interval_holds_the_share_and_narrows() -> None:
    low, high = interval(380, 400)
    assert 0.92 < low < 0.95 < high < 0.98
    assert interval(4, 4)[1] == pytest.approx(1.0)
