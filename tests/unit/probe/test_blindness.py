"""Blind by construction: what functions are given, walked through their types; and a planted leak is caught."""

import inspect
import typing
from collections.abc import Callable, Sequence

import pytest
from pydantic import BaseModel

from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.probing import ProbeReport, Question, QuestionBank
from probe.cloze import write_cloze_bank
from probe.reading import ArmText, AskedQuestion, Reader, RetrievalReader
from probe.repair import Repair

CANDIDATE = {ArmText, Claim, Consensus, ProbeReport, str}
"""What a question writer could learn a candidate from; text of any kind is one."""

REFERENCES = {Question, QuestionBank, ProbeReport, Snapshot, Consensus, Claim}
"""What a reader could learn an answer, or another arm, from."""


def given(function: Callable[..., object]) -> dict[str, set[type]]:
    """For each parameter every type that can be reached through its annotation and through fields of models."""
    hints = typing.get_type_hints(function)
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    return {name: reached(hints[name]) for name in names}


def reached(annotation: object, seen: frozenset[object] = frozenset()) -> set[type]:
    if annotation in seen:
        return set()
    seen = seen | {annotation}
    found: set[type] = {annotation} if isinstance(annotation, type) else set()
    for part in typing.get_args(annotation):
        found |= reached(part, seen)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for field in annotation.model_fields.values():
            found |= reached(field.annotation, seen)
    return found


def leaks_to_writer(writer: Callable[..., object]) -> set[str]:
    """Parameters through which a candidate could reach a writer.

    None are the snapshot, the number of questions, and questions of earlier banks, which were written as blindly.
    """
    hints = typing.get_type_hints(writer)
    blind = (Snapshot, Sequence[Question])
    return {name for name, types in given(writer).items() if hints[name] not in blind and types & CANDIDATE}


def leaks_to_reader(reader: Callable[..., object]) -> set[str]:
    parameters = given(reader)
    arms = [name for name, types in parameters.items() if ArmText in types]
    return {name for name, types in parameters.items() if types & REFERENCES} | set(arms[1:])


def leaky_writer(snapshot: Snapshot, *, size: int, hint: Sequence[Claim]) -> None:
    """A planted leak."""


def leaky_reader(text: ArmText, other: ArmText, asked: Sequence[Question]) -> None:
    """Two planted leaks."""


def test_the_writer_cannot_receive_a_candidate() -> None:
    assert set(given(write_cloze_bank)) == {"snapshot", "size", "excluding", "notable"}
    assert leaks_to_writer(write_cloze_bank) == set()


@pytest.mark.parametrize("reader", [Reader.read, RetrievalReader.read])
def test_a_reader_receives_one_arm_and_no_reference(reader: Callable[..., object]) -> None:
    assert leaks_to_reader(reader) == set()
    assert AskedQuestion in given(reader)["asked"]


def test_repair_tells_turns_and_no_question() -> None:
    assert Question not in reached(Repair)
    assert set(Repair.model_fields) == {"turns", "spent"}


def test_planted_leaks_are_caught() -> None:
    assert leaks_to_writer(leaky_writer) == {"hint"}
    assert leaks_to_reader(leaky_reader) == {"other", "asked"}
