"""All five experiments over one small conversation, on recorded writers and on no language model."""

from pathlib import Path

import pytest

from dissolution.errors import InputError, InvalidRoster
from dissolution.settings import Settings
from dissolution.values import NotMeasured
from stability.experiments.data import DataFolder
from stability.experiments.report import Conclusion, ExperimentReport, Figure, Table
from stability.experiments.run import experiment
from stability.experiments.workspace import Choice
from tests.unit.stability.experiments.tiny import NAME, tiny_data

SETTINGS = Settings(embedder="hashing")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    return DataFolder(tiny_data(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def recorded(data: DataFolder) -> dict[int, ExperimentReport]:
    return {number: experiment(number, Choice(data), SETTINGS, "command") for number in range(1, 6)}


@pytest.fixture(scope="module")
def extractive(data: DataFolder) -> dict[int, ExperimentReport]:
    choice = Choice(data, fleet="extractive")
    return {number: experiment(number, choice, SETTINGS, "command") for number in (1, 2, 4)}


def table(report: ExperimentReport, name: str) -> Table:
    return next(one for one in report.tables if one.name == name)


def value(report: ExperimentReport, name: str, line: str, column: int) -> float | NotMeasured:
    found = next(one for one in table(report, name).lines if one.name == line).cells[column]
    assert isinstance(found, Figure)
    return found.value.estimate


def test_each_says_what_it_held_did_and_cannot_show(
    recorded: dict[int, ExperimentReport], extractive: dict[int, ExperimentReport]
) -> None:
    for report in (*recorded.values(), *extractive.values()):
        assert report.hypotheses
        assert report.method
        assert report.data
        assert report.limits
        assert report.tables
        assert all(one.reason for one in report.hypotheses)
        assert report.command == "command"


def test_the_first_answers_from_a_boundary_what_nothing_answers(recorded: dict[int, ExperimentReport]) -> None:
    assert value(recorded[1], "competence", "boundary", 0) == 1.0 or (
        value(recorded[1], "competence", "boundary", 0) == pytest.approx(2 / 3)
    )
    assert value(recorded[1], "competence", "no context", 0) == 0.0
    assert value(recorded[1], "others", "no context", 0) == 1.0  # nothing declines all that has no answer
    rows = {group.name: group for group in recorded[1].row_groups}
    assert len(rows[f"questions-{NAME}"].rows) == 5  # four questions, and the words
    held = {str(row[0]): row[3] for row in rows[f"claims-{NAME}"].rows}
    assert held["K2"] is True


def test_the_second_compares_both_prompts(recorded: dict[int, ExperimentReport]) -> None:
    dissolve, summary = (value(recorded[2], "tense", "all", place) for place in (0, 1))
    assert not isinstance(dissolve, NotMeasured)
    assert not isinstance(summary, NotMeasured)
    assert dissolve > summary
    assert value(recorded[2], "jaccard", "all", 1) == 1.0  # three summaries in the same words
    assert value(recorded[2], "claims", "this project", 2) == 1.0
    assert table(recorded[2], "tense").lines[-1].cells == ("0.67", "0.20")


def test_the_third_goes_on_from_cycle_to_cycle(recorded: dict[int, ExperimentReport]) -> None:
    assert table(recorded[3], "truth").columns == ("cycle 1", "cycle 2")
    assert value(recorded[3], "commitments", "ledger", 1) == 1.0
    assert isinstance(value(recorded[3], "commitments", "ledger", 0), NotMeasured)
    kept = recorded[3].hypotheses[1]
    assert kept.conclusion is Conclusion.SUPPORTED
    assert kept.reason.startswith("0 lost")


def test_the_fourth_counts_with_and_without_the_agent(recorded: dict[int, ExperimentReport]) -> None:
    lines = [line.name for line in table(recorded[4], "promoted").lines]
    assert lines == [
        f"{fleet}, {arm}" for fleet in ("all writers", "the two weak writers") for arm in ("no agent", "agent")
    ]
    assert value(recorded[4], "dropped", "all writers, agent", 1) == 1.0


def test_the_fifth_asks_nobody(recorded: dict[int, ExperimentReport]) -> None:
    assert value(recorded[5], "classes-frozen", "backward_mutation", 0) == 1.0
    assert recorded[5].conclusion is Conclusion.CANNOT_BE_SAID  # one sentence a class


def test_without_a_language_model_what_needs_prose_cannot_be_said(extractive: dict[int, ExperimentReport]) -> None:
    assert isinstance(value(extractive[1], "competence", "summary", 0), NotMeasured)
    assert extractive[2].hypotheses[0].conclusion is Conclusion.CANNOT_BE_SAID
    assert any("this fleet writes no prose" in line for line in extractive[2].limits)
    assert [line.name for line in table(extractive[4], "edges").lines] == ["extractive, no agent", "extractive, agent"]


@pytest.mark.parametrize(
    ("number", "fleet", "names", "said"),
    [
        (6, "recorded", (), "experiment 6: choose 1 to 5"),
        (1, "nobody", (), "fleet 'nobody'"),
        (1, "missing.toml", (), "fleet 'missing.toml'"),
        (3, "recorded", ("other",), "no planted conversation 'other'"),
    ],
)
def test_what_cannot_be_run_is_told(
    data: DataFolder, number: int, fleet: str, names: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        experiment(number, Choice(data, fleet=fleet, conversations=names), SETTINGS, "")


def test_a_folder_without_labels_or_sentences_says_so(tmp_path: Path) -> None:
    folder = tiny_data(tmp_path / "data")
    (folder / "labels" / f"{NAME}.json").unlink()
    (folder / "labels").rmdir()
    (folder / "temporal.jsonl").write_text('{"id": "x"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="labels' is not there"):
        experiment(2, Choice(DataFolder(folder)), SETTINGS, "")
    with pytest.raises(InputError, match=r"'temporal\.jsonl'.*text: Field required"):
        experiment(5, Choice(DataFolder(folder)), SETTINGS, "")


def test_answers_over_cycles_that_were_not_recorded_are_told(tmp_path: Path) -> None:
    folder = tiny_data(tmp_path / "data")
    for file in (folder / "recordings" / NAME).glob("*.roll-*.json"):
        file.unlink()
    with pytest.raises(InputError, match=f"recorded of '{NAME}'"):
        experiment(3, Choice(DataFolder(folder), conversations=(NAME,)), SETTINGS, "")


def test_a_roster_that_is_none_is_refused(data: DataFolder, tmp_path: Path) -> None:
    roster = tmp_path / "fleet.toml"
    roster.write_text("nonsense", encoding="utf-8")
    with pytest.raises(InvalidRoster):
        experiment(1, Choice(data, fleet=str(roster)), SETTINGS, "")
