"""Recorded members: what is replayed, and what is refused with file and field."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.answers import FinishReason, MemberKind, MemberTask
from dissolution.errors import InvalidRoster, MemberRequestRejected
from dissolution.values import NotMeasured
from fleet.recorded import MAX_FILE_BYTES, RecordedMember, Recording, check_recorded, load_recorded
from tests.factories import a_snapshot
from tests.unit.fleet.parts import a_prompt, a_task

RECORDINGS = Path(__file__).parents[3] / "benchmarks" / "data" / "recordings"


def fields(**changes: object) -> dict[str, object]:
    form: dict[str, object] = {
        "conversation": "conv-1",
        "writer": "writer-a",
        "family": "alpha",
        "condition": "dissolve",
        "through": "2",
        "answer": "KNOWN\n- naïve café ☕",
        "planted_faults": [],
    }
    return form | changes


def write(folder: Path, name: str = "writer-a.dissolve.json", **changes: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(fields(**changes), ensure_ascii=False), encoding="utf-8")
    return path


def task_through(turns: int, name: str = "conv-1") -> MemberTask:
    snapshot = a_snapshot(*(f"turn {n}" for n in range(1, turns + 1)), name=name)
    return MemberTask(snapshot=snapshot, prompt=a_prompt(), deadline_s=5)


@pytest.mark.parametrize("folder", sorted(path for path in RECORDINGS.iterdir() if path.is_dir()), ids=lambda p: p.name)
def test_every_committed_folder_gives_six_writers_of_four_families(folder: Path) -> None:
    members = load_recorded(folder)
    assert [member.card.name for member in members] == [f"writer-{letter}" for letter in "abcdef"]
    assert [member.card.family for member in members] == ["alpha", "alpha", "beta", "delta", "gamma", "gamma"]
    assert {member.card.kind for member in members} == {MemberKind.RECORDED}
    assert len({member.card.version for member in members}) == 6


def test_an_answer_comes_back_word_for_word_and_costs_nothing(tmp_path: Path) -> None:
    write(tmp_path)
    (member,) = load_recorded(tmp_path)
    reply = asyncio.run(member.answer(a_task()))
    assert reply.text == "KNOWN\n- naïve café ☕"
    assert reply.finish is FinishReason.UNKNOWN
    assert reply.usage.cost_usd == Decimal(0)
    assert reply.usage.input_tokens == NotMeasured(not_measured="recorded answer")
    assert member.estimate(a_task()) == reply.usage
    assert reply.model_reported == "writer-a, recorded through turn 2"
    assert member.card.model == "recording conv-1/writer-a.dissolve"


def test_another_conversation_is_refused_at_answer_and_beforehand(tmp_path: Path) -> None:
    write(tmp_path)
    members = load_recorded(tmp_path)
    with pytest.raises(MemberRequestRejected, match=r"'conv-1'.*'other'"):
        asyncio.run(members[0].answer(a_task(name="other")))
    check_recorded(members, a_snapshot("hello"))
    with pytest.raises(InvalidRoster, match=r"'writer-a'.*'conv-1'.*'other'"):
        check_recorded(members, a_snapshot("hello", name="other"))


@pytest.mark.parametrize(("turns", "through"), [(14, 14), (20, 14), (28, 28), (99, 42), (3, 14)])
def test_of_several_extents_the_one_that_saw_most_without_seeing_more_replies(
    tmp_path: Path, turns: int, through: int
) -> None:
    for place, extent in enumerate((28, 14, 42), start=1):
        write(tmp_path, f"writer-a.roll-{place}.json", condition="roll", through=str(extent), answer=f"at {extent}")
    (member,) = load_recorded(tmp_path, "roll")
    reply = asyncio.run(member.answer(task_through(turns)))
    assert reply.text == f"at {through}"
    assert reply.model_reported == f"writer-a, recorded through turn {through}"


def test_an_extent_may_be_the_name_of_a_conversation(tmp_path: Path) -> None:
    write(tmp_path, "writer-a.roll-1.json", condition="roll", through="meeting-a", conversation="series", answer="a")
    write(tmp_path, "writer-a.roll-2.json", condition="roll", through="meeting-b", conversation="series", answer="b")
    (member,) = load_recorded(tmp_path, "roll")
    assert asyncio.run(member.answer(task_through(3, "meeting-b"))).text == "b"
    assert member.conversations == ("meeting-a", "meeting-b")
    with pytest.raises(MemberRequestRejected, match="'meeting-a', 'meeting-b'"):
        asyncio.run(member.answer(task_through(3, "series")))


def test_an_empty_answer_is_an_answer_and_whole_numbers_are_turns(tmp_path: Path) -> None:
    write(tmp_path, answer="", through=2, notes="unknown fields are not read")
    (member,) = load_recorded(tmp_path)
    assert asyncio.run(member.answer(a_task())).text == ""


def test_other_conditions_and_other_files_are_not_opened(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "writer-b.summarise.json").write_text("broken", encoding="utf-8")
    (tmp_path / "PROMPTS.md").write_text("text", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    assert len(load_recorded(tmp_path)) == 1


@pytest.mark.parametrize("field", ["conversation", "writer", "family", "condition", "through", "answer"])
def test_a_missing_field_is_named_with_its_file(tmp_path: Path, field: str) -> None:
    content = fields()
    del content[field]
    path = tmp_path / "writer-a.dissolve.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InvalidRoster, match=rf"writer-a\.dissolve\.json'.*field '{field}'.*Field required"):
        load_recorded(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": None}, "field 'answer'"),
        ({"family": ""}, "field 'family'"),
        ({"family": 3}, "field 'family'"),
        ({"through": -1}, "field 'through'"),
        ({"writer": "writer-b"}, "field 'writer' is 'writer-b', its name says 'writer-a'"),
        ({"condition": "roll"}, "field 'condition' is 'roll', its name says 'dissolve'"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    (tmp_path / "writer-a.dissolve.json").write_text(json.dumps(fields(**changes)), encoding="utf-8")
    with pytest.raises(InvalidRoster, match=message):
        load_recorded(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON .line 1, column 1"),
        (b'{"conversation": "c",\n "writer": }', "is not JSON .line 2, column 12"),
        (b"\xff\xfe{}", "is not UTF-8 .byte 0"),
        (b"[1]", "holds list, not an object"),
        (b"[" * 200_000, "is nested too deep"),
        (b" " * (MAX_FILE_BYTES + 1), "is larger than"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "writer-a.dissolve.json").write_bytes(content)
    with pytest.raises(InvalidRoster, match=rf"writer-a\.dissolve\.json' {message}"):
        load_recorded(tmp_path)


def test_folders_that_are_no_fleet(tmp_path: Path) -> None:
    with pytest.raises(InvalidRoster, match="No such file"):
        load_recorded(tmp_path / "missing")
    with pytest.raises(InvalidRoster, match="'dissolve'"):
        load_recorded(tmp_path)
    (tmp_path / "answers.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidRoster, match=r"answers\.json'"):
        load_recorded(tmp_path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(InvalidRoster, match=r"writer-a\.dissolve\.json'.*Permission denied"):
        load_recorded(tmp_path)


def test_recordings_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, "writer-a.dissolve-2.json")
    with pytest.raises(InvalidRoster, match=r"'writer-a'.*'2'"):
        load_recorded(tmp_path)
    write(tmp_path, "writer-a.dissolve-2.json", family="beta", through="3")
    with pytest.raises(InvalidRoster, match=r"'family'.*'beta'.*'alpha'"):
        load_recorded(tmp_path)
    write(tmp_path, "writer-a.dissolve-2.json", conversation="conv-2", through="3")
    with pytest.raises(InvalidRoster, match=r"several conversations \('conv-1', 'conv-2'\)"):
        load_recorded(tmp_path)


def test_a_member_needs_a_recording() -> None:
    with pytest.raises(InvalidRoster, match="without recordings"):
        RecordedMember([])


def test_the_version_changes_with_the_words() -> None:
    one, other = (
        RecordedMember([Recording.model_validate({k: v for k, v in fields(answer=a).items() if k != "planted_faults"})])
        for a in ("x", "y")
    )
    assert one.card.version != other.card.version


def test_a_file_that_cannot_be_measured_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path)

    def two_faced(self: Path) -> bool:
        path.unlink(missing_ok=True)  # gone between listing and reading
        return self.suffix == ".json"

    monkeypatch.setattr(Path, "is_file", two_faced)
    with pytest.raises(InvalidRoster, match=r"writer-a\.dissolve\.json' cannot be read"):
        load_recorded(tmp_path)
