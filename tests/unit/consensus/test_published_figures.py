"""The short tables of docs/consensus.md: one row a kind of fleet, and the groupings that the page speaks of."""

from collections import Counter

import pytest

from benchmarks.consensus import FAULTS, Outcome, show_summary

NO_FAULT = dict.fromkeys(FAULTS, 0)


def outcome(arm: str, recall: float, best: float, *, words: int, wrong: int = 0, lost: tuple[str, ...] = ()) -> Outcome:
    figures = {"recall": recall, "words": words, **NO_FAULT, "wrong_asserted": wrong}
    writers = {"a": {"recall": best}, "b": {"recall": 0.0}}
    return Outcome(arm, figures, figures, writers, shared=0, dissent=Counter(), lost=lost)


def test_fleets_of_one_kind_come_to_one_row_of_means_and_sums(capsys: pytest.CaptureFixture[str]) -> None:
    show_summary(
        {
            "one": [
                outcome("all", 0.9, 0.8, words=100),
                outcome("less a", 0.5, 0.6, words=40, wrong=2),
                outcome("less b", 0.7, 0.7, words=60, wrong=1, lost=("size: told twice",)),
            ],
            "two": [outcome("all", 0.7, 0.8, words=300)],
        }
    )
    told = capsys.readouterr().out
    assert "| all writers | 0.800 (0.800) | 1 of 2 | 200 | 0, 0, 0, 0 |" in told
    assert "| one withheld | 0.600 (0.650) | 1 of 2 | 50 | 3, 0, 0, 0 |" in told
    assert told.endswith("left out: 1.\n")


def test_fleets_that_were_not_run_have_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    show_summary({"one": [outcome("all", 0.9, 0.8, words=100)]})
    assert "withheld" not in capsys.readouterr().out
