"""Banks from a file: read whole, or refused with the reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from dissolution.clock import SystemClock
from dissolution.errors import InputError
from dissolution.probing import QuestionKind, Split, Third
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from probe.ready_made import MAX_BYTES, read_bank
from probe.scoring import score
from tests.factories import a_snapshot

PLANTED = sorted((Path(__file__).parents[3] / "benchmarks" / "data" / "planted").glob("*.json"))
SNAPSHOT = a_snapshot("The launch is on 12 June.", "Noted.", "Good.")


def a_probe(**fields: object) -> dict[str, Any]:
    return {"id": "P1", "question": "When?", "kind": "recall", "expected": ["12 June"], "evidence_turns": [1]} | fields


def written(folder: Path, value: object) -> Path:
    path = folder / "bank.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", PLANTED, ids=lambda path: path.stem)
def test_planted_questions_are_a_bank(path: Path) -> None:
    reading = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock())
    bank = read_bank(path, reading.conversation.snapshot())
    assert len(bank.split(Split.HELD_OUT)) == 50
    assert bank.split(Split.TRAIN) == ()
    wrong = [question.id for question in bank.questions if not score(question, question.reference).right]
    assert wrong == []


def test_lists_and_unanswerable_questions(tmp_path: Path) -> None:
    probes = [a_probe(evidence_turns=[1, 3]), a_probe(id="P2", kind="abstain", evidence_turns=[])]
    first, second = read_bank(written(tmp_path, probes), SNAPSHOT).questions
    assert first.third is Third.LAST
    assert (second.kind, second.third) == (QuestionKind.NOT_ANSWERABLE, None)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("{", "is no JSON"),
        ([], "has no questions"),
        ("12", "has no questions"),
        ({"turns": []}, "has no questions"),
        ([{"id": "P1"}], "question 1: question: Field required"),
        ([a_probe(kind="riddle")], "riddle"),
        ([a_probe(expected=[])], "expected"),
        ([a_probe(accept=["("])], "cannot be read"),
        ([a_probe(evidence_turns=[4])], "outside the history"),
        ([a_probe(evidence_turns=[0])], "outside the history"),
        ([a_probe(evidence_turns=[])], "no evidence turn"),
        ([a_probe(), a_probe()], "more than once"),
        ([7], "question 1: Input should be an object"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, value: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_bank(written(tmp_path, value), SNAPSHOT)


def test_a_kind_nobody_knows_is_answered_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.write_text(json.dumps([{"id": "a", "question": "x?", "kind": "weird", "expected": ["y"]}]), encoding="utf-8")
    with pytest.raises(InputError, match=r"'weird'.*recall, .*abstain"):
        read_bank(path, a_snapshot("Hello there."))


def test_missing_and_huge_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_bank(tmp_path / "none.json", SNAPSHOT)
    with pytest.raises(InputError, match="split it"):
        read_bank(written(tmp_path, " " * (MAX_BYTES + 1)), SNAPSHOT)
