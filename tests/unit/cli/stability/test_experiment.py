"""`dissolve experiment`: what it is given, what it prints, and what it writes."""

import json
from pathlib import Path

import pytest

from cli.shared.exits import Exit
from cli.stability.experiment import Asked, command_of, give, in_words, names_of, run_experiment
from dissolution.errors import InputError, InvalidPolicy
from stability.experiments.report import ExperimentReport
from tests.unit.stability.experiments.reports import a_report
from tests.unit.stability.experiments.tiny import tiny_data


def asked(number: int = 5, **rest: object) -> Asked:
    given = {
        "fleet": "recorded", "data": None, "conversations": None, "replicates": 1, "seed": 0, "policy": None,
        "out": None, "as_json": False,
    }  # fmt: skip
    return Asked(number=number, **{**given, **rest})  # pyright: ignore[reportArgumentType] - fields by name


def test_names_are_given_once_with_commas_between() -> None:
    assert names_of(None) == ()
    assert names_of("a, b") == ("a", "b")
    for wrong in ("a,,b", "", "a,a"):
        with pytest.raises(InputError, match="--conversations"):
            names_of(wrong)


def test_the_command_that_repeats_it_names_no_folder() -> None:
    assert command_of(asked()) == "dissolve experiment 5"
    full = asked(
        3, fleet="/etc/my fleet.toml", conversations="a,b", replicates=3, seed=7, policy=Path("/etc/p.toml")
    )  # fmt: skip
    assert command_of(full) == (
        "dissolve experiment 3 --fleet 'my fleet.toml' --conversations a,b --replicates 3 --seed 7 --policy p.toml"
    )


def test_replicates_are_of_cycles_alone() -> None:
    with pytest.raises(InputError, match=r"--replicates 3.*experiment 3"):
        run_experiment(asked(1, replicates=3))


def test_a_folder_or_policy_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.*--data"):
        run_experiment(asked(data=tmp_path / "nowhere"))
    with pytest.raises((InputError, InvalidPolicy), match=r"missing\.toml"):
        run_experiment(asked(data=tiny_data(tmp_path / "data"), policy=tmp_path / "missing.toml"))


def test_words_name_verdict_figures_and_limits() -> None:
    told = in_words(a_report())
    assert told.startswith("Experiment 2: <i>Made up</i> & more. Verdict: cannot be said\n")
    assert "supported: It holds.\n  0.5\n" in told
    assert "| published | 0.67 | 0.20 |" in told
    assert "Limits:\n  one hand\n" in told


def test_json_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run_experiment(asked(data=tiny_data(tmp_path / "data"), out=out, as_json=True)) is Exit.OK
    found = ExperimentReport.model_validate(json.loads(capsys.readouterr().out))
    assert found.number == 5
    assert isinstance(found.seconds, float)
    assert {path.suffix for path in out.iterdir()} == {".html", ".md", ".json"}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert give(a_report(), asked(2, out=tmp_path / "file" / "out")) is Exit.UNWRITTEN
    captured = capsys.readouterr()
    assert "cannot be written" in captured.err
    assert "Verdict" in captured.out
